//! Reads tables through a memory map.
//!
//! A memory map saves a system call and a copy for each block that is not in the cache. But if another process changes or
//! truncates a file while it is mapped, the result is undefined behaviour or a signal, where positioned reads return an
//! error. So the caller has to promise that the files do not change:
//!
//! ```no_run
//! use endspiel_table::{Backend, Table, mapped::FilesStay};
//!
//! // SAFETY: these tables lie in a read-only image.
//! let promise = unsafe { FilesStay::promise() };
//! let table = Table::open("/srv/tables/onitama/x/2v2.dtm.est", Backend::Map(promise));
//! ```
#![allow(unsafe_code)]

use crate::source::{Source, part_of};
use memmap2::Mmap;
use std::fs::File;
use std::io;

/// The promise that table files do not change while they are open.
#[derive(Clone, Copy, Debug)]
pub struct FilesStay(());

impl FilesStay {
    /// Makes the promise.
    ///
    /// # Safety
    /// As long as a table is open that was opened with this promise, no process, this one included, may write to its
    /// file or truncate it. It is allowed to replace the file by renaming another file to its name, because the map keeps
    /// the old file. This crate writes tables in this way.
    pub unsafe fn promise() -> Self {
        Self(())
    }
}

/// A file that is mapped into memory.
#[derive(Debug)]
pub(crate) struct Mapped(Mmap);

impl Mapped {
    pub(crate) fn new(file: &File, _promise: FilesStay) -> io::Result<Self> {
        // SAFETY: `Mmap::map` requires that the file is not modified while it is mapped. The caller of
        // `FilesStay::promise` guarantees that, and the map does not outlive the table that was opened with it.
        unsafe { Mmap::map(file) }.map(Self)
    }
}

impl Source for Mapped {
    fn len(&self) -> u64 {
        self.0.len() as u64
    }

    fn read_at<'a>(&'a self, offset: u64, length: usize, _: &'a mut Vec<u8>) -> io::Result<&'a [u8]> {
        part_of(&self.0, offset, length)
    }
}
