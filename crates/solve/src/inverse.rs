//! The inverted moves of a group, for games that have no unmoves.
//!
//! It takes two walks over all successors: the first counts how many cells lead to each cell, the second stores these
//! cells. This takes four bytes per move and eight bytes per cell. In return, a new game needs only its moves.

use crate::cell::Cell;
use crate::group::Group;
use crate::offsets::CHUNK;
use crate::outside::Outside;
use crate::run::Stop;
use game::{Endgame, Location, Plies, parallel};
use std::ops::ControlFlow;
use std::sync::atomic::{AtomicU32, AtomicU64, Ordering::Relaxed};

/// The predecessors of each cell: the cells from which a move leads to it.
pub struct Inverse {
    /// The end of the list of each cell in `sources`. The list begins at the end of the list before.
    ends: Vec<u64>,
    sources: Vec<u32>,
}

impl Inverse {
    /// Inverts the moves of all cells that are still open. Other cells cannot get a better value from their successors.
    pub fn new<G: Endgame, C: Cell, O: Outside<G>>(group: &Group<'_, G, C, O>) -> Result<Self, Stop> {
        let len = group.offsets().len();
        u32::try_from(len).map_err(|_| Stop::TooLargeToInvert { cells: len as u64 })?;
        let next: Vec<AtomicU64> = parallel::repeat(len, AtomicU64::default);
        each_move(group, "counting moves", |_, to| {
            next[to].fetch_add(1, Relaxed);
        })?;
        // Turns the counts into the beginnings of the lists. While a list is written, its beginning advances to its end.
        let mut total = 0;
        for count in &next {
            total += count.swap(total, Relaxed);
        }
        let sources: Vec<AtomicU32> = parallel::repeat(total as usize, AtomicU32::default);
        each_move(group, "inverting moves", |from, to| {
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

    /// The number of bytes that it takes to invert this number of moves between this number of cells.
    pub fn bytes(cells: u64, moves: u64) -> u64 {
        cells * size_of::<u64>() as u64 + moves * size_of::<u32>() as u64
    }
}

/// Calls `visit` for every move from an open cell to a cell of the group, on all threads.
fn each_move<G: Endgame, C: Cell, O: Outside<G>>(
    group: &Group<'_, G, C, O>,
    what: &str,
    visit: impl Fn(usize, usize) + Sync,
) -> Result<(), Stop> {
    let done = AtomicU64::new(0);
    parallel::for_each(group.offsets().len() / CHUNK, &|chunk| {
        if group.is_interrupted() {
            return;
        }
        // A cell that wins at once cannot get a better value.
        let cells = chunk * CHUNK..(chunk + 1) * CHUNK;
        for from in cells.filter(|&cell| group.is_open(cell, Plies(1))) {
            let Some(position) = group.position(from) else { continue };
            let _ = group.game().successors(&position, |location| {
                if let Location::At(slice, index) = location
                    && let Some(to) = group.offsets().cell(slice, index)
                {
                    visit(from, to);
                }
                ControlFlow::<()>::Continue(())
            });
        }
        group.walked(what, &done);
    });
    if group.is_interrupted() { Err(Stop::Interrupted) } else { Ok(()) }
}
