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
    /// The side to move loses, or the 50-move rule saves it: the distance was rounded, and one ply decides.
    MaybeLoss,
    /// The side to move would lose, but the 50-move rule saves it.
    BlessedLoss,
    /// Neither side can force a win.
    Draw,
    /// The side to move would win, but the 50-move rule saves the opponent.
    CursedWin,
    /// The side to move wins, or the 50-move rule saves the opponent: the distance was rounded, and one ply decides.
    MaybeWin,
    /// The side to move wins.
    Win,
}

/// A value under the 50-move rule. As JSON: `{"category", "dtz"}`, and `"dtz_exact": false` if the distance is rounded.
#[derive(Clone, Copy, PartialEq, Eq, Debug, serde::Serialize)]
pub struct Rule50 {
    /// The value.
    pub category: Category,
    /// The plies to the next capture or pawn move, or to mate, as Syzygy counts them: positive if the side to move wins,
    /// negative if it loses, 0 for a draw. A mated side has -1. `None` if a source knows only who wins.
    pub dtz: Option<i32>,
    /// False if the distance may be one ply longer, because the source counts moves.
    #[serde(skip_serializing_if = "is_true")]
    pub dtz_exact: bool,
}

/// For serde, which passes references.
fn is_true(value: &bool) -> bool {
    *value
}

impl Rule50 {
    /// The same value for the opponent, who has just moved to this position.
    #[must_use]
    pub fn for_opponent(self) -> Self {
        let category = match self.category {
            Category::Loss => Category::Win,
            Category::MaybeLoss => Category::MaybeWin,
            Category::BlessedLoss => Category::CursedWin,
            Category::Draw => Category::Draw,
            Category::CursedWin => Category::BlessedLoss,
            Category::MaybeWin => Category::MaybeLoss,
            Category::Win => Category::Loss,
        };
        Self { category, dtz: self.dtz.map(|dtz| -dtz), ..self }
    }

    /// A key by which moves are sorted, the best last: by category, and, if there are no distances to mate, by the plies to the
    /// next capture or pawn move. The winner wants few of them, the loser many. A move that is one itself needs none, and
    /// neither does one that ends the game.
    pub(crate) fn order(self, is_last: bool) -> (Category, i32) {
        let plies = if is_last { 0 } else { self.dtz.map_or(0, i32::abs) };
        (self.category, if self.category > Category::Draw { -plies } else { plies })
    }

    /// The value if so many plies have been played since the last capture or pawn move. Without a distance, the clock says
    /// nothing.
    fn with_clock(self, quiet_plies: u16) -> Self {
        let Some(dtz) = self.dtz else { return self };
        let is_late =
            |rounded: u32| dtz.unsigned_abs() + rounded + u32::from(quiet_plies) > u32::from(FIFTY_MOVES.0);
        let category = match self.category {
            Category::Win if is_late(0) => Category::CursedWin,
            Category::Loss if is_late(0) => Category::BlessedLoss,
            Category::Win if !self.dtz_exact && is_late(1) => Category::MaybeWin,
            Category::Loss if !self.dtz_exact && is_late(1) => Category::MaybeLoss,
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
                Self { category, dtz: Some(plies.0.into()), dtz_exact: true }
            }
            Value::Draw => Self { category: Category::Draw, dtz: Some(0), dtz_exact: true },
            Value::Loss(plies) => {
                let category = if plies > FIFTY_MOVES { Category::BlessedLoss } else { Category::Loss };
                Self { category, dtz: Some(-i32::from(plies.0.max(1))), dtz_exact: true }
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
            let Rule50 { category, dtz, .. } = Rule50::from(value).with_clock(quiet_plies);
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
        for (value, quiet_plies, category) in [
            (win(40), 59, Category::Win),
            (win(40), 60, Category::MaybeWin),
            (win(40), 61, Category::CursedWin),
            (loss(40), 60, Category::MaybeLoss),
        ] {
            let rounded = Rule50 { dtz_exact: false, ..value.into() };
            assert_eq!(rounded.with_clock(quiet_plies).category, category, "rounded, {quiet_plies}");
        }
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
        use Category::*;
        let names = serde_json::to_value([Loss, MaybeLoss, BlessedLoss, Draw, CursedWin, MaybeWin, Win])
            .expect("JSON");
        let expected = ["loss", "maybe-loss", "blessed-loss", "draw", "cursed-win", "maybe-win", "win"];
        assert_eq!(names, serde_json::json!(expected));
    }
}
