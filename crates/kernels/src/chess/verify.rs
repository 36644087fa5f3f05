//! Verifies a table by rows: derives each value from those after all moves forward, a whole row at a time.
//!
//! This is not the way of the solver, which goes backwards on bits. It shares with the solver the layout of the rows, the
//! legal positions, and the moves into other tables. The generic verifier shares nothing.

use super::board::levels;
use super::forward::{Forward, Tables};
use super::slabs::{by_slab, each_row};
use super::values::Unpacked;
use crate::rows::{Row as _, RowGame as _};
use chess::{Chess, Material};
use game::{Endgame as _, Index, Metric};
use solve::{Verified, Wrong};
use table::Entry;

/// The most wrong entries that are shown.
const MOST_SHOWN: usize = 10;

/// Verifies the table of a material, with the tables that it leads to.
pub fn verify(
    material: Material,
    table: &Unpacked,
    tables: &Tables,
    metric: Metric,
    progress: &(dyn Fn(u64) + Sync),
) -> Verified {
    let mut verified = Verified { positions: 0, wrong: Vec::new() };
    let own = |first, count| table.codes().part(first, count);
    for slab in by_slab(material, tables, metric, &table.entries, own, |forward, slab| {
        let verified = verify_slab(forward, slab, table, metric);
        progress(forward.board.cells(slab).len() as u64 / u64::from(levels(material).end));
        verified
    }) {
        verified.positions += slab.positions;
        verified.wrong.extend(slab.wrong);
    }
    verified.wrong.extend(entries_without_position(material, table, verified.positions, metric));
    verified.wrong.truncate(MOST_SHOWN);
    verified
}

/// If the table has more entries than there are positions, finds an entry whose index is a hole.
fn entries_without_position(
    material: Material,
    table: &Unpacked,
    positions: u64,
    metric: Metric,
) -> Option<Wrong> {
    let all = Chess::STANDARD.size(material) as usize;
    if (0..all).filter(|&index| table.entry(index) != Entry::Nothing).count() as u64 == positions {
        return None;
    }
    let index = (0..all).find(|&index| {
        table.entry(index) != Entry::Nothing
            && Chess::STANDARD.unrank(material, Index(index as u64)).is_none()
    })?;
    Some(Wrong { index: Index(index as u64), stored: table.entry(index), expected: Entry::new(None, metric) })
}

fn verify_slab(forward: &Forward<'_>, slab: usize, table: &Unpacked, metric: Metric) -> Verified {
    let mut verified = Verified { positions: 0, wrong: Vec::new() };
    let first = forward.board.cells(slab).start;
    each_row(forward.board, slab, |at| {
        verified.positions += at.positions.len();
        let expected = forward.values(slab, at.row, at.positions);
        at.with_cells.each(|bit| {
            let index = first + at.cell(bit);
            let (stored, expected) = (table.entry(index), Entry::new(expected[bit], metric));
            if stored != expected && verified.wrong.len() < MOST_SHOWN {
                verified.wrong.push(Wrong { index: Index(index as u64), stored, expected });
            }
        });
    });
    verified
}
