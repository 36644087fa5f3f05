//! The cells: what is known of each index. They are in memory, or as a log in a file, from which they are made at the end.

use super::game::RowGame;
use super::list::List;
use super::perpetual::ByRule;
use super::row::Row;
use super::space::Space;
use ::game::Endgame;
use solve::{Cell, Error, Job, Loading, Saving};
use std::io;
use std::ops::Range;
use std::sync::{Mutex, MutexGuard, PoisonError};
use table::Layout;
use table::system::FileAt;

/// The cells of each slab. Threads share them, and each works on one slab at a time.
pub struct Cells<C> {
    slabs: Vec<Mutex<Kept<C>>>,
}

enum Kept<C> {
    Memory(Vec<C>),
    /// A log of records. A record has a cell, a number, and the places of so many cells of the slab, which become this cell. The
    /// number [`ALL`] is followed by all cells of the slab instead.
    Log {
        file: FileAt,
        end: u64,
    },
}

/// Marks a record with all cells of a slab.
const ALL: u32 = u32::MAX;

impl<C: Cell> Cells<C> {
    /// The cells of a game of which nothing is known.
    ///
    /// # Errors
    /// Returns an error if a file cannot be made.
    pub fn new<G: RowGame>(game: &G, space: &Space) -> io::Result<Self> {
        let slab = |slab| -> io::Result<_> {
            Ok(Mutex::new(match space.file()? {
                None => Kept::Memory(vec![C::HOLE; game.cells(slab).len()]),
                Some(file) => Kept::Log { file, end: 0 },
            }))
        };
        let cells = Self { slabs: game::parallel::try_map(game.slabs(), slab)? };
        cells.mark(game);
        Ok(cells)
    }

    /// Marks the legal positions of a game as unknown. Several games can share the cells, if they are in memory and each has
    /// other rows.
    pub fn mark<G: RowGame>(&self, game: &G) {
        game::parallel::map(game.slabs(), |slab| {
            if let Kept::Memory(cells) = &mut *self.lock(slab) {
                mark(game, slab, cells);
            }
        });
    }

    /// Reads the cells of all slabs, which are in memory.
    ///
    /// # Panics
    /// Panics if the cells are in files.
    pub fn with_all<T>(&self, work: impl FnOnce(&[&[C]]) -> T) -> T {
        let slabs: Vec<_> = (0..self.slabs.len()).map(|slab| self.lock(slab)).collect();
        let cells = slabs.iter().map(|kept| match &**kept {
            Kept::Memory(cells) => &cells[..],
            Kept::Log { .. } => panic!("the cells are in files"),
        });
        work(&cells.collect::<Vec<_>>())
    }

    /// Writes all cells to a checkpoint.
    ///
    /// # Errors
    /// Returns an error if an I/O operation fails.
    pub fn save<G: RowGame>(&self, game: &G, saving: &mut Saving) -> io::Result<()> {
        saving.number(C::BYTES as u64)?;
        let mut bytes = Vec::new();
        for slab in 0..self.slabs.len() {
            bytes.clear();
            self.slab(game, slab)?.iter().for_each(|cell| cell.push_to(&mut bytes));
            saving.bytes(&bytes)?;
        }
        Ok(())
    }

    /// Reads all cells from a checkpoint. Returns `None` if its cells have another width.
    ///
    /// # Errors
    /// Returns an error if an I/O operation fails, or if the checkpoint is damaged.
    pub fn load<G: RowGame>(game: &G, space: &Space, loading: &mut Loading) -> io::Result<Option<Self>> {
        if loading.number()? != C::BYTES as u64 {
            return Ok(None);
        }
        let cells = Self::new(game, space)?;
        for slab in 0..game.slabs() {
            let mut bytes = vec![0; game.cells(slab).len() * C::BYTES];
            loading.bytes(&mut bytes)?;
            cells.put(slab, bytes.chunks_exact(C::BYTES).map(C::from_bytes).collect())?;
        }
        Ok(Some(cells))
    }

