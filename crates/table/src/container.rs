//! An open table file with any payload: header, blocks as checked bytes, block index, trailer.

use crate::Description;
use crate::error::{Error, Field, Part, Problem};
use crate::format::{self, Header, Layout, Sections, Trailer};
use crate::payload::{self, Known, Payload};
use crate::source::{self, Backend, Source};
use rayon::prelude::*;
use std::cell::RefCell;
use std::path::{Path, PathBuf};
use std::sync::Arc;

/// Unpacks the stored bytes of a block. It returns `None` if they are no block.
pub(crate) type Decode<'a> = dyn Fn(&[u8], &mut [u8]) -> Option<()> + 'a;

/// An open table file with any payload. It can be listed and checked, and it gives its blocks as bytes. A
/// [`Table`](crate::Table) gives entries.
pub struct TableFile {
    path: PathBuf,
    header: Header,
    /// The offset of each block, and the end of the last block.
    bounds: Vec<u64>,
    checksums: Vec<u32>,
    content_hash: [u8; 32],
    known: Known,
    source: Box<dyn Source>,
}

impl TableFile {
    /// Opens a file: reads and checks its header, block index and trailer. It takes well below a millisecond.
    ///
    /// # Errors
    /// Returns an error if the file cannot be read, or is not a complete table.
    pub fn open(path: impl AsRef<Path>, backend: Backend) -> Result<Self, Error> {
        let path = path.as_ref();
        let source = backend.open(path).map_err(|error| Problem::io("opened")(error).at(path))?;
        Self::from_source(path, source)
    }

    /// Opens a table whose bytes come from another source. Errors name it by `path`.
    ///
    /// # Errors
    /// Returns the same errors as [`open`](Self::open).
    pub fn from_source(path: impl Into<PathBuf>, source: Box<dyn Source>) -> Result<Self, Error> {
        Self::checked(path.into(), source, &|_| Ok(()))
    }

    /// Opens a table from a source. `check` sees the header before more is read.
    pub(crate) fn checked(
        path: PathBuf,
        source: Box<dyn Source>,
        check: &dyn Fn(&Header) -> Result<(), Problem>,
    ) -> Result<Self, Error> {
        Self::parse(path.clone(), source, check).map_err(|problem| problem.at(&path))
    }

    /// Opens a table that is in memory.
    ///
    /// # Errors
    /// Returns the same errors as [`open`](Self::open).
    pub fn from_bytes(bytes: Vec<u8>) -> Result<Self, Error> {
        Self::from_source("(memory)", Box::new(bytes))
    }

    fn parse(
        path: PathBuf,
        source: Box<dyn Source>,
        check: &dyn Fn(&Header) -> Result<(), Problem>,
    ) -> Result<Self, Problem> {
        /// Most headers are shorter, so that one read is enough.
        const FIRST_READ: usize = 1 << 13;
        let length = source.len();
        let mut buffer = Vec::new();
        let mut read = |offset: u64, bytes: usize| -> Result<Vec<u8>, Problem> {
            if offset.checked_add(bytes as u64).is_none_or(|end| end > length) {
                return Err(Problem::Length { length });
            }
            source.read_at(offset, bytes, &mut buffer).map(<[u8]>::to_vec).map_err(Problem::io("read"))
        };
        let mut first = read(0, length.min(FIRST_READ as u64) as usize)?;
        // A foreign file can be shorter than a header.
        format::check_magic(&first)?;
        let fixed = first.get(..format::FIXED_HEADER).ok_or(Problem::Length { length })?;
        let header_length = Header::length(fixed)?;
        if header_length > first.len() {
            first = read(0, header_length)?;
        }
        let header = Header::decode(&first[..header_length])?;
        // A file with a wrong description of its payload is not a table, even if the caller needs no entries.
        let known = Known::of(&header)?;
        check(&header)?;
        let trailer_at = length.checked_sub(format::TRAILER as u64).ok_or(Problem::Length { length })?;
        let trailer = Trailer::decode(&read(trailer_at, format::TRAILER)?)?;
        let sections = Sections::new(length, header_length, &header, &trailer)?;
        let (bounds, checksums) = format::read_block_index(&header, sections, &mut read)?;
        let content_hash = trailer.content_hash;
        Ok(Self { path, header, bounds, checksums, content_hash, known, source })
    }

    pub(crate) fn payload<P: Payload>(&self) -> Result<Arc<P>, Error> {
        let parse = || payload::of_header(&self.header).map(Arc::new);
        self.known.parsed().map_or_else(parse, Ok).map_err(|problem| self.error(problem))
    }

    /// The path of the file.
    pub fn path(&self) -> &Path {
        &self.path
    }

    /// The description in the header.
    #[inline]
    pub fn description(&self) -> &Description {
        &self.header.description
    }

    /// The name of the payload: [`Payload::NAME`].
    pub fn payload_name(&self) -> &str {
        &self.header.payload.name
    }

    /// Returns whether this is a file of a small table.
    pub fn is_small(&self) -> bool {
        self.header.payload.is_small()
    }

    /// How the entries are split into blocks and compressed.
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

    /// The BLAKE3 hash of the contents that is stored in the file. [`check`](Self::check) checks it.
    pub fn content_hash(&self) -> [u8; 32] {
        self.content_hash
    }

