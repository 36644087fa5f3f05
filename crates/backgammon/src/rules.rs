//! The game with its options: stakes, cube, dice, and how a game begins.

use crate::board::Board;
use crate::cube::Doublings;
use crate::dice::Dice;
use crate::position::{Phase, Position};
use crate::terms::{Score, ScoreError, Stakes, Terms, Variant};
use game::{
    BySide, Capabilities, DistanceUnit, Game, GameOption, Info, Options, Repetition, Rng, Side, quoted,
};

/// Backgammon with its options.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Default)]
pub struct Backgammon {
    /// The stakes, the cube and the dice.
    pub terms: Terms,
    /// The board at the start. Hypergammon has a start of its own.
    pub start: Start,
    /// Which first rolls are possible.
    pub opening: Opening,
    /// Whether there is a cube in positions whose text states its own stakes.
    pub cube: CubeUse,
}

/// When there is a doubling cube.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Default)]
pub enum CubeUse {
    /// Only in matches.
    #[default]
    Matches,
    /// In every game.
    Always,
    /// In no game, unless a position shows a cube in use.
    Never,
}

/// The board at the start.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Default)]
pub enum Start {
    /// The usual start: 167 pips for each side.
    #[default]
    Standard,
    /// A start closer to home: 108 pips for each side.
    Short,
}

/// Which first rolls are possible.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Default)]
pub enum Opening {
    /// Any roll.
    #[default]
    Plain,
    /// No doubles. Each player throws one die, and both throw again if the dice are equal. The player with the higher
    /// die begins and plays both dice.
    Real,
}

impl CubeUse {
    /// Returns whether games for these stakes have a cube.
    pub(crate) const fn is_with(self, stakes: &Stakes) -> bool {
        match self {
            Self::Matches => !stakes.is_money(),
            Self::Always => true,
            Self::Never => false,
        }
    }
}

impl Start {
    /// The checkers at the start.
    pub const fn board(self) -> Board {
        match self {
            Self::Standard => Board::START,
            Self::Short => Board::SHORT,
        }
    }
}

impl Opening {
    /// The first phase of a game.
    pub const fn phase(self) -> Phase {
        match self {
            Self::Plain => Phase::Roll,
            Self::Real => Phase::Opening,
        }
    }
}

impl Backgammon {
    /// The checkers at the start.
    pub const fn start_board(&self) -> Board {
        match self.terms.variant {
            Variant::Standard => self.start.board(),
            hyper => hyper.board(),
        }
    }

    /// Returns the start of a game in which this side has the first roll.
    pub const fn begin(&self, first: Side) -> Position {
        Position::start(self.start_board(), first, self.opening.phase(), self.terms)
    }

    /// Returns the start of the game after a finished one, with the score that it left. Returns `None` if that game
    /// is not finished, or if it decided the match.
    pub fn begin_after(&self, finished: &Position, first: Side) -> Option<Position> {
        self.begin_after_win(finished, finished.won()?.0, finished.points()?, first)
    }

    /// Returns the start of the game after one that this side won with these points, by its last position or by a resignation
    /// in it. Returns `None` if that decided the match.
    pub fn begin_after_win(
        &self,
        last: &Position,
        winner: Side,
        points: u32,
        first: Side,
    ) -> Option<Position> {
        let stakes = match last.terms().stakes {
            money @ Stakes::Money { .. } => money,
            Stakes::Match(score) => Stakes::Match(score.after(winner, points)?),
        };
        Some(Self { terms: Terms { stakes, ..self.terms }, ..*self }.begin(first))
    }

    /// Names the rules that differ from the default, one word each.
    pub(crate) fn rules(&self, terms: &Terms) -> Vec<String> {
        let mut words = Vec::new();
        words.extend((terms.variant != Variant::Standard).then(|| terms.variant.name().to_owned()));
        match terms.stakes {
            Stakes::Money { jacoby: false } => {}
            Stakes::Money { jacoby: true } => words.push("jacoby".to_owned()),
            Stakes::Match(score) => words.push(format!("match-{}", score.length())),
        }
        match (terms.with_cube, terms.cube_limit) {
            (false, _) => {}
            (true, Doublings::USUAL_LIMIT) => words.push("cube".to_owned()),
            (true, limit) => words.push(format!("cube-{}", limit.value())),
        }
        words.extend((terms.dice == Dice::Doubles).then(|| "doubles".to_owned()));
        words.extend((self.opening == Opening::Real).then(|| "opening".to_owned()));
        words.extend((self.start == Start::Short).then(|| "short".to_owned()));
        words
    }
}

