//! How memory is divided.

use super::known::{self, Men, is_short, leads_to, slice_of, turned};
use game::{Endgame, Metric};
use onitama::{Onitama, Slice};

/// Blocks on their way to a file, tables of the cards, and the program itself.
pub const FIXED: u64 = 16 << 20;

/// What there is for what, in bytes.
pub struct Budget {
    /// All of it.
    pub memory: u64,
    /// The disk for what is not in memory.
    pub disk: u64,
    /// Are rows in memory?
    pub rows_in_memory: bool,
    /// For a list of losses.
    pub room: u64,
    /// For a thread's rows.
    pub cache: u64,
}

impl Budget {
    /// For solving the attacks of so many men. Where there is too little, all that it takes.
    pub fn new(game: &Onitama, men: Men, memory: u64) -> Self {
        let threads = rayon::current_num_threads() as u64;
        let scratch = known::scratch(men).max(known::scratch(turned(men)));
        let least = FIXED + threads * scratch;
        let left = memory.saturating_sub(least);
        let cache = (left / 8 / threads).min(64 << 20);
        let left = left - cache * threads;
        let attack = |men: Men| {
            let (rows, layouts) = known::shape(men);
            let counts = (rows * layouts * men.1) as u64;
            size_of_rows(game, men) + counts + leads_to(men).map(|men| size_of_rows(game, men)).sum::<u64>()
        };
        let rows = attack(men).max(attack(turned(men)));
        // Losses take about three times the packed wins: those of two sweeps, and of the attack with a defender less.
        let lists = 3 * size_of_rows(game, men);
        if rows <= left / 2 {
            let room = ((left - rows) / 3).min(lists);
            let memory = least + threads * cache + rows + 3 * room;
            Self { memory, disk: lists.saturating_sub(3 * room), rows_in_memory: true, room, cache }
        } else {
            // The other half is for what the system keeps of the files.
            Self {
                memory: memory.max(least),
                disk: rows + lists,
                rows_in_memory: false,
                room: left / 6,
                cache,
            }
        }
    }

    /// For counting and checking.
    pub fn for_reading(game: &Onitama, men: Men) -> Self {
        const ENOUGH: u64 = 4 << 30;
        let threads = rayon::current_num_threads() as u64;
        Self::new(game, men, ENOUGH + threads * known::scratch(men).max(known::scratch(turned(men))))
    }
}

/// About the bytes of an attack's rows; exactly for sets that are not their own mirror image.
fn size_of_rows(game: &Onitama, men: Men) -> u64 {
    let slice = slice_of(men);
    if is_short(game, slice) { game.numbering(slice, Metric::Wdl).entries / 8 } else { game.size(slice) / 16 }
}

/// The bytes of a table on disk, at most.
pub fn size_on_disk(game: &Onitama, slice: Slice) -> u64 {
    let bits = if is_short(game, slice) { 1 } else { 2 };
    game.numbering(slice, Metric::Wdl).entries * bits / 8
}
