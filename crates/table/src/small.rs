//! Small tables: outcomes and distances, each coded by contexts, in a file of their own.

use crate::coding::{self, Grid, Tiles, Wanted};
use crate::distances::{Distances, Kind, Plane};
use crate::error::{Error, Problem};
use crate::format::{Header, Layout};
use crate::outcomes::Outcomes;
use crate::payload::Payload as _;
use crate::writer::{self, Written};
use crate::{Backend, Block, Codec, Description, Entry, Table, TableFile};
use game::{Metric, Plies, parallel};
use std::collections::BTreeSet;
use std::io;
use std::path::Path;
use std::sync::Arc;

/// A small table of a slice: its outcomes, and its distances if they are known.
#[derive(Debug)]
pub struct SmallTable {
    outcomes: Arc<Table<Outcomes>>,
    distances: Option<Arc<Table<Distances>>>,
}

/// Which distances a small table stores.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Kept {
    /// Those of wins or those of losses, in each section: what takes less room.
    Cheapest,
    /// Those of wins. For groups of several slices: the losses of one slice follow from the wins of another.
    Wins,
    /// All. For slices from which play can come back to a position through positions without an index: then a distance could follow
    /// from itself.
    All,
}

/// What a small table stores for an index.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Stored {
    /// Everything that the table can tell.
    Entry(Entry),
    /// A win or a loss whose distance follows from the values after its moves.
    WithoutDistance(Entry),
}

impl SmallTable {
    /// The table of these outcomes, and of the distances that belong to them.
    ///
    /// # Errors
    /// Returns an error if the distances belong to other outcomes.
    pub fn new(
        outcomes: Arc<Table<Outcomes>>,
        distances: Option<Arc<Table<Distances>>>,
    ) -> Result<Self, Error> {
        match &distances {
            Some(distances) if distances.payload().tiles() != outcomes.payload().tiles() => {
                Err(distances.error(Problem::Payload))
            }
            Some(distances) if distances.payload().outcomes() != outcomes.content_hash() => {
                Err(distances.error(Problem::OtherOutcomes { outcomes: outcomes.path().to_owned() }))
            }
            _ => Ok(Self { outcomes, distances }),
        }
    }

    /// The outcomes.
    pub fn outcomes(&self) -> &Table<Outcomes> {
        &self.outcomes
    }

    /// The distances.
    pub fn distances(&self) -> Option<&Table<Distances>> {
        self.distances.as_deref()
    }

    /// The size of the files.
    pub fn bytes(&self) -> u64 {
        self.outcomes.bytes() + self.distances().map_or(0, |distances| distances.bytes())
    }

    /// What is stored for an index. It may be worse than the value of the position, if a move out of the group gives the value.
    ///
    /// # Errors
    /// Returns an error if there is no such index, or if a block cannot be read or is damaged.
    #[inline]
    pub fn stored(&self, index: u64) -> Result<Stored, Error> {
        let outcome = self.outcomes.entry(index)?;
        match (&self.distances, kind_of(outcome)) {
            (Some(distances), Some(kind)) if distances.payload().plane(index, kind).is_stored() => {
                self.with_distance(distances, index, kind).map(Stored::Entry)
            }
            (Some(_), Some(_)) => Ok(Stored::WithoutDistance(outcome)),
            _ => Ok(Stored::Entry(outcome)),
        }
    }

    fn with_distance(&self, distances: &Table<Distances>, index: u64, kind: Kind) -> Result<Entry, Error> {
        let (block, place) = distances.place(index)?;
        let mut failed = None;
        let decode = |stored: &[u8], packed: &mut [u8]| {
            let outcomes = match self.outcomes.cached_block(block) {
                Ok(outcomes) => outcomes,
                Err(error) => {
                    failed = Some(error);
                    return None;
                }
            };
            distances.payload().decode_with(block, stored, packed, |place| kind_of(outcomes.get(place)))
        };
        let number = distances.read_by(block, |packed| packed[place], decode);
        let number = failed.map_or(number, Err)?;
        let entry = entry_of(kind, distances.payload().plane(index, kind), number);
        entry.ok_or_else(|| distances.error(Problem::BlockContents { block }))
    }

