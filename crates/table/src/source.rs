//! Sources of the bytes of a table.

use crate::mapped::{FilesStay, Mapped};
use crate::system::{self, FileAt};
use std::fs::{self, File};
use std::io;
use std::ops::Range;
use std::path::Path;

/// Bytes that many threads can read at the same time, at any offset.
pub trait Source: Send + Sync {
    /// The number of bytes.
    fn len(&self) -> u64;

    /// Returns whether there are no bytes.
    fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// Returns exactly `length` bytes from `offset` on. A source in memory returns a reference to its own bytes. Other
    /// sources read the bytes into `buffer`, whose former contents are lost.
    ///
    /// # Errors
    /// Returns an error if the bytes cannot be read, or if the source has too few bytes.
    fn read_at<'a>(&'a self, offset: u64, length: usize, buffer: &'a mut Vec<u8>) -> io::Result<&'a [u8]>;

    /// Forgets a copy of these bytes that the source has kept, because they are wrong. Returns whether to read them again.
    fn forget(&self, _offset: u64, _length: u64) -> bool {
        false
    }

    /// The open file, if the bytes are read from one. A library closes files when too many are open, and asks the place for
    /// them again.
    fn file(&self) -> Option<&FileAt> {
        None
    }
}

/// The way in which a file is read.
#[derive(Clone, Copy, Debug, Default)]
pub enum Backend {
    /// With positioned reads: a system call for each block that is not in the cache. All failures are returned as errors.
    #[default]
    Read,
    /// Through a memory map. The caller must promise that the files do not change.
    Map(FilesStay),
}

/// The reason in an [`io::Error`] for a path that is a folder, a pipe or a device.
#[derive(Clone, Copy, PartialEq, Eq, Debug, thiserror::Error)]
#[error("it is not a regular file")]
pub struct NotAFile;

impl NotAFile {
    /// Returns whether this is the reason of an error.
    pub fn is_reason_of(error: &io::Error) -> bool {
        error.get_ref().is_some_and(|reason| reason.is::<Self>())
    }

    fn check(metadata: &fs::Metadata) -> io::Result<()> {
        if metadata.is_file() { Ok(()) } else { Err(io::Error::new(io::ErrorKind::InvalidInput, Self)) }
    }
}

impl Backend {
    /// Opens a regular file to be read in this way. Links are followed.
    ///
    /// # Errors
    /// Returns an error if the file cannot be opened or mapped, and [`NotAFile`] within it if it is not a regular file.
    pub fn open(self, path: &Path) -> io::Result<Box<dyn Source>> {
        let open = || system::without_waiting(File::options().read(true)).open(path);
        let file = regular(Some(&fs::metadata(path)?), open)?;
        Ok(match self {
            Self::Read => Box::new(Positioned { length: file.metadata()?.len(), file: FileAt::new(file) }),
            Self::Map(promise) => Box::new(Mapped::new(&file, promise)?),
        })
    }
}

/// Opens a regular file. `found` is what has its name, if there is something. It is checked before the file is opened, because it
/// has effects to open some devices, and after, in case it has been replaced.
pub(crate) fn regular(
    found: Option<&fs::Metadata>,
    open: impl FnOnce() -> io::Result<File>,
) -> io::Result<File> {
    found.map_or(Ok(()), NotAFile::check)?;
    let file = open()?;
    NotAFile::check(&file.metadata()?)?;
    Ok(file)
}

/// A file that is read with positioned reads.
#[derive(Debug)]
struct Positioned {
    file: FileAt,
    /// The length when the file was opened. If the file shrinks later, reads return errors and the length stays.
    length: u64,
}

impl Source for Positioned {
    fn len(&self) -> u64 {
        self.length
    }

    fn read_at<'a>(&'a self, offset: u64, length: usize, buffer: &'a mut Vec<u8>) -> io::Result<&'a [u8]> {
        read_file(&self.file, self.length, offset, length, buffer)
    }

    fn file(&self) -> Option<&FileAt> {
        Some(&self.file)
    }
}

/// Reads `length` bytes from `offset` on, of a file that had `file_length` bytes when it was opened.
pub(crate) fn read_file<'a>(
    file: &FileAt,
    file_length: u64,
    offset: u64,
    length: usize,
    buffer: &'a mut Vec<u8>,
) -> io::Result<&'a [u8]> {
    if offset.checked_add(length as u64).is_none_or(|end| end > file_length) {
        return Err(io::ErrorKind::UnexpectedEof.into());
    }
    buffer.resize(length, 0);
    file.read_exact_at(buffer, offset)?;
    Ok(buffer)
}

impl Source for Vec<u8> {
    fn len(&self) -> u64 {
        self.as_slice().len() as u64
    }

    fn read_at<'a>(&'a self, offset: u64, length: usize, _: &'a mut Vec<u8>) -> io::Result<&'a [u8]> {
        part_of(self, offset, length)
    }
}

/// Adds a range of a source to a hash, piece by piece. `progress` gets the length of each piece.
pub(crate) fn hash(
    source: &dyn Source,
    range: Range<u64>,
    hasher: &mut blake3::Hasher,
    progress: &dyn Fn(u64),
) -> io::Result<()> {
    const PIECE: usize = 1 << 20;
    let mut buffer = Vec::new();
    for start in range.clone().step_by(PIECE) {
        let length = (range.end - start).min(PIECE as u64);
        hasher.update(source.read_at(start, length as usize, &mut buffer)?);
        progress(length);
    }
    Ok(())
}

/// Returns `length` bytes from `offset` on, of bytes in memory.
pub(crate) fn part_of(bytes: &[u8], offset: u64, length: usize) -> io::Result<&[u8]> {
    usize::try_from(offset)
        .ok()
        .and_then(|start| bytes.get(start..start.checked_add(length)?))
        .ok_or_else(|| io::ErrorKind::UnexpectedEof.into())
}
