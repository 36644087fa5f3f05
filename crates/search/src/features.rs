//! Features of positions, which estimates count, and their weights: one in the middlegame and one in the endgame.

use std::ops::{Add, AddAssign, Mul, Neg, Sub, SubAssign};

/// A weight, or a sum of weights, in the middlegame and in the endgame. Both are in one word, so that one addition adds both.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Tapered(i32);

impl Tapered {
    /// A weight in the middlegame and in the endgame, in hundredths of a pawn.
    pub const fn new(middle: i16, end: i16) -> Self {
        Self(((end as i32) << 16).wrapping_add(middle as i32))
    }

    /// The sum, where the compiler needs it.
    #[inline]
    pub(crate) const fn plus(self, other: Self) -> Self {
        Self(self.0.wrapping_add(other.0))
    }

    /// The part of the middlegame.
    #[inline]
    pub const fn middle(self) -> i32 {
        self.0 as i16 as i32
    }

    /// The part of the endgame.
    #[inline]
    pub const fn end(self) -> i32 {
        (self.0.wrapping_add(0x8000) >> 16) as i16 as i32
    }
}

impl Add for Tapered {
    type Output = Self;
    #[inline]
    fn add(self, other: Self) -> Self {
        self.plus(other)
    }
}

impl Sub for Tapered {
    type Output = Self;
    #[inline]
    fn sub(self, other: Self) -> Self {
        Self(self.0.wrapping_sub(other.0))
    }
}

impl Neg for Tapered {
    type Output = Self;
    #[inline]
    fn neg(self) -> Self {
        Self(self.0.wrapping_neg())
    }
}

impl Mul<i32> for Tapered {
    type Output = Self;
    #[inline]
    fn mul(self, times: i32) -> Self {
        Self(self.0.wrapping_mul(times))
    }
}

impl AddAssign for Tapered {
    #[inline]
    fn add_assign(&mut self, other: Self) {
        *self = *self + other;
    }
}

impl SubAssign for Tapered {
    #[inline]
    fn sub_assign(&mut self, other: Self) {
        *self = *self - other;
    }
}

/// Receives the features of a side: sums up their weights, or notes them so that weights can be fitted.
pub trait Tally {
    /// Counts a feature so many times.
    fn count(&mut self, feature: usize, times: i32);

    /// Counts a feature once.
    #[inline]
    fn add(&mut self, feature: usize) {
        self.count(feature, 1);
    }
}

/// The features of a position with their counts: those of the first side less those of the second.
pub(crate) struct Counts {
    counts: Vec<i32>,
    /// 1 while features of the first side are counted, -1 for those of the second.
    pub sign: i32,
}

impl Counts {
    pub fn new(features: usize) -> Self {
        Self { counts: vec![0; features], sign: 1 }
    }

    /// The features that occur.
    pub fn into_list(self) -> Vec<(usize, i32)> {
        self.counts.into_iter().enumerate().filter(|&(_, count)| count != 0).collect()
    }
}

impl Tally for Counts {
    fn count(&mut self, feature: usize, times: i32) {
        self.counts[feature] += self.sign * times;
    }
}

/// Features that belong together.
#[derive(Clone, Copy, Debug)]
pub struct Group {
    /// What they are.
    pub name: &'static str,
    /// The number of the first.
    pub first: usize,
    /// How many there are.
    pub count: usize,
}

/// Numbers groups of features, one after the other.
macro_rules! groups {
    ($($(#[$doc:meta])* $name:ident: $count:expr),+ $(,)?) => {
        $crate::features::groups!(@ 0; $($(#[$doc])* $name: $count,)+);
        /// All groups in order.
        pub const GROUPS: &[$crate::features::Group] = &[$($crate::features::Group { name: stringify!($name), first: $name, count: $count }),+];
        /// The number of features.
        pub const COUNT: usize = 0 $(+ $count)+;
    };
    (@ $first:expr; $(#[$doc:meta])* $name:ident: $count:expr, $($rest:tt)*) => {
        $(#[$doc])*
        pub(super) const $name: usize = $first;
        $crate::features::groups!(@ $first + $count; $($rest)*);
    };
    (@ $first:expr;) => {};
}

pub(crate) use groups;

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn both_parts_survive_arithmetic() {
        let parts = |tapered: Tapered| (tapered.middle(), tapered.end());
        for (middle, end) in [(0, 0), (-1, 0), (0, -1), (123, -456), (-3_000, 2_999), (7, 8)] {
            let tapered = Tapered::new(middle, end);
            let (middle, end) = (i32::from(middle), i32::from(end));
            assert_eq!(parts(tapered), (middle, end));
            assert_eq!(parts(-tapered), (-middle, -end));
            assert_eq!(parts(tapered * 3 - tapered), (2 * middle, 2 * end));
            assert_eq!(parts(tapered + Tapered::new(-9, 5)), (middle - 9, end + 5));
        }
    }
}
