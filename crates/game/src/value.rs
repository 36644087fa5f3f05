//! The value of a position under perfect play.

use std::cmp::Ordering;
use std::fmt;

/// A distance in plies: single moves of one side.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct Plies(pub u16);

impl Plies {
    /// The distance plus one ply.
    ///
    /// # Panics
    /// Panics above 65,535 plies. No table here comes near this limit, and a silent overflow would give a wrong answer.
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

/// The unit in which people count distances in texts. Programs always get plies.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum DistanceUnit {
    /// Single moves of one side.
    Plies,
    /// Moves of the winner, as in chess: a win in 31 plies takes 16 moves.
    Moves,
}

impl DistanceUnit {
    /// A distance in words: `31 plies` or `16 moves`.
    ///
    /// ```
    /// use endspiel_game::{DistanceUnit, Plies};
    /// assert_eq!([1, 2, 31].map(|n| DistanceUnit::Moves.told(Plies(n))), ["1 move", "1 move", "16 moves"]);
    /// assert_eq!([1, 2].map(|n| DistanceUnit::Plies.told(Plies(n))), ["1 ply", "2 plies"]);
    /// ```
    pub fn told(self, plies: Plies) -> String {
        match (self, self.count(plies)) {
            (Self::Plies, _) => plies.to_string(),
            (Self::Moves, 1) => "1 move".to_owned(),
            (Self::Moves, moves) => format!("{moves} moves"),
        }
    }

    /// A distance as a number of this unit.
    pub fn count(self, Plies(plies): Plies) -> u16 {
        match self {
            Self::Plies => plies,
            Self::Moves => plies.div_ceil(2),
        }
    }

    /// The unit in the plural: `plies` or `moves`.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Plies => "plies",
            Self::Moves => "moves",
        }
    }
}

/// The exact value of a position for the side to move.
///
/// A finished position has distance 0: `Loss(0)` if the side to move has lost, `Win(0)` if the opponent lost by their
/// own last move.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Value {
    /// The side to move can win in at most this many plies.
    Win(Plies),
    /// The side to move loses, but can delay the loss for this many plies.
    Loss(Plies),
    /// Neither side can force a win.
    Draw,
}

/// A value without its distance.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum Wdl {
    /// The side to move loses.
    Loss,
    /// Neither side can force a win.
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

    /// The distance, or `None` for a draw.
    pub fn plies(self) -> Option<Plies> {
        match self {
            Self::Win(plies) | Self::Loss(plies) => Some(plies),
            Self::Draw => None,
        }
    }

    /// Converts the value of a successor into its value for the side that moves there, one ply earlier.
    #[inline]
    #[must_use]
    pub fn before_move(self) -> Self {
        match self {
            Self::Win(plies) => Self::Loss(plies.next()),
            Self::Loss(plies) => Self::Win(plies.next()),
            Self::Draw => Self::Draw,
        }
    }

    /// One step of backward induction: returns the value of a position from the values of its successors. Returns
    /// `None` if there are no successors.
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

/// A value is greater if it is better for the side to move: quick wins are the greatest, then slow wins, draws, slow
/// losses and quick losses.
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
