//! Scores: values as numbers that can be compared.

use game::{Plies, Value};

/// What a move promises to the side that makes it. Better values have higher scores.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Default, Debug)]
pub struct Score(u16);

impl Score {
    /// There is no move.
    pub const NONE: Self = Self(0);
    const DRAW: Self = Self(1 << 15);
    const MATED: Self = Self(1);

    /// The score of a value. `None` if the distance is too long for a score.
    pub fn of(value: Value) -> Option<Self> {
        match value {
            Value::Draw => Some(Self::DRAW),
            Value::Win(Plies(plies)) => Some(Self(u16::MAX - plies)).filter(|score| *score > Self::DRAW),
            Value::Loss(Plies(plies)) => {
                plies.checked_add(Self::MATED.0).map(Self).filter(|score| *score < Self::DRAW)
            }
        }
    }

    /// The value; `None` if there is no move.
    #[inline]
    pub fn value(self) -> Option<Value> {
        match self {
            Self::NONE => None,
            Self::DRAW => Some(Value::Draw),
            Self(won) if self > Self::DRAW => Some(Value::Win(Plies(u16::MAX - won))),
            Self(lost) => Some(Value::Loss(Plies(lost - Self::MATED.0))),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn scores_are_in_the_order_of_values() {
        let plies = [0, 1, 2, 255, 256, 9_999].map(Plies);
        let mut values: Vec<Value> =
            plies.into_iter().flat_map(|plies| [Value::Win(plies), Value::Loss(plies)]).collect();
        values.push(Value::Draw);
        values.sort();
        let scores: Vec<Score> = values.iter().filter_map(|&value| Score::of(value)).collect();
        assert!(scores.is_sorted() && scores.len() == values.len() && scores[0] > Score::NONE);
        assert!(scores.iter().map(|score| score.value()).eq(values.into_iter().map(Some)));
        assert_eq!((Score::NONE.value(), Score::of(Value::Loss(Plies(u16::MAX)))), (None, None));
    }
}