    /// Visits the indices of a [tile](Tiles) with what is stored for each, as [`stored`](Self::stored) tells it. Reads the blocks
    /// once, and without the cache. It is the quick way to read a whole table.
    ///
    /// # Errors
    /// Returns an error if there is no such tile, or if a block cannot be read or is damaged.
    pub fn each_stored(&self, tile: u64, mut visit: impl FnMut(u64, Stored)) -> Result<(), Error> {
        let (outcomes, tiles) = (self.outcomes.block(tile)?, self.outcomes.tiles());
        let Some(distances) = &self.distances else {
            tiles.each_index(tile, |place, index| visit(index, Stored::Entry(outcomes.get(place))));
            return Ok(());
        };
        let (numbers, planes) = (numbers(distances, tile, &outcomes)?, distances.payload().planes_of(tile));
        let mut is_damaged = false;
        tiles.each_index(tile, |place, index| {
            let outcome = outcomes.get(place);
            let stored = match kind_of(outcome).map(|kind| (kind, &planes[kind as usize])) {
                None => Stored::Entry(outcome),
                Some((_, plane)) if !plane.is_stored() => Stored::WithoutDistance(outcome),
                Some((kind, plane)) => match entry_of(kind, plane, numbers[place]) {
                    Some(entry) => Stored::Entry(entry),
                    None => {
                        is_damaged = true;
                        return;
                    }
                },
            };
            visit(index, stored);
        });
        if is_damaged { Err(distances.error(Problem::BlockContents { block: tile })) } else { Ok(()) }
    }

    /// Reads both files and checks the checksum and contents of every block, and the content hashes.
    ///
    /// # Errors
    /// Returns the first damage.
    pub fn check(&self) -> Result<(), Error> {
        self.outcomes.check()?;
        let Some(distances) = &self.distances else { return Ok(()) };
        distances.check()?;
        let decodes = |block: usize| {
            let block = block as u64;
            numbers(distances, block, &self.outcomes.block(block)?).map(|_| ())
        };
        parallel::try_map(distances.blocks() as usize, decodes).map(|_| ())
    }

    /// The path by which errors name the table: that of the file with the most.
    pub fn path(&self) -> &Path {
        self.distances().map_or_else(|| self.outcomes.path(), |distances| distances.path())
    }
}

/// Reads a block of distances without the cache: the number of the distance of each place.
fn numbers(distances: &Table<Distances>, block: u64, outcomes: &Block<Outcomes>) -> Result<Arc<[u8]>, Error> {
    let kind_at = |place| kind_of(outcomes.get(place));
    let decode =
        |stored: &[u8], packed: &mut [u8]| distances.payload().decode_with(block, stored, packed, kind_at);
    distances.unpack(block, decode).map_err(|problem| distances.error(problem))
}

/// The win or loss with the distance that has this number in its plane.
#[inline]
fn entry_of(kind: Kind, plane: &Plane, number: u8) -> Option<Entry> {
    plane.plies(number).map(|plies| match kind {
        Kind::Loss => Entry::Loss(Some(plies)),
        Kind::Win => Entry::Win(Some(plies)),
    })
}

/// A win or a loss on the board.
#[inline]
fn kind_of(entry: Entry) -> Option<Kind> {
    match entry {
        Entry::Loss(_) => Some(Kind::Loss),
        Entry::Win(_) => Some(Kind::Win),
        Entry::Nothing | Entry::Draw | Entry::NotWon | Entry::LossByRule | Entry::WinByRule => None,
    }
}

