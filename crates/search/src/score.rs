//! The score of a position for the side to move: an estimate, or a proven end of the game.

use game::{Plies, Value};
use std::fmt;
use std::ops::{Add, Neg, Sub};

/// A score for the side to move; greater is better.
///
/// Estimates are in hundredths of a pawn, or of what a game counts as one. Beyond them are the wins that tables know without a
/// distance, and beyond these the wins with a distance: the greater, the fewer plies are left. Losses have the same scores with a
/// minus.
///
/// ```
/// use endspiel_search::Score;
/// use game::{Plies, Value};
///
/// let mate = Score::from_value(Value::Win(Plies(3)), 0);
/// assert_eq!(mate.value(), Some(Value::Win(Plies(3))));
/// assert!(mate > Score::from_value(Value::Win(Plies(5)), 0) && mate > Score::known_win(0));
/// assert_eq!(Score::estimate(25).value(), None);
/// ```
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Default)]
pub struct Score(i32);

/// The number of plies from the root that a search may reach.
pub const MOST_PLIES: usize = 246;

const WON: i32 = 32_000;
/// The longest distance that a score can hold. It has room for the longest known endgames behind the longest line.
const LONGEST: i32 = 1_500;
const KNOWN: i32 = 30_000;
const MOST_ESTIMATE: i32 = KNOWN - MOST_PLIES as i32 - 2;

impl Score {
    /// A draw, and the estimate of an equal position.
    pub const DRAW: Self = Self(0);
    /// Less than all scores.
    pub const LEAST: Self = Self(-WON - 1);
    /// Greater than all scores.
    pub const MOST: Self = Self(WON + 1);
    /// The estimate of nobody: a position has no estimate, as in check.
    pub const NONE: Self = Self(WON + 2);

    /// An estimate in hundredths of a pawn. Estimates beyond the greatest one are set to it.
    #[inline]
    pub const fn estimate(hundredths: i32) -> Self {
        if hundredths > MOST_ESTIMATE {
            Self(MOST_ESTIMATE)
        } else if hundredths < -MOST_ESTIMATE {
            Self(-MOST_ESTIMATE)
        } else {
            Self(hundredths)
        }
    }

    /// The score of the root for a value that is known at a position `ply` plies after the root.
    #[inline]
    pub fn from_value(value: Value, ply: usize) -> Self {
        let at = |Plies(plies): Plies| WON - i32::from(plies).saturating_add(ply as i32).min(LONGEST);
        match value {
            Value::Win(plies) => Self(at(plies)),
            Value::Loss(plies) => Self(-at(plies)),
            Value::Draw => Self::DRAW,
        }
    }

    /// The score of the root for a win without a known distance, `ply` plies after the root.
    #[inline]
    pub const fn known_win(ply: usize) -> Self {
        Self(KNOWN - ply as i32)
    }

    /// The score of a loss in no plies, `ply` plies after the root: the side to move is mated there.
    #[inline]
    pub const fn lost_at(ply: usize) -> Self {
        Self(ply as i32 - WON)
    }

    /// The value, if the game is won or lost in a known number of plies. A draw cannot be told from an estimate.
    pub fn value(self) -> Option<Value> {
        let plies = Plies(u16::try_from(WON - self.0.abs()).ok()?);
        match self.0 {
            _ if self.0.abs() < WON - LONGEST => None,
            won if won > 0 => Some(Value::Win(plies)),
            _ => Some(Value::Loss(plies)),
        }
    }

    /// Returns whether the score is beyond estimates: somebody has won.
    #[inline]
    pub const fn is_decided(self) -> bool {
        self.0.abs() > MOST_ESTIMATE
    }

    /// Returns whether the score says that the side to move wins or loses in a known number of plies.
    #[inline]
    pub const fn is_mate(self) -> bool {
        self.0.abs() >= WON - LONGEST
    }

    /// The score in hundredths of a pawn.
    #[inline]
    pub const fn hundredths(self) -> i32 {
        self.0
    }

    /// The score relative to a position `ply` plies after the root, as it is stored for all ways to that position.
    #[inline]
    pub(crate) const fn seen_from(self, ply: usize) -> Self {
        let ply = ply as i32;
        match self.0 {
            won if won > MOST_ESTIMATE && won <= WON => Self(won + ply),
            lost if lost < -MOST_ESTIMATE && lost >= -WON => Self(lost - ply),
            _ => self,
        }
    }

    /// The score relative to the root of one that is [seen from](Self::seen_from) a position.
    #[inline]
    pub(crate) const fn seen_from_root(self, ply: usize) -> Self {
        let ply = ply as i32;
        match self.0 {
            won if won > MOST_ESTIMATE && won <= WON => Self(won - ply),
            lost if lost < -MOST_ESTIMATE && lost >= -WON => Self(lost + ply),
            _ => self,
        }
    }

    /// The score as a 16-bit number.
    #[inline]
    pub(crate) const fn to_bits(self) -> u16 {
        self.0 as i16 as u16
    }

    /// The score of a 16-bit number.
    #[inline]
    pub(crate) const fn from_bits(bits: u16) -> Self {
        Self(bits as i16 as i32)
    }
}

impl Neg for Score {
    type Output = Self;

    #[inline]
    fn neg(self) -> Self {
        Self(-self.0)
    }
}

/// Adds hundredths of a pawn. The sum is for comparisons; it may be none of the scores that positions have.
impl Add<i32> for Score {
    type Output = Self;

    #[inline]
    fn add(self, hundredths: i32) -> Self {
        Self(self.0 + hundredths)
    }
}

impl Sub<i32> for Score {
    type Output = Self;

    #[inline]
    fn sub(self, hundredths: i32) -> Self {
        Self(self.0 - hundredths)
    }
}

impl fmt::Debug for Score {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.value() {
            Some(value) => write!(f, "{value:?}"),
            None => write!(f, "{}", self.0),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn values_survive_in_scores() {
        for plies in [0, 1, 2, 99, 517, 1_200] {
            for value in [Value::Win(Plies(plies)), Value::Loss(Plies(plies))] {
                let score = Score::from_value(value, 0);
                assert_eq!(score.value(), Some(value));
                assert!(score.is_decided() && score.is_mate());
                let later = Score::from_value(value, 40);
                assert_eq!(later.seen_from(40), score, "as if the position were the root");
                assert_eq!(score.seen_from_root(40), later);
                assert_eq!(Score::from_bits(later.to_bits()), later);
            }
        }
    }

    #[test]
    fn scores_are_ordered() {
        let descending = [
            Score::NONE,
            Score::MOST,
            Score::from_value(Value::Win(Plies(0)), 0),
            Score::from_value(Value::Win(Plies(u16::MAX)), MOST_PLIES),
            Score::known_win(0),
            Score::known_win(MOST_PLIES),
            Score::estimate(i32::MAX),
            Score::DRAW,
            Score::estimate(i32::MIN),
            -Score::known_win(MOST_PLIES),
            Score::lost_at(MOST_PLIES),
            Score::lost_at(0),
            Score::LEAST,
        ];
        assert!(descending.is_sorted_by(|a, b| a > b), "{descending:?}");
    }

    #[test]
    fn no_estimate_is_decided() {
        assert!(!Score::estimate(i32::MAX).is_decided() && !Score::estimate(i32::MIN).is_decided());
        assert!(Score::known_win(MOST_PLIES).is_decided() && !Score::known_win(0).is_mate());
    }
}
