//! Counts of known cells, and marks of the chunks that a round has to visit.

use game::Plies;
use std::sync::atomic::{AtomicU64, Ordering::Relaxed};

/// The number of cells with each distance, and the number of unknown cells. Also used for changes of these numbers.
#[derive(Clone, Default, Debug)]
pub struct Tally {
    at: Vec<i64>,
    /// The number of unknown cells.
    pub unknown: i64,
}

impl Tally {
    /// Adds `count` cells with this distance.
    #[inline]
    pub fn add(&mut self, plies: Plies, count: i64) {
        let plies = usize::from(plies.0);
        if self.at.len() <= plies {
            self.at.resize(plies + 1, 0);
        }
        self.at[plies] += count;
    }

    /// Returns whether any cell has this distance or a longer one.
    pub fn has_from(&self, plies: Plies) -> bool {
        self.at.iter().skip(plies.0.into()).any(|&count| count > 0)
    }

    /// The sum of both.
    #[must_use]
    pub fn merge(mut self, other: Self) -> Self {
        for (plies, &count) in other.at.iter().enumerate() {
            self.add(Plies(plies as u16), count);
        }
        self.unknown += other.unknown;
        self
    }
}

/// Marks of the distances that occur in the cells of a chunk. A round skips chunks without a mark for it. Distances that
/// differ by 256 share a mark. This can cause a needless visit, but no wrong result.
#[derive(Default)]
pub struct Due([AtomicU64; 4]);

impl Due {
    fn place(plies: Plies) -> (usize, u64) {
        (usize::from(plies.0 / 64 % 4), 1 << (plies.0 % 64))
    }

    /// Marks that a cell of the chunk has this distance.
    #[inline]
    pub fn mark(&self, plies: Plies) {
        let (word, bit) = Self::place(plies);
        if self.0[word].load(Relaxed) & bit == 0 {
            self.0[word].fetch_or(bit, Relaxed);
        }
    }

    /// Returns whether a cell of the chunk may have this distance.
    pub fn is_marked(&self, plies: Plies) -> bool {
        let (word, bit) = Self::place(plies);
        self.0[word].load(Relaxed) & bit != 0
    }
}
