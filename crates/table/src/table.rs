//! One table, opened: a file and the entries in it.

use crate::Entry;
use crate::block::Block;
use crate::cache::BlockCache;
use crate::container::TableFile;
use crate::error::{Error, Problem};
use crate::payload::Payload;
use crate::source::{Backend, Source};
use crate::values::Values;
use std::ops::Deref;
use std::path::{Path, PathBuf};
use std::sync::Arc;

/// A table, opened: a [file](TableFile), which it is also used as, and the entries in it. Its blocks are read when they
/// are asked for.
pub struct Table<P: Payload = Values> {
    file: TableFile,
    payload: Arc<P>,
}

impl<P: Payload> Table<P> {
    /// The table that a file holds.
    ///
    /// # Errors
    /// If it stores something else.
    pub fn of(file: TableFile) -> Result<Self, Error> {
        Ok(Self { payload: Arc::new(file.payload()?), file })
    }

    /// Keeps blocks in this cache from now on.
    #[must_use]
    pub fn with_cache(self, cache: Arc<BlockCache>) -> Self {
        Self { file: self.file.with_cache(cache), ..self }
    }

    /// What the header says about the entries.
    pub fn payload(&self) -> &P {
        &self.payload
    }

    /// What it stores for an index.
    ///
    /// # Errors
    /// If there is no such index, or its block is damaged.
    #[inline]
    pub fn entry(&self, index: u64) -> Result<P::Entry, Error> {
        let (block, place) = self.place(index)?;
        let packed = self.cached(block)?;
        Ok(self.payload.get(&packed, self.file.entries_of(block), place))
    }

    /// The block of an index, and the place in it.
    #[inline]
    pub(crate) fn place(&self, index: u64) -> Result<(u64, usize), Error> {
        let entries = self.file.entries();
        if index >= entries {
            return Err(self.file.error(Problem::NoSuchIndex { index, entries }));
        }
        let per_block = u64::from(self.file.layout().entries_per_block);
        let shift = per_block.trailing_zeros();
        Ok((index >> shift, (index & (per_block - 1)) as usize))
    }

    /// A block through the cache. Without one it is read each time.
    ///
    /// # Errors
    /// If there is no such block, or it is damaged.
    pub fn cached_block(&self, block: u64) -> Result<Block<P>, Error> {
        Ok(Block::new(self.cached(block)?, self.file.entries_of(block), &self.payload))
    }

    /// A block, read whatever a cache holds: for those who walk through a whole table.
    ///
    /// # Errors
    /// As [`cached_block`](Self::cached_block).
    pub fn block(&self, block: u64) -> Result<Block<P>, Error> {
        Ok(Block::new(self.packed_block(block)?, self.file.entries_of(block), &self.payload))
    }

    /// A block as it is packed, read and checked past the cache: for those who take many entries at a time.
    /// `docs/format.md` says how each payload is packed.
    ///
    /// # Errors
    /// As [`cached_block`](Self::cached_block).
    pub fn packed_block(&self, block: u64) -> Result<Arc<[u8]>, Error> {
        let packed = self.file.unpack(block).map_err(|problem| self.file.error(problem))?;
        if self.payload.is_valid(&packed, self.file.entries_of(block)) {
            Ok(packed)
        } else {
            Err(self.file.error(Problem::BlockContents { block }))
        }
    }

    #[inline]
    fn cached(&self, block: u64) -> Result<Arc<[u8]>, Error> {
        match self.file.cache() {
            Some(cache) => cache.get_or_decode(self.file.key(block), || self.packed_block(block)),
            None => self.packed_block(block),
        }
    }

    /// All blocks in order, read one by one past the cache.
    pub fn iter_blocks(&self) -> impl Iterator<Item = Result<Block<P>, Error>> + '_ {
        (0..self.file.blocks()).map(|block| self.block(block))
    }

    /// Reads everything: the checksum and contents of every block, by all threads, and the hash of the whole.
    ///
    /// # Errors
    /// The first damage, in the order of the file.
    pub fn check(&self) -> Result<(), Error> {
        self.file.check_contents(|packed, entries| self.payload.is_valid(packed, entries))
    }
}

/// Tables of values. Others are opened as a [`TableFile`] first.
impl Table {
    /// Opens a file: reads and checks its header, block index and trailer. Well below a millisecond.
    ///
    /// # Errors
    /// If it cannot be read, is not a whole table, or stores something else.
    pub fn open(path: impl AsRef<Path>, backend: Backend) -> Result<Self, Error> {
        Self::of(TableFile::open(path, backend)?)
    }

    /// Opens a table whose bytes come from elsewhere; errors name it by `path`.
    ///
    /// # Errors
    /// As [`open`](Self::open).
    pub fn from_source(path: impl Into<PathBuf>, source: Box<dyn Source>) -> Result<Self, Error> {
        Self::of(TableFile::from_source(path, source)?)
    }

    /// Opens a table that is in memory.
    ///
    /// # Errors
    /// As [`open`](Self::open).
    pub fn from_bytes(bytes: Vec<u8>) -> Result<Self, Error> {
        Self::of(TableFile::from_bytes(bytes)?)
    }

    /// The different entries that occur, in ascending order: the palette.
    pub fn different_entries(&self) -> &[Entry] {
        self.payload.entries()
    }
}

/// A table is a file as well.
impl<P: Payload> Deref for Table<P> {
    type Target = TableFile;

    #[inline]
    fn deref(&self) -> &TableFile {
        &self.file
    }
}

impl<P: Payload> std::fmt::Debug for Table<P> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_tuple("Table").field(&self.file).finish()
    }
}
