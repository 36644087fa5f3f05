//! The features of a chess position: what its estimate counts. Each has a weight in the middlegame and one in the endgame.

use std::ops::{Add, AddAssign, Mul, Neg, Sub, SubAssign};

/// A weight, or a sum of weights, in the middlegame and in the endgame. Both are in one word, so that one addition adds both.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Tapered(i32);

impl Tapered {
    /// A weight in the middlegame and in the endgame, in hundredths of a pawn.
    pub const fn new(middle: i16, end: i16) -> Self {
        Self(((end as i32) << 16).wrapping_add(middle as i32))
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
        Self(self.0.wrapping_add(other.0))
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

macro_rules! groups {
    ($($(#[$doc:meta])* $name:ident: $count:expr),+ $(,)?) => {
        groups!(@ 0; $($(#[$doc])* $name: $count,)+);
        /// All groups in order.
        pub const GROUPS: &[Group] = &[$(Group { name: stringify!($name), first: $name, count: $count }),+];
        /// The number of features.
        pub const COUNT: usize = 0 $(+ $count)+;
    };
    (@ $first:expr; $(#[$doc:meta])* $name:ident: $count:expr, $($rest:tt)*) => {
        $(#[$doc])*
        pub(super) const $name: usize = $first;
        groups!(@ $first + $count; $($rest)*);
    };
    (@ $first:expr;) => {};
}

groups! {
    /// A man of a kind on a square, as its side sees it: material and placement.
    PLACEMENT: 6 * 64,
    /// A knight with so many squares to go to. Squares that enemy pawns attack do not count.
    KNIGHT_MOBILITY: 9,
    /// The same for a bishop.
    BISHOP_MOBILITY: 14,
    /// The same for a rook.
    ROOK_MOBILITY: 15,
    /// The same for a queen.
    QUEEN_MOBILITY: 28,
    /// A passed pawn on a rank.
    PASSED: 8,
    /// A passed pawn on a rank whose next square is empty.
    PASSED_FREE: 8,
    /// A passed pawn on a rank whose next square is not attacked.
    PASSED_SAFE: 8,
    /// The distance of the own king from the square before an advanced passed pawn.
    PASSED_OWN_KING: 8,
    /// The distance of the enemy's king from it.
    PASSED_ENEMY_KING: 8,
    /// A pawn without pawns on the files beside it; on an open file, and on one with an enemy pawn ahead.
    ISOLATED: 2,
    /// A pawn behind another on its file.
    DOUBLED: 1,
    /// A pawn that others have left behind, and that cannot advance safely; on an open file, and on one with an enemy pawn ahead.
    BACKWARD: 2,
    /// A pawn on a rank that is guarded by a pawn.
    GUARDED: 8,
    /// A pawn on a rank beside another.
    ABREAST: 8,
    /// Two bishops.
    BISHOP_PAIR: 1,
    /// A bishop with so many own pawns on squares of its colour.
    BISHOP_PAWNS: 9,
    /// A knight, and a bishop, guarded by a pawn where no enemy pawn can drive it away.
    OUTPOST: 2,
    /// A rook on a file without pawns, and on one without own pawns.
    ROOK_FILE: 2,
    /// A rook behind an own passed pawn.
    ROOK_BEHIND_PASSED: 1,
    /// The nearest own pawn before the king, by its distance; 0 if there is none. On the king's file.
    SHELTER: 8,
    /// The same on the files beside it.
    SHELTER_BESIDE: 8,
    /// The nearest enemy pawn before the king, by its distance; 0 if there is none. On all three files.
    STORM: 8,
    /// The danger to the enemy's king, if there is an own queen.
    DANGER: 32,
    /// The danger to the enemy's king without a queen.
    DANGER_WITHOUT_QUEEN: 32,
    /// An enemy's piece attacked by a pawn, by its kind.
    THREAT_BY_PAWN: 6,
    /// An enemy's piece attacked by a knight or bishop, by its kind.
    THREAT_BY_MINOR: 6,
    /// An enemy's piece attacked by a rook, by its kind.
    THREAT_BY_ROOK: 6,
    /// An enemy's piece that is attacked and not guarded, by its kind.
    HANGING: 6,
    /// An enemy's piece that a pawn can attack by a safe step.
    THREAT_BY_PUSH: 1,
    /// The right to castle, for each rook.
    CASTLING: 1,
    /// The right to move.
    TEMPO: 1,
}

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

    #[test]
    fn groups_follow_each_other() {
        let ends = GROUPS.iter().map(|group| group.first + group.count);
        assert!(GROUPS.iter().skip(1).map(|group| group.first).eq(ends.clone().take(GROUPS.len() - 1)));
        assert_eq!(ends.max(), Some(COUNT));
    }
}
