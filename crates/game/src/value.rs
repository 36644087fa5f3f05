//! What a position is worth under perfect play.

use std::cmp::Ordering;
use std::fmt;

/// A distance in single moves of one player.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct Plies(pub u16);

impl Plies {
    /// One move further away.
    ///
    /// # Panics
    /// Beyond 65,535 plies: no table here comes near it, and a silent wrap would be a wrong answer.
    #[must_use]
    pub fn next(self) -> Self {
        Self(self.0.checked_add(1).expect("a distance above 65,535 plies"))
    }
}

impl fmt::Display for Plies {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} {}", self.0, if self.0 == 1 { "ply" } else { "plies" })
    }
}

/// The exact value of a position for the side to move.
///
/// A finished position has distance 0: `Loss(0)` when the side to move has been beaten, `Win(0)` when the player
/// who just moved lost by his own move.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Value {
    /// The side to move wins, at the latest with this ply.
    Win(Plies),
    /// The side to move is beaten, at the earliest with this ply.
    Loss(Plies),
    /// Neither can force a win.
    Draw,
}

/// A value without its distance.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum Wdl {
    /// The side to move is beaten.
    Loss,
    /// Neither can force a win.
    Draw,
    /// The side to move wins.
    Win,
}

impl Value {
    /// The value without its distance.
    pub fn wdl(self) -> Wdl {
        match self {
            Self::Win(_) => Wdl::Win,
            Self::Loss(_) => Wdl::Loss,
            Self::Draw => Wdl::Draw,
        }
    }

    /// The distance; draws have none.
    pub fn plies(self) -> Option<Plies> {
        match self {
            Self::Win(plies) | Self::Loss(plies) => Some(plies),
            Self::Draw => None,
        }
    }

    /// What this value of a successor is worth to the player who moves there.
    #[must_use]
    pub fn before_move(self) -> Self {
        match self {
            Self::Win(plies) => Self::Loss(plies.next()),
            Self::Loss(plies) => Self::Win(plies.next()),
            Self::Draw => Self::Draw,
        }
    }

    /// One step of backward induction: the value of a position from those of its successors.
    /// Nothing when there are none.
    ///
    /// ```
    /// use endspiel_game::{Plies, Value::*};
    /// let value = endspiel_game::Value::from_successors([Win(Plies(4)), Draw, Loss(Plies(2)), Loss(Plies(6))]);
    /// assert_eq!(value, Some(Win(Plies(3))), "the quickest of the lost ones");
    /// ```
    pub fn from_successors(successors: impl IntoIterator<Item = Self>) -> Option<Self> {
        successors.into_iter().map(Self::before_move).max()
    }
}

/// Better for the side to move is greater: quick wins first, then draws, then the losses that last longest.
impl Ord for Value {
    fn cmp(&self, other: &Self) -> Ordering {
        match (self, other) {
            (Self::Win(a), Self::Win(b)) => b.cmp(a),
            (Self::Loss(a), Self::Loss(b)) => a.cmp(b),
            _ => self.wdl().cmp(&other.wdl()),
        }
    }
}

impl PartialOrd for Value {
    fn partial_cmp(&self, other: &Self) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn better_values_are_greater() {
        let best_first = [
            Value::Win(Plies(0)),
            Value::Win(Plies(9)),
            Value::Draw,
            Value::Loss(Plies(12)),
            Value::Loss(Plies(0)),
        ];
        assert!(best_first.is_sorted_by(|a, b| a > b));
    }

    #[test]
    fn one_step_of_induction() {
        let value = |list: &[Value]| Value::from_successors(list.iter().copied());
        assert_eq!(value(&[]), None);
        assert_eq!(value(&[Value::Win(Plies(3)), Value::Win(Plies(7))]), Some(Value::Loss(Plies(8))));
        assert_eq!(value(&[Value::Win(Plies(3)), Value::Draw]), Some(Value::Draw));
        assert_eq!(value(&[Value::Loss(Plies(0)), Value::Loss(Plies(4))]), Some(Value::Win(Plies(1))));
    }
}
