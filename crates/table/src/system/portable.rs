//! For every system, with what the standard library has for all of them.

use std::fs::File;
use std::io::{self, Read, Seek, SeekFrom};
use std::path::Path;
use std::sync::{Mutex, PoisonError};

/// A file that many threads read one after another, each where it wants.
#[derive(Debug)]
pub(crate) struct FileAt(Mutex<File>);

impl FileAt {
    pub(crate) fn new(file: File) -> Self {
        Self(Mutex::new(file))
    }

    pub(crate) fn read_exact_at(&self, bytes: &mut [u8], offset: u64) -> io::Result<()> {
        let mut file = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        file.seek(SeekFrom::Start(offset))?;
        file.read_exact(bytes)
    }
}

/// Nothing: where a folder cannot be opened as a file, the system itself sees to its names.
#[cfg_attr(test, expect(dead_code, reason = "the tests read only"))]
pub(crate) fn sync_folder(_: &Path) -> io::Result<()> {
    Ok(())
}
