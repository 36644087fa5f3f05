//! The game of shogi and its options: how an impasse ends, and how boards are drawn.

use crate::impasse::Impasse;
use crate::position::Position;
use crate::sfen::START;
use game::{
    BySide, Capabilities, DistanceUnit, Game, GameOption, Info, Options, Repetition, Rulebook, quoted,
};

/// The game of shogi with its options.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Default)]
pub struct Shogi {
    /// How a game ends when the kings can no longer be mated. Moves and tables ignore it.
    pub impasse: Impasse,
    /// How boards are drawn.
    pub script: Script,
}

/// The characters for men on a drawn board.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Default)]
pub enum Script {
    /// Kanji as on real men, with a `v` before White's men.
    #[default]
    Kanji,
    /// The letters of SFEN.
    Letters,
}

/// The option that selects how an impasse ends.
pub const IMPASSE: GameOption = GameOption {
    name: "impasse",
    value: "RULE",
    help: "In play, how a game ends when the kings can no longer be mated: none, 27 or 24 (points, by declaration), or try",
    proposed: &["none", "27", "24", "try"],
    default: "none",
};

/// The option that selects how boards are drawn.
pub const SCRIPT: GameOption = GameOption {
    name: "script",
    value: "SCRIPT",
    help: "How men are drawn: kanji, or letters",
    proposed: &["kanji", "letters"],
    default: "kanji",
};

/// A wrong value of an option of shogi.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
pub enum OptionError {
    /// The impasse rule does not exist.
    #[error("impasse is {}; it is one of `none`, `27`, `24` and `try`", quoted(found))]
    Impasse {
        /// The value that was given.
        found: String,
    },
    /// The script does not exist.
    #[error("script is {}; it is either `kanji` or `letters`", quoted(found))]
    Script {
        /// The value that was given.
        found: String,
    },
}

impl Game for Shogi {
    type Position = Position;
    type OptionError = OptionError;

    const INFO: Info = Info {
        name: "shogi",
        title: "Shogi",
        summary: "mate the king on 9 × 9 squares; what is taken changes sides",
        sides: BySide { first: "black", second: "white" },
        options: &[IMPASSE, SCRIPT],
        position_format: "SFEN: lnsgkgsnl/1r5b1/ppppppppp/9/9/9/PPPPPPPPP/1B5R1/LNSGKGSNL b - 1",
        move_format: "as in USI, such as 7g7f, 2b3c+, P*5e",
        ends: &[
            "lost by perpetual check: when a position occurs for the fourth time, the side loses that gave check with every move since the first",
            "won or drawn by declaration or try, with --impasse",
        ],
        rules: include_str!("rules.txt"),
        // An endgame with a man in hand, and more than one way to mate. The starter set has its table.
        example_position: "7k1/9/7K1/9/9/9/9/9/9 b R 1",
        example_endgame: "9/9/9/9/2k6/9/K8/9/9 b R 1",
        example_move: "R*5a",
        distances: DistanceUnit::Plies,
        capabilities: Capabilities {
            chance: false,
            loops: true,
            repetition: Repetition::draw_at(4),
            // The most legal moves of any position, according to those who have searched for it.
            most_moves: 593,
            bench_depth: 5,
        },
    };

    fn new(options: &Options) -> Result<Self, OptionError> {
        let impasse = match options.get(&IMPASSE) {
            "none" => Impasse::None,
            "27" => Impasse::Points27,
            "24" => Impasse::Points24,
            "try" => Impasse::Try,
            found => return Err(OptionError::Impasse { found: found.to_owned() }),
        };
        let script = match options.get(&SCRIPT) {
            "kanji" => Script::Kanji,
            "letters" => Script::Letters,
            found => return Err(OptionError::Script { found: found.to_owned() }),
        };
        Ok(Self { impasse, script })
    }

    fn start(&self) -> Position {
        START.parse().expect("the start is a position")
    }

    fn rulebook(&self) -> Rulebook<Position> {
        let mut rules = Rulebook::new(Self::INFO.capabilities.repetition);
        rules.is_check = Some(Position::is_check);
        match self.impasse {
            Impasse::None => {}
            Impasse::Points27 => rules.claims = Position::declared_by_27,
            Impasse::Points24 => rules.claims = Position::declared_by_24,
            Impasse::Try => rules.ends = Position::tried,
        }
        rules
    }
}