/// Joins the words for rules that differ from the default into a name.
pub(crate) fn rules_name(words: &[String]) -> String {
    if words.is_empty() { "standard".to_owned() } else { words.join("-") }
}

/// The option for the doubling cube: whether there is one, and its limit.
pub const CUBE: GameOption = GameOption {
    name: "cube",
    value: "LIMIT",
    help: "The doubling cube: on, off, auto (on in matches), or the power of two up to which it may be doubled",
    proposed: &["on", "off", "auto"],
    default: "auto",
};

/// The option for the length of a match.
pub const MATCH: GameOption = GameOption {
    name: "match",
    value: "POINTS",
    help: "Play a match to so many points, with the Crawford rule; 0 plays for money",
    proposed: &["0", "1", "3", "5", "7", "9", "11"],
    default: "0",
};

/// The option for the Jacoby rule: gammons count only after the cube was turned.
pub const JACOBY: GameOption = GameOption {
    name: "jacoby",
    value: "WHETHER",
    help: "For money, gammons count only after the cube was turned: on, or off",
    proposed: &["on", "off"],
    default: "off",
};

/// The option for the first roll.
pub const OPENING: GameOption = GameOption {
    name: "opening",
    value: "ROLL",
    help: "The first roll: plain (any), or real (never a double)",
    proposed: &["plain", "real"],
    default: "plain",
};

/// The option for the board at the start.
pub const START: GameOption = GameOption {
    name: "start",
    value: "BOARD",
    help: "Where the checkers stand at first: standard, or short (108 pips a side)",
    proposed: &["standard", "short"],
    default: "standard",
};

/// The option for the possible rolls.
pub const DICE: GameOption = GameOption {
    name: "dice",
    value: "ROLLS",
    help: "Which rolls are possible: any, or doubles",
    proposed: &["any", "doubles"],
    default: "any",
};

/// The option for the number of checkers.
pub const VARIANT: GameOption = GameOption {
    name: "variant",
    value: "NAME",
    help: "With how many checkers a side: standard (15), or hypergammon: hyper1, hyper2, hyper3",
    proposed: &["standard", "hyper1", "hyper2", "hyper3"],
    default: "standard",
};

/// An invalid option of backgammon.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
pub enum OptionError {
    /// The value is neither of the two possible words.
    #[error("{option} is {}; it is either `{one}` or `{other}`{}", quoted(found), roll_goes_behind(option))]
    Word {
        /// The name of the option.
        option: &'static str,
        /// The given value.
        found: String,
        /// One possible value.
        one: &'static str,
        /// The other possible value.
        other: &'static str,
    },
    /// The value is neither `on`, `off`, `auto` nor a possible limit of the cube.
    #[error("cube is {}; it is `on`, `off`, `auto`, or a power of two from 2 to {}", quoted(found), Doublings::MOST.value())]
    Cube {
        /// The given value.
        found: String,
    },
    /// The length of the match is not a number.
    #[error("match is {}; it is a number of points, or 0", quoted(found))]
    Match {
        /// The given value.
        found: String,
    },
    /// No match can have this length.
    #[error(transparent)]
    Score(#[from] ScoreError),
    /// There is no such variant.
    #[error("variant is {}; it is `standard`, `hyper1`, `hyper2` or `hyper3`", quoted(found))]
    Variant {
        /// The given value.
        found: String,
    },
    /// The short start was asked for in hypergammon, which has a start of its own.
    #[error("the short start has fifteen checkers a side, and {variant} has not")]
    ShortVariant {
        /// The name of the variant.
        variant: &'static str,
    },
    /// The Jacoby rule was asked for in a match. It is a rule for money games.
    #[error("the Jacoby rule is for money games, not for matches")]
    JacobyInMatch,
}

/// A hint for the option `dice`, which users often take for the roll to play.
fn roll_goes_behind(option: &str) -> &'static str {
    if option == DICE.name { " (a roll goes behind the position, as in `4HPwATDgc/ABMA 31`)" } else { "" }
}

