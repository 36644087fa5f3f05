//! A table file, opened, whatever it stores: header, blocks as checked bytes, block index, trailer.

use crate::Description;
use crate::cache::{BlockCache, BlockKey, TableId};
use crate::error::{Error, Field, Part, Problem};
use crate::format::{self, Header, Layout, Sections, Trailer};
use crate::payload::{self, Known, Payload};
use crate::source::{Backend, Source};
use rayon::prelude::*;
use std::cell::RefCell;
use std::path::{Path, PathBuf};
use std::sync::Arc;

/// A table file, opened, whatever it stores: it can be listed and checked, and gives its blocks as bytes. A
/// [`Table`](crate::Table) gives entries.
pub struct TableFile {
    path: PathBuf,
    id: TableId,
    header: Header,
    /// Where each block begins, and where the last one ends.
    bounds: Vec<u64>,
    checksums: Vec<u32>,
    content_hash: [u8; 32],
    source: Box<dyn Source>,
    cache: Option<Arc<BlockCache>>,
}

impl TableFile {
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

    pub(crate) fn with_cache(self, cache: Arc<BlockCache>) -> Self {
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
        // A file whose payload is described wrongly is no table, whoever opens it.
        Known::of(&header)?;
        let trailer_at = length.checked_sub(format::TRAILER as u64).ok_or(Problem::Length { length })?;
        let trailer = Trailer::decode(&read(trailer_at, format::TRAILER)?)?;
        let sections = Sections::new(length, header_length, &header, &trailer)?;
        let block_index = read(sections.block_index_at, sections.block_index_length)?;
        let records = format::decode_block_index(&block_index)?;

        let mut bounds = Vec::with_capacity(records.len() + 1);
        let mut checksums = Vec::with_capacity(records.len());
        let mut end = sections.blocks_at;
        for (record, block) in records.zip(0..) {
            if record.length == 0 || record.length as usize > header.packed_bytes(block) {
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
        let (id, content_hash) = (TableId::new(), trailer.content_hash);
        Ok(Self { path, id, header, bounds, checksums, content_hash, source, cache: None })
    }

    #[inline]
    pub(crate) fn id(&self) -> TableId {
        self.id
    }

    #[inline]
    pub(crate) fn cache(&self) -> Option<&BlockCache> {
        self.cache.as_deref()
    }

    pub(crate) fn payload<P: Payload>(&self) -> Result<P, Error> {
        payload::of_header(&self.header).map_err(|problem| self.error(problem))
    }

    /// The file it came from.
    pub fn path(&self) -> &Path {
        &self.path
    }

    /// What the header says.
    #[inline]
    pub fn description(&self) -> &Description {
        &self.header.description
    }

    /// The name of what it stores for each index: [`Payload::NAME`].
    pub fn payload_name(&self) -> &str {
        &self.header.payload.name
    }

    /// How it is cut and compressed.
    #[inline]
    pub fn layout(&self) -> Layout {
        self.header.layout
    }

    /// The number of entries.
    #[inline]
    pub fn entries(&self) -> u64 {
        self.header.description.entries
    }

    /// The number of blocks.
    pub fn blocks(&self) -> u64 {
        self.checksums.len() as u64
    }

    /// The size of the file.
    pub fn bytes(&self) -> u64 {
        self.source.len()
    }

    /// BLAKE3 over the contents, as the file states it; [`check`](Self::check) says whether it is right.
    pub fn content_hash(&self) -> [u8; 32] {
        self.content_hash
    }

    /// How many entries a block has.
    #[inline]
    pub(crate) fn entries_of(&self, block: u64) -> usize {
        self.layout().entries_of(block, self.entries())
    }

    #[inline]
    pub(crate) fn key(&self, block: u64) -> BlockKey {
        BlockKey { table: self.id, block }
    }

    /// A block as it is packed, read and unpacked past the cache. Its bytes are those that were written; whether they
    /// are entries, the payload knows.
    pub(crate) fn unpack(&self, block: u64) -> Result<Arc<[u8]>, Problem> {
        thread_local! {
            static COMPRESSED: RefCell<Vec<u8>> = const { RefCell::new(Vec::new()) };
        }
        let number = usize::try_from(block).ok().filter(|&number| number < self.checksums.len());
        let Some(number) = number else {
            let index = block.saturating_mul(self.layout().entries_per_block.into());
            return Err(Problem::NoSuchIndex { index, entries: self.entries() });
        };
        let (start, end) = (self.bounds[number], self.bounds[number + 1]);
        let mut packed: Arc<[u8]> = std::iter::repeat_n(0, self.header.packed_bytes(block)).collect();
        let unpacked = Arc::get_mut(&mut packed).expect("nobody else has it yet");
        COMPRESSED.with_borrow_mut(|buffer| {
            let compressed =
                self.source.read_at(start, (end - start) as usize, buffer).map_err(Problem::io("read"))?;
            if crc32fast::hash(compressed) != self.checksums[number] {
                return Err(Problem::Checksum { part: Part::Block(block) });
            }
            self.layout().codec.decode(compressed, unpacked).ok_or(Problem::BlockContents { block })
        })?;
        Ok(packed)
    }

    /// Reads everything: the checksum and contents of every block, by all threads, and the hash of the whole. The
    /// contents of a payload that is not known here are taken as they are.
    ///
    /// # Errors
    /// The first damage, in the order of the file.
    pub fn check(&self) -> Result<(), Error> {
        let known = Known::of(&self.header).map_err(|problem| self.error(problem))?;
        self.check_contents(|packed, entries| known.is_valid(packed, entries))
    }

    pub(crate) fn check_contents(&self, is_valid: impl Fn(&[u8], usize) -> bool + Sync) -> Result<(), Error> {
        let problem = |block: u64| match self.unpack(block) {
            Ok(packed) if is_valid(&packed, self.entries_of(block)) => None,
            Ok(_) => Some(Problem::BlockContents { block }),
            Err(problem) => Some(problem),
        };
        let blocks = || (0..self.blocks()).into_par_iter().find_map_first(problem);
        let problem = match rayon::join(blocks, || self.hash_contents()) {
            (Some(problem), _) | (None, Err(problem)) => problem,
            (None, Ok(hash)) if hash == self.content_hash => return Ok(()),
            (None, Ok(_)) => Problem::ContentHash,
        };
        Err(self.error(problem))
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
        let pairs = fields(expected).into_iter().zip(fields(self.description()));
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

    #[cold]
    pub(crate) fn error(&self, problem: Problem) -> Error {
        problem.at(&self.path)
    }
}

impl std::fmt::Debug for TableFile {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let mut fields = f.debug_struct("TableFile");
        fields.field("path", &self.path).field("description", self.description()).finish_non_exhaustive()
    }
}
