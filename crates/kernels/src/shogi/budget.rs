//! What fits into memory, and what goes to files.

use super::board::{Board, SLABS};
use super::kernel::has_two_planes;
use crate::rows::{Row, Row2, Row4, Tensors};
use game::{Endgame, Metric};
use shogi::{Class, Shogi};

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

impl Budget {
    /// Divides the memory: first for the rows, which are needed all the time, then for the cells. At least the slabs must fit
    /// on which the threads work; if they do not, the budget says how much they need. Returns `None` if the kernel does not
    /// solve this metric.
    pub fn new(class: Class, metric: Metric, memory: u64) -> Option<Self> {
        let (rows, cells) = match has_two_planes(class) {
            true => sizes::<Row2>(class, metric)?,
            false => sizes::<Row4>(class, metric)?,
        };
        let slab = (rows + cells).div_ceil(SLABS as u64);
        let least = FIXED + rayon::current_num_threads() as u64 * slab;
        let ways = [
            (FIXED + rows + cells, 0, true, true),
            (FIXED + rows + slab, cells, true, false),
            (least, rows + cells, false, false),
        ];
        let fits = |way: &&(u64, u64, bool, bool)| way.0 <= memory;
        let &(least, disk, rows_in_memory, cells_in_memory) = ways.iter().find(fits).unwrap_or(&ways[2]);
        // The system keeps as much of the files in memory as there is room for.
        let memory = if disk == 0 { least } else { memory.max(least) };
        Some(Self { memory, disk, rows_in_memory, cells_in_memory })
    }
}

/// The bytes of the rows and of the cells. Returns `None` for a metric that shogi does not have.
fn sizes<R: Row>(class: Class, metric: Metric) -> Option<(u64, u64)> {
    let rows = Tensors::bytes(&Board::<R>::new(class));
    let cells = Shogi::default().size(class);
    match metric {
        Metric::Wdl | Metric::Dtm => Some((rows, cells)),
        // Four more arrays of rows, and a wide cell for each narrow one.
        Metric::Dtz => Some((2 * rows, 3 * cells)),
        Metric::Equity | Metric::Distribution => None,
    }
}
