//! Actions and outcomes of chance, numbered from 0.

use crate::error::Named;
use game::NoChance;
use std::fmt::Debug;

/// A thing of which there is a fixed number, counted from 0 without gaps. Its index is its place in a mask and its number in
/// arrays.
pub trait Numbered: Copy + Ord + Debug + Send + Sync + 'static {
    /// How many there are.
    const COUNT: usize;

    /// Its number, from 0.
    fn index(self) -> usize;

    /// That of this number, if there is one.
    fn from_index(index: usize) -> Option<Self>;

    /// What it is, in words.
    fn text(self) -> String;

    /// All of them, ascending.
    fn all() -> impl Iterator<Item = Self> {
        (0..Self::COUNT).filter_map(Self::from_index)
    }

    /// Its number and its text, as errors tell it.
    #[cold]
    fn named(self) -> Named {
        Named { index: self.index(), text: self.text().into() }
    }
}

/// Where there is nothing to number: games without chance.
impl Numbered for NoChance {
    const COUNT: usize = 0;

    fn index(self) -> usize {
        match self {}
    }

    fn from_index(_: usize) -> Option<Self> {
        None
    }

    fn text(self) -> String {
        match self {}
    }
}
