//! How a game ended.

use crate::{Plies, Side, Value};

/// The end of a game: who won, if anyone, and by which rule.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct Outcome {
    /// The winner; `None` is a draw.
    pub winner: Option<Side>,
    /// The rule that ended the game, in one or two words: `stone`, `checkmate`, `repetition`.
    pub by: &'static str,
}

impl Outcome {
    /// The [reason](Self::by) of the end if the loser resigned.
    pub const RESIGNATION: &'static str = "resignation";

    /// Creates a win for a side.
    pub const fn win(winner: Side, by: &'static str) -> Self {
        Self { winner: Some(winner), by }
    }

    /// Creates a draw.
    pub const fn draw(by: &'static str) -> Self {
        Self { winner: None, by }
    }

    /// The value of this finished position to the side that would be to move.
    pub fn value(self, turn: Side) -> Value {
        match self.winner {
            None => Value::Draw,
            Some(winner) if winner == turn => Value::Win(Plies(0)),
            Some(_) => Value::Loss(Plies(0)),
        }
    }
}
