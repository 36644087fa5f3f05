//! Writes small tables.

use super::entries::{Progress, Source};
use super::kind_of;
use crate::coding::{self, Coded, Draft, Grid, Model, Tiles, Trained, Wanted};
use crate::distances::{Distances, Kind, Plane};
use crate::error::{Error, Problem};
use crate::format::{Header, Layout};
use crate::outcomes::Outcomes;
use crate::writer::{self, Written};
use crate::{Backend, Codec, Description, Entry, Table, TableFile};
use game::{Metric, Plies};
use std::collections::BTreeSet;
use std::io;
use std::ops::ControlFlow;
use std::path::Path;

/// Which distances a small table stores.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Kept {
    /// Those of wins or those of losses, in each section: of wins, unless losses take much less room.
    WinsOrLosses,
    /// Those of wins. For groups of several slices: the losses of one slice follow from the wins of another.
    Wins,
    /// All. For slices from which play can come back to a position through positions without an index: then a distance could follow
    /// from itself.
    All,
}

/// Writes the small table of a slice below `root`: a file with the outcomes, and one with the distances if the entries have
/// distances. `description` describes the whole table, of which `entry` gives every entry. `is_free` tells of an index whether a
/// move out of the group of the slice gives the whole value of its position. `kept` tells which distances are stored. `progress` gets
/// the number of entries that are done, often and from any thread, and can stop the writer. Then no half file stays.
///
/// Every block is decoded again and compared. Returns `None`, and writes nothing, if a small table cannot hold the entries: there are
/// too many different distances, or [`Entry::NotWon`].
///
/// # Errors
/// Returns an error if an I/O operation fails, if a name is not allowed, or if `progress` stops the writer.
pub fn write_small(
    root: &Path,
    description: &Description,
    tiles: &Tiles,
    entry: impl Fn(u64) -> Entry + Sync,
    is_free: impl Fn(u64) -> bool + Sync,
    kept: Kept,
    progress: impl Fn(u64) -> ControlFlow<()> + Sync,
) -> Result<Option<Vec<Written>>, Error> {
    let source = Source { tiles, entry: &entry, is_free: &is_free, progress: Progress::new(&progress) };
    let stopped = |error| Problem::io("computed")(error).at(&description.path(root));
    let palette = source.outcomes().map_err(stopped)?;
    let plies = if description.metric == Metric::Dtm { source.plies().map_err(stopped)? } else { Vec::new() };
    let is_small = plies.iter().flatten().all(|plies| plies.len() <= Distances::MOST)
        && matches!(description.metric, Metric::Wdl | Metric::Dtm)
        && !palette.contains(&Entry::NotWon);
    if !is_small {
        return Ok(None);
    }
    let of_outcomes = Description { metric: Metric::Wdl, ..description.clone() };
    let path = of_outcomes.path(root);
    let written = write_outcomes(&path, &of_outcomes, &source, palette);
    let mut all = vec![written.map_err(|problem| problem.at(&path))?];
    if description.metric == Metric::Dtm {
        let outcomes = Table::<Outcomes>::of(TableFile::open(&path, Backend::Read)?)?;
        let path = description.path(root);
        let written = write_distances(&path, description, &source, &outcomes, plies, kept);
        all.push(written.map_err(|problem| problem.at(&path))?);
    }
    Ok(Some(all))
}

