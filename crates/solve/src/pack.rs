//! Packs whole tables into small ones.

use crate::error::Error;
use crate::kernel::{Kernel, Needs};
use crate::outside::{Finished, LEAST_CACHE, Reading, value_of};
use crate::run::{Run, Stop};
use crate::staged::Staged;
use crate::whole::{entry_of, of_probe};
use game::{Endgame, Index, Location, Metric, Value, parallel};
use std::ops::ControlFlow;
use std::sync::Arc;
use std::sync::atomic::{AtomicU16, AtomicU64, Ordering::Relaxed};
use table::{
    Description, Entry, Kept, Library, Outcomes, Payload as _, Prober, Table, Tiles, Values, describe,
    describe_small, write_small,
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

/// The memory that finds all values of a slice again beside its symbols: the cells and the table of a kernel, or the cache of a prober.
fn memory_for_again<G: Endgame>(game: &G, slice: G::Slice, has_kernel: bool) -> u64 {
    game.size(slice) * if has_kernel { TO_COMPLETE } else { 2 }
}

/// The bytes for each index with which a kernel completes a table: cells of two bytes, and the table.
const TO_COMPLETE: u64 = 6;

/// What it takes to pack a group with so much memory, or with the least that is necessary: then the tables that it leads to are read
/// block by block. The new files are written beside the whole ones.
pub(crate) fn needs<G: Endgame>(
    game: &G,
    group: &[G::Slice],
    metric: Metric,
    has_kernel: bool,
    memory: u64,
) -> Needs {
    let memory_of = |&slice: &G::Slice| {
        let own = own_memory(game, slice);
        let more = memory_for_needs(game, slice) + memory_for_again(game, slice, has_kernel);
        (own + more).min(memory.max(own + LEAST_CACHE))
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
/// files are written. When all of them are there, every value is found again as a prober does, and compared with the whole tables. Only then
/// are these replaced. Returns whether the group has small tables now. Some groups cannot have them: those with a [short
/// numbering](StaysWhole), or with too many different distances.
///
/// # Errors
/// Returns an error if a table of the group, or one that it leads to, is missing or damaged, if a file cannot be written, if a small table
/// would tell another value, or if the run is interrupted. Whole tables stay until the small ones are complete.
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
    let mut whole = Vec::new();
    for &slice in group {
        // What was opened before is not asked: files are replaced here.
        let library = library.with_own_cache(0);
        if library.small(&describe_small(game, slice, metric))?.is_none() {
            let table = library.described(&describe(game, slice, metric))?;
            let table = table.ok_or_else(|| Error::missing(game, slice, metric))?;
            whole.extend((table.entries() > 0).then_some(slice));
        }
    }
    if whole.is_empty() {
        return Ok(true);
    }
    let packing = Packing { game, library, metric, reading, run, staged: Staged::new(game, library)? };
    let mut written = Vec::new();
    for &slice in &whole {
        match packing.write(slice, group.len())? {
            Some(bytes) => written.push(bytes),
            None => {
                let what = "it has too many different distances to be packed";
                run.watch.warning(&format!("{slice} stays whole: {what}"));
                return Ok(false);
            }
        }
    }
    // The values of a slice can follow from those of another one.
    whole.iter().try_for_each(|&slice| packing.compare(slice))?;
    for (&slice, bytes) in whole.iter().zip(written) {
        packing.put_in_place(slice)?;
        run.watch.written(&slice.to_string(), bytes);
    }
    Ok(true)
}

/// Packs the slices of a group.
struct Packing<'a, G: Endgame> {
    game: &'a G,
    library: &'a Library,
    metric: Metric,
    reading: Reading<'a, G>,
    run: &'a Run<'a>,
    staged: Staged<'a>,
}

impl<G: Endgame> Packing<'_, G> {
    /// The memory for the tables that a slice leads to.
    fn memory(&self, slice: G::Slice) -> u64 {
        let left = self.reading.memory.saturating_sub(own_memory(self.game, slice));
        let again = memory_for_again(self.game, slice, self.reading.kernel.is_some());
        // No more than was announced.
        left.min(memory_for_needs(self.game, slice) + again).max(LEAST_CACHE)
    }

    /// The kernel, if `more` bytes for each index fit the memory, beside all tables that the slice leads to: a kernel unpacks them.
    fn kernel(&self, slice: G::Slice, more: u64) -> Option<&dyn Kernel<G>> {
        let needed = memory_for_needs(self.game, slice) + more * self.game.size(slice);
        self.reading.kernel.filter(|_| needed <= self.memory(slice))
    }

    /// The whole table of a slice.
    fn whole(&self, library: &Library, slice: G::Slice) -> Result<Arc<Table>, Error> {
        let table = library.described(&describe(self.game, slice, self.metric))?;
        table.ok_or_else(|| Error::missing(self.game, slice, self.metric))
    }

    fn stopped(&self, slice: G::Slice) -> Error {
        Error::Stopped { group: format!("packing {slice}"), stop: Stop::Interrupted }
    }

    /// Writes the small table of a slice of a group with so many slices, and returns its size. Returns `None` if it cannot be packed.
    fn write(&self, slice: G::Slice, slices: usize) -> Result<Option<u64>, Error> {
        let Self { game, metric, run, .. } = *self;
        let memory = self.memory(slice);
        let library = self.library.with_own_cache(memory);
        let table = self.whole(&library, slice)?;
        let kept = match slices {
            _ if G::RETURNS_THROUGH && leads_through(game, slice, run) => Kept::All,
            1 => Kept::WinsOrLosses,
            _ => Kept::Wins,
        };
        run.watch.group(&slice.to_string(), table.entries(), false);
        run.watch.walk("packing", 0, table.entries());
        let kernel = self.kernel(slice, 0);
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
            return Err(self.stopped(slice));
        }
        let written = write_small(
            self.staged.root(),
            &describe_small(game, slice, metric),
            &tiles_of(game, slice),
            |index| values.entry(index),
            |index| free[(index / 64) as usize] >> (index % 64) & 1 == 1,
            kept,
            |done| {
                run.watch.walk("packing", done, table.entries());
                if run.is_interrupted() { ControlFlow::Break(()) } else { ControlFlow::Continue(()) }
            },
        );
        match written {
            Err(_) if run.is_interrupted() => Err(self.stopped(slice)),
            written => Ok(written?.map(|files| files.iter().map(|file| file.bytes).sum())),
        }
    }

    /// Finds all values of a small table again, and compares them with the whole one.
    fn compare(&self, slice: G::Slice) -> Result<(), Error> {
        let Self { game, metric, run, .. } = *self;
        let library = self.staged.library(self.memory(slice));
        let small = library.small(&describe_small(game, slice, metric))?;
        let small = small.ok_or_else(|| Error::missing(game, slice, metric))?;
        let table = self.whole(&self.library.with_own_cache(0), slice)?;
        let (values, entries) = (Unpacked::read(&table)?, table.entries());
        let compare = |index: u64, found: Option<Entry>| match values.entry(index) {
            expected if Some(expected) == found => Ok(()),
            expected => Err(Error::UnlikeWhole {
                game: G::INFO.title,
                slice: slice.to_string(),
                metric: metric.name(),
                index: Index(index),
                expected,
            }),
        };
        run.watch.walk("comparing", 0, entries);
        let kernel = self.kernel(slice, TO_COMPLETE);
        let by_kernel = kernel.map(|kernel| kernel.complete(game, &library, slice, metric, &small));
        if let Some(completed) = by_kernel.transpose()?.flatten() {
            let per_block = u64::from(completed.layout().entries_per_block);
            parallel::try_map(completed.blocks() as usize, |block| {
                let indices = block as u64 * per_block..;
                let found = completed.block(block as u64)?;
                indices.zip(found.iter()).try_for_each(|(index, found)| compare(index, Some(found)))
            })?;
        } else {
            let tiles = small.outcomes().tiles();
            let done = AtomicU64::new(0);
            let prober = Prober::of_metrics(game.clone(), Arc::new(library), vec![metric]);
            parallel::try_map(tiles.tiles() as usize, |tile| {
                let (mut failed, mut indices) = (None, 0);
                tiles.each_index(tile as u64, |_, index| {
                    indices += 1;
                    let Some(position) = game.unrank(slice, Index(index)).filter(|_| failed.is_none()) else {
                        return;
                    };
                    let found = match prober.value(&position) {
                        Ok(probed) => Ok(Some(entry_of(probed, metric))),
                        Err(error) => match of_probe(game, slice, metric, error) {
                            // Values that belong to other positions lead nowhere.
                            Error::Unlike { .. } => Ok(None),
                            error => Err(error),
                        },
                    };
                    failed = found.and_then(|found| compare(index, found)).err();
                });
                run.watch.walk("comparing", done.fetch_add(indices, Relaxed) + indices, entries);
                match failed {
                    Some(error) => Err(error),
                    None if run.is_interrupted() => Err(self.stopped(slice)),
                    None => Ok(()),
                }
            })?;
        }
        if run.is_interrupted() { Err(self.stopped(slice)) } else { Ok(()) }
    }

    /// Replaces the whole table of a slice by the small one. The distances come last: until then, the whole table has them.
    fn put_in_place(&self, slice: G::Slice) -> Result<(), Error> {
        let description = describe_small(self.game, slice, self.metric);
        self.staged.put_in_place(&Description { metric: Metric::Wdl, ..description.clone() })?;
        match self.metric {
            Metric::Wdl => Ok(()),
            _ => self.staged.put_in_place(&description),
        }
    }
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

    fn entry(&self, index: u64) -> Entry {
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