    fn lock(&self, slab: usize) -> MutexGuard<'_, Kept<C>> {
        self.slabs[slab].lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Writes a code into the cells of some positions.
    ///
    /// # Errors
    /// Returns an error if a file cannot be written.
    pub fn record<G: RowGame>(&self, game: &G, slab: usize, list: &List<G::Row>, code: C) -> io::Result<()> {
        match &mut *self.lock(slab) {
            Kept::Memory(cells) => {
                for (row, bits) in list.iter() {
                    each_cell(game, slab, row, bits, |cell| cells[cell] = code);
                }
                Ok(())
            }
            log => {
                let mut places = Vec::new();
                for (row, bits) in list.iter() {
                    each_cell(game, slab, row, bits, |cell| places.extend((cell as u32).to_le_bytes()));
                }
                log.append(code, (places.len() / 4) as u32, &places)
            }
        }
    }

    /// Writes what perpetual check decides.
    ///
    /// # Errors
    /// Returns an error if a file cannot be written.
    pub fn record_by_rule<G: RowGame>(&self, game: &G, by_rule: ByRule<G::Row>) -> io::Result<()> {
        for (few, code) in [(by_rule.won, C::WIN_BY_RULE), (by_rule.lost, C::LOSS_BY_RULE)] {
            for ((slab, row), bits) in few {
                let mut list = List::default();
                list.push(row, bits);
                self.record(game, slab, &list, code)?;
            }
        }
        Ok(())
    }

    /// The cells of a slab.
    ///
    /// # Errors
    /// Returns an error if a file cannot be read.
    pub fn slab<G: RowGame>(&self, game: &G, slab: usize) -> io::Result<Vec<C>> {
        match &*self.lock(slab) {
            Kept::Memory(cells) => Ok(cells.clone()),
            Kept::Log { file, end } => {
                let mut cells = vec![C::HOLE; game.cells(slab).len()];
                mark(game, slab, &mut cells);
                let mut at = 0;
                while at < *end {
                    let mut read = |length: usize| -> io::Result<Vec<u8>> {
                        let mut bytes = vec![0; length];
                        file.read_exact_at(&mut bytes, at)?;
                        at += length as u64;
                        Ok(bytes)
                    };
                    let head = read(C::BYTES + 4)?;
                    let (code, count) = head.split_at(C::BYTES);
                    let code = C::from_bytes(code);
                    match u32::from_le_bytes(count.try_into().expect("four bytes")) {
                        ALL => {
                            cells = read(cells.len() * C::BYTES)?
                                .chunks_exact(C::BYTES)
                                .map(C::from_bytes)
                                .collect()
                        }
                        count => {
                            let places = read(4 * count as usize)?;
                            let places = places.as_chunks::<4>().0.iter();
                            places.for_each(|&place| cells[u32::from_le_bytes(place) as usize] = code);
                        }
                    }
                }
                Ok(cells)
            }
        }
    }

    /// Takes the cells of a slab that are in memory.
    fn take(&self, slab: usize) -> Vec<C> {
        match &mut *self.lock(slab) {
            Kept::Memory(cells) => std::mem::take(cells),
            Kept::Log { .. } => unreachable!("the caller has looked"),
        }
    }

    /// Replaces the cells of a slab.
    ///
    /// # Errors
    /// Returns an error if a file cannot be written.
    pub fn put(&self, slab: usize, cells: Vec<C>) -> io::Result<()> {
        match &mut *self.lock(slab) {
            Kept::Memory(kept) => {
                *kept = cells;
                Ok(())
            }
            log => {
                let mut bytes = Vec::with_capacity(cells.len() * C::BYTES);
                cells.iter().for_each(|cell| cell.push_to(&mut bytes));
                log.append(C::UNKNOWN, ALL, &bytes)
            }
        }
    }

