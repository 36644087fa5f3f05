//! Small tables: outcomes and distances, each coded by contexts, in a file of their own.

use crate::coding::{self, Coded, Draft, Grid, Model, Tiles, Trained, Wanted};
use crate::distances::{Distances, Kind, Plane, StoredDistance};
use crate::error::{Error, Problem};
use crate::format::{Header, Layout};
use crate::outcomes::Outcomes;
use crate::payload::Payload as _;
use crate::shared_bytes::{Pin, pin};
use crate::writer::{self, Written};
use crate::{Backend, Block, Codec, Description, Entry, Table, TableFile};
use game::{Metric, Plies, parallel};
use std::collections::BTreeSet;
use std::io;
use std::ops::ControlFlow;
use std::path::Path;
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering::Relaxed};

/// A small table of a slice: its outcomes, and its distances if they are known.
#[derive(Debug)]
pub struct SmallTable {
    outcomes: Arc<Table<Outcomes>>,
    distances: Option<Arc<Table<Distances>>>,
}

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

/// What a small table stores for an index.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Stored {
    /// Everything that the table can tell.
    Entry(Entry),
    /// A win or a loss whose distance follows from the values after its moves.
    WithoutDistance(Entry),
}

/// The distances of a table, a block and a place in it, and a plane.
type PlaceInPlane<'a> = (&'a Table<Distances>, u64, usize, &'a Plane);

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
        // Both files have the same tiles.
        let (block, place) = self.outcomes.place(index)?;
        let outcome = self.outcomes.entry_at(block, place)?;
        let (Some(distances), Some(kind)) = (&self.distances, kind_of(outcome)) else {
            return Ok(Stored::Entry(outcome));
        };
        let plane = &distances.payload().planes_of(block)[kind as usize];
        if !plane.is_stored() {
            return Ok(Stored::WithoutDistance(outcome));
        }
        let entry = entry_of(kind, plane, self.number(distances, block, place)?);
        entry.map(Stored::Entry).ok_or_else(|| distances.error(Problem::BlockContents { block }))
    }

    /// Asks whether a win or a loss is stored for an index, with its distance. It reads the distances only, so it takes half the time
    /// of [`stored`](Self::stored). If their block is not in the cache, it asks the outcomes first: often there is no such win or loss.
    pub(crate) fn stored_distance(&self, index: u64, kind: Kind) -> Result<StoredDistance, Error> {
        let Some((distances, block, place, plane)) = self.only_plane(index, kind)? else {
            return Ok(StoredDistance::NotTold);
        };
        let is_cached = distances.cached(block, &pin()).is_some();
        if !is_cached && kind_of(self.outcomes.entry_at(block, place)?) != Some(kind) {
            return Ok(StoredDistance::Other);
        }
        let number = self.number(distances, block, place)?;
        plane.stored(number).ok_or_else(|| distances.error(Problem::BlockContents { block }))
    }

    /// The same from the cache alone. Returns `None` if the block is not there, or if it is damaged.
    #[inline]
    pub(crate) fn cached_distance(&self, index: u64, kind: Kind, pin: &Pin) -> Option<StoredDistance> {
        let Ok(Some((distances, block, place, plane))) = self.only_plane(index, kind) else { return None };
        let number = distances.cached(block, pin)?[place];
        distances.count_hits(1);
        plane.stored(number)
    }

    /// The distances, and the block, the place and the plane of an index, if only this plane is stored there. With two planes, a number
    /// alone does not tell its plane.
    #[inline]
    fn only_plane(&self, index: u64, kind: Kind) -> Result<Option<PlaceInPlane<'_>>, Error> {
        let Some(distances) = &self.distances else { return Ok(None) };
        let (block, place) = distances.place(index)?;
        let planes = distances.payload().planes_of(block);
        let plane = &planes[kind as usize];
        let is_only = planes.iter().filter(|plane| plane.is_stored()).count() == 1 && plane.is_stored();
        Ok(is_only.then_some((distances, block, place, plane)))
    }

    /// The number of the distance at a place, through the cache.
    #[inline]
    fn number(&self, distances: &Table<Distances>, block: u64, place: usize) -> Result<u8, Error> {
        let mut failed = None;
        let decode = |stored: &[u8], packed: &mut [u8]| {
            let outcomes = match self.outcomes.cached_block(block) {
                Ok(outcomes) => outcomes,
                Err(error) => {
                    failed = Some(error);
                    return None;
                }
            };
            distances.payload().decode_with(block, stored, packed, |kind| places_of(&outcomes, kind))
        };
        let number = distances.read_by(block, |packed| packed[place], decode);
        failed.map_or(number, Err)
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
    let decode = |stored: &[u8], packed: &mut [u8]| {
        distances.payload().decode_with(block, stored, packed, |kind| places_of(outcomes, kind))
    };
    distances.unpack(block, decode).map_err(|problem| distances.error(problem))
}

