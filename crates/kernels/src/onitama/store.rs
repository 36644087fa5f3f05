//! Keeps rows and lists in memory, or in a file if they do not fit.
//!
//! A file of rows is a valid checkpoint at any moment. Wins are only added, so older and newer rows may be mixed. A row that
//! was damaged by a crash or by the disk is found by its checksum and emptied, and its wins are found again.

use std::fs::File;
use std::io;
use std::sync::atomic::{AtomicU64, Ordering::Relaxed};
use std::sync::{Mutex, OnceLock};
use table::system::FileAt;

/// Rows of bytes. Each row may be written many times.
pub enum Rows {
    /// Rows in memory. A row is empty until it is written.
    Memory(Vec<Mutex<Vec<u8>>>),
    /// Rows in a file, one after another. A row is filled with zeros until it is written.
    File {
        /// The file.
        file: FileAt,
        /// The offset of each row, and the end of the last row.
        offsets: Vec<u64>,
        /// True if the last eight bytes of a row are a checksum of the others.
        checked: bool,
    },
}

impl Rows {
    /// Makes `rows` empty rows in memory.
    pub fn in_memory(rows: usize) -> Self {
        Self::Memory((0..rows).map(|_| Mutex::default()).collect())
    }

    /// Makes rows of these sizes in a file, from offset `first` on.
    ///
    /// # Errors
    /// Returns an error if the file cannot be made long enough.
    pub fn in_file(file: FileAt, first: u64, sizes: impl IntoIterator<Item = u64>) -> io::Result<Self> {
        let mut offsets = vec![first];
        let mut end = first;
        for size in sizes {
            end += size;
            offsets.push(end);
        }
        if file.length()? < end {
            file.set_length(end)?;
        }
        Ok(Self::File { file, offsets, checked: false })
    }

    /// Makes rows in a file in which the last eight bytes of each row are a checksum. Damaged rows of an earlier run are
    /// filled with zeros, and their wins are found again.
    ///
    /// # Errors
    /// Returns an error if an I/O operation fails.
    pub fn in_checked_file(file: FileAt, first: u64, sizes: &[u64]) -> io::Result<Self> {
        let rows = Self::in_file(file, first, sizes.iter().copied())?;
        let mut bytes = Vec::new();
        for row in (0..sizes.len()).filter(|&row| sizes[row] > 0) {
            rows.read(row, &mut bytes)?;
            if !is_whole(&bytes) {
                bytes.fill(0);
                rows.write(row, &mut bytes)?;
            }
        }
        Ok(match rows {
            Self::File { file, offsets, .. } => Self::File { file, offsets, checked: true },
            memory => memory,
        })
    }

    /// Reads a row into `bytes`.
    pub fn read(&self, row: usize, bytes: &mut Vec<u8>) -> io::Result<()> {
        match self {
            Self::Memory(rows) => {
                bytes.clear();
                bytes.extend_from_slice(&lock(&rows[row]));
            }
            Self::File { file, offsets, .. } => {
                bytes.resize((offsets[row + 1] - offsets[row]) as usize, 0);
                file.read_exact_at(bytes, offsets[row])?;
            }
        }
        Ok(())
    }

    /// Reads some bytes of a row, beginning with byte `from`, and adds them to `part`.
    pub fn read_part(&self, row: usize, from: u64, bytes: usize, part: &mut Vec<u8>) -> io::Result<()> {
        match self {
            Self::Memory(rows) => part.extend_from_slice(&lock(&rows[row])[from as usize..][..bytes]),
            Self::File { file, offsets, .. } => {
                let end = part.len();
                part.resize(end + bytes, 0);
                file.read_exact_at(&mut part[end..], offsets[row] + from)?;
            }
        }
        Ok(())
    }

    /// Replaces a row. If rows have checksums, this sets the last bytes of the row to its checksum.
    pub fn write(&self, row: usize, bytes: &mut [u8]) -> io::Result<()> {
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
            Self::File { file, offsets, checked } => {
                debug_assert_eq!(bytes.len() as u64, offsets[row + 1] - offsets[row]);
                if *checked && let Some((content, check)) = bytes.split_last_chunk_mut::<CHECK>() {
                    *check = checksum(content);
                }
                file.write_all_at(bytes, offsets[row])
            }
        }
    }
}

