//! Reads and writes tables: converts the wins of attacks to slices and back.

use super::budget::Budget;
use super::cells::HOLE;
use super::exact;
use super::full;
use super::known::{self, Men, is_short, men_of, positions, slice_of, turned};
use super::solver::Solver;
use super::store::Rows;
use game::{Endgame as _, Game, Metric, Plies};
use onitama::{Onitama, Slice};
use rayon::prelude::*;
use solve::{Error, Job};
use std::cell::RefCell;
use std::io;
use std::ops::Range;
use std::path::Path;
use std::sync::Arc;
use table::{Entry, Layout, Table};

impl Solver<'_> {
    /// Reads the wins of an attack from its table, if they are not known yet.
    pub(super) fn need(&mut self, men: Men, budget: &Budget) -> Result<(), Error> {
        if self.known.get(men).is_some() {
            return Ok(());
        }
        let slice = slice_of(men);
        let table = self.whole(slice, Metric::Wdl)?;
        let sizes = known::row_sizes(&self.deals, men);
        let rows = self.rows(budget.rows_in_memory, sizes.clone()).map_err(self.disk())?;
        // A packed table has the full numbering.
        if table.description().index != Onitama::INDEX {
            self.read_short(&table, slice, &sizes, &rows)?;
        } else {
            let read = |set: u32, words: &mut [u32]| {
                let blocks = RefCell::new(Blocks { table: &table, last: None });
                full::read_row(&self.deals, men, set, words, |index| blocks.borrow_mut().entry(index))
                    .map_err(Failure::Table)
            };
            known::import(&self.deals, men, &rows, read).map_err(|failure| match failure {
                Failure::Disk(source) => self.disk()(source),
                Failure::Table(error) => error.into(),
            })?;
        }
        self.known.insert(men, rows);
        Ok(())
    }

    /// The table of a finished slice, with all its values.
    fn whole(&self, slice: Slice, metric: Metric) -> Result<Arc<Table>, Error> {
        let table = solve::whole(self.game, &self.library, slice, metric, None)?;
        table.ok_or_else(|| Error::missing(self.game, slice, metric))
    }

    /// Reads rows from a table without positions won at once. It has the same bits, but inverted.
    fn read_short(&self, table: &Table, slice: Slice, sizes: &[u64], rows: &Rows) -> Result<(), Error> {
        let starts = self.game.short_row_starts(slice);
        let per_block = u64::from(table.layout().entries_per_block);
        if table.different_entries() != SHORT_PALETTE || !per_block.is_multiple_of(64) {
            return Err(Error::Unlike { game: Onitama::INFO.name, slice: slice.to_string() });
        }
        (0..sizes.len()).into_par_iter().try_for_each(|row| {
            if sizes[row] == 0 {
                return Ok(());
            }
            let mut bytes = Vec::with_capacity(sizes[row] as usize);
            let (mut at, end) = (starts[row], starts[row + 1]);
            while at < end {
                let block = at / per_block;
                let packed = table.packed_block(block)?;
                let first = (at - block * per_block) / 8;
                let last = (end.min((block + 1) * per_block) - block * per_block) / 8;
                bytes.extend(packed[first as usize..last as usize].iter().map(|byte| !byte));
                at = (block + 1) * per_block;
            }
            // Adds the spare bytes of a packed row.
            bytes.resize(sizes[row] as usize, 0);
            rows.write(row, &mut bytes).map_err(self.disk())
        })
    }

    /// Reads the distances of a finished slice.
    pub(super) fn read_cells(&self, slice: Slice) -> Result<Vec<u8>, Error> {
        let table = self.whole(slice, Metric::Dtm)?;
        let mut cells = Vec::with_capacity(table.entries() as usize);
        for number in 0..table.blocks() {
            for entry in table.block(number)?.iter() {
                let too_long = || Error::Stopped { group: slice.to_string(), stop: solve::Stop::Overflow };
                cells.push(cell_of(entry).ok_or_else(too_long)?);
            }
        }
        Ok(cells)
    }

    pub(super) fn write(&self, job: &Job<'_, Onitama>, slice: Slice, budget: &Budget) -> Result<(), Error> {
        let description = job.description(slice);
        let name = slice.to_string();
        let progress = |done| self.watch.writing(&name, done, description.entries);
        let path = description.path(job.library.folder());
        let written = if is_short(self.game, slice) {
            self.write_short(&path, &description, slice, &progress)?
        } else {
            self.write_full(&path, &description, slice, budget, &progress)?
        };
        self.watch.written(&name, written.bytes);
        Ok(())
    }

    fn write_full(
        &self,
        path: &Path,
        description: &table::Description,
        slice: Slice,
        budget: &Budget,
        progress: &(dyn Fn(u64) + Sync),
    ) -> Result<table::Written, Error> {
        let men = men_of(slice);
        let stopped = |stop| self.stopped(&slice.to_string(), stop);
        let lost = self.losses(turned(men), budget).map_err(stopped)?;
        let (wins, losses) = self.count(men, &lost, budget).map_err(stopped)?;
        let mut palette = vec![Entry::Nothing];
        palette.extend((losses > 0).then_some(Entry::Loss(None)));
        palette.extend((positions(men) > wins + losses).then_some(Entry::Draw));
        palette.extend((wins > 0).then_some(Entry::Win(None)));
        assert!(palette.len() > 2, "every slice has wins and losses, so a symbol has two bits");
        let won = self.known.get(men).expect("it is known");
        let room = budget.room.max(1 << 20);
        let source = full::Slice::new(&self.deals, men, won, &lost, room, &palette);
        let fill = |entries: Range<u64>, packed: &mut Vec<u8>| source.fill(entries, packed);
        Ok(table::write_blocks(path, description, Layout::default(), &palette, fill, progress)?)
    }

    fn write_short(
        &self,
        path: &Path,
        description: &table::Description,
        slice: Slice,
        progress: &(dyn Fn(u64) + Sync),
    ) -> Result<table::Written, Error> {
        let starts = self.game.short_row_starts(slice);
        let won = self.known.get(men_of(slice)).expect("it is known");
        let fill = |entries: Range<u64>, packed: &mut Vec<u8>| {
            let mut at = entries.start;
            while at < entries.end {
                let row = starts.partition_point(|&start| start <= at) - 1;
                let end = entries.end.min(starts[row + 1]);
                let from = packed.len();
                won.read_part(row, (at - starts[row]) / 8, ((end - at) / 8) as usize, packed)?;
                packed[from..].iter_mut().for_each(|byte| *byte = !*byte);
                at = end;
            }
            Ok(())
        };
        // A block has 32 kilobytes before compression, like a block of distances.
        let layout = Layout { entries_per_block: 1 << 18, ..Layout::default() };
        Ok(table::write_blocks(path, description, layout, &SHORT_PALETTE, fill, progress)?)
    }
}

