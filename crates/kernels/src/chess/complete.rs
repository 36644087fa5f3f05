//! Small tables by rows: which positions captures and promotions answer, and all values of a table that leaves some out.

use super::forward::{Forward, Tables};
use super::slabs::{by_slab, each_row};
use super::values::{Coded, Codes, Unpacked, entries_of_cells, value_of};
use crate::rows::{Row as _, Row1, RowGame as _, Score, cell_of, stored_cells};
use chess::Material;
use game::{Metric, Value};
use std::sync::atomic::{AtomicU64, Ordering::Relaxed};
use std::sync::{Mutex, PoisonError};
use table::{Entry, SmallTable, Stored};

/// Nothing is asked of the material itself.
fn no_codes(_: usize, _: usize) -> Codes<'static> {
    Codes::Bytes(&[])
}

/// The values of the best captures and promotions from some positions of a row.
fn best_changes(forward: &Forward<'_>, slab: usize, row: usize, positions: Row1) -> [Option<Value>; 64] {
    let mut scores = [Score::NONE; 64];
    if !positions.is_empty() {
        forward.raise_by_changes(slab, row, positions.bits(), &mut scores);
    }
    scores.map(Score::value)
}

/// A bit for each index: whether a capture or a promotion gives the value of the position, with its distance.
pub fn answered_by_changes(
    material: Material,
    table: &Unpacked,
    indices: usize,
    tables: &Tables,
    metric: Metric,
) -> Vec<u64> {
    let words: Vec<AtomicU64> = (0..indices.div_ceil(64)).map(|_| AtomicU64::new(0)).collect();
    by_slab(material, tables, metric, &[], no_codes, |forward, slab| {
        let first = forward.board.cells(slab).start;
        each_row(forward.board, slab, |at| {
            let best = best_changes(forward, slab, at.row, at.positions);
            at.positions.each(|bit| {
                let index = first + at.cell(bit);
                if best[bit].is_some() && best[bit] == value_of(table.entry(index)) {
                    words[index / 64].fetch_or(1 << (index % 64), Relaxed);
                }
            });
        });
    });
    words.into_iter().map(AtomicU64::into_inner).collect()
}

/// Finds all values of a small table, from the tables that its material leads to. Returns `None` if it has a distance that does not
/// fit a cell.
///
/// # Errors
/// Returns an error if the table cannot be read or is damaged.
pub fn complete(
    material: Material,
    small: &SmallTable,
    tables: &Tables,
    metric: Metric,
) -> Result<Option<Unpacked>, table::Error> {
    Ok(match complete_in::<u8>(material, small, tables, metric)? {
        Some(cells) => Some(u8::unpacked(cells, metric)),
        None => {
            complete_in::<u16>(material, small, tables, metric)?.map(|cells| u16::unpacked(cells, metric))
        }
    })
}

/// A win or loss whose distance is not known yet. No rule decides chess endgames, so these cells are free.
fn without_distance<C: Coded>(outcome: Entry) -> Option<C> {
    match outcome {
        Entry::Win(_) => Some(C::WIN_BY_RULE),
        Entry::Loss(_) => Some(C::LOSS_BY_RULE),
        _ => None,
    }
}

fn complete_in<C: Coded>(
    material: Material,
    small: &SmallTable,
    tables: &Tables,
    metric: Metric,
) -> Result<Option<Vec<C>>, table::Error> {
    let stored = stored_cells(small, |stored| match stored {
        Stored::Entry(entry) => cell_of::<C>(entry),
        Stored::WithoutDistance(outcome) => without_distance(outcome),
    })?;
    let Some(stored) = stored else { return Ok(None) };
    // An index without a position has any entry in a small table.
    let mut cells = vec![C::HOLE; stored.len()];
    let converted = each_slab(material, tables, metric, &[], no_codes, &mut cells, |forward, slab, cells| {
        convert(forward, slab, metric, &stored, cells)
    });
    drop(stored);
    let has_distances = metric != Metric::Wdl;
    if converted.is_none() || !has_distances {
        return Ok(converted.map(|()| cells));
    }
    // Distances that are not known yet are never needed: a win follows from losses, and if its own distance is not stored, theirs
    // are; and a loss follows from wins in the same way.
    let known = cells.clone();
    let own = |first: usize, count: usize| C::codes(&known[first..][..count]);
    let entries = entries_of_cells::<C>(metric);
    let derived = each_slab(material, tables, metric, &entries, own, &mut cells, |forward, slab, cells| {
        derive(forward, slab, metric, cells)
    });
    Ok(derived.map(|()| cells))
}

/// Changes the cells of each slab, level after level. Returns `None` if `change` does.
fn each_slab<'a, C: Coded>(
    material: Material,
    tables: &Tables,
    metric: Metric,
    entries: &[Entry],
    own: impl Fn(usize, usize) -> Codes<'a>,
    cells: &mut [C],
    change: impl Fn(&Forward<'_>, usize, &mut [C]) -> Option<()> + Sync,
) -> Option<()> {
    let board = super::board::Board::new(material, 0);
    let mut rest = cells;
    let slabs: Vec<Mutex<&mut [C]>> = (0..board.slabs())
        .map(|slab| {
            let (of_slab, others) = std::mem::take(&mut rest).split_at_mut(board.cells(slab).len());
            rest = others;
            Mutex::new(of_slab)
        })
        .collect();
    let changed = by_slab(material, tables, metric, entries, own, |forward, slab| {
        change(forward, slab, &mut slabs[slab].lock().unwrap_or_else(PoisonError::into_inner))
    });
    changed.into_iter().collect()
}

/// Sets the cells of a slab to what is stored, or to the value of the best capture or promotion if that has a better outcome.
fn convert<C: Coded>(
    forward: &Forward<'_>,
    slab: usize,
    metric: Metric,
    stored: &[C],
    cells: &mut [C],
) -> Option<()> {
    let (first, mut fits) = (forward.board.cells(slab).start, true);
    each_row(forward.board, slab, |at| {
        let best = best_changes(forward, slab, at.row, at.positions);
        at.positions.each(|bit| {
            let stored = stored[first + at.cell(bit)];
            let is_better = best[bit].map(Value::wdl) > stored.entry(metric).wdl();
            let cell = if is_better { cell_of(Entry::new(best[bit], metric)) } else { Some(stored) };
            fits &= cell.is_some();
            cells[at.cell(bit)] = cell.unwrap_or(C::HOLE);
        });
    });
    fits.then_some(())
}

/// Sets the cells of a slab whose distances are not known yet, from all moves.
fn derive<C: Coded>(forward: &Forward<'_>, slab: usize, metric: Metric, cells: &mut [C]) -> Option<()> {
    let mut fits = true;
    each_row(forward.board, slab, |at| {
        let mut open = 0;
        at.positions.each(|bit| {
            let cell = cells[at.cell(bit)];
            open |= u64::from(cell == C::WIN_BY_RULE || cell == C::LOSS_BY_RULE) << bit;
        });
        let open = Row1::new(open);
        let values = forward.values(slab, at.row, open);
        open.each(|bit| {
            let cell = cell_of(Entry::new(values[bit], metric));
            fits &= cell.is_some();
            cells[at.cell(bit)] = cell.unwrap_or(C::HOLE);
        });
    });
    fits.then_some(())
}
