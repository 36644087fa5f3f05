//! An open table: a file and the entries in it.

use crate::Entry;
use crate::block::Block;
use crate::cache::{BlockCache, CachedBlocks};
use crate::coding::Tiles;
use crate::container::{Decode, TableFile};
use crate::error::{Error, Problem};
use crate::outcomes::Outcomes;
use crate::payload::{Entries, Payload};
use crate::shared_bytes::{Pin, pin};
use crate::source::{Backend, Source};
use crate::statistics::{Counters, Statistics};
use crate::values::Values;
use std::ops::Deref;
use std::path::{Path, PathBuf};
use std::sync::Arc;

/// An open table: a [file](TableFile) and the entries in it. All methods of the file can be called on the table. Blocks are
/// read when they are needed.
pub struct Table<P: Payload = Values> {
    file: TableFile,
    payload: Arc<P>,
    counters: Arc<Counters>,
    cache: Option<(Arc<BlockCache>, Arc<CachedBlocks>)>,
}

impl<P: Payload> Table<P> {
    /// The table in a file.
    ///
    /// # Errors
    /// Returns an error if the file has another payload.
    pub fn of(file: TableFile) -> Result<Self, Error> {
        Ok(Self { payload: file.payload()?, file, counters: Arc::default(), cache: None })
    }

    /// Uses this cache for the blocks of the table.
    #[must_use]
    pub fn with_cache(self, cache: Arc<BlockCache>) -> Self {
        let blocks = Arc::new(CachedBlocks::new(self.file.packed_lengths()));
        Self { cache: Some((cache, blocks)), ..self }
    }

    /// Counts its probes here.
    pub(crate) fn with_counters(self, counters: Arc<Counters>) -> Self {
        Self { counters, ..self }
    }

    /// The probes of the table, and of all tables of a library with the same name.
    pub fn statistics(&self) -> Statistics {
        self.counters.read()
    }

    /// The payload, as the header describes it.
    pub fn payload(&self) -> &P {
        &self.payload
    }

    /// The number of the block of an index, and the place in this block.
    #[inline]
    pub(crate) fn place(&self, index: u64) -> Result<(u64, usize), Error> {
        let entries = self.file.entries();
        if index >= entries {
            return Err(self.file.error(Problem::NoSuchIndex { index, entries }));
        }
        if let Some(tiles) = self.payload.tiles() {
            return Ok(tiles.place(index));
        }
        let per_block = u64::from(self.file.layout().entries_per_block);
        let shift = per_block.trailing_zeros();
        Ok((index >> shift, (index & (per_block - 1)) as usize))
    }

    /// Reads and checks a block without the cache. `decode` unpacks it.
    fn packed_by(&self, block: u64, decode: &Decode<'_>) -> Result<Arc<[u8]>, Error> {
        let packed = self.file.unpack(block, decode).map_err(|problem| self.file.error(problem))?;
        if self.payload.is_valid(&packed, self.file.entries_of(block)) {
            Ok(packed)
        } else {
            Err(self.file.error(Problem::BlockContents { block }))
        }
    }

    /// Counts a probe that read from the [cache](Self::cached).
    #[inline]
    pub(crate) fn count_hits(&self, probes: u64) {
        self.counters.probed(probes);
    }

    /// Reads from a block through the cache. If the block is not there, `decode` unpacks it; it may read other tables.
    #[inline]
    pub(crate) fn read_by<R>(
        &self,
        block: u64,
        read: impl Fn(&[u8]) -> R,
        decode: &Decode<'_>,
    ) -> Result<R, Error> {
        self.counters.probed(1);
        let cached = self.cached(block, &pin()).map(&read);
        cached.map_or_else(|| Ok(read(&self.missed_by(block, decode)?)), Ok)
    }

    /// The packed bytes of a block in the cache. Returns `None` if it is not there. It counts no probe.
    #[inline]
    pub(crate) fn cached<'a>(&'a self, block: u64, pin: &'a Pin) -> Option<&'a [u8]> {
        let (_, blocks) = self.cache.as_ref()?;
        blocks.get(usize::try_from(block).ok()?, pin)
    }

    /// Reads a block that is not in the cache, and adds it. `decode` unpacks it.
    #[cold]
    fn missed_by(&self, block: u64, decode: &Decode<'_>) -> Result<Arc<[u8]>, Error> {
        let unpack = || {
            self.counters.missed(self.file.compressed_bytes(block));
            self.packed_by(block, decode)
        };
        match &self.cache {
            Some((cache, blocks)) if block < self.file.blocks() => {
                blocks.decode(cache, block as usize, unpack)
            }
            _ => unpack(),
        }
    }

