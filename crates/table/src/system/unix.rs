//! For Unix.

use std::fs::File;
use std::io;
use std::os::unix::fs::FileExt;
use std::path::Path;

/// A file that many threads read at once, each where it wants.
#[derive(Debug)]
pub(crate) struct FileAt(File);

impl FileAt {
    pub(crate) fn new(file: File) -> Self {
        Self(file)
    }

    pub(crate) fn read_exact_at(&self, bytes: &mut [u8], offset: u64) -> io::Result<()> {
        self.0.read_exact_at(bytes, offset)
    }
}

/// Puts the names in a folder on the disk.
pub(crate) fn sync_folder(folder: &Path) -> io::Result<()> {
    File::open(folder)?.sync_all()
}
