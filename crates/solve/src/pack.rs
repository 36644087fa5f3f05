//! Packs whole tables into small ones.

use crate::error::Error;
use crate::kernel::Needs;
use crate::outside::{Finished, LEAST_CACHE, Reading, value_of};
use crate::run::{Run, Stop};
use game::{Endgame, Index, Location, Metric, Value, parallel};
use std::ops::ControlFlow;
use std::sync::atomic::{AtomicU16, Ordering::Relaxed};
use table::{
    Kept, Library, Outcomes, Payload as _, Table, Tiles, Values, describe, describe_small, write_small,
};

/// Why a group cannot be packed.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
pub enum StaysWhole {
    /// Small tables have other metrics.
    #[error("{metric} tables cannot be packed")]
    Metric {
        /// The metric.
        metric: &'static str,
    },
    /// Whole tables of this metric have the short numbering.
    #[error("{metric} tables with a short numbering cannot be packed; tables with distances can")]
    Short {
        /// The metric.
        metric: &'static str,
    },
    /// A whole table of outcomes with the short numbering has the place of the outcomes of a small table. It is not replaced, because
    /// larger tables are solved from it much quicker.
    #[error(
        "its outcomes would replace the whole wdl table of {slice}; if you remove that, it can be packed"
    )]
    InPlace {
        /// The slice.
        slice: String,
    },
}

/// Tells why a group cannot be packed, as far as this can be told without reading its tables.
///
/// # Errors
/// Returns an error if an existing table cannot be read.
pub(crate) fn stays_whole<G: Endgame>(
    game: &G,
    library: &Library,
    group: &[G::Slice],
    metric: Metric,
) -> Result<Option<StaysWhole>, Error> {
    let is_short = |slice: G::Slice, metric| game.numbering(slice, metric).name != G::INDEX;
    if !matches!(metric, Metric::Wdl | Metric::Dtm) {
        return Ok(Some(StaysWhole::Metric { metric: metric.name() }));
    }
    if group.iter().any(|&slice| is_short(slice, metric)) {
        return Ok(Some(StaysWhole::Short { metric: metric.name() }));
    }
    let library = library.with_own_cache(0);
    for &slice in group.iter().filter(|&&slice| is_short(slice, Metric::Wdl)) {
        let outcomes = library.file(game, slice, Metric::Wdl)?;
        if outcomes.is_some_and(|table| table.payload_name() != Outcomes::NAME) {
            return Ok(Some(StaysWhole::InPlace { slice: slice.to_string() }));
        }
    }
    Ok(None)
}

/// Returns whether a group has a whole table with entries.
pub(crate) fn is_whole<G: Endgame>(
    game: &G,
    library: &Library,
    group: &[G::Slice],
    metric: Metric,
) -> Result<bool, Error> {
    let library = library.with_own_cache(0);
    for &slice in group {
        if let Some(table) = library.file(game, slice, metric)?
            && table.payload_name() == Values::NAME
            && table.entries() > 0
        {
            return Ok(true);
        }
    }
    Ok(false)
}

/// The memory for the sample from which a model is found, for threads and for the program itself, in bytes.
const FIXED: u64 = 96 << 20;

/// The memory for packing a slice, without the tables that it leads to: its symbols, and two bits for each index that tell whether a
/// move out of the group gives its value.
fn own_memory<G: Endgame>(game: &G, slice: G::Slice) -> u64 {
    game.size(slice) * 2 + game.size(slice) / 4 + FIXED
}

/// The memory for the tables that a slice leads to, if all of them are unpacked. Those that are packed already are completed first.
fn memory_for_needs<G: Endgame>(game: &G, slice: G::Slice) -> u64 {
    game.needs(slice).into_iter().map(|slice| 2 * game.size(slice)).sum()
}

