//! Indices of positions, and an optional shorter numbering.

use crate::{Endgame, Metric};

/// The index of a position: its number within its slice.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct Index(pub u64);

/// A numbering of the positions of a slice.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct Numbering {
    /// The name of the numbering, which is stored in the tables.
    pub name: &'static str,
    /// The number of indices.
    pub entries: u64,
}

/// A second numbering, which leaves out the positions that win at once. Only the special solver of a game writes tables
/// with it.
pub trait ShortNumbering<G: Endgame> {
    /// The name of the numbering, which is stored in the tables.
    const NAME: &'static str;

    /// The number of entries in the table of a slice, or `None` if a table of this metric does not use the short
    /// numbering.
    fn entries(&self, slice: G::Slice, metric: Metric) -> Option<u64>;

    /// The short number of an index, or `None` if the side to move wins at once. Only called for slices whose tables
    /// use the short numbering.
    fn short_index(&self, slice: G::Slice, index: Index) -> Option<Index>;
}