/// The outcome of an entry. Returns `None` if there is no position.
fn outcome_of(entry: Entry) -> Option<Entry> {
    match entry {
        Entry::Loss(_) => Some(Entry::Loss(None)),
        Entry::Win(_) => Some(Entry::Win(None)),
        Entry::Nothing => None,
        other => Some(other),
    }
}

/// The entries of a slice, for a writer. `E` gives the entry of an index, and `F` tells whether a move out of the group of the slice
/// gives its whole value.
struct Source<'a, E, F> {
    tiles: &'a Tiles,
    entry: &'a E,
    is_free: &'a F,
}

impl<E: Fn(u64) -> Entry + Sync, F: Fn(u64) -> bool + Sync> Source<'_, E, F> {
    /// The tiles of a section.
    fn tiles_of(&self, section: usize) -> std::ops::Range<u64> {
        let each = self.tiles.tiles() / self.tiles.sections() as u64;
        section as u64 * each..(section as u64 + 1) * each
    }

    /// By section and kind: the distances that occur.
    fn plies(&self) -> Vec<[BTreeSet<Plies>; 2]> {
        let find = |found: &mut Vec<[BTreeSet<Plies>; 2]>, tile: usize| {
            let section = self.tiles.section_of(tile as u64);
            let mut last = Entry::Nothing;
            self.tiles.each_index(tile as u64, |_, index| {
                let entry = (self.entry)(index);
                if let (Some(kind), Some(plies), true) = (kind_of(entry), entry.plies(), entry != last) {
                    found[section][kind as usize].insert(plies);
                    last = entry;
                }
            });
        };
        let nothing = || (0..self.tiles.sections()).map(|_| Default::default()).collect();
        parallel::fold(self.tiles.tiles() as usize, nothing, find, |mut a: Vec<[BTreeSet<Plies>; 2]>, b| {
            a.iter_mut().flatten().zip(b.into_iter().flatten()).for_each(|(a, mut b)| a.append(&mut b));
            a
        })
    }

    /// The different outcomes.
    fn outcomes(&self) -> Vec<Entry> {
        let find = |found: &mut BTreeSet<Entry>, tile: usize| {
            let mut last = None;
            self.tiles.each_index(tile as u64, |_, index| {
                let outcome = outcome_of((self.entry)(index));
                if outcome != last {
                    found.extend(outcome);
                    last = outcome;
                }
            });
        };
        let found = parallel::fold(self.tiles.tiles() as usize, BTreeSet::new, find, |mut a, mut b| {
            a.append(&mut b);
            a
        });
        if found.is_empty() { vec![Entry::Draw] } else { found.into_iter().collect() }
    }

    /// What is wanted at the places of a tile of outcomes.
    fn wanted_outcomes(&self, palette: &[Entry], tile: u64, wanted: &mut Vec<Wanted>) {
        wanted.resize(self.tiles.places(), Wanted::Anything);
        self.tiles.each_index(tile, |place, index| {
            let entry = (self.entry)(index);
            let Some(outcome) = outcome_of(entry) else { return };
            let symbol = palette.iter().position(|&of| of == outcome).expect("all outcomes were found") as u8;
            let is_not_better = |of: &Entry| !of.is_by_rule() && of.wdl() <= outcome.wdl();
            wanted[place] = if !outcome.is_by_rule() && (self.is_free)(index) {
                let set = palette.iter().enumerate().filter(|(_, of)| is_not_better(of));
                Wanted::AnyOf(set.fold(0, |set, (symbol, _)| set | 1 << symbol))
            } else {
                Wanted::Symbol(symbol)
            };
        });
    }
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

