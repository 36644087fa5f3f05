//! Where rows are kept: in memory, or in files.

use crate::spill;
use std::io;
use std::path::PathBuf;
use table::system::FileAt;

/// Where rows are kept.
#[derive(Clone, Debug)]
pub enum Space {
    /// In memory.
    Memory,
    /// In files in this folder. They have no names, so they are gone when they are closed, however the program ends.
    Files(PathBuf),
}

impl Space {
    /// A new file, or `None` if rows are kept in memory.
    ///
    /// # Errors
    /// Returns an error if the file cannot be made.
    pub fn file(&self) -> io::Result<Option<FileAt>> {
        match self {
            Self::Memory => Ok(None),
            Self::Files(folder) => Ok(Some(FileAt::new(spill::file(folder)?))),
        }
    }
}