fn write_outcomes<E: Fn(u64) -> Entry + Sync, F: Fn(u64) -> bool + Sync>(
    path: &Path,
    description: &Description,
    source: &Source<'_, E, F>,
    palette: Vec<Entry>,
) -> Result<Written, Problem> {
    source.progress.written(0);
    let go_on = || source.progress.go_on();
    let grid = Grid::new(&source.tiles.coordinates());
    let (mut models, mut choosers) = (Vec::new(), Vec::new());
    for section in 0..source.tiles.sections() {
        let tiles = source.tiles_of(section);
        let load = |tile: usize, wanted: &mut Vec<Wanted>| {
            go_on()?;
            source.wanted_outcomes(&palette, tiles.start + tile as u64, wanted);
            Ok(())
        };
        let count = (tiles.end - tiles.start) as usize;
        let trained = coding::draft(&grid, palette.len() as u8, false, count, &load, &go_on)
            .and_then(|draft| draft.finish(&grid, count, &load));
        let Trained { model, chooser } = trained.map_err(Problem::io("computed"))?.ok_or(Problem::Payload)?;
        models.push(model);
        choosers.push(chooser);
    }
    let outcomes = Outcomes::new(source.tiles.clone(), palette, models)?;
    let header = Header::new(description, layout_of(source.tiles), &outcomes)?;
    let pack = |block: u64, bytes: &mut Vec<u8>| {
        go_on().map_err(Problem::io("computed"))?;
        let mut wanted = Vec::new();
        source.wanted_outcomes(outcomes.entries(), block, &mut wanted);
        let (model, chooser) = (outcomes.model_of(block), &choosers[source.tiles.section_of(block)]);
        let stream = coding::encode(model, chooser, &grid, &wanted);
        let stream = stream.ok_or(Problem::Packed { index: block })?;
        let cells =
            coding::decode(model, &grid, &stream, Coded::All).filter(|cells| is_as_wanted(cells, &wanted));
        let cells = cells.ok_or(Problem::Packed { index: block })?;
        let mut packed = vec![0; header.packed_bytes(block)];
        outcomes.pack(&cells, &mut packed);
        *bytes = if stream.len() < packed.len() { stream } else { packed };
        Ok(())
    };
    writer::write_packed(path, &header, &pack, &|done| source.progress.written(done))
}

fn write_distances<E: Fn(u64) -> Entry + Sync, F: Fn(u64) -> bool + Sync>(
    path: &Path,
    description: &Description,
    source: &Source<'_, E, F>,
    outcomes: &Table<Outcomes>,
    plies: Vec<[BTreeSet<Plies>; 2]>,
    kept: Kept,
) -> Result<Written, Problem> {
    source.progress.written(0);
    let go_on = || source.progress.go_on();
    let grid = Grid::new(&source.tiles.coordinates());
    // By section and kind: the distances, and by distance its number.
    let plies: Vec<[Box<[Plies]>; 2]> =
        plies.into_iter().map(|of_kinds| of_kinds.map(|plies| plies.into_iter().collect())).collect();
    let numbers: Vec<[Vec<u8>; 2]> =
        plies.iter().map(|of_kinds| of_kinds.each_ref().map(|plies| numbered(plies))).collect();
    let wanted = |tile: u64, kind: Kind, wanted: &mut Vec<Wanted>| -> io::Result<()> {
        go_on()?;
        let block = outcomes.block(tile).map_err(io::Error::other)?;
        let numbers = &numbers[source.tiles.section_of(tile)][kind as usize];
        wanted.extend(block.iter().map(|outcome| match kind_of(outcome) == Some(kind) {
            true => Wanted::Anything,
            false => Wanted::Nothing,
        }));
        source.tiles.each_index(tile, |place, index| {
            if wanted[place] == Wanted::Nothing {
                return;
            }
            let entry = (source.entry)(index);
            if let (true, Some(plies)) = (kind_of(entry) == Some(kind), entry.plies()) {
                wanted[place] = Wanted::Symbol(numbers[usize::from(plies.0)]);
            }
        });
        Ok(())
    };
    let each = (source.tiles.tiles() / source.tiles.sections() as u64) as usize;
    let load = |section: usize, kind: Kind| {
        let first = source.tiles_of(section).start;
        move |tile: usize, to: &mut Vec<Wanted>| wanted(first + tile as u64, kind, to)
    };
    let draft = |section: usize, kind: Kind| -> Result<Option<Draft>, Problem> {
        let symbols = plies[section][kind as usize].len() as u8;
        if symbols == 0 {
            return Ok(None);
        }
        coding::draft(&grid, symbols, true, each, &load(section, kind), &go_on)
            .map(Some)
            .map_err(Problem::io("computed"))
    };
    // By section and kind: the plane, and the chooser of its model.
    let mut planes: Vec<[(Plane, Option<Model>); 2]> = (0..plies.len()).map(|_| Default::default()).collect();
    let mut keep = |section: usize, kind: Kind, draft: Option<Draft>| -> Result<(), Problem> {
        let trained = draft.map(|draft| draft.finish(&grid, each, &load(section, kind))).transpose();
        planes[section][kind as usize] = match trained.map_err(Problem::io("computed"))?.flatten() {
            Some(Trained { model, chooser }) => {
                let plies = plies[section][kind as usize].clone();
                (Plane::Stored { plies, model: Box::new(model) }, Some(chooser))
            }
            // There are no such positions, or a move out of the group answers every one.
            None => (Plane::Empty, None),
        };
        Ok(())
    };
    // The losses of a section follow from the wins of the other one, and the other way round. With one section, they follow from
    // its own.
    for (of_wins, of_losses) in (0..plies.len()).zip((0..plies.len()).rev()) {
        let wins = draft(of_wins, Kind::Win)?;
        let losses = if kept == Kept::Wins { None } else { draft(of_losses, Kind::Loss)? };
        let bits = |draft: &Option<Draft>| draft.as_ref().map_or(0, |draft| draft.bits);
        let are_losses_kept = match kept {
            Kept::All => true,
            Kept::Wins => false,
            Kept::WinsOrLosses => losses_pay(bits(&wins), bits(&losses)),
        };
        if kept == Kept::All || !are_losses_kept {
            keep(of_wins, Kind::Win, wins)?;
        }
        if are_losses_kept {
            keep(of_losses, Kind::Loss, losses)?;
        }
    }
    let (planes, choosers): (Vec<_>, Vec<_>) = planes
        .into_iter()
        .map(|[(losses, of_losses), (wins, of_wins)]| ([losses, wins], [of_losses, of_wins]))
        .unzip();
    let distances = Distances::new(source.tiles.clone(), outcomes.content_hash(), planes)?;
    let header = Header::new(description, layout_of(source.tiles), &distances)?;
    let pack = |block: u64, bytes: &mut Vec<u8>| {
        let broken = || Problem::Packed { index: block };
        let mut packed = vec![0; header.packed_bytes(block)];
        let mut failed = None;
        let coded = distances.encode(block, |grid, model, kind| {
            let mut places = Vec::new();
            if let Err(error) = wanted(block, kind, &mut places) {
                failed = Some(error);
                return None;
            }
            let chooser = choosers[source.tiles.section_of(block)][kind as usize].as_ref()?;
            let stream = coding::encode(model, chooser, grid, &places)?;
            let cells = coding::decode(model, grid, &stream, Coded::Bits(&coding::coded_bits(&places)))?;
            packed.iter_mut().zip(&cells).for_each(|(packed, cell)| *packed |= cell);
            is_as_wanted(&cells, &places).then_some(stream)
        });
        if let Some(error) = failed {
            return Err(Problem::io("computed")(error));
        }
        let coded = coded.ok_or_else(broken)?;
        *bytes = if coded.len() < packed.len() { coded } else { packed };
        Ok(())
    };
    writer::write_packed(path, &header, &pack, &|done| source.progress.written(done))
}

