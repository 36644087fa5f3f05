//! Numbered types: actions and outcomes of chance, counted from 0.

use crate::error::Named;
use game::NoChance;
use std::fmt::Debug;

/// A type with a fixed number of values, which are counted from 0 without gaps. The index of a value is its place in a mask
/// and its number in arrays.
pub trait Numbered: Copy + Ord + Debug + Send + Sync + 'static {
    /// The number of values.
    const COUNT: usize;

    /// The index of the value, from 0.
    fn index(self) -> usize;

    /// The value with this index. Returns `None` if there is none.
    fn from_index(index: usize) -> Option<Self>;

    /// The value as text.
    fn text(self) -> String;

    /// All values, in ascending order.
    fn all() -> impl Iterator<Item = Self> {
        (0..Self::COUNT).filter_map(Self::from_index)
    }

    /// The index and the text of the value, for error messages.
    #[cold]
    fn named(self) -> Named {
        Named { index: self.index(), text: self.text().into() }
    }
}

/// Games without chance have no outcomes to number.
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
