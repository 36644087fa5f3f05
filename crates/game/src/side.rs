//! The two players, and pairs with one value for each of them.

use crate::Rng;
use std::ops::{Index, IndexMut};

/// A player. The usual order of moving at the start decides who is first. Games give the sides names (Blue and Red,
/// Black and White).
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
#[repr(u8)]
pub enum Side {
    /// The first side: Blue in Onitama, Black (who moves first) in Dobutsu shogi.
    First,
    /// The second side.
    Second,
}

impl Side {
    /// Both sides, in order.
    pub const ALL: [Self; 2] = [Self::First, Self::Second];

    /// Chooses a side at random.
    pub fn by_lot(rng: &mut Rng) -> Self {
        Self::ALL[rng.below(2) as usize]
    }

    /// The opponent.
    #[inline]
    pub const fn other(self) -> Self {
        match self {
            Self::First => Self::Second,
            Self::Second => Self::First,
        }
    }
}

/// One `T` for each side.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug, Default)]
pub struct BySide<T> {
    /// The value of the first side.
    pub first: T,
    /// The value of the second side.
    pub second: T,
}

impl<T> BySide<T> {
    /// Computes the value of each side with `f`.
    pub fn from_fn(mut f: impl FnMut(Side) -> T) -> Self {
        Self { first: f(Side::First), second: f(Side::Second) }
    }

    /// Exchanges the two values.
    pub fn swap(self) -> Self {
        Self { first: self.second, second: self.first }
    }

    /// Applies `f` to both values.
    pub fn map<U>(self, mut f: impl FnMut(T) -> U) -> BySide<U> {
        BySide { first: f(self.first), second: f(self.second) }
    }
}

impl<T> Index<Side> for BySide<T> {
    type Output = T;

    #[inline]
    fn index(&self, side: Side) -> &T {
        match side {
            Side::First => &self.first,
            Side::Second => &self.second,
        }
    }
}

impl<T> IndexMut<Side> for BySide<T> {
    #[inline]
    fn index_mut(&mut self, side: Side) -> &mut T {
        match side {
            Side::First => &mut self.first,
            Side::Second => &mut self.second,
        }
    }
}
