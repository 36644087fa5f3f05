//! Tables through a memory map: the only module here with unsafe code, and it is the caller's promise.
//!
//! A map saves the system call and the copy of each block that the cache lacks. The price: a file that another process
//! changes or cuts short while it is mapped is undefined behaviour or a signal, where positioned reads
//! give an error. So it takes a promise:
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

/// The promise that table files stay as they are while they are open.
#[derive(Clone, Copy, Debug)]
pub struct FilesStay(());

impl FilesStay {
    /// Makes the promise.
    ///
    /// # Safety
    /// As long as a table is open that was opened with this promise, nobody writes to its file or cuts it short,
    /// in this process or another. Replacing it by renaming another over it is fine, and is how tables are written
    /// here: the map keeps the old file.
    pub unsafe fn promise() -> Self {
        Self(())
    }
}

/// A file in the address space.
#[derive(Debug)]
pub(crate) struct Mapped(Mmap);

impl Mapped {
    pub(crate) fn new(file: &File, _promise: FilesStay) -> io::Result<Self> {
        // SAFETY: `Mmap::map` asks that the file is not modified while it is mapped. Whoever made the promise
        // answers for that, and the map lives no longer than the table that was opened with it.
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
