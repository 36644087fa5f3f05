//! How much memory and disk a material takes.

use super::board::{Board, levels};
use crate::rows::{Row1, RowGame as _};
use chess::{Chess, Material};
use game::{Endgame as _, Metric};

/// The bytes for blocks that are being written, tables of moves, and the program itself.
const FIXED: u64 = 24 << 20;
/// The bytes that a row takes besides its bits: lists of conversions, by distance, and lists of the rounds. It was 32 with KQRvKQ
/// and 50 with KRPvKR, by the resident memory of runs without all else.
const LISTS_PER_ROW: u64 = 64;

/// The memory that solving a material takes, in bytes, with cells of `width` bytes. `None` if the kernel does not solve this
/// metric.
pub fn to_solve(material: Material, metric: Metric, width: usize) -> Option<u64> {
    if !matches!(metric, Metric::Wdl | Metric::Dtm | Metric::Dtz) {
        return None;
    }
    // The undecided positions, the open ones, and those that cannot be lost.
    let rows = rows(material) * (3 * size_of::<Row1>() as u64 + LISTS_PER_ROW);
    Some(FIXED + rows + Chess::STANDARD.size(material) * width as u64 + of_tables(material))
}

/// The disk that a checkpoint takes, in bytes: the cells, two arrays of rows, and lists.
pub fn of_checkpoint(material: Material, width: usize) -> u64 {
    Chess::STANDARD.size(material) * width as u64 + rows(material) * 4 * size_of::<Row1>() as u64
}

/// The memory that verifying a material takes, in bytes, if its table has so many different entries.
pub fn to_verify(material: Material, different_entries: usize) -> u64 {
    let width = if different_entries <= 256 { 1 } else { 2 };
    FIXED + Chess::STANDARD.size(material) * width + of_tables(material)
}

/// The memory that it takes to complete the small table of a material and to verify it, in bytes: two narrow cells for each index.
pub fn to_complete(material: Material) -> u64 {
    FIXED + Chess::STANDARD.size(material) * 2 + of_tables(material)
}

/// How many indices are done by rows in the time that one takes on its own.
const ROWS_ARE_QUICKER: u64 = 6;

/// Returns whether a small table is completed sooner by rows than one position after another. Rows need whole tables of all
/// captures and promotions, which may be small tables themselves. One position after another asks only for what it needs.
pub fn is_quicker_by_rows(material: Material) -> bool {
    by_rows(material) < one_by_one(material)
}

/// The work of completing a small table, with those that it leads to, in indices that are done by rows.
fn by_rows(material: Material) -> u64 {
    let of_tables = material.leads_to().into_iter().map(|to| by_rows(to).min(one_by_one(to)));
    Chess::STANDARD.size(material) + of_tables.sum::<u64>()
}

fn one_by_one(material: Material) -> u64 {
    ROWS_ARE_QUICKER * Chess::STANDARD.size(material)
}

/// The rows of the largest level.
fn rows(material: Material) -> u64 {
    let rows = levels(material).map(|level| {
        let board = Board::new(material, level);
        (board.slabs() * board.rows()) as u64
    });
    rows.max().unwrap_or(0)
}

/// The memory for the tables that a material leads to. No such table has more different entries than a byte can tell: the
/// only one that has, KPPvKP, has as many men as there are in tables, and pawns only.
fn of_tables(material: Material) -> u64 {
    material.leads_to().into_iter().map(|material| Chess::STANDARD.size(material)).sum()
}