/// Writes the small table of a slice below `root`: a file with the outcomes, and one with the distances if the entries have
/// distances. `description` describes the whole table, of which `entry` gives every entry. `is_free` tells of an index whether a
/// move out of the group of the slice gives the whole value of its position. `kept` tells which distances are stored.
///
/// Every block is decoded again and compared. Returns `None`, and writes nothing, if a small table cannot hold the entries: there are
/// too many different distances, or [`Entry::NotWon`].
///
/// # Errors
/// Returns an error if an I/O operation fails, or if a name is not allowed.
pub fn write_small(
    root: &Path,
    description: &Description,
    tiles: &Tiles,
    entry: impl Fn(u64) -> Entry + Sync,
    is_free: impl Fn(u64) -> bool + Sync,
    kept: Kept,
    progress: impl Fn(u64) + Sync,
) -> Result<Option<Vec<Written>>, Error> {
    let source = Source { tiles, entry: &entry, is_free: &is_free };
    let palette = source.outcomes();
    let plies = if description.metric == Metric::Dtm { source.plies() } else { Vec::new() };
    let is_small = plies.iter().flatten().all(|plies| plies.len() <= Distances::MOST)
        && matches!(description.metric, Metric::Wdl | Metric::Dtm)
        && !palette.contains(&Entry::NotWon);
    if !is_small {
        return Ok(None);
    }
    let of_outcomes = Description { metric: Metric::Wdl, ..description.clone() };
    let path = of_outcomes.path(root);
    let written = write_outcomes(&path, &of_outcomes, &source, palette, &progress);
    let mut all = vec![written.map_err(|problem| problem.at(&path))?];
    if description.metric == Metric::Dtm {
        let outcomes = Table::<Outcomes>::of(TableFile::open(&path, Backend::Read)?)?;
        let path = description.path(root);
        let written = write_distances(&path, description, &source, &outcomes, plies, kept, &progress);
        all.push(written.map_err(|problem| problem.at(&path))?);
    }
    Ok(Some(all))
}

fn write_outcomes<E: Fn(u64) -> Entry + Sync, F: Fn(u64) -> bool + Sync>(
    path: &Path,
    description: &Description,
    source: &Source<'_, E, F>,
    palette: Vec<Entry>,
    progress: &dyn Fn(u64),
) -> Result<Written, Problem> {
    let grid = Grid::new(&source.tiles.coordinates());
    let mut models = Vec::new();
    for section in 0..source.tiles.sections() {
        let tiles = source.tiles_of(section);
        let load = |tile: usize, wanted: &mut Vec<Wanted>| {
            source.wanted_outcomes(&palette, tiles.start + tile as u64, wanted);
            Ok(())
        };
        let count = (tiles.end - tiles.start) as usize;
        let trained = coding::train(&grid, palette.len() as u8, false, count, &load);
        let (model, _) = trained.map_err(Problem::io("computed"))?.ok_or(Problem::Payload)?;
        models.push(model);
    }
    let outcomes = Outcomes::new(source.tiles.clone(), palette, models)?;
    let header = Header::new(description, layout_of(source.tiles), &outcomes)?;
    let pack = |block: u64, bytes: &mut Vec<u8>| {
        let mut wanted = Vec::new();
        source.wanted_outcomes(outcomes.entries(), block, &mut wanted);
        let model = outcomes.model_of(block);
        let stream = coding::encode(model, &grid, &wanted).ok_or(Problem::Packed { index: block })?;
        let cells =
            coding::decode(model, &grid, &stream, |_| true).filter(|cells| is_as_wanted(cells, &wanted));
        let cells = cells.ok_or(Problem::Packed { index: block })?;
        let mut packed = vec![0; header.packed_bytes(block)];
        outcomes.pack(&cells, &mut packed);
        *bytes = if stream.len() < packed.len() { stream } else { packed };
        Ok(())
    };
    writer::write_packed(path, &header, &pack, progress)
}

