//! The entries of the tables: what their numbers are, and how they are stored.

use backgammon::{Backgammon, Chances, Few};
use game::{Expectation, Game, Metric};
use table::{Description, NumberFormat, NumberWidth, Numbers};

/// The raw number that stands for 1.
pub const UNIT: u32 = 1 << 24;

/// No solved table states a larger error. It is far more than bounds need that move by a thousand-millionth in a sweep, and far less than
/// anybody could see.
pub const MOST_ERROR: f64 = 1e-6;

/// The numbers of an entry of hypergammon.
pub const HYPER: usize = 10;
/// The numbers of an entry where no gammon is possible.
pub const LEFT: usize = 4;

/// What is known of a position: all for the side to move, which has not rolled yet.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Odds {
    /// The chances with the best cubeless plays.
    pub chances: Chances,
    /// The equity without a cube.
    pub cubeless: f64,
    /// The equity with an own cube, in units of its value, if the side to move does not double this turn; so are the next two.
    pub own: f64,
    /// The equity with the cube in the middle.
    pub centred: f64,
    /// The equity with the cube in the middle, where gammons count only after a double.
    pub jacoby: f64,
    /// The equity if the opponent owns the cube, in units of its value. A double that is taken gives twice this equity.
    pub theirs: f64,
}

impl Odds {
    /// The odds in an entry of hypergammon.
    pub fn of_hyper(numbers: [f64; HYPER]) -> Self {
        let [win, gammon, backgammon, lose_gammon, lose_backgammon, cubeless, own, centred, jacoby, theirs] =
            numbers;
        let chances = Chances { win, gammon, backgammon, lose_gammon, lose_backgammon };
        Self { chances, cubeless, own, centred, jacoby, theirs }
    }

    /// The entry of hypergammon with these odds.
    pub fn hyper(&self) -> [f64; HYPER] {
        let Self { chances, cubeless, own, centred, jacoby, theirs } = *self;
        let mut numbers = [0.0; HYPER];
        let (first, last) = numbers.split_at_mut(5);
        first.copy_from_slice(&chances.numbers());
        last.copy_from_slice(&[cubeless, own, centred, jacoby, theirs]);
        numbers
    }

    /// The odds in an entry where no gammon is possible.
    pub fn of_left([cubeless, own, centred, theirs]: [f64; LEFT]) -> Self {
        let chances = Chances::without_gammons(cubeless);
        Self { chances, cubeless, own, centred, jacoby: centred, theirs }
    }
}

/// The payload of a table with *N* numbers for each entry, and this largest error.
pub fn payload<const N: usize>(error: f64) -> Numbers<N> {
    let format = NumberFormat { width: NumberWidth::Four, signed: true, unit: UNIT, error };
    Numbers::new(format).expect("an error of a solved table is finite")
}

/// The description of the table.
pub fn description(few: Few) -> Description {
    let game = Backgammon::default();
    Description {
        game: Backgammon::INFO.name.to_owned(),
        rules: game.rules_id(),
        slice: few.to_string(),
        metric: Metric::Equity,
        index: Backgammon::INDEX.to_owned(),
        entries: game.size(few),
    }
}