/// What it takes to pack a group with so much memory, or with the least that is necessary: then the tables that it leads to are read
/// block by block. The new files are written beside the whole ones.
pub(crate) fn needs<G: Endgame>(game: &G, group: &[G::Slice], metric: Metric, memory: u64) -> Needs {
    let memory_of = |&slice: &G::Slice| {
        let own = own_memory(game, slice);
        (own + memory_for_needs(game, slice)).min(memory.max(own + LEAST_CACHE))
    };
    // Blocks that cannot be coded are stored with at most four bits for an outcome, and a byte for a distance.
    let disk_of = |&slice: &G::Slice| {
        let tiles = tiles_of(game, slice);
        let places = tiles.tiles() * tiles.places() as u64;
        places / 2 + if metric == Metric::Dtm { places } else { 0 }
    };
    Needs { memory: group.iter().map(memory_of).max().unwrap_or(0), disk: group.iter().map(disk_of).sum() }
}

/// Packs the whole tables of a group into small ones, in the first place of the library. Every block is decoded again and compared while the
/// files are written. Returns whether the group has small tables now. Some groups cannot have them: those with a [short
/// numbering](StaysWhole), or with too many different distances.
///
/// # Errors
/// Returns an error if a table of the group, or one that it leads to, is missing or damaged, if a file cannot be written, or if the
/// run is interrupted. Whole tables stay until the small ones are complete.
pub fn pack<G: Endgame>(
    game: &G,
    library: &Library,
    group: &[G::Slice],
    metric: Metric,
    reading: Reading<'_, G>,
    run: &Run<'_>,
) -> Result<bool, Error> {
    if stays_whole(game, library, group, metric)?.is_some() {
        return Ok(false);
    }
    for &slice in group {
        let memory = reading.memory.saturating_sub(own_memory(game, slice)).max(LEAST_CACHE);
        // What was opened before is not asked: files are replaced here.
        let library = library.with_own_cache(memory);
        let description = describe_small(game, slice, metric);
        if library.small(&description)?.is_some() {
            continue;
        }
        let table = library.described(&describe(game, slice, metric))?;
        let table = table.ok_or_else(|| Error::missing(game, slice, metric))?;
        if table.entries() == 0 {
            continue;
        }
        let kept = match group.len() {
            _ if G::RETURNS_THROUGH && leads_through(game, slice, run) => Kept::All,
            1 => Kept::WinsOrLosses,
            _ => Kept::Wins,
        };
        let name = slice.to_string();
        run.watch.group(&name, table.entries(), false);
        run.watch.walk("packing", 0, table.entries());
        let stopped = || Error::Stopped { group: format!("packing {name}"), stop: Stop::Interrupted };
        // A kernel unpacks all tables that the slice leads to.
        let kernel = reading.kernel.filter(|_| memory_for_needs(game, slice) <= memory);
        let by_kernel =
            kernel.map(|kernel| kernel.answered_by_conversions(game, &library, slice, metric, &table));
        let free = match by_kernel.transpose()?.flatten() {
            Some(free) => free,
            None => {
                let reading = Reading { kernel, memory };
                answered_by_conversions(game, &library, slice, metric, reading, &table, run)?
            }
        };
        let values = Unpacked::read(&table)?;
        if run.is_interrupted() {
            return Err(stopped());
        }
        let tiles = tiles_of(game, slice);
        let written = write_small(
            library.folder(),
            &description,
            &tiles,
            |index| values.entry(index),
            |index| free[(index / 64) as usize] >> (index % 64) & 1 == 1,
            kept,
            |done| {
                run.watch.walk("packing", done, description.entries);
                if run.is_interrupted() { ControlFlow::Break(()) } else { ControlFlow::Continue(()) }
            },
        );
        let Some(written) =
            written.map_err(|error| if run.is_interrupted() { stopped() } else { error.into() })?
        else {
            run.watch
                .warning(&format!("{name} stays whole: it has too many different distances to be packed"));
            return Ok(false);
        };
        run.watch.written(&name, written.iter().map(|file| file.bytes).sum());
    }
    Ok(true)
}

/// The tiles of the indices of a slice.
fn tiles_of<G: Endgame>(game: &G, slice: G::Slice) -> Tiles {
    let by_turn = game.indices_by_turn(slice);
    Tiles::new(&game.digits(slice), by_turn.is_some_and(|indices| indices.first != indices.second))
}

/// The entries of a table, two bytes for each.
struct Unpacked<'a> {
    table: &'a Table,
    symbols: Vec<AtomicU16>,
}

