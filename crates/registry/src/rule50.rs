//! The 50-move rule of chess: what it makes of the values of positions.
//!
//! A [`ZeroingSource`] answers for positions whose clock is at 0. DTZ tables are such a source. The clock of a position is taken
//! into account here, in the same way for every source.

use crate::error::Error;
use chess::FIFTY_MOVES;
use game::{Endgame, Game, Position, Value};
use table::ZeroingProber;

/// A value under the 50-move rule, in the words that other tablebase programs use. The better one is greater.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug, serde::Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum Category {
    /// The side to move loses.
    Loss,
    /// The side to move would lose, but the 50-move rule saves it.
    BlessedLoss,
    /// Neither side can force a win.
    Draw,
    /// The side to move would win, but the 50-move rule saves the opponent.
    CursedWin,
    /// The side to move wins.
    Win,
}

/// A value under the 50-move rule. As JSON: `{"category", "dtz"}`.
#[derive(Clone, Copy, PartialEq, Eq, Debug, serde::Serialize)]
pub struct Rule50 {
    /// The value.
    pub category: Category,
    /// The plies to the next capture or pawn move, or to mate, as Syzygy counts them: positive if the side to move wins,
    /// negative if it loses, 0 for a draw. A mated side has -1. `None` if a source knows only who wins.
    pub dtz: Option<i32>,
}

impl Rule50 {
    /// The same value for the opponent, who has just moved to this position.
    #[must_use]
    pub fn for_opponent(self) -> Self {
        let category = match self.category {
            Category::Loss => Category::Win,
            Category::BlessedLoss => Category::CursedWin,
            Category::Draw => Category::Draw,
            Category::CursedWin => Category::BlessedLoss,
            Category::Win => Category::Loss,
        };
        Self { category, dtz: self.dtz.map(|dtz| -dtz) }
    }

    /// The value if so many plies have been played since the last capture or pawn move. Without a distance, the clock says
    /// nothing.
    fn with_clock(self, quiet_plies: u16) -> Self {
        let is_late = self
            .dtz
            .is_some_and(|dtz| dtz.unsigned_abs() + u32::from(quiet_plies) > u32::from(FIFTY_MOVES.0));
        let category = match self.category {
            Category::Win if is_late => Category::CursedWin,
            Category::Loss if is_late => Category::BlessedLoss,
            category => category,
        };
        Self { category, ..self }
    }
}

/// From the value of a DTZ table, in which a distance above [`FIFTY_MOVES`] says that the rule draws the game.
impl From<Value> for Rule50 {
    fn from(value: Value) -> Self {
        match value {
            Value::Win(plies) => {
                let category = if plies > FIFTY_MOVES { Category::CursedWin } else { Category::Win };
                Self { category, dtz: Some(plies.0.into()) }
            }
            Value::Draw => Self { category: Category::Draw, dtz: Some(0) },
            Value::Loss(plies) => {
                let category = if plies > FIFTY_MOVES { Category::BlessedLoss } else { Category::Loss };
                Self { category, dtz: Some(-i32::from(plies.0.max(1))) }
            }
        }
    }
}

/// Answers what the 50-move rule makes of positions: DTZ tables, or files of another program.
pub trait ZeroingSource<G: Game>: Send + Sync {
    /// The value of a position as if its clock were at 0.
    ///
    /// # Errors
    /// Returns an error if the source does not have the position, or if a file is damaged.
    fn rule50(&self, position: &G::Position) -> Result<Rule50, Error>;
}

impl<G: Endgame + PartialEq> ZeroingSource<G> for ZeroingProber<G> {
    fn rule50(&self, position: &G::Position) -> Result<Rule50, Error> {
        Ok(self.value(position)?.into())
    }
}

/// Returns how many plies have been played since the last capture or pawn move.
pub type QuietPlies<G> = fn(&<G as Game>::Position) -> u16;

/// A source, and the clock of the game.
pub(crate) struct Zeroing<G: Game, S> {
    pub source: S,
    pub quiet_plies: QuietPlies<G>,
}

impl<G: Game, S: ZeroingSource<G>> Zeroing<G, S> {
    /// The value of a position with its clock.
    pub fn of(&self, position: &G::Position) -> Result<Rule50, Error> {
        let value = self.source.rule50(position)?;
        // A mate counts whatever the clock says.
        let is_over = position.outcome().is_some();
        Ok(if is_over { value } else { value.with_clock((self.quiet_plies)(position)) })
    }

    /// The value of a position with its clock, or `None` if the source does not have the position.
    pub fn known(&self, position: &G::Position) -> Result<Option<Rule50>, Error> {
        match self.of(position) {
            Ok(value) => Ok(Some(value)),
            Err(error) if error.has_no_table() => Ok(None),
            Err(error) => Err(error),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use game::Plies;

    #[test]
    fn the_clock_and_the_distance_decide() {
        let told = |value, quiet_plies| {
            let Rule50 { category, dtz } = Rule50::from(value).with_clock(quiet_plies);
            (category, dtz.expect("tables have distances"))
        };
        let (win, loss) = (|n| Value::Win(Plies(n)), |n| Value::Loss(Plies(n)));
        assert_eq!(told(win(100), 0), (Category::Win, 100));
        assert_eq!(told(win(101), 0), (Category::CursedWin, 101));
        assert_eq!(told(win(40), 60), (Category::Win, 40));
        assert_eq!(told(win(40), 61), (Category::CursedWin, 40));
        assert_eq!(told(loss(40), 60), (Category::Loss, -40));
        assert_eq!(told(loss(40), 61), (Category::BlessedLoss, -40));
        assert_eq!(told(loss(102), 0), (Category::BlessedLoss, -102));
        assert_eq!(told(loss(0), 0), (Category::Loss, -1), "mated");
        assert_eq!(told(Value::Draw, 99), (Category::Draw, 0));
        assert_eq!(told(win(1), u16::MAX), (Category::CursedWin, 1));
    }

    #[test]
    fn the_opponent_has_the_opposite() {
        for value in [Value::Win(Plies(3)), Value::Win(Plies(110)), Value::Draw, Value::Loss(Plies(4))] {
            let value = Rule50::from(value);
            assert_eq!(value.for_opponent().for_opponent(), value);
            let sum = value.category as u8 + value.for_opponent().category as u8;
            assert_eq!(sum, Category::Win as u8, "{value:?}");
        }
    }

    #[test]
    fn categories_have_their_usual_names() {
        let names =
            [Category::Loss, Category::BlessedLoss, Category::Draw, Category::CursedWin, Category::Win];
        let names = serde_json::to_value(names).expect("JSON");
        assert_eq!(names, serde_json::json!(["loss", "blessed-loss", "draw", "cursed-win", "win"]));
    }
}
