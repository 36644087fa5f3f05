//! Completes small tables by rows: finds the distances that they leave out.

use super::board::SLABS;
use super::forward::{Forward, value};
use crate::rows::{Planes, RowGame as _, cell_of, stored_cells};
use game::{Value, Wdl, parallel};
use shogi::Class;
use solve::Cell;
use std::sync::atomic::{AtomicBool, Ordering::Relaxed};
use table::{Entry, SmallTable, Stored};

/// Finds all values of a small table, as cells in the order of the indices. Returns `None` if it has a distance that does not fit a
/// byte.
///
/// # Errors
/// Returns an error if the table cannot be read or is damaged.
pub fn complete<R: Planes>(class: Class, small: &SmallTable) -> Result<Option<Vec<u8>>, table::Error> {
    let (open_wins, open_losses) = (AtomicBool::new(false), AtomicBool::new(false));
    // A distance that is not stored counts as the shortest one. A win that follows from losses does not ask for it, nor does a loss
    // that follows from wins; but a loss may ask whether a dropped pawn mates, and then it does, since no other drop wins.
    let cells = stored_cells(small, |stored| match stored {
        Stored::Entry(entry) => cell_of(entry),
        Stored::WithoutDistance(outcome) => {
            let is_open = if outcome.wdl() == Some(Wdl::Win) { &open_wins } else { &open_losses };
            is_open.store(true, Relaxed);
            cell_of(outcome)
        }
    })?;
    let Some(cells) = cells else { return Ok(None) };
    let mut forward = Forward::<R>::new(class, cells);
    // An index without a position has any entry in a small table. Moves that lead to it must be illegal.
    let positions = parallel::map(SLABS, |slab| {
        let indices = forward.board.cells(slab);
        let mut cells = vec![u8::HOLE; indices.len()];
        forward.each_position(
            slab,
            |_| false,
            |index, position| {
                if position.is_some() {
                    cells[index - indices.start] = forward.cells[index];
                }
            },
        );
        cells
    });
    forward.cells = positions.concat();
    let (open_wins, open_losses) = (open_wins.into_inner(), open_losses.into_inner());
    let is_open = |index: usize| match forward.cells[index].value() {
        Some(Value::Win(_)) => open_wins,
        Some(Value::Loss(_)) => open_losses,
        Some(Value::Draw) | None => false,
    };
    if !open_wins && !open_losses {
        return Ok(Some(forward.cells));
    }
    let slabs = parallel::map(SLABS, |slab| {
        let indices = forward.board.cells(slab);
        let (mut cells, mut fits) = (forward.cells[indices.clone()].to_vec(), true);
        forward.each_position(slab, is_open, |index, best| {
            if let Some(best) = best.filter(|_| is_open(index)) {
                let cell = cell_of(Entry::from(value(best)));
                fits &= cell.is_some();
                cells[index - indices.start] = cell.unwrap_or(u8::HOLE);
            }
        });
        fits.then_some(cells)
    });
    Ok(slabs.into_iter().collect::<Option<Vec<_>>>().map(|slabs| slabs.concat()))
}
