//! The moves of a batch turned round, for games that cannot take them back themselves.
//!
//! Two walks over all successors: the first counts how many cells lead to each cell, the second writes them down.
//! It takes four bytes per move and eight per cell, but a new game needs only its moves.

use crate::batch::Batch;
use crate::cell::Cell;
use crate::layout::CHUNK;
use crate::outside::Outside;
use crate::run::Stop;
use game::{Endgame, Location, Plies};
use rayon::prelude::*;
use std::ops::ControlFlow;
use std::sync::atomic::{AtomicU32, AtomicU64, Ordering::Relaxed};

/// For each cell, the cells from which a move leads to it.
pub struct Inverse {
    /// Where the list of each cell ends; it begins where the one before ends.
    ends: Vec<u64>,
    sources: Vec<u32>,
}

impl Inverse {
    /// Turns round the moves of all cells that are still open: only these can learn from their successors.
    pub fn new<G: Endgame, C: Cell, O: Outside<G>>(batch: &Batch<'_, G, C, O>) -> Result<Self, Stop> {
        let len = batch.layout().len();
        u32::try_from(len).map_err(|_| Stop::TooLargeToInvert { cells: len as u64 })?;
        let next: Vec<AtomicU64> = (0..len).into_par_iter().map(|_| AtomicU64::new(0)).collect();
        each_move(batch, "counting moves", |_, to| {
            next[to].fetch_add(1, Relaxed);
        })?;
        // From counts to beginnings; while the lists are written each moves on to its end.
        let mut total = 0;
        for count in &next {
            total += count.swap(total, Relaxed);
        }
        let sources: Vec<AtomicU32> = (0..total).into_par_iter().map(|_| AtomicU32::new(0)).collect();
        each_move(batch, "turning moves round", |from, to| {
            sources[next[to].fetch_add(1, Relaxed) as usize].store(from as u32, Relaxed);
        })?;
        Ok(Self {
            ends: next.into_iter().map(AtomicU64::into_inner).collect(),
            sources: sources.into_iter().map(AtomicU32::into_inner).collect(),
        })
    }

    /// The cells from which a move leads to this one.
    #[inline]
    pub fn of(&self, cell: usize) -> &[u32] {
        let start = cell.checked_sub(1).map_or(0, |before| self.ends[before]);
        &self.sources[start as usize..self.ends[cell] as usize]
    }

    /// How many cells lead to one, on average.
    pub fn mean_sources(&self) -> i64 {
        self.sources.len().div_ceil(self.ends.len().max(1)) as i64
    }

    /// What turning round so many moves between so many cells takes.
    pub fn bytes(cells: u64, moves: u64) -> u64 {
        cells * size_of::<u64>() as u64 + moves * size_of::<u32>() as u64
    }
}

/// Shows every move from an open cell to a cell of the batch, on all threads.
fn each_move<G: Endgame, C: Cell, O: Outside<G>>(
    batch: &Batch<'_, G, C, O>,
    what: &str,
    visit: impl Fn(usize, usize) + Sync,
) -> Result<(), Stop> {
    let done = AtomicU64::new(0);
    (0..batch.layout().len() / CHUNK).into_par_iter().try_for_each(|chunk| {
        if batch.is_interrupted() {
            return Err(Stop::Interrupted);
        }
        // Nothing is better than to win at once.
        let cells = chunk * CHUNK..(chunk + 1) * CHUNK;
        for from in cells.filter(|&cell| batch.is_open(cell, Plies(1))) {
            let Some(position) = batch.position(from) else { continue };
            let _ = batch.game().successors(&position, |location| {
                if let Location::At(slice, index) = location
                    && let Some(to) = batch.layout().cell(slice, index)
                {
                    visit(from, to);
                }
                ControlFlow::<()>::Continue(())
            });
        }
        batch.walked(what, &done);
        Ok(())
    })
}
