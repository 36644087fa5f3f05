//! Verifies a table by rows: derives each value from those after all moves forward, a whole row at a time.
//!
//! This is not the way of the solver, which goes backwards on bits. Here rows are lists of
//! [scores](super::forward). It shares with the solver the moves of a single man
//! ([`Man`]), the legal positions, and the search for what perpetual check decides. The generic verifier shares nothing.

use super::board::SLABS;
use super::forward::{Forward, value};
use crate::rows::{Planes, RowGame as _, Space, Tensors, cell_of, each_slab, perpetual};
use game::{Index, Metric, Value, parallel};
use shogi::Class;
use solve::{Cell, Verified, Wrong};
use std::io;
use std::sync::{Mutex, PoisonError};
use table::{Entry, Table};

/// The most wrong entries that are shown.
const MOST_SHOWN: usize = 10;

/// Verifies the table of a class. Returns `None` if it has a distance that does not fit a byte.
///
/// # Errors
/// Returns an error if the table is damaged.
pub fn verify<R: Planes>(
    class: Class,
    table: &Table,
    progress: &(dyn Fn(u64) + Sync),
) -> Result<Option<Verified>, table::Error> {
    let metric = table.description().metric;
    let Some(codes) =
        table.different_entries().iter().map(|&entry| cell_of(entry)).collect::<Option<Vec<u8>>>()
    else {
        return Ok(None);
    };
    let cells = read(table, &codes)?;
    let check = Check { forward: Forward::<R>::new(class, cells), metric };
    let wrong_by_slab = parallel::map(SLABS, |slab| {
        let verified = check.slab(slab);
        progress(check.forward.board.cells(slab).len() as u64);
        verified
    });
    let mut verified = wrong_by_slab.into_iter().fold(nothing(), |mut sum, slab| {
        sum.positions += slab.positions;
        sum.wrong.extend(slab.wrong);
        sum
    });
    if verified.wrong.is_empty() {
        let wrong = check.perpetual();
        verified.wrong = wrong.unwrap_or_else(|error| unreachable!("rows in memory need no files: {error}"));
    }
    verified.wrong.truncate(MOST_SHOWN);
    Ok(Some(verified))
}

fn nothing() -> Verified {
    Verified { positions: 0, wrong: Vec::new() }
}

/// Reads all cells. `codes` has the cell of each entry of the palette.
fn read(table: &Table, codes: &[u8]) -> Result<Vec<u8>, table::Error> {
    let mut cells = vec![0; table.entries() as usize];
    let per_block = table.layout().entries_per_block as usize;
    let blocks: Vec<Mutex<&mut [u8]>> = cells.chunks_mut(per_block).map(Mutex::new).collect();
    parallel::try_map(blocks.len(), |block| {
        let symbols = table.block(block as u64)?;
        let mut cells = blocks[block].lock().unwrap_or_else(PoisonError::into_inner);
        cells.iter_mut().zip(symbols.symbols()).for_each(|(cell, symbol)| *cell = codes[symbol]);
        Ok(())
    })?;
    drop(blocks);
    Ok(cells)
}

struct Check<R> {
    forward: Forward<R>,
    metric: Metric,
}

impl<R: Planes> Check<R> {
    fn slab(&self, slab: usize) -> Verified {
        let mut verified = nothing();
        self.forward.each_position(
            slab,
            |_| true,
            |index, best| self.compare(index, best.map(value), &mut verified),
        );
        verified
    }

    fn compare(&self, index: usize, expected: Option<Value>, verified: &mut Verified) {
        let stored = self.forward.cells[index];
        let is_by_rule = stored == u8::WIN_BY_RULE || stored == u8::LOSS_BY_RULE;
        let value = match stored {
            u8::HOLE => None,
            cell => Some(cell.value().unwrap_or(Value::Draw)),
        };
        verified.positions += u64::from(expected.is_some());
        let is_right = match self.metric {
            Metric::Wdl => value.map(Value::wdl) == expected.map(Value::wdl),
            _ => value == expected,
        };
        if (!is_right || (is_by_rule && expected != Some(Value::Draw))) && verified.wrong.len() < MOST_SHOWN {
            let expected = Entry::new(expected, self.metric);
            verified.wrong.push(Wrong {
                index: Index(index as u64),
                stored: stored.entry(self.metric),
                expected,
            });
        }
    }

    /// Finds again what perpetual check decides, from all draws of the table, and compares.
    fn perpetual(&self) -> io::Result<Vec<Wrong>> {
        let Forward { board, cells, .. } = &self.forward;
        let tensors = Tensors::empty(board, &Space::Memory)?;
        let is_draw = |cell: u8| [u8::UNKNOWN, u8::WIN_BY_RULE, u8::LOSS_BY_RULE].contains(&cell);
        each_slab(board, |slab| {
            let draws = (0..board.rows()).map(|row| {
                let mut draws = R::EMPTY;
                board.legal(slab, row).each(|bit| {
                    if is_draw(cells[self.forward.cell_of(slab, row, bit)]) {
                        draws = draws.or(R::of_bit(bit));
                    }
                });
                draws
            });
            tensors.unknown.put(slab, draws.collect())
        })?;
        let by_rule = perpetual::decide(board, &tensors)?;
        let mut expected = std::collections::BTreeMap::new();
        for (few, code) in [(by_rule.won, u8::WIN_BY_RULE), (by_rule.lost, u8::LOSS_BY_RULE)] {
            for ((slab, row), bits) in few {
                bits.each(|bit| {
                    expected.insert(self.forward.cell_of(slab, row, bit), code);
                });
            }
        }
        let stored = |&(_, &cell): &(usize, &u8)| cell == u8::WIN_BY_RULE || cell == u8::LOSS_BY_RULE;
        let stored = cells.iter().enumerate().filter(stored).map(|(index, _)| index);
        let mut indices: Vec<usize> = stored.chain(expected.keys().copied()).collect();
        indices.sort_unstable();
        indices.dedup();
        let wrong = indices.into_iter().filter_map(|index| {
            let (stored, expected) = (cells[index], expected.get(&index).copied().unwrap_or(u8::UNKNOWN));
            let entry = |cell: u8| cell.entry(self.metric);
            (stored != expected).then(|| Wrong {
                index: Index(index as u64),
                stored: entry(stored),
                expected: entry(expected),
            })
        });
        Ok(wrong.take(MOST_SHOWN).collect())
    }
}
