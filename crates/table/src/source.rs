//! Where the bytes of a table come from.

use crate::mapped::{FilesStay, Mapped};
use crate::system::FileAt;
use std::fs::File;
use std::io;
use std::path::Path;

/// Bytes that are read at any place, by many threads at once.
pub trait Source: Send + Sync {
    /// How many there are.
    fn len(&self) -> u64;

    /// Is there nothing?
    fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// Exactly these bytes. A source that has them in memory shows them; another reads them into `buffer`, whose
    /// former contents are lost.
    ///
    /// # Errors
    /// If they cannot be read or there are not so many.
    fn read_at<'a>(&'a self, offset: u64, length: usize, buffer: &'a mut Vec<u8>) -> io::Result<&'a [u8]>;
}

/// How a file is read.
#[derive(Clone, Copy, Debug, Default)]
pub enum Backend {
    /// By positioned reads: a system call for each block that the cache lacks, and errors for what goes wrong.
    #[default]
    Read,
    /// Through a memory map, for those who can promise that the files stay as they are.
    Map(FilesStay),
}

impl Backend {
    pub(crate) fn open(self, path: &Path) -> io::Result<Box<dyn Source>> {
        let file = File::open(path)?;
        Ok(match self {
            Self::Read => Box::new(Positioned { length: file.metadata()?.len(), file: FileAt::new(file) }),
            Self::Map(promise) => Box::new(Mapped::new(&file, promise)?),
        })
    }
}

/// A file that is read by position.
#[derive(Debug)]
struct Positioned {
    file: FileAt,
    /// As it was when the file was opened: a file that shrinks later gives errors, not other sizes.
    length: u64,
}

impl Source for Positioned {
    fn len(&self) -> u64 {
        self.length
    }

    fn read_at<'a>(&'a self, offset: u64, length: usize, buffer: &'a mut Vec<u8>) -> io::Result<&'a [u8]> {
        if offset.checked_add(length as u64).is_none_or(|end| end > self.length) {
            return Err(io::ErrorKind::UnexpectedEof.into());
        }
        buffer.resize(length, 0);
        self.file.read_exact_at(buffer, offset)?;
        Ok(buffer)
    }
}

impl Source for Vec<u8> {
    fn len(&self) -> u64 {
        self.as_slice().len() as u64
    }

    fn read_at<'a>(&'a self, offset: u64, length: usize, _: &'a mut Vec<u8>) -> io::Result<&'a [u8]> {
        part_of(self, offset, length)
    }
}

/// These bytes of a whole that is in memory.
pub(crate) fn part_of(bytes: &[u8], offset: u64, length: usize) -> io::Result<&[u8]> {
    usize::try_from(offset)
        .ok()
        .and_then(|start| bytes.get(start..start.checked_add(length)?))
        .ok_or_else(|| io::ErrorKind::UnexpectedEof.into())
}
