//! How much is known, and where to look for it.

use game::Plies;
use std::sync::atomic::{AtomicU64, Ordering::Relaxed};

/// How many cells say each distance, and how many say nothing; or how these numbers changed.
#[derive(Clone, Default, Debug)]
pub struct Tally {
    at: Vec<i64>,
    /// Cells about which nothing is known.
    pub unknown: i64,
}

impl Tally {
    /// So many more cells say this distance.
    #[inline]
    pub fn add(&mut self, plies: Plies, count: i64) {
        let plies = usize::from(plies.0);
        if self.at.len() <= plies {
            self.at.resize(plies + 1, 0);
        }
        self.at[plies] += count;
    }

    /// How many cells say this distance.
    pub fn at(&self, plies: Plies) -> i64 {
        self.at.get(usize::from(plies.0)).copied().unwrap_or(0)
    }

    /// Does any cell say this distance or a longer one?
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

/// The distances that the cells of a chunk may say: a round passes over chunks that have nothing for it.
/// Distances that differ by 256 share a mark; that costs a look, not a mistake.
#[derive(Default)]
pub struct Due([AtomicU64; 4]);

impl Due {
    fn place(plies: Plies) -> (usize, u64) {
        (usize::from(plies.0 / 64 % 4), 1 << (plies.0 % 64))
    }

    /// Some cell says this distance.
    #[inline]
    pub fn mark(&self, plies: Plies) {
        let (word, bit) = Self::place(plies);
        if self.0[word].load(Relaxed) & bit == 0 {
            self.0[word].fetch_or(bit, Relaxed);
        }
    }

    /// Does a cell perhaps say this distance?
    pub fn is_marked(&self, plies: Plies) -> bool {
        let (word, bit) = Self::place(plies);
        self.0[word].load(Relaxed) & bit != 0
    }
}