    /// Reads the whole file and checks the checksum and contents of every block, on all threads, and the content hash.
    ///
    /// # Errors
    /// Returns the first damage, in the order of the file.
    pub fn check(&self) -> Result<(), Error> {
        self.file.check()
    }
}

/// Tables that can be read without another one.
impl<P: Entries> Table<P> {
    /// The entry of an index.
    ///
    /// # Errors
    /// Returns an error if there is no such index, or if its block cannot be read or is damaged.
    #[inline]
    pub fn entry(&self, index: u64) -> Result<P::Entry, Error> {
        let (block, place) = self.place(index)?;
        self.entry_at(block, place)
    }

    /// The entry at a place of a block, which exists.
    #[inline]
    pub(crate) fn entry_at(&self, block: u64, place: usize) -> Result<P::Entry, Error> {
        self.counters.probed(1);
        let get = |packed: &[u8]| self.payload.get(packed, self.file.entries_of(block), place);
        let cached = self.cached(block, &pin()).map(get);
        cached.map_or_else(|| Ok(get(&self.missed(block)?)), Ok)
    }

    /// A block, through the cache. If the table has no cache, the block is read on each call. It counts as a probe.
    ///
    /// # Errors
    /// Returns an error if there is no such block, or if it cannot be read or is damaged.
    pub fn cached_block(&self, block: u64) -> Result<Block<P>, Error> {
        self.block_for(block, 1)
    }

    /// A block, through the cache, for a number of probes.
    pub(crate) fn block_for(&self, block: u64, probes: u64) -> Result<Block<P>, Error> {
        self.counters.probed(probes);
        let cached = self.cache.as_ref().and_then(|(_, blocks)| blocks.share(usize::try_from(block).ok()?));
        let packed = cached.map_or_else(|| self.missed(block), Ok)?;
        Ok(Block::new(packed, self.file.entries_of(block), &self.payload))
    }

    /// Reads a block without the cache. Useful to read a whole table in order.
    ///
    /// # Errors
    /// Returns the same errors as [`cached_block`](Self::cached_block).
    pub fn block(&self, block: u64) -> Result<Block<P>, Error> {
        Ok(Block::new(self.packed_block(block)?, self.file.entries_of(block), &self.payload))
    }

    /// Reads and checks a block without the cache, and returns its packed bytes. Useful to process many entries at a
    /// time. `docs/format.md` describes how each payload is packed.
    ///
    /// # Errors
    /// Returns the same errors as [`cached_block`](Self::cached_block).
    pub fn packed_block(&self, block: u64) -> Result<Arc<[u8]>, Error> {
        let decode = |stored: &[u8], packed: &mut [u8]| {
            self.payload.decode(block, self.file.layout().codec, stored, packed)
        };
        self.packed_by(block, &decode)
    }

    #[cold]
    fn missed(&self, block: u64) -> Result<Arc<[u8]>, Error> {
        self.missed_by(block, &|stored, packed| {
            self.payload.decode(block, self.file.layout().codec, stored, packed)
        })
    }

    /// Iterates over all blocks in order. Reads them one by one without the cache.
    pub fn iter_blocks(&self) -> impl Iterator<Item = Result<Block<P>, Error>> + '_ {
        (0..self.file.blocks()).map(|block| self.block(block))
    }
}

/// Tables of outcomes.
impl Table<Outcomes> {
    /// The tiles into which the indices are cut.
    pub fn tiles(&self) -> &Tiles {
        self.payload.tiles().expect("outcomes have tiles")
    }
}

/// Tables of values. To open a table with another payload, open a [`TableFile`] first.
impl Table {
    /// Opens a file: reads and checks its header, block index and trailer. It takes well below a millisecond.
    ///
    /// # Errors
    /// Returns an error if the file cannot be read, is not a complete table, or has another payload.
    pub fn open(path: impl AsRef<Path>, backend: Backend) -> Result<Self, Error> {
        Self::of(TableFile::open(path, backend)?)
    }

    /// Opens a table whose bytes come from another source. Errors name it by `path`.
    ///
    /// # Errors
    /// Returns the same errors as [`open`](Self::open).
    pub fn from_source(path: impl Into<PathBuf>, source: Box<dyn Source>) -> Result<Self, Error> {
        Self::of(TableFile::from_source(path, source)?)
    }

    /// Opens a table that is in memory.
    ///
    /// # Errors
    /// Returns the same errors as [`open`](Self::open).
    pub fn from_bytes(bytes: Vec<u8>) -> Result<Self, Error> {
        Self::of(TableFile::from_bytes(bytes)?)
    }

    /// The palette: the different entries that occur, in ascending order.
    pub fn different_entries(&self) -> &[Entry] {
        self.payload.entries()
    }
}

/// A table can be used as its file.
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
