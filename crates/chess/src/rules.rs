//! The game of chess: its variant and its start position.

use crate::position::Position;
use crate::start::Start;
use game::{
    BySide, Capabilities, DistanceUnit, Game, GameOption, Info, Options, Repetition, Rng, Rulebook, quoted,
};

/// The game of chess: standard, or Chess960 from one of its start positions.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct Chess {
    variant: Variant,
    start: Start,
}

/// The variants of chess. Their moves are the same. Their start positions and their notation of castling differ.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Variant {
    /// The usual start position. Castling is written as a king's move by two squares.
    Standard,
    /// Any of 960 start positions. Castling is written as the king taking its rook.
    Chess960,
}

/// The option for the variant.
pub const VARIANT: GameOption = GameOption {
    name: "variant",
    value: "VARIANT",
    help: "standard or chess960; in chess960, --start sets the start position, and castling is written as the king \
           taking its rook",
    proposed: &["standard", "chess960"],
    default: "standard",
};

/// The option for the start position of a Chess960 game.
pub const START: GameOption = GameOption {
    name: "start",
    value: "N",
    help: "Number of the start position in Chess960, 0 to 959, or random, if no position is given; 518 is standard chess",
    proposed: &[RANDOM, "518"],
    default: RANDOM,
};

/// The start position that is drawn by lot.
const RANDOM: &str = "random";

/// An error in an option of chess.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
pub enum OptionError {
    /// There is no such variant.
    #[error("variant is {}; it is either `standard` or `chess960`", quoted(found))]
    Variant {
        /// The text that was found.
        found: String,
    },
    /// There is no such start position.
    #[error("start is {}; the starts of Chess960 have the numbers 0 to 959", quoted(found))]
    Start {
        /// The text that was found.
        found: String,
    },
    /// Standard chess has only one start position.
    #[error("a random start is one of Chess960 (`--variant chess960`); standard chess begins with 518")]
    RandomOfStandard,
    /// The start position is to be drawn by lot, and was not drawn before the game was made.
    #[error("start is `random`, but nothing is drawn here; the starts of Chess960 have the numbers 0 to 959")]
    NotDrawn,
    /// Standard chess does not have this start position.
    #[error("start {} is one of Chess960 (`--variant chess960`); standard chess begins with 518", start.number())]
    StartOfStandard {
        /// The start position.
        start: Start,
    },
}

impl Chess {
    /// Standard chess.
    pub const STANDARD: Self = Self { variant: Variant::Standard, start: Start::STANDARD };

    /// Chess960 from this start position.
    pub const fn chess960(start: Start) -> Self {
        Self { variant: Variant::Chess960, start }
    }

    /// The variant of the game.
    pub const fn variant(self) -> Variant {
        self.variant
    }
}

impl Variant {
    /// The variant that these options name.
    fn given(options: &Options) -> Result<Self, OptionError> {
        match options.get(&VARIANT) {
            name if name.eq_ignore_ascii_case("standard") => Ok(Self::Standard),
            name if name.eq_ignore_ascii_case("chess960") => Ok(Self::Chess960),
            name => Err(OptionError::Variant { found: name.to_owned() }),
        }
    }
}

fn is_random(start: &str) -> bool {
    start.eq_ignore_ascii_case(RANDOM)
}

impl Default for Chess {
    fn default() -> Self {
        Self::STANDARD
    }
}

impl Game for Chess {
    type Position = Position;
    type OptionError = OptionError;

    const INFO: Info = Info {
        name: "chess",
        title: "Chess",
        summary: "mate the king on 8 × 8 squares; Chess960 included",
        sides: BySide { first: "white", second: "black" },
        options: &[VARIANT, START],
        position_format: "FEN, X-FEN or Shredder-FEN: rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1",
        move_format: "as in UCI, such as e2e4, e7e8q, castling e1g1 (in Chess960 the king takes its rook: e1h1), or as \
                      in SAN, such as Nf3, e8=Q, O-O",
        ends: &[
            "drawn when neither side can mate: bare kings, one knight or bishop, bishops on squares of one colour",
            "drawn after 75 moves of each side without a capture or a pawn move; the side to move may claim a draw after 50",
        ],
        rules: include_str!("rules.txt"),
        // Morphy's Opera Game, before the queen sacrifice.
        example_position: "4kb1r/p2n1ppp/4q3/4p1B1/4P3/1Q6/PPP2PPP/2KR4 w k - 0 16",
        example_endgame: "8/8/8/8/8/2k5/8/KQ6 b - - 0 1",
        example_move: "b3b8",
        distances: DistanceUnit::Moves,
        capabilities: Capabilities {
            chance: false,
            loops: true,
            repetition: Repetition { claim: Some(3), draw: Some(5) },
            // A king with 8 moves and fifteen queens with 27 each. Positions of games have at most 218 moves, but a position
            // need not come from a game.
            most_moves: 8 + 15 * 27,
            bench_depth: 5,
        },
    };

    fn new(options: &Options) -> Result<Self, OptionError> {
        let variant = Variant::given(options)?;
        let start = match options.given(&START) {
            None => Start::STANDARD,
            Some(word) if is_random(word) && variant == Variant::Standard => {
                return Err(OptionError::RandomOfStandard);
            }
            Some(word) if is_random(word) => return Err(OptionError::NotDrawn),
            Some(number) => {
                let start = number.parse().ok().and_then(Start::new);
                start.ok_or_else(|| OptionError::Start { found: number.to_owned() })?
            }
        };
        if variant == Variant::Standard && start != Start::STANDARD {
            return Err(OptionError::StartOfStandard { start });
        }
        Ok(Self { variant, start })
    }

    /// In Chess960 without the number of a start, draws one.
    fn draw_by_lot(options: &Options, rng: &mut Rng) -> Option<(&'static GameOption, String)> {
        let is_open = Variant::given(options) == Ok(Variant::Chess960) && is_random(options.get(&START));
        is_open.then(|| (&START, rng.below(Start::COUNT.into()).to_string()))
    }

    fn start(&self) -> Position {
        self.start.position()
    }

    fn rulebook(&self) -> Rulebook<Position> {
        Rulebook {
            ends: Position::declared_draw,
            claims: Position::claimable_draw,
            ..Rulebook::new(Self::INFO.capabilities.repetition)
        }
    }
}
