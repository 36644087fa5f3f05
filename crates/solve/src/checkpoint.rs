//! Checkpoints: the state of a group on disk between two rounds, so that hours of work survive a crash.
//!
//! A checkpoint is written to a temporary file beside the tables, synced and renamed. It is removed when the tables are
//! complete. It is not meant to be kept or moved. A checkpoint that does not fit or is damaged is not used.

use std::fs::{self, File};
use std::io::{self, BufReader, BufWriter, Read, Write};
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicBool, Ordering::Relaxed};
use table::working;

const MAGIC: &[u8; 8] = b"ENDSCKP4";
/// Bytes are compressed in pieces of this size.
const PIECE: usize = 1 << 20;
/// The zstd level. Speed matters here, not size.
const LEVEL: i32 = 1;

/// The checkpoint of a group.
pub struct Checkpoint {
    path: PathBuf,
    /// A hash that is different for every combination of game, rules, numbering, slices, metric and needed tables.
    identity: [u8; 32],
    /// True if the user knows that the checkpoint cannot be written.
    has_failed: AtomicBool,
}

impl Checkpoint {
    /// The checkpoint of a group whose tables are in `folder`. `identity` is a text that is different for every
    /// checkpoint.
    pub fn new(folder: &Path, name: &str, identity: &str) -> Self {
        let path = folder.join(format!(".{name}.checkpoint"));
        Self { path, identity: blake3::hash(identity.as_bytes()).into(), has_failed: AtomicBool::new(false) }
    }

    /// Writes a checkpoint and replaces the last one, when the new one is on the disk. `contents` writes the state.
    ///
    /// # Errors
    /// Returns an error if an I/O operation fails.
    pub fn save(&self, contents: impl FnOnce(&mut Saving) -> io::Result<()>) -> io::Result<()> {
        if let Some(folder) = self.path.parent() {
            fs::create_dir_all(folder)?;
        }
        let temporary = self.path.with_extension("part");
        self.write(&temporary, contents).and_then(|()| fs::rename(&temporary, &self.path)).inspect_err(
            |_| {
                // On a full disk, the tables need the room. The caller gets the first error.
                let _ = working::remove(&temporary);
            },
        )?;
        // The new name is on the disk only after the folder is synced.
        self.path.parent().map_or(Ok(()), table::system::sync_folder)
    }

    fn write(&self, path: &Path, contents: impl FnOnce(&mut Saving) -> io::Result<()>) -> io::Result<()> {
        let mut saving = Hashing::new(BufWriter::new(working::create(path)?));
        saving.write_all(MAGIC)?;
        saving.write_all(&self.identity)?;
        contents(&mut saving)?;
        let hash = saving.hasher.finalize();
        let mut file = saving.inner;
        file.write_all(hash.as_bytes())?;
        file.into_inner()?.sync_all()
    }

    /// Reads the checkpoint. `contents` reads what was written to [`save`](Self::save) it, in the same order, or returns
    /// `None` if it is of no use. Returns `None` if there is no checkpoint.
    ///
    /// # Errors
    /// Returns an error if there is a checkpoint that cannot be used.
    pub fn load<T>(
        &self,
        contents: impl FnOnce(&mut Loading) -> io::Result<Option<T>>,
    ) -> io::Result<Option<T>> {
        let file = match working::open(&self.path) {
            Ok(file) => file,
            Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(None),
            Err(error) => return Err(error),
        };
        let mut loading = Hashing::new(BufReader::new(file));
        self.check_identity(&mut loading)?;
        let Some(contents) = contents(&mut loading)? else { return Ok(None) };
        let hash = loading.hasher.finalize();
        if &loading.read_array::<32>()? != hash.as_bytes() {
            return Err(unusable("its checksum is wrong"));
        }
        Ok(Some(contents))
    }

    /// The first number of the checkpoint. Returns `None` if there is no checkpoint of this group. The rest of the file
    /// is not checked.
    pub fn first_number(&self) -> Option<u64> {
        let mut loading = Hashing::new(BufReader::new(working::open(&self.path).ok()?));
        self.check_identity(&mut loading).ok()?;
        loading.number().ok()
    }

