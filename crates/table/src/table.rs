//! One table, opened.

use crate::block::Block;
use crate::cache::{BlockCache, BlockKey, TableId};
use crate::error::{Error, Field, Part, Problem};
use crate::format::{self, Header, Layout, Sections, Trailer};
use crate::palette::Palette;
use crate::source::{Backend, Source};
use crate::{Description, Entry};
use rayon::prelude::*;
use std::cell::RefCell;
use std::path::{Path, PathBuf};
use std::sync::Arc;

/// A table file, opened. Its blocks are read when they are asked for.
pub struct Table {
    path: PathBuf,
    id: TableId,
    description: Description,
    layout: Layout,
    palette: Arc<Palette>,
    /// Where each block begins, and where the last one ends.
    bounds: Vec<u64>,
    checksums: Vec<u32>,
    content_hash: [u8; 32],
    source: Box<dyn Source>,
    cache: Option<Arc<BlockCache>>,
}

impl Table {
    /// Opens a file: reads and checks its header, block index and trailer. Well below a millisecond.
    ///
    /// # Errors
    /// If it cannot be read, or is not a whole table.
    pub fn open(path: impl AsRef<Path>, backend: Backend) -> Result<Self, Error> {
        let path = path.as_ref();
        let source = backend.open(path).map_err(|error| Problem::io("opened")(error).at(path))?;
        Self::from_source(path, source)
    }

    /// Opens a table whose bytes come from elsewhere; errors name it by `path`.
    ///
    /// # Errors
    /// As [`open`](Self::open).
    pub fn from_source(path: impl Into<PathBuf>, source: Box<dyn Source>) -> Result<Self, Error> {
        let path = path.into();
        Self::parse(path.clone(), source).map_err(|problem| problem.at(&path))
    }

    /// Opens a table that is in memory.
    ///
    /// # Errors
    /// As [`open`](Self::open).
    pub fn from_bytes(bytes: Vec<u8>) -> Result<Self, Error> {
        Self::from_source("(memory)", Box::new(bytes))
    }

    /// Keeps decoded blocks in this cache from now on.
    #[must_use]
    pub fn with_cache(self, cache: Arc<BlockCache>) -> Self {
        Self { cache: Some(cache), ..self }
    }

    fn parse(path: PathBuf, source: Box<dyn Source>) -> Result<Self, Problem> {
        let length = source.len();
        let mut buffer = Vec::new();
        let mut read = |offset: u64, bytes: usize| -> Result<Vec<u8>, Problem> {
            if offset.checked_add(bytes as u64).is_none_or(|end| end > length) {
                return Err(Problem::Length { length });
            }
            source.read_at(offset, bytes, &mut buffer).map(<[u8]>::to_vec).map_err(Problem::io("read"))
        };
        let header_length = Header::length(&read(0, format::FIXED_HEADER)?)?;
        let header = Header::decode(&read(0, header_length)?)?;
        let trailer_at = length.checked_sub(format::TRAILER as u64).ok_or(Problem::Length { length })?;
        let trailer = Trailer::decode(&read(trailer_at, format::TRAILER)?)?;
        let sections = Sections::new(length, header_length, &header, &trailer)?;
        let block_index = read(sections.block_index_at, sections.block_index_length)?;
        let records = format::decode_block_index(&block_index)?;

        let Header { description, layout, palette } = header;
        let mut bounds = Vec::with_capacity(records.len() + 1);
        let mut checksums = Vec::with_capacity(records.len());
        let mut end = sections.blocks_at;
        for (record, block) in records.zip(0..) {
            let longest = palette.width().bytes(layout.entries_of(block, description.entries));
            if record.length == 0 || record.length as usize > longest {
                return Err(Problem::Blocks);
            }
            bounds.push(end);
            checksums.push(record.checksum);
            end += u64::from(record.length);
        }
        bounds.push(end);
        if end != sections.block_index_at {
            return Err(Problem::Blocks);
        }
        Ok(Self {
            path,
            id: TableId::new(),
            description,
            layout,
            palette: Arc::new(palette),
            bounds,
            checksums,
            content_hash: trailer.content_hash,
            source,
            cache: None,
        })
    }

    #[inline]
    pub(crate) fn id(&self) -> TableId {
        self.id
    }

    /// The file it came from.
    pub fn path(&self) -> &Path {
        &self.path
    }

    /// What the header says.
    pub fn description(&self) -> &Description {
        &self.description
    }

    /// How it is cut and compressed.
    pub fn layout(&self) -> Layout {
        self.layout
    }

    /// The number of entries.
    pub fn entries(&self) -> u64 {
        self.description.entries
    }

    /// The number of blocks.
    pub fn blocks(&self) -> u64 {
        self.checksums.len() as u64
    }

    /// The different entries that occur, in ascending order: the palette.
    pub fn different_entries(&self) -> &[Entry] {
        self.palette.entries()
    }

    /// The size of the file.
    pub fn bytes(&self) -> u64 {
        self.source.len()
    }

    /// BLAKE3 over the contents, as the file says; [`check`](Self::check) finds out whether it is true.
    pub fn content_hash(&self) -> [u8; 32] {
        self.content_hash
    }

    /// The entry at an index, through the cache if there is one.
    ///
    /// # Errors
    /// If there is no such index, or its block is damaged.
    #[inline]
    pub fn entry(&self, index: u64) -> Result<Entry, Error> {
        let (block, place) = self.place(index)?;
        Ok(self.cached_block(block)?.get(place))
    }

