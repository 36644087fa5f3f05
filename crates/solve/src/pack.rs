//! Packs whole tables into small ones.

use crate::error::Error;
use crate::kernel::Kernel;
use crate::outside::{Finished, Reading, value_of};
use crate::run::Watch;
use game::{Endgame, Index, Location, Metric, Value, parallel};
use std::ops::ControlFlow;
use table::{Kept, Library, Payload as _, Table, Tiles, Values, describe, write_small};

/// Returns whether a group has whole tables that can be packed, as far as this can be told without reading them.
pub(crate) fn is_whole<G: Endgame>(
    game: &G,
    library: &Library,
    group: &[G::Slice],
    metric: Metric,
) -> Result<bool, Error> {
    if !can_be_small(game, group, metric) {
        return Ok(false);
    }
    let library = library.with_own_cache(0);
    for &slice in group {
        if let Some(table) = library.file(&describe(game, slice, metric))?
            && table.payload_name() == Values::NAME
            && table.entries() > 0
        {
            return Ok(true);
        }
    }
    Ok(false)
}

/// Returns whether a group can have small tables of a metric. Tables with a short numbering, and distances to irreversible moves,
/// stay as they are.
fn can_be_small<G: Endgame>(game: &G, group: &[G::Slice], metric: Metric) -> bool {
    let has_short = |slice: &G::Slice| {
        [Metric::Wdl, Metric::Dtm].iter().any(|&metric| game.numbering(*slice, metric).name != G::INDEX)
    };
    matches!(metric, Metric::Wdl | Metric::Dtm) && !group.iter().any(has_short)
}

/// Packs the whole tables of a group into small ones, in the first place of the library. Every value is compared while the files are
/// written. Returns whether the group has small tables now. Some groups cannot have them: those with a short numbering, or with
/// too many different distances.
///
/// # Errors
/// Returns an error if a table of the group, or one that it leads to, is missing or damaged, or if a file cannot be written.
pub fn pack<G: Endgame>(
    game: &G,
    library: &Library,
    group: &[G::Slice],
    metric: Metric,
    kernel: Option<&dyn Kernel<G>>,
    watch: &dyn Watch,
) -> Result<bool, Error> {
    if !can_be_small(game, group, metric) {
        return Ok(false);
    }
    for &slice in group {
        // What was opened before is not asked: files are replaced here.
        let library = library.with_own_cache(0);
        let description = describe(game, slice, metric);
        if library.small(&description)?.is_some() {
            continue;
        }
        let table = library.described(&description)?.ok_or_else(|| Error::missing(game, slice, metric))?;
        if table.entries() == 0 {
            continue;
        }
        let kept = match group.len() {
            _ if G::RETURNS_THROUGH && leads_through(game, slice) => Kept::All,
            1 => Kept::Cheapest,
            _ => Kept::Wins,
        };
        let by_kernel =
            kernel.map(|kernel| kernel.answered_by_conversions(game, &library, slice, metric, &table));
        let free = match by_kernel.transpose()?.flatten() {
            Some(free) => free,
            None => answered_by_conversions(game, &library, slice, metric, kernel, &table)?,
        };
        let values = Unpacked::read(&table)?;
        let name = slice.to_string();
        let tiles = tiles_of(game, slice);
        let written = write_small(
            library.folder(),
            &description,
            &tiles,
            |index| values.entry(index),
            |index| free[(index / 64) as usize] >> (index % 64) & 1 == 1,
            kept,
            |done| watch.writing(&name, done, description.entries),
        )?;
        let Some(written) = written else { return Ok(false) };
        watch.written(&name, written.iter().map(|file| file.bytes).sum());
    }
    Ok(true)
}

/// The tiles of the indices of a slice.
fn tiles_of<G: Endgame>(game: &G, slice: G::Slice) -> Tiles {
    let by_turn = game.indices_by_turn(slice);
    Tiles::new(&game.digits(slice), by_turn.is_some_and(|indices| indices.first != indices.second))
}

/// The entries of a table, one or two bytes for each.
struct Unpacked<'a> {
    table: &'a Table,
    symbols: Vec<u16>,
}

impl<'a> Unpacked<'a> {
    fn read(table: &'a Table) -> Result<Self, table::Error> {
        let blocks = parallel::try_map(table.blocks() as usize, |block| {
            Ok(table.block(block as u64)?.symbols().map(|symbol| symbol as u16).collect::<Vec<_>>())
        })?;
        Ok(Self { table, symbols: blocks.concat() })
    }

    fn entry(&self, index: u64) -> table::Entry {
        self.table.different_entries()[usize::from(self.symbols[index as usize])]
    }
}

/// Returns whether a move from a slice leads to a position without an index.
fn leads_through<G: Endgame>(game: &G, slice: G::Slice) -> bool {
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
        if (first..size.min(first + PART)).any(leads) { Err(()) } else { Ok(()) }
    });
    found.is_err()
}

/// Finds of each index of a whole table whether a move out of the group gives the value of the position, with its distance: a bit for
/// each, 64 in a word. Looks at one position after another. The kernel only helps to read the other tables.
///
/// # Errors
/// Returns an error if the table, or a table that it leads to, is missing or damaged.
pub fn answered_by_conversions<G: Endgame>(
    game: &G,
    library: &Library,
    slice: G::Slice,
    metric: Metric,
    kernel: Option<&dyn Kernel<G>>,
    table: &Table,
) -> Result<Vec<u64>, Error> {
    const PART: u64 = 1 << 14;
    let groups = game.groups();
    let group = groups.iter().find(|group| group.contains(&slice)).expect("every slice is in a group");
    let finished =
        Finished::open(game, library, &game.needs(slice), metric, Reading { kernel, memory: u64::MAX })?;
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
        let first = part as u64 * PART;
        let mut words = vec![0u64; (PART / 64) as usize];
        for index in first..entries.min(first + PART) {
            words[((index - first) / 64) as usize] |= u64::from(is_free(index)?) << (index % 64);
        }
        Ok::<_, table::Error>(words)
    })?;
    let mut words = words.concat();
    words.truncate(entries.div_ceil(64) as usize);
    Ok(words)
}
