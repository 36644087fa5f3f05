//! File operations for Unix.

use std::fs::{File, OpenOptions};
use std::io;
use std::os::unix::fs::{FileExt, OpenOptionsExt};
use std::path::Path;

/// A file that many threads read and write at the same time, at any offset.
#[derive(Debug)]
pub struct FileAt(File);

impl FileAt {
    /// Wraps an open file.
    pub fn new(file: File) -> Self {
        Self(file)
    }

    /// The length of the file in bytes.
    ///
    /// # Errors
    /// Returns an error if the operating system cannot read the length.
    pub fn length(&self) -> io::Result<u64> {
        Ok(self.0.metadata()?.len())
    }

    /// Sets the length of the file: truncates it or adds zeros.
    ///
    /// # Errors
    /// Returns an error if the I/O operation fails.
    pub fn set_length(&self, length: u64) -> io::Result<()> {
        self.0.set_len(length)
    }

    /// Fills `bytes` with the bytes of the file from `offset` on.
    ///
    /// # Errors
    /// Returns an error if the file has too few bytes, or if the I/O operation fails.
    pub fn read_exact_at(&self, bytes: &mut [u8], offset: u64) -> io::Result<()> {
        self.0.read_exact_at(bytes, offset)
    }

    /// Writes `bytes` to the file from `offset` on.
    ///
    /// # Errors
    /// Returns an error if the I/O operation fails.
    pub fn write_all_at(&self, bytes: &[u8], offset: u64) -> io::Result<()> {
        self.0.write_all_at(bytes, offset)
    }
}

/// Lets a pipe or a device be opened without waiting for somebody at its other end.
pub(crate) fn without_waiting(options: &mut OpenOptions) -> &mut OpenOptions {
    options.custom_flags(libc::O_NONBLOCK)
}

/// Does the same, and lets a link not be opened at all.
pub(crate) fn without_links(options: &mut OpenOptions) -> &mut OpenOptions {
    options.custom_flags(libc::O_NONBLOCK | libc::O_NOFOLLOW)
}

/// Returns whether a file cannot be opened because too many are open.
pub(crate) fn is_out_of_files(error: &io::Error) -> bool {
    matches!(error.raw_os_error(), Some(libc::EMFILE | libc::ENFILE))
}

/// Syncs the file names of a folder to the disk.
///
/// # Errors
/// Returns an error if the I/O operation fails.
pub fn sync_folder(folder: &Path) -> io::Result<()> {
    File::open(folder)?.sync_all()
}