/// The number of checksum bytes at the end of a row.
const CHECK: usize = 8;

/// The checksum of a row. It is never zero, because a row of zeros is one that was not written yet.
fn checksum(content: &[u8]) -> [u8; CHECK] {
    (1 << 32 | u64::from(crc32fast::hash(content))).to_le_bytes()
}

fn is_whole(bytes: &[u8]) -> bool {
    bytes
        .split_last_chunk::<CHECK>()
        .is_some_and(|(content, check)| *check == checksum(content) || bytes.iter().all(|&byte| byte == 0))
}

fn lock<T>(mutex: &Mutex<T>) -> std::sync::MutexGuard<'_, T> {
    mutex.lock().expect("no thread has failed")
}

/// Opens a new file that is deleted when it is closed.
pub type Spill<'a> = dyn Fn() -> io::Result<File> + Sync + 'a;

/// Lists of numbers, one for each row. Each list is written once. Lists that do not fit the memory go to a file.
pub struct Lists {
    lists: Vec<OnceLock<List>>,
    room: AtomicU64,
    /// Opened when the first list does not fit.
    file: OnceLock<FileAt>,
    end: AtomicU64,
    numbers: AtomicU64,
}

enum List {
    Here(Box<[u32]>),
    There { offset: u64, numbers: usize },
}

impl Lists {
    /// Makes empty lists, with `room` bytes of memory for all of them.
    pub fn new(rows: usize, room: u64) -> Self {
        Self {
            lists: (0..rows).map(|_| OnceLock::new()).collect(),
            room: AtomicU64::new(room),
            file: OnceLock::new(),
            end: AtomicU64::new(0),
            numbers: AtomicU64::new(0),
        }
    }

    /// The number of items in all lists together.
    pub fn numbers(&self) -> u64 {
        self.numbers.load(Relaxed)
    }

    /// Sets the list of a row. A list that does not fit the memory goes to a file that `spill` opens.
    ///
    /// # Errors
    /// Returns an error if an I/O operation fails.
    pub fn set(&self, row: usize, list: &[u32], spill: &Spill<'_>, bytes: &mut Vec<u8>) -> io::Result<()> {
        self.numbers.fetch_add(list.len() as u64, Relaxed);
        let size = 4 * list.len() as u64;
        let fits = self.room.fetch_update(Relaxed, Relaxed, |room| room.checked_sub(size)).is_ok();
        let stored = if fits {
            List::Here(list.into())
        } else {
            bytes.clear();
            bytes.extend(list.iter().flat_map(|number| number.to_le_bytes()));
            let offset = self.end.fetch_add(size, Relaxed);
            self.file(spill)?.write_all_at(bytes, offset)?;
            List::There { offset, numbers: list.len() }
        };
        let fresh = self.lists[row].set(stored).is_ok();
        assert!(fresh, "a list is set once");
        Ok(())
    }

    /// The file for lists, which is opened when it is first needed. If two threads open a file at the same time, one of the
    /// files is closed again and so deleted.
    fn file(&self, spill: &Spill<'_>) -> io::Result<&FileAt> {
        if self.file.get().is_none() {
            let opened = FileAt::new(spill()?);
            return Ok(self.file.get_or_init(|| opened));
        }
        Ok(self.file.get().expect("it was opened"))
    }

    /// The list of a row. Returns `None` if it has not been set. A list from the file is read into the buffers.
    #[inline]
    pub fn get<'a>(&'a self, row: usize, buffers: &'a mut Buffers) -> io::Result<Option<&'a [u32]>> {
        match self.lists[row].get() {
            None => Ok(None),
            Some(List::Here(list)) => Ok(Some(list)),
            Some(&List::There { offset, numbers }) => {
                let Buffers { bytes, list } = buffers;
                bytes.resize(4 * numbers, 0);
                self.file.get().expect("where it was put").read_exact_at(bytes, offset)?;
                list.clear();
                list.extend(bytes.as_chunks::<4>().0.iter().map(|&number| u32::from_le_bytes(number)));
                Ok(Some(list))
            }
        }
    }
}

/// Buffers for reading lists from a file.
#[derive(Default)]
pub struct Buffers {
    bytes: Vec<u8>,
    list: Vec<u32>,
}
