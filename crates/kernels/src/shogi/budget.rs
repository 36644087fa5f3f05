//! What fits into memory, and what goes to files.

use super::board::{Board, SLABS};
use super::kernel::has_two_planes;
use crate::rows::{Planes, Row2, Row4, RowGame};
use game::{Endgame, Metric};
use shogi::{Class, Shogi, Standing};

/// The bytes for blocks that are being written, tables of moves, and the program itself.
const FIXED: u64 = 32 << 20;

/// The memory and disk space that a class needs, in bytes.
#[derive(Clone, Copy, Debug)]
pub struct Budget {
    /// The memory.
    pub memory: u64,
    /// The disk space for what is not in memory.
    pub disk: u64,
    /// Whether the rows are in memory.
    pub rows_in_memory: bool,
    /// Whether the cells are in memory.
    pub cells_in_memory: bool,
}

/// The bytes that the parts of a class take.
struct Sizes {
    /// One array of all rows.
    shelf: u64,
    /// The numbers of all rows.
    numbers: u64,
    /// One byte for each cell.
    cells: u64,
}

impl Sizes {
    fn of(class: Class) -> Self {
        match has_two_planes(class) {
            true => Self::with_rows::<Row2>(class),
            false => Self::with_rows::<Row4>(class),
        }
    }

    fn with_rows<R: Planes>(class: Class) -> Self {
        let rows = (SLABS * Board::<R>::new(class).rows()) as u64;
        Self { shelf: rows * size_of::<R>() as u64, numbers: 4 * rows, cells: Shogi::default().size(class) }
    }
}

impl Budget {
    /// Divides the memory: first for the rows, which are needed all the time, then for the cells, which have `width` bytes. At
    /// least the slabs must fit on which the threads work; if they do not, the budget says how much they need. Returns
    /// `None` if the kernel does not solve this metric.
    pub fn new(class: Class, metric: Metric, width: usize, memory: u64) -> Option<Self> {
        let Sizes { shelf, numbers, cells } = Sizes::of(class);
        // Two arrays of rows, and half of one for lists and scratch rows.
        let (rows, cells) = match metric {
            Metric::Wdl | Metric::Dtm => (shelf * 5 / 2, cells * width as u64),
            // Three more arrays, full lists of all losses in both forms, and a wide cell for each narrow one.
            Metric::Dtz => (shelf * 15 / 2, cells * (width as u64 + 2)),
            Metric::Equity | Metric::Distribution => return None,
        };
        // A slab of rows and of cells for each thread; and the numbers of the rows of three lists are always in memory.
        let slab = (rows + 2 * cells).div_ceil(SLABS as u64);
        let least = FIXED + rayon::current_num_threads() as u64 * slab + 3 * numbers;
        // Cells in files take four bytes each in the log, and their own bytes at the end.
        let cells_on_disk = 5 * cells;
        let ways = [
            (FIXED + rows + cells, 0, true, true),
            (FIXED + rows + slab, cells_on_disk, true, false),
            (least, rows + cells_on_disk, false, false),
        ];
        let fits = |way: &&(u64, u64, bool, bool)| way.0 <= memory;
        let &(needed, disk, rows_in_memory, cells_in_memory) = ways.iter().find(fits).unwrap_or(&ways[2]);
        Some(Self { memory: needed, disk, rows_in_memory, cells_in_memory })
    }

    /// The memory that it takes to verify a class by rows, in bytes.
    pub fn to_verify(class: Class) -> u64 {
        let Sizes { shelf, numbers, cells } = Sizes::of(class);
        let last = class.men().last().map_or(0, |&kind| u64::from(Standing::count(kind)));
        let scores = numbers / 4 / SLABS as u64 * last;
        FIXED + cells + 2 * shelf + rayon::current_num_threads() as u64 * (scores + shelf / SLABS as u64)
    }
}
