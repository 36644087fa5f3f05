//! The values outside a group: slices that were solved before, read from their tables.

use crate::error::Error;
use crate::job::check_derivable;
use crate::kernel::Kernel;
use crate::whole::whole;
use game::{Endgame, Index, Metric, Plies, Value, Wdl, parallel};
use std::sync::Arc;
use table::{Block, Entry, Library, Payload, Table, describe_small};

/// The values of the slices that a group leads into.
pub trait Outside<G: Endgame>: Sync {
    /// The value of an index of a slice that the group leads into.
    ///
    /// # Errors
    /// Returns an error if the table cannot be read.
    fn value(&self, slice: G::Slice, index: Index) -> Result<Value, table::Error>;
}

/// The tables of finished slices. If all of them fit the memory, they are kept decompressed. Otherwise blocks are read when
/// they are needed, and kept in a bounded cache.
pub struct Finished<G: Endgame> {
    /// In ascending order, for binary search.
    tables: Vec<(G::Slice, Reader)>,
}

/// How finished tables are read.
pub struct Reading<'a, G: Endgame> {
    /// The kernel that completes small tables, where it can.
    pub kernel: Option<&'a dyn Kernel<G>>,
    /// The tables are decompressed if that takes at most so many bytes, with the small ones that are completed. Otherwise they are read through the cache of the library.
    pub memory: u64,
}

impl<G: Endgame> Reading<'_, G> {
    /// Without a kernel, and with so much memory.
    pub fn generic(memory: u64) -> Self {
        Self { kernel: None, memory }
    }
}

enum Reader {
    /// A table with all its blocks in memory, in order.
    Unpacked { table: Arc<Table>, blocks: Vec<Block> },
    /// A table that is read through the cache of the library.
    Cached(Arc<Table>),
}

/// The smallest cache for tables that do not fit the memory: room for some hundred blocks.
pub(crate) const LEAST_CACHE: u64 = 4 << 20;

impl<G: Endgame> Finished<G> {
    /// Opens the tables of these slices.
    ///
    /// # Errors
    /// Returns an error if a table is missing or damaged, or if only the game's own solver can read it.
    pub fn open(
        game: &G,
        library: &Library,
        slices: &[G::Slice],
        metric: Metric,
        reading: Reading<'_, G>,
    ) -> Result<Self, Error> {
        let mut slices = slices.to_vec();
        slices.sort();
        slices.dedup();
        let (mut tables, mut completed) = (Vec::new(), 0);
        for slice in slices {
            let table = whole(game, library, slice, metric, reading.kernel)?;
            let table = table.ok_or_else(|| Error::missing(game, slice, metric))?;
            check_derivable(game, &table)?;
            // A completed table is in memory already, and stays there.
            let is_completed = library.small(&describe_small(game, slice, metric))?.is_some();
            completed += if is_completed { table.bytes() } else { 0 };
            tables.push((slice, table));
        }
        let unpacked: u64 = tables.iter().map(|(_, table)| unpacked_bytes(table)).sum();
        let fits = unpacked + completed <= reading.memory;
        let reader = |(slice, table)| -> Result<_, Error> {
            Ok((slice, if fits { Reader::unpacked(table)? } else { Reader::Cached(table) }))
        };
        Ok(Self { tables: tables.into_iter().map(reader).collect::<Result<_, _>>()? })
    }

    /// The entry of an index in the table of a slice.
    ///
    /// # Errors
    /// Returns an error if the block cannot be read or is damaged.
    ///
    /// # Panics
    /// Panics if the slice is not one of those that were opened.
    #[inline]
    pub fn entry(&self, slice: G::Slice, index: Index) -> Result<Entry, table::Error> {
        let place = self.tables.binary_search_by_key(&slice, |&(slice, _)| slice);
        let (_, reader) = &self.tables[place.expect("moves lead to what a slice needs")];
        reader.entry(index)
    }
}

impl<G: Endgame> Outside<G> for Finished<G> {
    #[inline]
    fn value(&self, slice: G::Slice, index: Index) -> Result<Value, table::Error> {
        Ok(value_of(self.entry(slice, index)?).unwrap_or(Value::Draw))
    }
}

/// The number of bytes that a decompressed table takes in memory.
fn unpacked_bytes(table: &Table) -> u64 {
    table.entries().div_ceil(8) * u64::from(table.payload().bits())
}

/// The value of an entry. Returns `None` if there is no position. If the entry has no distance, a win gets one ply and a
/// loss none, because only the winner matters then.
#[inline]
pub(crate) fn value_of(entry: Entry) -> Option<Value> {
    let plies = entry.plies();
    Some(match entry.wdl()? {
        Wdl::Win => Value::Win(plies.unwrap_or(Plies(1))),
        Wdl::Draw => Value::Draw,
        Wdl::Loss => Value::Loss(plies.unwrap_or(Plies(0))),
    })
}

impl Reader {
    fn unpacked(table: Arc<Table>) -> Result<Self, table::Error> {
        let blocks = parallel::try_map(table.blocks() as usize, |block| table.block(block as u64))?;
        Ok(Self::Unpacked { table, blocks })
    }

    #[inline]
    fn entry(&self, index: Index) -> Result<Entry, table::Error> {
        match self {
            Self::Unpacked { table, blocks } => {
                let per_block = u64::from(table.layout().entries_per_block);
                let shift = per_block.trailing_zeros();
                Ok(blocks[(index.0 >> shift) as usize].get((index.0 & (per_block - 1)) as usize))
            }
            Self::Cached(table) => table.entry(index.0),
        }
    }
}
