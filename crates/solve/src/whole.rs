//! Whole tables: every value of a slice, also those that a small table leaves out.

use crate::error::Error;
use crate::kernel::Kernel;
use crate::outside::LEAST_CACHE;
use game::{Endgame, Index, Metric, Plies, Wdl, parallel};
use std::sync::Arc;
use std::sync::atomic::{AtomicU32, Ordering::Relaxed};
use table::{
    BlockCache, Entry, Library, ProbeError, Probed, Prober, SmallTable, Table, describe, describe_small,
};

/// The largest cache with which the values of a small table are found, and read.
const MOST_CACHE: u64 = 256 << 20;

/// The cache for a small table: as large as that of its library, within bounds.
fn cache_of(library: &Library) -> u64 {
    library.cache().capacity().clamp(LEAST_CACHE, MOST_CACHE)
}

/// The table of a slice with an entry for each index. Returns `None` if there is no table.
///
/// All values of a [small](SmallTable) table are found and kept in memory. The kernel finds them if it can. Otherwise they are found one
/// position after another. It takes one or two bytes for each index, and four more while they are found. A cache comes on top, which is as
/// large as that of the library at most.
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
    let Some(small) = library.small(&describe_small(game, slice, metric))? else {
        return Ok(library.described(&describe(game, slice, metric))?);
    };
    let by_kernel = kernel.map(|kernel| kernel.complete(game, library, slice, metric, &small));
    let table = match by_kernel.transpose()?.flatten() {
        Some(table) => table,
        None => complete(game, library, slice, metric, &small)?,
    };
    // Whoever asks for single entries must not unpack a block for each.
    Ok(Some(Arc::new(table.with_cache(Arc::new(BlockCache::new(cache_of(library)))))))
}

/// Finds all values of a small table, tile by tile.
fn complete<G: Endgame>(
    game: &G,
    library: &Library,
    slice: G::Slice,
    metric: Metric,
    small: &SmallTable,
) -> Result<Table, Error> {
    let prober =
        Prober::of_metrics(game.clone(), Arc::new(library.with_own_cache(cache_of(library))), vec![metric]);
    let outcomes = small.outcomes();
    let tiles = outcomes.tiles();
    let codes: Vec<AtomicU32> = parallel::repeat(outcomes.entries() as usize, AtomicU32::default);
    parallel::try_map(tiles.tiles() as usize, |tile| {
        let mut failed = None;
        tiles.each_index(tile as u64, |_, index| {
            let Some(position) = game.unrank(slice, Index(index)).filter(|_| failed.is_none()) else {
                return;
            };
            match prober.value(&position) {
                Ok(probed) => codes[index as usize].store(code(entry_of(probed, metric)), Relaxed),
                Err(error) => failed = Some(error),
            }
        });
        failed.map_or(Ok(()), Err)
    })
    .map_err(|error| of_probe(game, slice, metric, error))?;
    let entry = |index: u64| entry(codes[index as usize].load(Relaxed));
    Ok(table::in_memory(small.path(), &describe_small(game, slice, metric), entry)?)
}

/// The error of a probe, as one of a solver.
pub(crate) fn of_probe<G: Endgame>(game: &G, slice: G::Slice, metric: Metric, error: ProbeError) -> Error {
    match error {
        ProbeError::Table(error) => Error::Table(error),
        ProbeError::MissingTable { slice, .. } => match game.slice(&slice) {
            Some(slice) => Error::missing(game, slice, metric),
            None => Error::Unlike { slice, game: G::INFO.name },
        },
        _ => Error::Unlike { slice: slice.to_string(), game: G::INFO.name },
    }
}

/// The entry that a whole table has for a probed value.
pub(crate) fn entry_of(probed: Probed, metric: Metric) -> Entry {
    let plies = probed.plies.filter(|_| metric != Metric::Wdl);
    match (probed.wdl, probed.by_rule) {
        (Wdl::Loss, false) => Entry::Loss(plies),
        (Wdl::Draw, _) => Entry::Draw,
        (Wdl::Win, false) => Entry::Win(plies),
        (Wdl::Loss, true) => Entry::LossByRule,
        (Wdl::Win, true) => Entry::WinByRule,
    }
}

/// The kind of an entry, in the lowest bits of its code. The distance is above them.
const KIND_BITS: u32 = 3;
const NO_DISTANCE: u32 = u32::MAX >> KIND_BITS;

fn code(entry: Entry) -> u32 {
    let kind = match entry {
        Entry::Nothing | Entry::NotWon => 0,
        Entry::Loss(_) => 1,
        Entry::Draw => 2,
        Entry::Win(_) => 3,
        Entry::LossByRule => 4,
        Entry::WinByRule => 5,
    };
    kind | entry.plies().map_or(NO_DISTANCE, |plies| plies.0.into()) << KIND_BITS
}

fn entry(code: u32) -> Entry {
    let plies =
        Some(code >> KIND_BITS).filter(|&plies| plies != NO_DISTANCE).map(|plies| Plies(plies as u16));
    match code & ((1 << KIND_BITS) - 1) {
        1 => Entry::Loss(plies),
        2 => Entry::Draw,
        3 => Entry::Win(plies),
        4 => Entry::LossByRule,
        5 => Entry::WinByRule,
        _ => Entry::Nothing,
    }
}
