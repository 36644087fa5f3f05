//! What lies outside a batch: slices that were solved before, read from their tables.

use crate::error::Error;
use crate::job::{check_derivable, missing};
use game::{Endgame, Index, Metric, Plies, Value, Wdl};
use std::sync::Arc;
use table::{Block, Entry, Library, Payload, Table, describe};

/// The values of the slices that a batch leads into.
pub trait Outside<G: Endgame>: Sync {
    /// The value of an index of such a slice.
    ///
    /// # Errors
    /// If its table cannot be read.
    fn value(&self, slice: G::Slice, index: Index) -> Result<Value, table::Error>;
}

/// Finished slices. Where all of them fit the memory, they are kept unpacked; else blocks are read when they are needed,
/// and kept in a bounded cache.
pub struct Finished<G: Endgame> {
    /// Ascending, so that a slice is found by bisection.
    tables: Vec<(G::Slice, Reader)>,
}

enum Reader {
    /// All blocks, in order.
    Unpacked { table: Arc<Table>, blocks: Vec<Block> },
    /// Through the cache of the library.
    Cached(Arc<Table>),
}

/// The least that is kept of tables that do not fit: some hundred blocks.
pub(crate) const LEAST_CACHE: u64 = 4 << 20;

impl<G: Endgame> Finished<G> {
    /// The tables of these slices: unpacked if that takes no more than so many bytes, else through the cache of the
    /// library.
    ///
    /// # Errors
    /// If a table is missing, damaged, or only its own solver's to read.
    pub fn open(
        game: &G,
        library: &Library,
        slices: &[G::Slice],
        metric: Metric,
        memory: u64,
    ) -> Result<Self, Error> {
        let mut slices = slices.to_vec();
        slices.sort();
        slices.dedup();
        let mut tables = Vec::new();
        for slice in slices {
            let table = library.described(&describe(game, slice, metric))?;
            let table = table.ok_or_else(|| missing(game, slice, metric))?;
            check_derivable::<G>(&table)?;
            tables.push((slice, table));
        }
        let unpacked: u64 = tables.iter().map(|(_, table)| unpacked_bytes(table)).sum();
        let fits = unpacked <= memory;
        let reader = |(slice, table)| -> Result<_, Error> {
            Ok((slice, if fits { Reader::unpacked(table)? } else { Reader::Cached(table) }))
        };
        Ok(Self { tables: tables.into_iter().map(reader).collect::<Result<_, _>>()? })
    }

    /// What the table of a slice says about an index.
    ///
    /// # Errors
    /// If its block is damaged.
    #[inline]
    pub fn entry(&self, slice: G::Slice, index: Index) -> Result<Entry, table::Error> {
        let place = self.tables.binary_search_by_key(&slice, |&(slice, _)| slice);
        let (_, reader) = &self.tables[place.expect("moves lead to what a slice needs")];
        reader.entry(index)
    }

    /// Checks every checksum of its tables.
    ///
    /// # Errors
    /// The first damage.
    pub fn check(&self) -> Result<(), table::Error> {
        self.tables.iter().try_for_each(|(_, reader)| reader.table().check())
    }
}

impl<G: Endgame> Outside<G> for Finished<G> {
    #[inline]
    fn value(&self, slice: G::Slice, index: Index) -> Result<Value, table::Error> {
        Ok(value_of(self.entry(slice, index)?).unwrap_or(Value::Draw))
    }
}

/// What a table takes in memory.
fn unpacked_bytes(table: &Table) -> u64 {
    table.entries().div_ceil(8) * u64::from(table.payload().bits())
}

/// The value of an entry; nothing where there is no position. Without distances, any of the right kind do: only who wins
/// matters then.
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
        use rayon::prelude::*;
        let blocks = (0..table.blocks()).into_par_iter().map(|block| table.block(block));
        let blocks = blocks.collect::<Result<Vec<_>, _>>()?;
        Ok(Self::Unpacked { table, blocks })
    }

    fn table(&self) -> &Table {
        match self {
            Self::Unpacked { table, .. } | Self::Cached(table) => table,
        }
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