/// Reads an option that has two possible values.
fn either<T>(
    options: &Options,
    option: &GameOption,
    one: (&'static str, T),
    other: (&'static str, T),
) -> Result<T, OptionError> {
    match options.get(option) {
        found if found == one.0 => Ok(one.1),
        found if found == other.0 => Ok(other.1),
        found => Err(OptionError::Word {
            option: option.name,
            found: found.to_owned(),
            one: one.0,
            other: other.0,
        }),
    }
}

impl Game for Backgammon {
    type Position = Position;
    type OptionError = OptionError;

    const INFO: Info = Info {
        name: "backgammon",
        title: "Backgammon",
        summary: "race fifteen checkers home by the dice, and hit single checkers",
        sides: BySide { first: "white", second: "black" },
        options: &[VARIANT, CUBE, MATCH, JACOBY, OPENING, START, DICE],
        position_format: "XGID, or GNU Backgammon's position ID, alone, with the dice (4HPwATDgc/ABMA 31) or with \
                          the match ID (4HPwATDgc/ABMA:cAkAAAAAAAAE)",
        move_format: "from point to point, such as 8/5 6/5, bar/22 13/8*/3 and 6/off(3); also roll, double, take and drop",
        ends: &[],
        rules: include_str!("rules.txt"),
        // Players agree on how to play this roll.
        example_position: "4HPwATDgc/ABMA 31",
        example_endgame: "XGID=-BBA------------------abb-:0:0:1:00:0:0:0:0:10",
        example_move: "8/5 6/5",
        distances: DistanceUnit::Plies,
        capabilities: Capabilities {
            chance: true,
            loops: true,
            repetition: Repetition::ALLOWED,
            // An upper bound: the number of ways to share the four steps of a double among fifteen checkers.
            most_moves: 3_060,
            bench_depth: 3,
        },
    };

    fn new(options: &Options) -> Result<Self, OptionError> {
        let cube = options.get(&CUBE);
        let (cube, cube_limit) = match cube {
            "auto" => (CubeUse::Matches, Doublings::USUAL_LIMIT),
            "on" => (CubeUse::Always, Doublings::USUAL_LIMIT),
            "off" => (CubeUse::Never, Doublings::USUAL_LIMIT),
            found => match found.parse().ok().and_then(Doublings::to) {
                Some(limit) if limit.number() > 0 => (CubeUse::Always, limit),
                _ => return Err(OptionError::Cube { found: found.to_owned() }),
            },
        };
        let jacoby = either(options, &JACOBY, ("on", true), ("off", false))?;
        let length = options.get(&MATCH);
        let stakes = match length.parse() {
            Err(_) => return Err(OptionError::Match { found: length.to_owned() }),
            Ok(0) => Stakes::Money { jacoby },
            Ok(_) if jacoby => return Err(OptionError::JacobyInMatch),
            Ok(length) => Stakes::Match(Score::start(length)?),
        };
        let dice = either(options, &DICE, ("any", Dice::Any), ("doubles", Dice::Doubles))?;
        let opening = either(options, &OPENING, ("plain", Opening::Plain), ("real", Opening::Real))?;
        let start = either(options, &START, ("standard", Start::Standard), ("short", Start::Short))?;
        let variant = options.get(&VARIANT);
        let named = Variant::ALL.into_iter().find(|known| known.name() == variant);
        let variant = named.ok_or_else(|| OptionError::Variant { found: variant.to_owned() })?;
        if start != Start::Standard && variant != Variant::Standard {
            return Err(OptionError::ShortVariant { variant: variant.name() });
        }
        let with_cube = cube.is_with(&stakes);
        Ok(Self { terms: Terms { stakes, with_cube, cube_limit, dice, variant }, start, opening, cube })
    }

    fn start(&self) -> Position {
        self.begin(Side::First)
    }

    /// The side that begins is drawn by lot.
    fn game_after(&self, last: &Position, winner: Side, points: u32, rng: &mut Rng) -> Option<Position> {
        self.begin_after_win(last, winner, points, Side::by_lot(rng))
    }

    fn rules_id(&self) -> String {
        rules_name(&self.rules(&self.terms))
    }
}