    /// The finished cells in the order of their indices. `finish` changes those of a slab, whose number it gets, for the
    /// last time.
    ///
    /// # Errors
    /// Returns an error if a file cannot be read or written.
    pub fn finish<G: RowGame>(
        self,
        game: &G,
        space: &Space,
        finish: impl Fn(usize, &mut [C]) + Sync,
    ) -> io::Result<Finished<C>> {
        let starts: Vec<usize> = (0..game.slabs()).map(|slab| game.cells(slab).start).collect();
        let file = space.file()?;
        let slabs = game::parallel::try_map(game.slabs(), |slab| -> io::Result<_> {
            let is_log = matches!(&*self.lock(slab), Kept::Log { .. });
            let mut cells = if is_log { self.slab(game, slab)? } else { self.take(slab) };
            finish(slab, &mut cells);
            let Some(file) = &file else { return Ok(cells) };
            let mut bytes = Vec::with_capacity(cells.len() * C::BYTES);
            cells.iter().for_each(|cell| cell.push_to(&mut bytes));
            file.write_all_at(&bytes, (starts[slab] * C::BYTES) as u64)?;
            Ok(Vec::new())
        })?;
        Ok(match file {
            Some(file) => Finished::File(file),
            None => Finished::Memory { starts, slabs },
        })
    }
}

impl<C: Cell> Kept<C> {
    /// Appends a record to a log. Cells in memory have none.
    fn append(&mut self, code: C, count: u32, contents: &[u8]) -> io::Result<()> {
        let Self::Log { file, end } = self else { return Ok(()) };
        let mut record = Vec::with_capacity(C::BYTES + 4 + contents.len());
        code.push_to(&mut record);
        record.extend(count.to_le_bytes());
        record.extend(contents);
        file.write_all_at(&record, *end)?;
        *end += record.len() as u64;
        Ok(())
    }
}

/// Marks the legal positions of a slab as unknown.
fn mark<G: RowGame, C: Cell>(game: &G, slab: usize, cells: &mut [C]) {
    for row in 0..game.rows() {
        if game.row_cells(slab, row).is_some() {
            each_cell(game, slab, row, game.legal(slab, row), |cell| cells[cell] = C::UNKNOWN);
        }
    }
}

/// Visits the cells of some positions of a row, by their places among the cells of the slab.
#[inline]
fn each_cell<G: RowGame>(game: &G, slab: usize, row: usize, bits: G::Row, mut visit: impl FnMut(usize)) {
    let Some((first, with_cells)) = game.row_cells(slab, row) else { return };
    let places = game.places();
    bits.and(with_cells).each(|bit| visit(first + usize::from(places[bit])));
}

/// Finished cells in the order of their indices.
pub enum Finished<C> {
    /// In memory, slab by slab, and the first index of each slab.
    Memory {
        /// The first index of each slab.
        starts: Vec<usize>,
        /// The cells of each slab.
        slabs: Vec<Vec<C>>,
    },
    /// In a file.
    File(FileAt),
}

impl<C: Cell> Finished<C> {
    /// Visits the cells of a range of indices, in order.
    ///
    /// # Errors
    /// Returns an error if a file cannot be read.
    pub fn each(&self, indices: Range<u64>, mut visit: impl FnMut(C)) -> io::Result<()> {
        let (mut at, end) = (indices.start as usize, indices.end as usize);
        match self {
            Self::Memory { starts, slabs } => {
                while at < end {
                    let slab = starts.partition_point(|&start| start <= at) - 1;
                    let cells = &slabs[slab][at - starts[slab]..];
                    let cells = &cells[..cells.len().min(end - at)];
                    cells.iter().for_each(|&cell| visit(cell));
                    at += cells.len();
                }
            }
            Self::File(file) => {
                let mut bytes = vec![0; (end - at) * C::BYTES];
                file.read_exact_at(&mut bytes, (at * C::BYTES) as u64)?;
                bytes.chunks_exact(C::BYTES).for_each(|cell| visit(C::from_bytes(cell)));
            }
        }
        Ok(())
    }

    /// Writes the table of a slice.
    ///
    /// # Errors
    /// Returns an error if the table cannot be written, or if a file cannot be read.
    pub fn write<G: Endgame>(&self, job: &Job<'_, G>, slice: G::Slice) -> Result<(), Error> {
        let (description, name) = (job.description(slice), slice.to_string());
        let progress = |done| job.run.watch.writing(&name, done, description.entries);
        let fill =
            |indices, entries: &mut Vec<_>| self.each(indices, |cell| entries.push(cell.entry(job.metric)));
        let path = description.path(job.library.folder());
        let written = table::write_ranges(&path, &description, Layout::default(), fill, progress)?;
        job.run.watch.written(&name, written.bytes);
        Ok(())
    }
}
