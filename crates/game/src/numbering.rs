//! Numbers of positions, and a shorter way to count them.

use crate::{Endgame, Metric};

/// The number of a position within its slice.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct Index(pub u64);

/// A numbering of the positions of a slice.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct Numbering {
    /// Its name, which the tables carry.
    pub name: &'static str,
    /// How many numbers there are.
    pub entries: u64,
}

/// A second numbering, which leaves out the positions that win at once. Only a solver of the game's own fills tables
/// that have it.
pub trait ShortNumbering<G: Endgame> {
    /// Its name, which the tables carry.
    const NAME: &'static str;

    /// How many numbers the table of a slice has, if a table of this metric has the short numbering.
    fn entries(&self, slice: G::Slice, metric: Metric) -> Option<u64>;

    /// The short number of an index; nothing if the side to move wins at once. Asked only about slices whose tables
    /// have the short numbering.
    fn short_index(&self, slice: G::Slice, index: Index) -> Option<Index>;
}