/// The places of a block with a win or a loss, as bits.
fn places_of(outcomes: &Block<Outcomes>, kind: Kind) -> Vec<u64> {
    let entry = match kind {
        Kind::Loss => Entry::Loss(None),
        Kind::Win => Entry::Win(None),
    };
    outcomes.places_with(entry)
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
    progress: Progress<'a>,
}

/// Tells the caller of a writer how many entries are done, and asks it whether to go on.
struct Progress<'a> {
    tell: &'a (dyn Fn(u64) -> ControlFlow<()> + Sync),
    done: AtomicU64,
}

impl Progress<'_> {
    /// Tells that so many entries of a file are written.
    fn written(&self, entries: u64) {
        self.done.store(entries, Relaxed);
        // The next step asks whether to go on.
        let _ = (self.tell)(entries);
    }

    fn go_on(&self) -> io::Result<()> {
        match (self.tell)(self.done.load(Relaxed)) {
            ControlFlow::Continue(()) => Ok(()),
            ControlFlow::Break(()) => Err(io::ErrorKind::Interrupted.into()),
        }
    }
}

impl<E: Fn(u64) -> Entry + Sync, F: Fn(u64) -> bool + Sync> Source<'_, E, F> {
    /// The tiles of a section.
    fn tiles_of(&self, section: usize) -> std::ops::Range<u64> {
        let each = self.tiles.tiles() / self.tiles.sections() as u64;
        section as u64 * each..(section as u64 + 1) * each
    }

    /// By section and kind: the distances that occur.
    fn plies(&self) -> io::Result<Vec<[BTreeSet<Plies>; 2]>> {
        let find = |found: &mut Vec<[BTreeSet<Plies>; 2]>, tile: usize| {
            self.progress.go_on()?;
            let section = self.tiles.section_of(tile as u64);
            let mut last = Entry::Nothing;
            self.tiles.each_index(tile as u64, |_, index| {
                let entry = (self.entry)(index);
                if let (Some(kind), Some(plies), true) = (kind_of(entry), entry.plies(), entry != last) {
                    found[section][kind as usize].insert(plies);
                    last = entry;
                }
            });
            Ok(())
        };
        let nothing = || (0..self.tiles.sections()).map(|_| Default::default()).collect();
        let tiles = self.tiles.tiles() as usize;
        parallel::try_fold(tiles, nothing, find, |mut a: Vec<[BTreeSet<Plies>; 2]>, b| {
            a.iter_mut().flatten().zip(b.into_iter().flatten()).for_each(|(a, mut b)| a.append(&mut b));
            a
        })
    }

    /// The different outcomes.
    fn outcomes(&self) -> io::Result<Vec<Entry>> {
        let find = |found: &mut BTreeSet<Entry>, tile: usize| {
            self.progress.go_on()?;
            let mut last = None;
            self.tiles.each_index(tile as u64, |_, index| {
                let outcome = outcome_of((self.entry)(index));
                if outcome != last {
                    found.extend(outcome);
                    last = outcome;
                }
            });
            Ok::<_, io::Error>(())
        };
        let found = parallel::try_fold(self.tiles.tiles() as usize, BTreeSet::new, find, |mut a, mut b| {
            a.append(&mut b);
            a
        })?;
        Ok(if found.is_empty() { vec![Entry::Draw] } else { found.into_iter().collect() })
    }

    /// What is wanted at the places of a tile of outcomes.
    fn wanted_outcomes(&self, palette: &[Entry], tile: u64, wanted: &mut Vec<Wanted>) {
        // Of a position with this entry: what is wanted, and what if it is free.
        let of_entry = |entry: Entry| {
            let outcome = outcome_of(entry)?;
            let symbol = palette.iter().position(|&of| of == outcome).expect("all outcomes were found") as u8;
            let is_not_better = |of: &Entry| !of.is_by_rule() && of.wdl() <= outcome.wdl();
            let set = palette.iter().enumerate().filter(|(_, of)| is_not_better(of));
            let set = Wanted::AnyOf(set.fold(0, |set, (symbol, _)| set | 1 << symbol));
            let symbol = Wanted::Symbol(symbol);
            Some((symbol, if outcome.is_by_rule() { symbol } else { set }))
        };
        wanted.resize(self.tiles.places(), Wanted::Anything);
        // Many entries are the same as the one before.
        let mut last = (Entry::Nothing, None);
        self.tiles.each_index(tile, |place, index| {
            let entry = (self.entry)(index);
            if entry != last.0 {
                last = (entry, of_entry(entry));
            }
            if let Some((exact, free)) = last.1 {
                wanted[place] = if (self.is_free)(index) { free } else { exact };
            }
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
    let progress = Progress { tell: &progress, done: AtomicU64::new(0) };
    let source = Source { tiles, entry: &entry, is_free: &is_free, progress };
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
