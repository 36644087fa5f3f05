//! Large arrays, in memory or in a file that is mapped into memory. This is the only module of the crate with unsafe code.
//!
//! An array in a file may be larger than the memory. The system keeps the parts that are in use in memory and writes the
//! others to the disk.
#![allow(unsafe_code)]

use super::row::{Row, Row2, Row4};
use game::parallel;
use memmap2::MmapMut;
use std::fs::{self, File};
use std::io::{self, Write};
use std::ops::{Deref, DerefMut};
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicU64, Ordering::Relaxed};

/// A type whose values are plain bytes.
///
/// # Safety
/// Every pattern of bytes, zeros included, must be a value. The type must have no padding, no pointers, and an alignment
/// of at most 64 bytes.
pub unsafe trait Plain: Copy + Send + Sync + 'static {
    /// The value whose bytes are all 0.
    const ZERO: Self;
}

// SAFETY: integers have these properties.
unsafe impl Plain for u8 {
    const ZERO: Self = 0;
}
// SAFETY: integers have these properties.
unsafe impl Plain for u16 {
    const ZERO: Self = 0;
}
// SAFETY: a row is an array of words. Its size is a multiple of its alignment, so there is no padding.
unsafe impl Plain for Row2 {
    const ZERO: Self = Self::EMPTY;
}
// SAFETY: as for `Row2`.
unsafe impl Plain for Row4 {
    const ZERO: Self = Self::EMPTY;
}

/// Where arrays are made.
#[derive(Clone, Debug)]
pub enum Space {
    /// In memory.
    Memory,
    /// In files in this folder. They are deleted when they are closed, however the program ends.
    Files(PathBuf),
}

/// An array in memory or in a file.
pub struct Storage<T>(Kept<T>);

enum Kept<T> {
    Memory(Vec<T>),
    File { map: MmapMut, length: usize },
}

impl<T: Plain> Storage<T> {
    /// Makes an array of zeros.
    ///
    /// # Errors
    /// Returns an error if the file cannot be made, for example because the disk is full.
    pub fn new(length: usize, space: &Space) -> io::Result<Self> {
        let folder = match space {
            Space::Files(folder) if length > 0 => folder,
            _ => return Ok(Self(Kept::Memory(parallel::repeat(length, || T::ZERO)))),
        };
        let file = zeros(folder, length * size_of::<T>())?;
        // SAFETY: the file is our own. It was made under a new name and has none any more, so no other process can
        // open, change or truncate it while it is mapped.
        let map = unsafe { MmapMut::map_mut(&file) }?;
        Ok(Self(Kept::File { map, length }))
    }

    /// The bytes of the array.
    pub fn bytes(&self) -> &[u8] {
        let values: &[T] = self;
        // SAFETY: a `Plain` type has no padding, so all its bytes are initialised.
        unsafe { std::slice::from_raw_parts(values.as_ptr().cast(), size_of_val(values)) }
    }

    /// The bytes of the array, to change them.
    pub fn bytes_mut(&mut self) -> &mut [u8] {
        let values: &mut [T] = self;
        // SAFETY: as above, and every pattern of bytes is a value.
        unsafe { std::slice::from_raw_parts_mut(values.as_mut_ptr().cast(), size_of_val(values)) }
    }
}

impl<T: Plain> Deref for Storage<T> {
    type Target = [T];

    #[inline(always)]
    fn deref(&self) -> &[T] {
        match &self.0 {
            Kept::Memory(values) => values,
            // SAFETY: the map has room for `length` values, begins at a page, which is aligned for all `Plain` types,
            // and every pattern of bytes is a value.
            Kept::File { map, length } => unsafe { std::slice::from_raw_parts(map.as_ptr().cast(), *length) },
        }
    }
}

impl<T: Plain> DerefMut for Storage<T> {
    #[inline(always)]
    fn deref_mut(&mut self) -> &mut [T] {
        match &mut self.0 {
            Kept::Memory(values) => values,
            // SAFETY: as above; the map is borrowed mutably.
            Kept::File { map, length } => unsafe {
                std::slice::from_raw_parts_mut(map.as_mut_ptr().cast(), *length)
            },
        }
    }
}

/// Makes a file of zeros and removes its name. The zeros are written, so that a full disk is an error here, and not a
/// crash later.
fn zeros(folder: &Path, bytes: usize) -> io::Result<File> {
    static NUMBER: AtomicU64 = AtomicU64::new(0);
    const PIECE: usize = 1 << 20;
    let name = format!(".{}-{}.rows", std::process::id(), NUMBER.fetch_add(1, Relaxed));
    let path = folder.join(name);
    fs::create_dir_all(folder)?;
    let mut file = File::options().read(true).write(true).create_new(true).open(&path)?;
    fs::remove_file(&path)?;
    let piece = vec![0; PIECE.min(bytes)];
    let mut left = bytes;
    while left > 0 {
        let some = left.min(PIECE);
        file.write_all(&piece[..some])?;
        left -= some;
    }
    Ok(file)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn files_hold_what_memory_holds() {
        let folder = tempfile::tempdir().expect("a folder");
        for space in [Space::Memory, Space::Files(folder.path().to_owned())] {
            let mut rows = Storage::<Row4>::new(1000, &space).expect("room");
            assert!(rows.len() == 1000 && rows.iter().all(Row::is_empty));
            rows[999] = Row4::from_planes(|plane| 1 << plane);
            assert_eq!(rows.bytes().len(), 64_000);
            assert_eq!(rows.bytes()[999 * 64 + 16], 2, "the second plane");
            rows.bytes_mut()[64] = 5;
            assert_eq!(rows[1].plane(0), 5);
            let cells = Storage::<u16>::new(3, &space).expect("room");
            assert_eq!(&cells[..], [0; 3]);
            assert!(Storage::<u8>::new(0, &space).expect("room").is_empty());
        }
        assert_eq!(std::fs::read_dir(folder.path()).expect("a folder").count(), 0, "nothing is left");
    }
}
