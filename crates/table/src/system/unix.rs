//! For Unix.

use std::fs::File;
use std::io;
use std::os::unix::fs::FileExt;
use std::path::Path;

/// A file that many threads read and write at once, each where it wants.
#[derive(Debug)]
pub struct FileAt(File);

impl FileAt {
    /// This file.
    pub fn new(file: File) -> Self {
        Self(file)
    }

    /// How long it is.
    ///
    /// # Errors
    /// If the system does not say.
    pub fn length(&self) -> io::Result<u64> {
        Ok(self.0.metadata()?.len())
    }

    /// Cuts it off, or adds zeros.
    ///
    /// # Errors
    /// If the disk refuses.
    pub fn set_length(&self, length: u64) -> io::Result<()> {
        self.0.set_len(length)
    }

    /// Fills the bytes with those from an offset on.
    ///
    /// # Errors
    /// If there are not so many, or the disk refuses.
    pub fn read_exact_at(&self, bytes: &mut [u8], offset: u64) -> io::Result<()> {
        self.0.read_exact_at(bytes, offset)
    }

    /// Writes the bytes from an offset on.
    ///
    /// # Errors
    /// If the disk refuses.
    pub fn write_all_at(&self, bytes: &[u8], offset: u64) -> io::Result<()> {
        self.0.write_all_at(bytes, offset)
    }
}

/// Puts the names in a folder on the disk.
///
/// # Errors
/// If the disk refuses.
pub fn sync_folder(folder: &Path) -> io::Result<()> {
    File::open(folder)?.sync_all()
}