    fn check_identity(&self, loading: &mut Loading) -> io::Result<()> {
        match &loading.read_array::<8>()? == MAGIC && loading.read_array()? == self.identity {
            true => Ok(()),
            false => Err(unusable("it belongs to another group")),
        }
    }

    /// The path of the file.
    pub(crate) fn path(&self) -> &Path {
        &self.path
    }

    /// Notes that the checkpoint could not be written. Returns whether it is the first time.
    pub(crate) fn note_failure(&self) -> bool {
        !self.has_failed.swap(true, Relaxed)
    }

    /// Removes the checkpoint, if there is one.
    pub fn remove(&self) -> io::Result<()> {
        working::remove(&self.path)
    }
}

/// The error for a checkpoint that cannot be used.
pub fn unusable(what: &str) -> io::Error {
    io::Error::new(io::ErrorKind::InvalidData, what.to_owned())
}

/// A checkpoint that is being written.
pub type Saving = Hashing<BufWriter<File>>;

/// A checkpoint that is being read.
pub type Loading = Hashing<BufReader<File>>;

impl Saving {
    /// Writes a number.
    ///
    /// # Errors
    /// Returns an error if an I/O operation fails.
    pub fn number(&mut self, number: u64) -> io::Result<()> {
        self.write_all(&number.to_le_bytes())
    }

    /// Writes bytes, compressed.
    ///
    /// # Errors
    /// Returns an error if an I/O operation fails.
    pub fn bytes(&mut self, bytes: &[u8]) -> io::Result<()> {
        self.number(bytes.len() as u64)?;
        for piece in bytes.chunks(PIECE) {
            let compressed = zstd::bulk::compress(piece, LEVEL)?;
            self.write_all(&(compressed.len() as u32).to_le_bytes())?;
            self.write_all(&compressed)?;
        }
        Ok(())
    }
}

impl Loading {
    /// Reads a number.
    ///
    /// # Errors
    /// Returns an error if an I/O operation fails.
    pub fn number(&mut self) -> io::Result<u64> {
        self.read_array().map(u64::from_le_bytes)
    }

    /// Reads bytes into an array. There must be as many as it has.
    ///
    /// # Errors
    /// Returns an error if an I/O operation fails, or if the bytes are damaged.
    pub fn bytes(&mut self, bytes: &mut [u8]) -> io::Result<()> {
        if self.number()? != bytes.len() as u64 {
            return Err(unusable("it has another size"));
        }
        let mut compressed = Vec::new();
        for piece in bytes.chunks_mut(PIECE) {
            let length = u32::from_le_bytes(self.read_array()?) as usize;
            if length > zstd::zstd_safe::compress_bound(piece.len()) {
                return Err(unusable("it is damaged"));
            }
            compressed.resize(length, 0);
            self.read_exact(&mut compressed)?;
            if zstd::bulk::decompress_to_buffer(&compressed, piece)? != piece.len() {
                return Err(unusable("it is damaged"));
            }
        }
        Ok(())
    }
}

/// A reader or writer that hashes all bytes that are read or written.
pub struct Hashing<T> {
    inner: T,
    hasher: blake3::Hasher,
}

impl<T> Hashing<T> {
    fn new(inner: T) -> Self {
        Self { inner, hasher: blake3::Hasher::new() }
    }
}

impl<W: Write> Hashing<W> {
    fn write_all(&mut self, bytes: &[u8]) -> io::Result<()> {
        self.hasher.update(bytes);
        self.inner.write_all(bytes)
    }
}

impl<R: Read> Hashing<R> {
    fn read_exact(&mut self, bytes: &mut [u8]) -> io::Result<()> {
        self.inner.read_exact(bytes)?;
        self.hasher.update(bytes);
        Ok(())
    }

    fn read_array<const N: usize>(&mut self) -> io::Result<[u8; N]> {
        let mut bytes = [0; N];
        self.read_exact(&mut bytes)?;
        Ok(bytes)
    }
}
