//! The ranges of the slices of a group in its array of cells.

use game::{Endgame, Index};

/// The number of cells in a chunk, which is the unit of parallel work.
pub const CHUNK: usize = 1 << 11;

/// The first cell of each slice of a group. A group has one or two slices, so a linear search is the fastest.
pub struct Offsets<G: Endgame> {
    parts: Vec<Part<G::Slice>>,
    len: usize,
}

struct Part<S> {
    slice: S,
    start: usize,
    size: u64,
}

impl<G: Endgame> Offsets<G> {
    /// Places the slices one after another. Each slice begins with a new chunk.
    pub fn new(game: &G, group: &[G::Slice]) -> Self {
        let mut len = 0;
        let mut parts = Vec::new();
        for &slice in group {
            let size = game.size(slice);
            parts.push(Part { slice, start: len, size });
            let size = usize::try_from(size).expect("what does not fit the memory is refused before");
            len += size.next_multiple_of(CHUNK);
        }
        Self { parts, len }
    }

    /// The number of cells, including the unused cells between the slices.
    pub fn len(&self) -> usize {
        self.len
    }

    /// The cell of an index. Returns `None` if the slice is not in the group.
    #[inline]
    pub fn cell(&self, slice: G::Slice, index: Index) -> Option<usize> {
        let part = self.parts.iter().find(|part| part.slice == slice)?;
        Some(part.start + index.0 as usize)
    }

    /// The slice and index of a cell. Returns `None` for an unused cell between the slices.
    #[inline]
    pub fn index(&self, cell: usize) -> Option<(G::Slice, Index)> {
        let part = self.parts.iter().rev().find(|part| part.start <= cell)?;
        let index = (cell - part.start) as u64;
        (index < part.size).then_some((part.slice, Index(index)))
    }
}
