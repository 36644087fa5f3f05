//! What a small table stores, as cells.

use game::{Plies, Value, parallel};
use solve::Cell;
use std::sync::atomic::{AtomicBool, Ordering::Relaxed};
use table::{Entry, SmallTable, Stored};

/// The cell of an entry. Without distances, a win counts as one in one ply, and a loss as one without moves. Returns `None` if a cell
/// cannot hold it.
pub fn cell_of<C: Cell>(entry: Entry) -> Option<C> {
    match entry {
        Entry::Nothing => Some(C::HOLE),
        Entry::WinByRule => Some(C::WIN_BY_RULE),
        Entry::LossByRule => Some(C::LOSS_BY_RULE),
        Entry::Draw => Some(C::UNKNOWN),
        Entry::Win(plies) => C::of(Value::Win(plies.unwrap_or(Plies(1)))),
        Entry::Loss(plies) => C::of(Value::Loss(plies.unwrap_or(Plies(0)))),
        Entry::NotWon => None,
    }
}

/// Reads a small table into cells, in the order of the indices. Returns `None` if `cell` does.
///
/// # Errors
/// Returns an error if the table cannot be read or is damaged.
pub fn stored_cells<C: Cell>(
    small: &SmallTable,
    cell: impl Fn(Stored) -> Option<C> + Sync,
) -> Result<Option<Vec<C>>, table::Error> {
    let outcomes = small.outcomes();
    let cells: Vec<C::Shared> = parallel::repeat(outcomes.entries() as usize, unknown::<C>);
    let fits = AtomicBool::new(true);
    parallel::try_map(outcomes.tiles().tiles() as usize, |tile| {
        small.each_stored(tile as u64, |index, stored| match cell(stored) {
            Some(cell) => {
                cell.swap(&cells[index as usize]);
            }
            None => fits.store(false, Relaxed),
        })
    })?;
    Ok(fits.into_inner().then(|| cells.iter().map(C::load).collect()))
}

fn unknown<C: Cell>() -> C::Shared {
    C::UNKNOWN.share()
}
