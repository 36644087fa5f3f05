//! The slices of a batch side by side in one array of cells.

use game::{Endgame, Index};

/// Cells are worked on in pieces of this size: the unit of parallel work.
pub const CHUNK: usize = 1 << 11;

/// Where each slice of a batch begins. A batch has one or two slices, so a walk over the list is the fastest search.
pub struct Layout<G: Endgame> {
    parts: Vec<Part<G::Slice>>,
    len: usize,
}

struct Part<S> {
    slice: S,
    start: usize,
    size: u64,
}

impl<G: Endgame> Layout<G> {
    /// The slices one after the other, each beginning with a new chunk.
    pub fn new(game: &G, batch: &[G::Slice]) -> Self {
        let mut len = 0;
        let mut parts = Vec::new();
        for &slice in batch {
            let size = game.size(slice);
            parts.push(Part { slice, start: len, size });
            let size = usize::try_from(size).expect("what does not fit the memory is refused before");
            len += size.next_multiple_of(CHUNK);
        }
        Self { parts, len }
    }

    /// The number of cells, those between the slices included.
    pub fn len(&self) -> usize {
        self.len
    }

    /// Where an index lies; nothing if its slice is not of the batch.
    #[inline]
    pub fn cell(&self, slice: G::Slice, index: Index) -> Option<usize> {
        let part = self.parts.iter().find(|part| part.slice == slice)?;
        Some(part.start + index.0 as usize)
    }

    /// What lies at a cell; between the slices nothing does.
    #[inline]
    pub fn index(&self, cell: usize) -> Option<(G::Slice, Index)> {
        let part = self.parts.iter().rev().find(|part| part.start <= cell)?;
        let index = (cell - part.start) as u64;
        (index < part.size).then_some((part.slice, Index(index)))
    }
}
