//! Where rows and lists are kept: in memory, or in a file when there is too much of them.
//!
//! A file of rows is a checkpoint at any moment: wins are only ever added, so that older and newer rows may be mixed, and a
//! row that a crash or the disk has spoilt is known by its checksum, forgotten, and found again.

use std::fs::File;
use std::io;
use std::sync::atomic::{AtomicU64, Ordering::Relaxed};
use std::sync::{Mutex, OnceLock};
use table::system::FileAt;

/// Rows of bytes, each of which is written again and again.
pub enum Rows {
    /// Each empty until it is written.
    Memory(Vec<Mutex<Vec<u8>>>),
    /// One after another from some place on, zeros until they are written.
    File {
        /// The file.
        file: FileAt,
        /// Where each row begins, and where the last one ends.
        offsets: Vec<u64>,
        /// Do the last eight bytes of a row say whether the others are whole?
        checked: bool,
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

    /// In a file, each row with eight bytes to spare at its end for a checksum. Rows of a former run that are not whole are
    /// emptied: what they said is found again.
    ///
    /// # Errors
    /// If the disk refuses.
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

    /// The bytes of a row.
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

    /// Adds some bytes of a row.
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

    /// Replaces a row; where rows are checked its last bytes get the checksum.
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

/// The bytes at the end of a row that are checked.
const CHECK: usize = 8;

/// Never all zeros: that is a row which was not written yet.
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

/// A new file that is gone when it is closed.
pub type Spill<'a> = dyn Fn() -> io::Result<File> + Sync + 'a;

/// Lists of numbers, one per row, each written once. What does not fit the memory goes to a file.
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
    /// No lists, with room for so many bytes in memory.
    pub fn new(rows: usize, room: u64) -> Self {
        Self {
            lists: (0..rows).map(|_| OnceLock::new()).collect(),
            room: AtomicU64::new(room),
            file: OnceLock::new(),
            end: AtomicU64::new(0),
            numbers: AtomicU64::new(0),
        }
    }

    /// How many numbers are in all lists.
    pub fn numbers(&self) -> u64 {
        self.numbers.load(Relaxed)
    }

    /// Sets the list of a row. What does not fit goes to a file of `spill`.
    ///
    /// # Errors
    /// If the disk refuses.
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

    /// When two threads open one at a time, the second is closed again, and so is gone.
    fn file(&self, spill: &Spill<'_>) -> io::Result<&FileAt> {
        if self.file.get().is_none() {
            let opened = FileAt::new(spill()?);
            return Ok(self.file.get_or_init(|| opened));
        }
        Ok(self.file.get().expect("it was opened"))
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
                self.file.get().expect("where it was put").read_exact_at(bytes, offset)?;
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