    /// The number of entries in a block.
    #[inline]
    pub(crate) fn entries_of(&self, block: u64) -> usize {
        self.header.entries_of(block)
    }

    /// The number of bytes of each packed block.
    pub(crate) fn packed_lengths(&self) -> impl Iterator<Item = usize> {
        (0..self.blocks()).map(|block| self.header.packed_bytes(block))
    }

    /// The size of a block in the file. Returns 0 if there is no such block.
    pub(crate) fn compressed_bytes(&self, block: u64) -> u64 {
        let bounds = usize::try_from(block).ok().and_then(|block| self.bounds.get(block..)?.get(..2));
        bounds.map_or(0, |bounds| bounds[1] - bounds[0])
    }

    /// Reads a block without the cache. The checksum proves that these are the bytes that were written. `decode` unpacks them; it
    /// returns `None` if they are no block.
    pub(crate) fn unpack(&self, block: u64, decode: &Decode<'_>) -> Result<Arc<[u8]>, Problem> {
        let mut packed: Arc<[u8]> = std::iter::repeat_n(0, self.packed_bytes(block)?).collect();
        let unpacked = Arc::get_mut(&mut packed).expect("nobody else has it yet");
        let decoded = self.with_stored(block, |stored| decode(stored, unpacked))?;
        decoded.map(|()| packed).ok_or(Problem::BlockContents { block })
    }

    fn packed_bytes(&self, block: u64) -> Result<usize, Problem> {
        if block < self.blocks() {
            return Ok(self.header.packed_bytes(block));
        }
        let index = block.saturating_mul(self.layout().entries_per_block.into());
        Err(Problem::NoSuchIndex { index, entries: self.entries() })
    }

    /// Reads the bytes of a block in the file, which must exist, and checks their checksum.
    fn with_stored<T>(&self, block: u64, read: impl FnOnce(&[u8]) -> T) -> Result<T, Problem> {
        thread_local! {
            static STORED: RefCell<Vec<u8>> = const { RefCell::new(Vec::new()) };
        }
        let number = block as usize;
        let (start, end) = (self.bounds[number], self.bounds[number + 1]);
        // Taken, and not borrowed: to decode a block may take another one.
        let mut buffer = STORED.take();
        let mut may_read_again = true;
        let result = loop {
            let stored = match self.source.read_at(start, (end - start) as usize, &mut buffer) {
                Ok(stored) => stored,
                Err(error) => break Err(Problem::io("read")(error)),
            };
            if crc32fast::hash(stored) == self.checksums[number] {
                break Ok(read(stored));
            }
            if !std::mem::take(&mut may_read_again) || !self.source.forget(start, end - start) {
                break Err(Problem::Checksum { part: Part::Block(block) });
            }
        };
        STORED.set(buffer);
        result
    }

    /// Reads the whole file and checks the checksum and contents of every block, on all threads, and the content hash.
    /// If this crate does not know the payload, it does not check the contents of the blocks. Those of [`Distances`](crate::Distances)
    /// are checked with their outcomes, by [`SmallTable::check`](crate::SmallTable::check).
    ///
    /// # Errors
    /// Returns the first damage, in the order of the file.
    pub fn check(&self) -> Result<(), Error> {
        self.check_contents(&|block, stored| {
            self.known.accepts(block, self.layout().codec, stored, &self.header)
        })
    }

    pub(crate) fn check_contents(&self, accepts: &(dyn Fn(u64, &[u8]) -> bool + Sync)) -> Result<(), Error> {
        let problem = |block: u64| match self.with_stored(block, |stored| accepts(block, stored)) {
            Ok(true) => None,
            Ok(false) => Some(Problem::BlockContents { block }),
            Err(problem) => Some(problem),
        };
        let blocks = || (0..self.blocks()).into_par_iter().find_map_first(problem);
        let problem = match rayon::join(blocks, || self.file_hash()) {
            (Some(problem), _) => self.error(problem),
            (None, Err(error)) => error,
            (None, Ok(_)) => return Ok(()),
        };
        Err(problem)
    }

    /// The BLAKE3 hash of the whole file. It reads the whole file, and checks the content hash on the way.
    ///
    /// # Errors
    /// Returns an error if the file cannot be read, or if its contents do not have the content hash.
    pub fn file_hash(&self) -> Result<[u8; 32], Error> {
        let hashed = self.source.len() - (format::TRAILER - format::TRAILER_BEFORE_HASH) as u64;
        let mut hasher = blake3::Hasher::new();
        let read = |range, hasher: &mut _| {
            source::hash(&*self.source, range, hasher, &|_| ())
                .map_err(|error| self.error(Problem::io("read")(error)))
        };
        read(0..hashed, &mut hasher)?;
        if hasher.finalize() != self.content_hash {
            return Err(self.error(Problem::ContentHash));
        }
        read(hashed..self.source.len(), &mut hasher)?;
        Ok(hasher.finalize().into())
    }

    /// Checks that the file is the expected table.
    ///
    /// # Errors
    /// Returns an error with the first field that differs.
    pub fn expect(&self, expected: &Description) -> Result<(), Error> {
        self.expect_fields(&expected.fields())
    }

    pub(crate) fn expect_fields(&self, expected: &[(Field, String)]) -> Result<(), Error> {
        self.description().expect(expected).map_err(|problem| self.error(problem))
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
