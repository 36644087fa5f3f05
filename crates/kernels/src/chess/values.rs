//! The values of finished positions, as codes in memory, and what they promise to the side that leads to them.

use crate::rows::Score;
use chess::Chess;
use game::{Endgame as _, Metric, Plies, Value, Wdl, parallel};
use solve::Cell;
use table::{Entry, Table};

/// The codes of some positions.
#[derive(Clone, Copy)]
pub enum Codes<'a> {
    /// One byte for each.
    Bytes(&'a [u8]),
    /// Two bytes for each.
    Words(&'a [u16]),
}

impl<'a> Codes<'a> {
    /// The code of a position.
    #[inline(always)]
    pub fn get(self, index: usize) -> usize {
        match self {
            Self::Bytes(codes) => codes[index].into(),
            Self::Words(codes) => codes[index].into(),
        }
    }

    /// Some of the codes.
    pub fn part(self, first: usize, count: usize) -> Self {
        match self {
            Self::Bytes(codes) => Self::Bytes(&codes[first..][..count]),
            Self::Words(codes) => Self::Words(&codes[first..][..count]),
        }
    }
}

/// A cell whose contents are a code.
pub trait Coded: Cell {
    /// Cells as codes.
    fn codes(cells: &[Self]) -> Codes<'_>;

    /// All cells of a table.
    fn unpacked(cells: Vec<Self>, metric: Metric) -> Unpacked;
}

impl Coded for u8 {
    fn codes(cells: &[Self]) -> Codes<'_> {
        Codes::Bytes(cells)
    }

    fn unpacked(cells: Vec<Self>, metric: Metric) -> Unpacked {
        Unpacked { codes: Words::Narrow(cells), entries: entries_of_cells::<Self>(metric) }
    }
}

impl Coded for u16 {
    fn codes(cells: &[Self]) -> Codes<'_> {
        Codes::Words(cells)
    }

    fn unpacked(cells: Vec<Self>, metric: Metric) -> Unpacked {
        Unpacked { codes: Words::Wide(cells), entries: entries_of_cells::<Self>(metric) }
    }
}

/// The entry of each code of finished cells.
pub fn entries_of_cells<C: Cell>(metric: Metric) -> Vec<Entry> {
    let codes = 1usize << (8 * C::BYTES);
    (0..codes).map(|code| C::from_bytes(&code.to_le_bytes()[..C::BYTES]).entry(metric)).collect()
}

/// A finished table, decompressed.
pub struct Unpacked {
    codes: Words,
    /// The entry of each code.
    pub entries: Vec<Entry>,
}

enum Words {
    Narrow(Vec<u8>),
    Wide(Vec<u16>),
}

impl Unpacked {
    /// Reads a table.
    ///
    /// # Errors
    /// Returns an error if the table cannot be read or is damaged.
    pub fn read(table: &Table) -> Result<Self, table::Error> {
        let entries = table.different_entries().to_vec();
        let codes = match entries.len() {
            0..=256 => Words::Narrow(read(table, |symbol| symbol as u8)?),
            _ => Words::Wide(read(table, |symbol| symbol as u16)?),
        };
        Ok(Self { codes, entries })
    }

    /// All codes, in the order of the indices.
    pub fn codes(&self) -> Codes<'_> {
        match &self.codes {
            Words::Narrow(codes) => Codes::Bytes(codes),
            Words::Wide(codes) => Codes::Words(codes),
        }
    }

    /// The entry of an index.
    pub fn entry(&self, index: usize) -> Entry {
        self.entries[self.codes().get(index)]
    }
}

fn read<T: Copy + Default + Send>(
    table: &Table,
    code: impl Fn(usize) -> T + Sync,
) -> Result<Vec<T>, table::Error> {
    use std::sync::{Mutex, PoisonError};
    let mut codes = vec![T::default(); table.entries() as usize];
    let per_block = table.layout().entries_per_block as usize;
    let blocks: Vec<Mutex<&mut [T]>> = codes.chunks_mut(per_block).map(Mutex::new).collect();
    parallel::try_map(blocks.len(), |number| {
        let block = table.block(number as u64)?;
        let mut codes = blocks[number].lock().unwrap_or_else(PoisonError::into_inner);
        codes.iter_mut().zip(block.symbols()).for_each(|(to, symbol)| *to = code(symbol));
        Ok(())
    })?;
    drop(blocks);
    Ok(codes)
}

/// The longest distance that is taken from a table. Only a wrong table has longer ones, and a check finds this.
const LONGEST: Plies = Plies(2_000);

/// The value of an entry. Without distances, a win counts as one in one ply, and a loss as one without moves.
pub fn value_of(entry: Entry) -> Option<Value> {
    let plies = entry.plies().map(|plies| plies.min(LONGEST));
    Some(match entry.wdl()? {
        Wdl::Win => Value::Win(plies.unwrap_or(Plies(1))),
        Wdl::Draw => Value::Draw,
        Wdl::Loss => Value::Loss(plies.unwrap_or(Plies(0))),
    })
}

/// What a capture or a move of a pawn promises if it leads to this value.
pub fn before_conversion(value: Value, metric: Metric) -> Value {
    match metric {
        Metric::Dtz => Chess::STANDARD.before_irreversible(value),
        _ => value.before_move(),
    }
}

/// The score of each code for the side that leads to it, by a conversion or another move.
pub fn scores(entries: &[Entry], before: impl Fn(Value) -> Value) -> Vec<Score> {
    entries.iter().map(|&entry| value_of(entry).map_or(Score::NONE, |value| score(before(value)))).collect()
}

/// The score of a value that [`value_of`] gave, at most a few plies later.
pub fn score(value: Value) -> Score {
    Score::of(value).expect("the distance was cut to one that has a score")
}
