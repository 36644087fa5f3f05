//! The defences that cells have left: a lost position is one whose last defence is gone.
//!
//! A *defence* of a cell is a successor in its group that is not yet certain to be a win of the opponent. The first look counts the
//! defences of each open cell. When a win becomes certain, the cells that lead to it have one defence less. Only a cell without
//! defences has to be looked at, so nearly every look finds a loss.
//!
//! The counts are not part of a checkpoint. A run that is resumed counts again, from the cells.

use game::parallel;
use std::sync::atomic::{AtomicU8, Ordering::Relaxed};

/// A count for each cell, in one byte.
pub(crate) struct Defences(Vec<AtomicU8>);

/// The cell is decided, or it has a defence that it never loses: a move out of the group that does not lose.
const SAFE: u8 = u8::MAX;
/// The cell has too many defences to count them. Whenever it loses one, it has to be looked at.
const MANY: u8 = u8::MAX - 1;

impl Defences {
    /// Cells that are all safe.
    pub fn new(cells: usize) -> Self {
        Self(parallel::repeat(cells, || AtomicU8::new(SAFE)))
    }

    /// The number of bytes that it takes to count the defences of so many cells.
    pub fn bytes(cells: u64) -> u64 {
        cells * size_of::<AtomicU8>() as u64
    }

    /// Notes the defences of a cell, of which some may occur more than once.
    #[inline]
    pub fn note(&self, cell: usize, defences: &mut Vec<usize>) {
        defences.sort_unstable();
        defences.dedup();
        let count = defences.len().min(MANY.into()) as u8;
        self.0[cell].store(count, Relaxed);
    }

    /// Returns whether the cell may lose all its defences.
    #[inline]
    pub fn may_end(&self, cell: usize) -> bool {
        self.0[cell].load(Relaxed) != SAFE
    }

    /// Takes a defence from a cell that is not safe. Returns whether it may have been the last one. If the same defence is taken
    /// twice, this is true too early, and again for every further defence.
    #[inline]
    pub fn take(&self, cell: usize) -> bool {
        let count = &self.0[cell];
        match count.load(Relaxed) {
            0 | MANY => true,
            // Two threads may take the last one at the same time. Then the count stays at 0, and both look.
            _ => !count.fetch_update(Relaxed, Relaxed, |left| left.checked_sub(1)).is_ok_and(|left| left > 1),
        }
    }
}
