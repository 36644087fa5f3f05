//! The two players, and a pair of things that belong to them.

use crate::Rng;
use std::ops::{Index, IndexMut};

/// A player, by the order of moving in the game's usual start. Games give them names (Blue and Red, Black and White).
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
#[repr(u8)]
pub enum Side {
    /// The side named first: Blue in Onitama, Black (who moves first) in Dobutsu shogi.
    First,
    /// The side named second.
    Second,
}

impl Side {
    /// Both, in order.
    pub const ALL: [Self; 2] = [Self::First, Self::Second];

    /// Either, by lot.
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
    /// What the first side has.
    pub first: T,
    /// What the second side has.
    pub second: T,
}

impl<T> BySide<T> {
    /// Each side's from a function of the side.
    pub fn from_fn(mut f: impl FnMut(Side) -> T) -> Self {
        Self { first: f(Side::First), second: f(Side::Second) }
    }

    /// The two exchanged.
    pub fn swap(self) -> Self {
        Self { first: self.second, second: self.first }
    }

    /// Each mapped.
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
