//! Reads the header of a file from its beginning, with checks against its length.

use crate::error::Problem;
use table::Source;

/// A place in a file, from which numbers are read.
pub(crate) struct Reader<'a> {
    source: &'a dyn Source,
    at: u64,
    /// The end of the part that a header may describe: the checksum follows.
    end: u64,
    buffer: Vec<u8>,
}

/// The checksum at the end of a file.
pub(crate) const CHECKSUM_BYTES: u64 = 16;

impl<'a> Reader<'a> {
    pub fn new(source: &'a dyn Source) -> Self {
        Self { source, at: 0, end: source.len().saturating_sub(CHECKSUM_BYTES), buffer: Vec::new() }
    }

    /// The next bytes.
    pub fn bytes(&mut self, count: usize) -> Result<&[u8], Problem> {
        let start = self.skip(count as u64);
        self.check()?;
        Ok(self.source.read_at(start, count, &mut self.buffer)?)
    }

    /// The next bytes, as an array.
    pub fn array<const N: usize>(&mut self) -> Result<[u8; N], Problem> {
        self.bytes(N)?.try_into().map_err(|_| Problem::TooShort)
    }

    /// The next byte.
    pub fn u8(&mut self) -> Result<u8, Problem> {
        self.array().map(|[byte]| byte)
    }

    /// The next numbers of two bytes.
    pub fn numbers(&mut self, count: usize) -> Result<Vec<u16>, Problem> {
        let bytes = self.bytes(2 * count)?;
        Ok(bytes.chunks_exact(2).map(|pair| u16::from_le_bytes([pair[0], pair[1]])).collect())
    }

    /// Skips bytes, and returns where they begin. The end of the file is not checked here.
    pub fn skip(&mut self, count: u64) -> u64 {
        let start = self.at;
        self.at = start.saturating_add(count);
        start
    }

    /// Skips bytes up to a multiple of a power of two.
    pub fn align(&mut self, to: u64) {
        self.at = self.at.saturating_add(to - 1) & !(to - 1);
    }

    /// Checks that the place is not behind the end of the file.
    pub fn check(&self) -> Result<(), Problem> {
        if self.at <= self.end { Ok(()) } else { Err(Problem::TooShort) }
    }
}
