//! Goes over all positions of a material, row by row, with the moves forward from them.

use super::board::{Board, levels};
use super::forward::{Forward, Tables};
use super::values::Codes;
use crate::rows::{Row as _, Row1, RowGame as _};
use chess::Material;
use game::{Metric, parallel};
use table::Entry;

/// Calls `work` for each slab of each level of a material, on all threads, and returns the results in this order. `own` and
/// `entries` give the codes of the material itself, as for [`Forward::new`].
pub fn by_slab<'a, T: Send + Sync>(
    material: Material,
    tables: &Tables,
    metric: Metric,
    entries: &[Entry],
    own: impl Fn(usize, usize) -> Codes<'a>,
    work: impl Fn(&Forward<'_>, usize) -> T + Sync,
) -> Vec<T> {
    let of_level = |level| {
        let board = Board::new(material, level);
        // The codes live longer than the board.
        let own = |first: usize, count: usize| own(first, count);
        let forward = Forward::new(&board, tables, metric, entries, own);
        parallel::map(board.slabs(), |slab| work(&forward, slab))
    };
    levels(material).flat_map(of_level).collect()
}

/// A row with indices.
pub struct RowAt<'a> {
    /// The number of the row.
    pub row: usize,
    /// The squares of the last man that have indices.
    pub with_cells: Row1,
    /// Those that have positions.
    pub positions: Row1,
    first: usize,
    places: &'a [u16],
}

impl RowAt<'_> {
    /// The cell of a square among those of the slab.
    pub fn cell(&self, bit: usize) -> usize {
        self.first + usize::from(self.places[bit])
    }
}

/// Visits the rows of a slab.
pub fn each_row(board: &Board, slab: usize, mut visit: impl FnMut(RowAt<'_>)) {
    let mut folded = vec![false; board.cells(slab).len()];
    board.each_folded_cell(slab, |cell| folded[cell] = true);
    for row in 0..board.rows() {
        let Some((first, with_cells)) = board.row_cells(slab, row) else { continue };
        let legal = board.legal(slab, row).and(with_cells);
        let mut at = RowAt { row, with_cells, positions: legal, first, places: board.places() };
        legal.each(|bit| {
            if folded[at.cell(bit)] {
                at.positions = at.positions.and_not(Row1::of_bit(bit));
            }
        });
        visit(at);
    }
}
