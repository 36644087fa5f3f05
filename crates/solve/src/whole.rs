//! Whole tables: every value of a slice, also those that a small table leaves out.

use crate::error::Error;
use crate::kernel::Kernel;
use game::{Endgame, Index, Metric, Plies, Wdl, parallel};
use std::sync::Arc;
use std::sync::atomic::{AtomicU16, Ordering::Relaxed};
use table::{Entry, Library, ProbeError, Probed, Prober, SmallTable, Table, describe};

/// The cache with which the values of a small table are found.
const CACHE: u64 = 256 << 20;

/// The table of a slice with an entry for each index. If it is a [small](SmallTable) one, all values are found and kept in memory,
/// one or two bytes for each index: by the kernel if there is one that can do it, and otherwise one position after another. Returns
/// `None` if there is no table.
///
/// # Errors
/// Returns an error if the table is damaged, or a table that it needs is missing or damaged.
pub fn whole<G: Endgame>(
    game: &G,
    library: &Library,
    slice: G::Slice,
    metric: Metric,
    kernel: Option<&dyn Kernel<G>>,
) -> Result<Option<Arc<Table>>, Error> {
    let description = describe(game, slice, metric);
    let Some(small) = library.small(&description)? else { return Ok(library.described(&description)?) };
    let by_kernel = kernel.map(|kernel| kernel.complete(game, library, slice, metric, &small));
    let table = match by_kernel.transpose()?.flatten() {
        Some(table) => table,
        None => complete(game, library, slice, metric, &small)?,
    };
    Ok(Some(Arc::new(table)))
}

/// Finds all values of a small table, tile by tile.
fn complete<G: Endgame>(
    game: &G,
    library: &Library,
    slice: G::Slice,
    metric: Metric,
    small: &SmallTable,
) -> Result<Table, Error> {
    let prober = Prober::of_metrics(game.clone(), Arc::new(library.with_own_cache(CACHE)), vec![metric]);
    let outcomes = small.outcomes();
    let tiles = outcomes.tiles();
    let codes: Vec<AtomicU16> = parallel::repeat(outcomes.entries() as usize, AtomicU16::default);
    parallel::try_map(tiles.tiles() as usize, |tile| {
        let mut failed = None;
        tiles.each_index(tile as u64, |_, index| {
            let Some(position) = game.unrank(slice, Index(index)).filter(|_| failed.is_none()) else {
                return;
            };
            match prober.value(&position) {
                Ok(probed) => codes[index as usize].store(code(probed, metric), Relaxed),
                Err(error) => failed = Some(error),
            }
        });
        failed.map_or(Ok(()), Err)
    })
    .map_err(|error| of_probe(game, slice, metric, error))?;
    let entry = |index: u64| entry(codes[index as usize].load(Relaxed));
    Ok(table::in_memory(small.path(), &describe(game, slice, metric), entry)?)
}

fn of_probe<G: Endgame>(game: &G, slice: G::Slice, metric: Metric, error: ProbeError) -> Error {
    match error {
        ProbeError::Table(error) => Error::Table(error),
        ProbeError::MissingTable { slice, .. } => match game.slice(&slice) {
            Some(slice) => Error::missing(game, slice, metric),
            None => Error::Unlike { slice, game: G::INFO.name },
        },
        _ => Error::Unlike { slice: slice.to_string(), game: G::INFO.name },
    }
}

/// The kind of an entry, in the lowest bits of its code. The distance is above them.
const KIND_BITS: u32 = 3;
const NO_DISTANCE: u16 = u16::MAX >> KIND_BITS;

fn code(probed: Probed, metric: Metric) -> u16 {
    let kind = match (probed.wdl, probed.by_rule) {
        (Wdl::Loss, false) => 1,
        (Wdl::Draw, _) => 2,
        (Wdl::Win, false) => 3,
        (Wdl::Loss, true) => 4,
        (Wdl::Win, true) => 5,
    };
    let plies = probed
        .plies
        .filter(|_| metric != Metric::Wdl)
        .map_or(NO_DISTANCE, |plies| plies.0.min(NO_DISTANCE - 1));
    kind | plies << KIND_BITS
}

fn entry(code: u16) -> Entry {
    let plies = Some(code >> KIND_BITS).filter(|&plies| plies != NO_DISTANCE).map(Plies);
    match code & ((1 << KIND_BITS) - 1) {
        1 => Entry::Loss(plies),
        2 => Entry::Draw,
        3 => Entry::Win(plies),
        4 => Entry::LossByRule,
        5 => Entry::WinByRule,
        _ => Entry::Nothing,
    }
}