fn write_distances<E: Fn(u64) -> Entry + Sync, F: Fn(u64) -> bool + Sync>(
    path: &Path,
    description: &Description,
    source: &Source<'_, E, F>,
    outcomes: &Table<Outcomes>,
    plies: Vec<[BTreeSet<Plies>; 2]>,
    kept: Kept,
    progress: &dyn Fn(u64),
) -> Result<Written, Problem> {
    let grid = Grid::new(&source.tiles.coordinates());
    let wanted = |tile: u64, kind: Kind, plies: &[Plies], wanted: &mut Vec<Wanted>| -> io::Result<()> {
        let block = outcomes.block(tile).map_err(io::Error::other)?;
        wanted.extend(block.iter().map(|outcome| match kind_of(outcome) == Some(kind) {
            true => Wanted::Anything,
            false => Wanted::Nothing,
        }));
        source.tiles.each_index(tile, |place, index| {
            let entry = (source.entry)(index);
            if wanted[place] == Wanted::Anything && kind_of(entry) == Some(kind) {
                let number = entry.plies().and_then(|of| plies.binary_search(&of).ok());
                wanted[place] = number.map_or(Wanted::Anything, |number| Wanted::Symbol(number as u8));
            }
        });
        Ok(())
    };
    // By section and kind: the plane, and the bits that it takes.
    let mut planes: Vec<[(Plane, u64); 2]> = Vec::new();
    for (section, of_kinds) in plies.into_iter().enumerate() {
        let tiles = source.tiles_of(section);
        let train = |kind: Kind, plies: BTreeSet<Plies>| -> Result<(Plane, u64), Problem> {
            let plies: Box<[Plies]> = plies.into_iter().collect();
            if plies.is_empty() {
                return Ok((Plane::Empty, 0));
            }
            let load =
                |tile: usize, to: &mut Vec<Wanted>| wanted(tiles.start + tile as u64, kind, &plies, to);
            let count = (tiles.end - tiles.start) as usize;
            let trained = coding::train(&grid, plies.len() as u8, true, count, &load);
            Ok(match trained.map_err(Problem::io("computed"))? {
                Some((model, bits)) => (Plane::Stored { plies, model: Box::new(model) }, bits),
                // Every such position is answered by a move out of the group.
                None => (Plane::Empty, 0),
            })
        };
        let [losses, wins] = of_kinds;
        planes.push([train(Kind::Loss, losses)?, train(Kind::Win, wins)?]);
    }
    let distances = Distances::new(source.tiles.clone(), outcomes.content_hash(), chosen(planes, kept))?;
    let header = Header::new(description, layout_of(source.tiles), &distances)?;
    let pack = |block: u64, bytes: &mut Vec<u8>| {
        let broken = || Problem::Packed { index: block };
        let mut packed = vec![0; header.packed_bytes(block)];
        let mut failed = None;
        let coded = distances.encode(block, |grid, model, kind, plies| {
            let mut places = Vec::new();
            if let Err(error) = wanted(block, kind, plies, &mut places) {
                failed = Some(error);
                return None;
            }
            let stream = coding::encode(model, grid, &places)?;
            let is_coded = |place: usize| places[place] != Wanted::Nothing;
            let cells = coding::decode(model, grid, &stream, is_coded)?;
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
    writer::write_packed(path, &header, &pack, progress)
}

/// Chooses the planes that are stored. The losses of a section follow from the wins of the other one, and the other way round. With
/// one section, they follow from its own.
fn chosen(mut planes: Vec<[(Plane, u64); 2]>, kept: Kept) -> Vec<[Plane; 2]> {
    let sections = planes.len();
    for section in 0..sections {
        let (wins, losses) = (section, sections - 1 - section);
        let wins_take_more = planes[wins][Kind::Win as usize].1 > planes[losses][Kind::Loss as usize].1;
        let (derived, kind) = match kept {
            Kept::All => continue,
            Kept::Cheapest if wins_take_more => (wins, Kind::Win),
            Kept::Cheapest | Kept::Wins => (losses, Kind::Loss),
        };
        planes[derived][kind as usize].0 = Plane::Derived;
    }
    planes.into_iter().map(|of_kinds| of_kinds.map(|(plane, _)| plane)).collect()
}
