//! Where rows and lists are kept: in memory, or in a file when there is too much of them.
//!
//! A file of rows is a checkpoint at any moment, even one that a crash has left half written: wins are only ever added, so
//! that any mixture of older and newer bytes says something true, and what is missing is found again.

use std::fs::File;
use std::io;
use std::os::unix::fs::FileExt;
use std::sync::atomic::{AtomicU64, Ordering::Relaxed};
use std::sync::{Mutex, OnceLock};

/// Rows of bytes, each of which is written again and again.
pub enum Rows {
    /// Each empty until it is written.
    Memory(Vec<Mutex<Vec<u8>>>),
    /// One after another from some place on, zeros until they are written.
    File {
        /// The file.
        file: File,
        /// Where each row begins, and where the last one ends.
        offsets: Vec<u64>,
    },
}

impl Rows {
    /// So many in memory.
    pub fn in_memory(rows: usize) -> Self {
        Self::Memory((0..rows).map(|_| Mutex::default()).collect())
    }

    /// In a file, of these sizes, from an offset on.
    ///
    /// # Errors
    /// If the file cannot be made long enough.
    pub fn in_file(file: File, first: u64, sizes: impl IntoIterator<Item = u64>) -> io::Result<Self> {
        let mut offsets = vec![first];
        let mut end = first;
        for size in sizes {
            end += size;
            offsets.push(end);
        }
        if file.metadata()?.len() < end {
            file.set_len(end)?;
        }
        Ok(Self::File { file, offsets })
    }

    /// The bytes of a row.
    pub fn read(&self, row: usize, bytes: &mut Vec<u8>) -> io::Result<()> {
        match self {
            Self::Memory(rows) => {
                bytes.clear();
                bytes.extend_from_slice(&lock(&rows[row]));
            }
            Self::File { file, offsets } => {
                bytes.resize((offsets[row + 1] - offsets[row]) as usize, 0);
                file.read_exact_at(bytes, offsets[row])?;
            }
        }
        Ok(())
    }

    /// Replaces a row.
    pub fn write(&self, row: usize, bytes: &[u8]) -> io::Result<()> {
        match self {
            Self::Memory(rows) => {
                let mut row = lock(&rows[row]);
                if row.len() == bytes.len() {
                    row.copy_from_slice(bytes);
                } else {
                    *row = bytes.to_vec();
                }
                Ok(())
            }
            Self::File { file, offsets } => {
                debug_assert_eq!(bytes.len() as u64, offsets[row + 1] - offsets[row]);
                file.write_all_at(bytes, offsets[row])
            }
        }
    }
}

fn lock<T>(mutex: &Mutex<T>) -> std::sync::MutexGuard<'_, T> {
    mutex.lock().expect("no thread has failed")
}

/// Lists of numbers, one per row, each written once. What does not fit the memory goes to a file.
pub struct Lists {
    lists: Vec<OnceLock<List>>,
    room: AtomicU64,
    file: Option<File>,
    end: AtomicU64,
    numbers: AtomicU64,
}

enum List {
    Here(Box<[u32]>),
    There { offset: u64, numbers: usize },
}

impl Lists {
    /// No lists, with room for so many bytes in memory; the rest goes to the file, if there is one.
    pub fn new(rows: usize, room: u64, file: Option<File>) -> Self {
        let lists = (0..rows).map(|_| OnceLock::new()).collect();
        let (end, numbers) = (AtomicU64::new(0), AtomicU64::new(0));
        Self { lists, room: AtomicU64::new(room), file, end, numbers }
    }

    /// How many numbers are in all lists.
    pub fn numbers(&self) -> u64 {
        self.numbers.load(Relaxed)
    }

    /// Sets the list of a row.
    pub fn set(&self, row: usize, list: &[u32], bytes: &mut Vec<u8>) -> io::Result<()> {
        self.numbers.fetch_add(list.len() as u64, Relaxed);
        let size = 4 * list.len() as u64;
        let fits = self.room.fetch_update(Relaxed, Relaxed, |room| room.checked_sub(size)).is_ok();
        let stored = match &self.file {
            Some(file) if !fits => {
                bytes.clear();
                bytes.extend(list.iter().flat_map(|number| number.to_le_bytes()));
                let offset = self.end.fetch_add(size, Relaxed);
                file.write_all_at(bytes, offset)?;
                List::There { offset, numbers: list.len() }
            }
            _ => List::Here(list.into()),
        };
        let fresh = self.lists[row].set(stored).is_ok();
        assert!(fresh, "a list is set once");
        Ok(())
    }

    /// The list of a row, if it has been set. One from the file is put into the buffers.
    #[inline]
    pub fn get<'a>(&'a self, row: usize, buffers: &'a mut Buffers) -> io::Result<Option<&'a [u32]>> {
        match self.lists[row].get() {
            None => Ok(None),
            Some(List::Here(list)) => Ok(Some(list)),
            Some(&List::There { offset, numbers }) => {
                let Buffers { bytes, list } = buffers;
                bytes.resize(4 * numbers, 0);
                self.file.as_ref().expect("where it was put").read_exact_at(bytes, offset)?;
                list.clear();
                list.extend(bytes.as_chunks::<4>().0.iter().map(|&number| u32::from_le_bytes(number)));
                Ok(Some(list))
            }
        }
    }
}

/// For reading lists from a file.
#[derive(Default)]
pub struct Buffers {
    bytes: Vec<u8>,
    list: Vec<u32>,
}