/// Converts a cell to an entry. A cell is the distance: odd for wins, even for losses.
pub(super) fn entry_of(cell: u8) -> Entry {
    match cell {
        HOLE => Entry::Nothing,
        0 => Entry::Draw,
        odd if odd % 2 == 1 => Entry::Win(Some(Plies(odd.into()))),
        even => Entry::Loss(Some(Plies(even.into()))),
    }
}

/// Converts an entry to a cell; the inverse of [`entry_of`]. Returns `None` if the entry does not fit into a cell.
fn cell_of(entry: Entry) -> Option<u8> {
    let (plies, is_odd) = match entry {
        Entry::Nothing => return Some(HOLE),
        Entry::Draw => return Some(0),
        Entry::Win(plies) => (plies?, true),
        Entry::Loss(plies) => (plies?, false),
        Entry::NotWon | Entry::LossByRule | Entry::WinByRule => return None,
    };
    let fits = usize::from(plies.0) <= exact::LONGEST && plies.0 > 0 && (plies.0 % 2 == 1) == is_odd;
    u8::try_from(plies.0).ok().filter(|_| fits)
}

/// The different entries of a table without positions won at once.
const SHORT_PALETTE: [Entry; 2] = [Entry::Win(None), Entry::NotWon];

/// The reason why rows could not be read from a table.
enum Failure {
    Disk(io::Error),
    Table(table::Error),
}

impl From<io::Error> for Failure {
    fn from(error: io::Error) -> Self {
        Self::Disk(error)
    }
}

/// Reads the entries of a table in order. It keeps the last block.
struct Blocks<'a> {
    table: &'a Table,
    last: Option<(u64, table::Block)>,
}

impl Blocks<'_> {
    fn entry(&mut self, index: u64) -> Result<Entry, table::Error> {
        let per_block = u64::from(self.table.layout().entries_per_block);
        let number = index / per_block;
        if self.last.as_ref().is_none_or(|(last, _)| *last != number) {
            self.last = Some((number, self.table.block(number)?));
        }
        let (_, block) = self.last.as_ref().expect("just read");
        Ok(block.get((index % per_block) as usize))
    }
}
