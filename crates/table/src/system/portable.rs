//! File operations for every operating system, with the portable part of the standard library.

use std::fs::{File, OpenOptions};
use std::io::{self, Read, Seek, SeekFrom, Write};
use std::path::Path;
use std::sync::{Mutex, MutexGuard, PoisonError};

/// A file that many threads read and write at any offset. A lock lets only one thread in at a time.
#[derive(Debug)]
pub struct FileAt(Mutex<File>);

impl FileAt {
    /// Wraps an open file.
    pub fn new(file: File) -> Self {
        Self(Mutex::new(file))
    }

    fn locked(&self) -> MutexGuard<'_, File> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// The length of the file in bytes.
    ///
    /// # Errors
    /// Returns an error if the operating system cannot read the length.
    pub fn length(&self) -> io::Result<u64> {
        Ok(self.locked().metadata()?.len())
    }

    /// Sets the length of the file: truncates it or adds zeros.
    ///
    /// # Errors
    /// Returns an error if the I/O operation fails.
    pub fn set_length(&self, length: u64) -> io::Result<()> {
        self.locked().set_len(length)
    }

    /// Fills `bytes` with the bytes of the file from `offset` on.
    ///
    /// # Errors
    /// Returns an error if the file has too few bytes, or if the I/O operation fails.
    pub fn read_exact_at(&self, bytes: &mut [u8], offset: u64) -> io::Result<()> {
        let mut file = self.locked();
        file.seek(SeekFrom::Start(offset))?;
        file.read_exact(bytes)
    }

    /// Writes `bytes` to the file from `offset` on.
    ///
    /// # Errors
    /// Returns an error if the I/O operation fails.
    pub fn write_all_at(&self, bytes: &[u8], offset: u64) -> io::Result<()> {
        let mut file = self.locked();
        file.seek(SeekFrom::Start(offset))?;
        file.write_all(bytes)
    }
}

/// Does nothing. Callers check what a path leads to before and after they open it.
#[cfg_attr(test, expect(dead_code, reason = "there is nothing to test"))]
pub(crate) fn without_waiting(options: &mut OpenOptions) -> &mut OpenOptions {
    options
}

/// Does nothing, for the same reason.
#[cfg_attr(test, expect(dead_code, reason = "there is nothing to test"))]
pub(crate) fn without_links(options: &mut OpenOptions) -> &mut OpenOptions {
    options
}

/// Returns false: the portable part does not tell.
#[cfg_attr(test, expect(dead_code, reason = "there is nothing to test"))]
pub(crate) fn is_out_of_files(_: &io::Error) -> bool {
    false
}

/// Does nothing. Where a folder cannot be opened as a file, the operating system itself syncs its names.
///
/// # Errors
/// Never returns an error.
#[cfg_attr(test, expect(dead_code, reason = "there is nothing to test"))]
pub fn sync_folder(_: &Path) -> io::Result<()> {
    Ok(())
}
