//! Divides the memory between the parts of the solver.

use super::known::{self, Men, is_short, leads_to, slice_of, turned};
use game::{Endgame, Metric};
use onitama::{Onitama, Slice};

/// The bytes for blocks that are being written, tables of the cards, and the program itself.
pub const FIXED: u64 = 16 << 20;

/// The memory and disk space for the parts of the solver, in bytes.
pub struct Budget {
    /// All the memory.
    pub memory: u64,
    /// The disk space for data that is not in memory.
    pub disk: u64,
    /// True if the rows are in memory.
    pub rows_in_memory: bool,
    /// The memory for the losses of a sweep or of an attack.
    pub room: u64,
    /// The memory for the row cache of a thread.
    pub cache: u64,
}

impl Budget {
    /// The budget to solve the attacks with these men in both roles. If `memory` is too small, the budget has the least
    /// memory that is necessary.
    pub fn new(game: &Onitama, men: Men, memory: u64) -> Self {
        let threads = rayon::current_num_threads() as u64;
        let scratch = known::scratch(men).max(known::scratch(turned(men)));
        let least = FIXED + threads * scratch;
        let left = memory.saturating_sub(least);
        let cache = (left / 8 / threads).min(64 << 20);
        let left = left - cache * threads;
        let attack = |men: Men| {
            let (rows, placements) = known::shape(men);
            let counts = (rows * placements * men.1) as u64;
            size_of_rows(game, men) + counts + leads_to(men).map(|men| size_of_rows(game, men)).sum::<u64>()
        };
        let rows = attack(men).max(attack(turned(men)));
        // Losses take about three times the packed wins: the losses of two sweeps, and those with one defender less.
        let lists = 3 * size_of_rows(game, men);
        if rows <= left / 2 {
            let room = ((left - rows) / 3).min(lists);
            let memory = least + threads * cache + rows + 3 * room;
            Self { memory, disk: lists.saturating_sub(3 * room), rows_in_memory: true, room, cache }
        } else {
            // The other half of the memory is for the file cache of the operating system.
            Self {
                memory: memory.max(least),
                disk: rows + lists,
                rows_in_memory: false,
                room: left / 6,
                cache,
            }
        }
    }

    /// The budget to count and check a table.
    pub fn for_reading(game: &Onitama, men: Men) -> Self {
        const ENOUGH: u64 = 4 << 30;
        let threads = rayon::current_num_threads() as u64;
        Self::new(game, men, ENOUGH + threads * known::scratch(men).max(known::scratch(turned(men))))
    }
}

/// An estimate of the bytes of an attack's rows. It is exact for card sets that are not their own mirror image.
fn size_of_rows(game: &Onitama, men: Men) -> u64 {
    let slice = slice_of(men);
    if is_short(game, slice) { game.numbering(slice, Metric::Wdl).entries / 8 } else { game.size(slice) / 16 }
}

/// The most bytes that a table can take on disk.
pub fn size_on_disk(game: &Onitama, slice: Slice) -> u64 {
    let bits = if is_short(game, slice) { 1 } else { 2 };
    game.numbering(slice, Metric::Wdl).entries * bits / 8
}