    /// The block of an index, and the place within it.
    #[inline]
    pub(crate) fn place(&self, index: u64) -> Result<(u64, usize), Error> {
        let entries = self.description.entries;
        if index >= entries {
            return Err(self.error(Problem::NoSuchIndex { index, entries }));
        }
        let per_block = u64::from(self.layout.entries_per_block);
        let shift = per_block.trailing_zeros();
        Ok((index >> shift, (index & (per_block - 1)) as usize))
    }

    /// A block through the cache. Without one it is decoded each time.
    ///
    /// # Errors
    /// If there is no such block, or it is damaged.
    #[inline]
    pub fn cached_block(&self, block: u64) -> Result<Arc<Block>, Error> {
        match &self.cache {
            Some(cache) => {
                let key = BlockKey { table: self.id, block };
                cache.get_or_decode(key, || self.block(block))
            }
            None => self.block(block).map(Arc::new),
        }
    }

    /// A block, read and decoded whatever a cache holds: for those who walk through a whole table.
    ///
    /// # Errors
    /// As [`cached_block`](Self::cached_block).
    pub fn block(&self, block: u64) -> Result<Block, Error> {
        self.decode(block).map_err(|problem| self.error(problem))
    }

    /// The symbols of a block as they are packed, read and checked past the cache: for those who take many at
    /// a time. A symbol is a place in [`different_entries`](Self::different_entries).
    ///
    /// # Errors
    /// As [`cached_block`](Self::cached_block).
    pub fn packed_block(&self, block: u64) -> Result<Box<[u8]>, Error> {
        self.block(block).map(Block::into_packed)
    }

    fn decode(&self, block: u64) -> Result<Block, Problem> {
        thread_local! {
            static COMPRESSED: RefCell<Vec<u8>> = const { RefCell::new(Vec::new()) };
        }
        let number = usize::try_from(block).ok().filter(|&number| number < self.checksums.len());
        let Some(number) = number else {
            let index = block.saturating_mul(self.layout.entries_per_block.into());
            return Err(Problem::NoSuchIndex { index, entries: self.description.entries });
        };
        let entries = self.layout.entries_of(block, self.description.entries);
        let (start, end) = (self.bounds[number], self.bounds[number + 1]);
        let mut packed = vec![0; self.palette.width().bytes(entries)].into_boxed_slice();
        COMPRESSED.with_borrow_mut(|buffer| {
            let compressed =
                self.source.read_at(start, (end - start) as usize, buffer).map_err(Problem::io("read"))?;
            if crc32fast::hash(compressed) != self.checksums[number] {
                return Err(Problem::Checksum { part: Part::Block(block) });
            }
            self.layout.codec.decode(compressed, &mut packed).ok_or(Problem::BlockContents { block })
        })?;
        Block::new(packed, entries, &self.palette).ok_or(Problem::BlockContents { block })
    }

    /// All blocks in order, decoded one by one past the cache.
    pub fn iter_blocks(&self) -> impl Iterator<Item = Result<Block, Error>> + '_ {
        (0..self.blocks()).map(|block| self.block(block))
    }

    /// Reads everything: the checksum and contents of every block, by all threads, and the hash of the whole.
    ///
    /// # Errors
    /// The first damage, in the order of the file.
    pub fn check(&self) -> Result<(), Error> {
        let blocks = || {
            let broken = |block: u64| self.block(block).err();
            (0..self.blocks()).into_par_iter().find_map_first(broken).map_or(Ok(()), Err)
        };
        let (blocks, hash) = rayon::join(blocks, || self.hash_contents());
        blocks?;
        match hash {
            Ok(hash) if hash == self.content_hash => Ok(()),
            Ok(_) => Err(self.error(Problem::ContentHash)),
            Err(problem) => Err(self.error(problem)),
        }
    }

    fn hash_contents(&self) -> Result<[u8; 32], Problem> {
        const PIECE: u64 = 1 << 20;
        let hashed = self.source.len() - (format::TRAILER - format::TRAILER_BEFORE_HASH) as u64;
        let mut hasher = blake3::Hasher::new();
        let mut buffer = Vec::new();
        for start in (0..hashed).step_by(PIECE as usize) {
            let length = PIECE.min(hashed - start) as usize;
            hasher.update(self.source.read_at(start, length, &mut buffer).map_err(Problem::io("read"))?);
        }
        Ok(hasher.finalize().into())
    }

    /// Is it the table that is meant?
    ///
    /// # Errors
    /// The first field in which it differs.
    pub fn expect(&self, expected: &Description) -> Result<(), Error> {
        let metric = |description: &Description| (Field::Metric, description.metric.name().to_owned());
        let entries = |description: &Description| (Field::Entries, description.entries.to_string());
        let fields = |description: &Description| {
            let names = description.names().map(|(field, name)| (field, name.to_owned()));
            names.into_iter().chain([metric(description), entries(description)]).collect::<Vec<_>>()
        };
        let pairs = fields(expected).into_iter().zip(fields(&self.description));
        self.expect_fields(pairs.map(|((field, expected), (_, found))| (field, expected, found)))
    }

    pub(crate) fn expect_fields(
        &self,
        fields: impl IntoIterator<Item = (Field, String, String)>,
    ) -> Result<(), Error> {
        match fields.into_iter().find(|(_, expected, found)| expected != found) {
            Some((field, expected, found)) => Err(self.error(Problem::Mismatch { field, expected, found })),
            None => Ok(()),
        }
    }

    fn error(&self, problem: Problem) -> Error {
        problem.at(&self.path)
    }
}

impl std::fmt::Debug for Table {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Table").field("path", &self.path).field("description", &self.description).finish()
    }
}
