//! How much memory a material takes.

use super::board::{Board, levels};
use crate::rows::{Row1, RowGame as _};
use chess::{Chess, Material};
use game::{Endgame as _, Metric};

/// The bytes for blocks that are being written, tables of moves, and the program itself.
const FIXED: u64 = 24 << 20;
/// The bytes that a row takes besides its bits: lists of conversions, by distance, and lists of the rounds.
const LISTS_PER_ROW: u64 = 64;

/// The memory that solving a material takes, in bytes, with cells of `width` bytes. `None` if the kernel does not solve this
/// metric.
pub fn to_solve(material: Material, metric: Metric, width: usize) -> Option<u64> {
    if !matches!(metric, Metric::Wdl | Metric::Dtm | Metric::Dtz) {
        return None;
    }
    let rows = levels(material).map(|level| {
        let board = Board::new(material, level);
        (board.slabs() * board.rows()) as u64
    });
    // The undecided positions, the open ones, and those that cannot be lost.
    let rows = rows.max().unwrap_or(0) * (3 * size_of::<Row1>() as u64 + LISTS_PER_ROW);
    Some(FIXED + rows + Chess::STANDARD.size(material) * width as u64 + of_tables(material))
}

/// The memory that verifying a material takes, in bytes.
pub fn to_verify(material: Material) -> u64 {
    FIXED + Chess::STANDARD.size(material) + of_tables(material)
}

/// The memory for the tables that a material leads to.
fn of_tables(material: Material) -> u64 {
    material.leads_to().into_iter().map(|material| Chess::STANDARD.size(material)).sum()
}