/// The layout of a payload in tiles.
fn layout_of(tiles: &Tiles) -> Layout {
    Layout { entries_per_block: tiles.places() as u32, codec: Codec::Contexts }
}

/// Checks that a stream decodes to what was wanted.
fn is_as_wanted(cells: &[u8], wanted: &[Wanted]) -> bool {
    cells.len() == wanted.len()
        && cells.iter().zip(wanted).all(|(&cell, wanted)| match wanted {
            Wanted::Nothing => cell == 0,
            Wanted::Symbol(symbol) => cell == symbol + 1,
            Wanted::AnyOf(set) => cell > 0 && set >> (cell - 1) & 1 == 1,
            Wanted::Anything => cell > 0,
        })
}

/// By distance: its place among these, which are in ascending order.
fn numbered(plies: &[Plies]) -> Vec<u8> {
    let mut numbers = vec![0; plies.last().map_or(0, |last| usize::from(last.0) + 1)];
    (0..).zip(plies).for_each(|(number, plies)| numbers[usize::from(plies.0)] = number);
    numbers
}

/// Losses are stored instead of wins if they take at most so many percent of their bits.
///
/// A loss that is not stored is quicker to find than a win: the side that loses often has few moves, and the side that wins many.
const LOSSES_PAY: u64 = 60;

/// Returns whether losses that take so many bits are stored instead of wins.
fn losses_pay(bits_of_wins: u64, bits_of_losses: u64) -> bool {
    100 * bits_of_losses < LOSSES_PAY * bits_of_wins
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn losses_are_stored_only_if_they_are_much_cheaper() {
        assert!(losses_pay(1000, 10 * LOSSES_PAY - 1));
        assert!(!losses_pay(1000, 10 * LOSSES_PAY));
        // Without any positions, there is nothing to choose.
        assert!(!losses_pay(0, 0));
    }

    #[test]
    fn distances_are_numbered() {
        let numbers = numbered(&[3, 5, 8].map(Plies));
        assert_eq!([3, 5, 8].map(|plies| numbers[plies]), [0, 1, 2]);
        assert!(numbered(&[]).is_empty());
    }
}
