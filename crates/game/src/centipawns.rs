//! Material in hundredths of a pawn.

use std::fmt;
use std::ops::{Add, Neg, Sub};

/// Material in hundredths of a pawn. Sums beyond the range of 32 bits stop at its ends.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug, Default)]
pub struct Centipawns(pub i32);

impl Add for Centipawns {
    type Output = Self;

    #[inline]
    fn add(self, other: Self) -> Self {
        Self(self.0.saturating_add(other.0))
    }
}

impl Sub for Centipawns {
    type Output = Self;

    #[inline]
    fn sub(self, other: Self) -> Self {
        Self(self.0.saturating_sub(other.0))
    }
}

impl Neg for Centipawns {
    type Output = Self;

    #[inline]
    fn neg(self) -> Self {
        Self(self.0.saturating_neg())
    }
}

/// Writes pawns with a sign and two digits: `+3.00`, `-0.50`, `0.00`.
impl fmt::Display for Centipawns {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let sign = match self.0 {
            0 => "",
            1.. => "+",
            _ => "-",
        };
        let hundredths = self.0.unsigned_abs();
        f.pad(&format!("{sign}{}.{:02}", hundredths / 100, hundredths % 100))
    }
}
