//! Verifies a table by rows: derives each value from those after all moves forward, a whole row at a time.
//!
//! This is not the way of the solver, which goes backwards on bits. It shares with the solver the layout of the rows, the
//! legal positions, and the moves into other tables. The generic verifier shares nothing.

use super::board::{Board, levels};
use super::forward::{Forward, Tables};
use super::values::Unpacked;
use crate::rows::{Row as _, RowGame as _, Score};
use chess::{Chess, Material};
use game::{Endgame as _, Index, Metric, Plies, Value, parallel};
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
    let levels = levels(material);
    for level in levels.clone() {
        let board = Board::new(material, level);
        let own = |first, count| table.codes().part(first, count);
        let check = Check {
            board: &board,
            table,
            metric,
            forward: Forward::new(&board, tables, metric, &table.entries, own),
        };
        for slab in parallel::map(board.slabs(), |slab| {
            let verified = check.slab(slab);
            progress(board.cells(slab).len() as u64 / u64::from(levels.end));
            verified
        }) {
            verified.positions += slab.positions;
            verified.wrong.extend(slab.wrong);
        }
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
    let entry = |index: usize| table.entries[table.codes().get(index)];
    let all = Chess::STANDARD.size(material) as usize;
    if (0..all).filter(|&index| entry(index) != Entry::Nothing).count() as u64 == positions {
        return None;
    }
    let index = (0..all).find(|&index| {
        entry(index) != Entry::Nothing && Chess::STANDARD.unrank(material, Index(index as u64)).is_none()
    })?;
    Some(Wrong { index: Index(index as u64), stored: entry(index), expected: Entry::new(None, metric) })
}

struct Check<'a> {
    board: &'a Board,
    table: &'a Unpacked,
    metric: Metric,
    forward: Forward<'a>,
}

impl Check<'_> {
    fn slab(&self, slab: usize) -> Verified {
        let mut verified = Verified { positions: 0, wrong: Vec::new() };
        let first = self.board.cells(slab).start;
        let mut folded = vec![false; self.board.cells(slab).len()];
        self.board.each_folded_cell(slab, |cell| folded[cell] = true);
        for row in 0..self.board.rows() {
            let Some((cells, with_cells)) = self.board.row_cells(slab, row) else { continue };
            let legal = self.board.legal(slab, row).and(with_cells);
            let mut scores = [Score::NONE; 64];
            if !legal.is_empty() {
                self.forward.raise_by_conversions(slab, row, legal.bits(), &mut scores);
                self.forward.raise_by_quiet_moves(slab, row, legal.bits(), &mut scores);
            }
            let lost = self.board.lost_without_moves(slab, row, legal);
            with_cells.each(|bit| {
                let cell = cells + usize::from(self.board.places()[bit]);
                let value = || scores[bit].value().unwrap_or(without_moves(lost.has(bit)));
                let expected = (legal.has(bit) && !folded[cell]).then(value);
                verified.positions += u64::from(expected.is_some());
                let expected = Entry::new(expected, self.metric);
                let stored = self.table.entries[self.table.codes().get(first + cell)];
                if stored != expected && verified.wrong.len() < MOST_SHOWN {
                    let index = Index((first + cell) as u64);
                    verified.wrong.push(Wrong { index, stored, expected });
                }
            });
        }
        verified
    }
}

/// The value of a position without moves.
fn without_moves(is_lost: bool) -> Value {
    if is_lost { Value::Loss(Plies(0)) } else { Value::Draw }
}
