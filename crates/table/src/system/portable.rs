//! For every system, with what the standard library has for all of them.

use std::fs::File;
use std::io::{self, Read, Seek, SeekFrom, Write};
use std::path::Path;
use std::sync::{Mutex, MutexGuard, PoisonError};

/// A file that many threads read and write one after another, each where it wants.
#[derive(Debug)]
pub struct FileAt(Mutex<File>);

impl FileAt {
    /// This file.
    pub fn new(file: File) -> Self {
        Self(Mutex::new(file))
    }

    fn locked(&self) -> MutexGuard<'_, File> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// How long it is.
    ///
    /// # Errors
    /// If the system does not say.
    pub fn length(&self) -> io::Result<u64> {
        Ok(self.locked().metadata()?.len())
    }

    /// Cuts it off, or adds zeros.
    ///
    /// # Errors
    /// If the disk refuses.
    pub fn set_length(&self, length: u64) -> io::Result<()> {
        self.locked().set_len(length)
    }

    /// Fills the bytes with those from an offset on.
    ///
    /// # Errors
    /// If there are not so many, or the disk refuses.
    pub fn read_exact_at(&self, bytes: &mut [u8], offset: u64) -> io::Result<()> {
        let mut file = self.locked();
        file.seek(SeekFrom::Start(offset))?;
        file.read_exact(bytes)
    }

    /// Writes the bytes from an offset on.
    ///
    /// # Errors
    /// If the disk refuses.
    pub fn write_all_at(&self, bytes: &[u8], offset: u64) -> io::Result<()> {
        let mut file = self.locked();
        file.seek(SeekFrom::Start(offset))?;
        file.write_all(bytes)
    }
}

/// Nothing: where a folder cannot be opened as a file, the system itself sees to its names.
///
/// # Errors
/// None.
#[cfg_attr(test, expect(dead_code, reason = "there is nothing to test"))]
pub fn sync_folder(_: &Path) -> io::Result<()> {
    Ok(())
}