impl<'a> Unpacked<'a> {
    fn read(table: &'a Table) -> Result<Self, table::Error> {
        let symbols: Vec<AtomicU16> = parallel::repeat(table.entries() as usize, AtomicU16::default);
        let per_block = table.layout().entries_per_block as usize;
        parallel::try_map(table.blocks() as usize, |block| {
            let unpacked = table.block(block as u64)?;
            let places = &symbols[block * per_block..];
            unpacked.symbols().zip(places).for_each(|(symbol, place)| place.store(symbol as u16, Relaxed));
            Ok::<_, table::Error>(())
        })?;
        Ok(Self { table, symbols })
    }

    fn entry(&self, index: u64) -> table::Entry {
        self.table.different_entries()[usize::from(self.symbols[index as usize].load(Relaxed))]
    }
}

/// Returns whether a move from a slice leads to a position without an index. The answer means nothing if the run is interrupted.
fn leads_through<G: Endgame>(game: &G, slice: G::Slice, run: &Run<'_>) -> bool {
    const PART: u64 = 1 << 14;
    let size = game.size(slice);
    let leads = |index: u64| {
        game.unrank(slice, Index(index)).is_some_and(|position| {
            let through = |location| match location {
                Location::Through => ControlFlow::Break(()),
                _ => ControlFlow::Continue(()),
            };
            game.successors(&position, through).is_break()
        })
    };
    let found = parallel::try_map(size.div_ceil(PART) as usize, |part| {
        let first = part as u64 * PART;
        let ends = run.is_interrupted() || (first..size.min(first + PART)).any(leads);
        if ends { Err(()) } else { Ok(()) }
    });
    found.is_err()
}

/// Finds of each index of a whole table whether a move out of the group gives the value of the position, with its distance: a bit for
/// each, 64 in a word. Looks at one position after another. The kernel only helps to read the other tables.
///
/// # Errors
/// Returns an error if the table, or a table that it leads to, is missing or damaged, or if the run is interrupted.
pub fn answered_by_conversions<G: Endgame>(
    game: &G,
    library: &Library,
    slice: G::Slice,
    metric: Metric,
    reading: Reading<'_, G>,
    table: &Table,
    run: &Run<'_>,
) -> Result<Vec<u64>, Error> {
    const PART: u64 = 1 << 14;
    let groups = game.groups();
    let group = groups.iter().find(|group| group.contains(&slice)).expect("every slice is in a group");
    let finished = Finished::open(game, library, &game.needs(slice), metric, reading)?;
    let is_free = |index: u64| -> Result<bool, table::Error> {
        let Some(position) = game.unrank(slice, Index(index)) else { return Ok(false) };
        let mut best: Option<Value> = None;
        let walk = game.conversions(&position, |next| {
            let after = match game.locate(next) {
                Location::At(slice, index) if !group.contains(&slice) => {
                    finished.entry(slice, index).map(value_of)
                }
                Location::Over(value) => Ok(Some(value)),
                Location::At(..) | Location::Through | Location::Beyond(_) => {
                    return ControlFlow::Continue(());
                }
            };
            match after {
                Ok(after) => {
                    best = best.max(after.map(Value::before_move));
                    ControlFlow::Continue(())
                }
                Err(error) => ControlFlow::Break(error),
            }
        });
        match walk {
            ControlFlow::Break(error) => Err(error),
            ControlFlow::Continue(()) => Ok(best.is_some() && best == value_of(table.entry(index)?)),
        }
    };
    let entries = table.entries();
    let words = parallel::try_map(entries.div_ceil(PART) as usize, |part| {
        if run.is_interrupted() {
            return Err(Error::Stopped { group: format!("packing {slice}"), stop: Stop::Interrupted });
        }
        let first = part as u64 * PART;
        let mut words = vec![0u64; (PART / 64) as usize];
        for index in first..entries.min(first + PART) {
            words[((index - first) / 64) as usize] |= u64::from(is_free(index)?) << (index % 64);
        }
        Ok::<_, Error>(words)
    })?;
    let mut words = words.concat();
    words.truncate(entries.div_ceil(64) as usize);
    Ok(words)
}
