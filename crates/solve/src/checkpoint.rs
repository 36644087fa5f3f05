//! Checkpoints: the state of a group on disk between two rounds, so that hours of work survive a crash.
//!
//! A checkpoint is written to a temporary file beside the tables, synced and renamed. It is removed when the tables are
//! complete. It is not meant to be kept or moved. A checkpoint that does not fit or is damaged is not used.

use crate::cell::Cell;
use crate::group::{Group, Left};
use crate::outside::Outside;
use game::{Endgame, Plies};
use std::fs::{self, File};
use std::io::{self, BufReader, BufWriter, Read, Write};
use std::path::{Path, PathBuf};

const MAGIC: &[u8; 8] = b"ENDSCKP2";
/// Cells are compressed in pieces of this number of cells.
const PIECE: usize = 1 << 20;
/// The zstd level. Speed matters here, not size.
const LEVEL: i32 = 1;

/// The checkpoint of a group.
pub struct Checkpoint {
    path: PathBuf,
    /// A hash that is different for every combination of game, rules, numbering, slices, metric and needed tables.
    identity: [u8; 32],
}

impl Checkpoint {
    /// The checkpoint of a group whose tables are in `folder`. `identity` is a text that is different for every
    /// checkpoint.
    pub fn new(folder: &Path, name: &str, identity: &str) -> Self {
        let path = folder.join(format!(".{name}.checkpoint"));
        Self { path, identity: blake3::hash(identity.as_bytes()).into() }
    }

    /// Writes the current state of the group.
    pub fn save<G: Endgame, C: Cell, O: Outside<G>>(&self, group: &Group<'_, G, C, O>) -> io::Result<()> {
        let Some(round) = group.round() else { return Ok(()) };
        if let Some(folder) = self.path.parent() {
            fs::create_dir_all(folder)?;
        }
        let temporary = self.path.with_extension("part");
        let mut file = Hashing::new(BufWriter::new(File::create(&temporary)?));
        file.write_all(MAGIC)?;
        file.write_all(&self.identity)?;
        file.write_all(&[C::BYTES as u8])?;
        file.write_all(&round.0.to_le_bytes())?;
        file.write_all(&(group.cells().len() as u64).to_le_bytes())?;
        let mut bytes = Vec::new();
        for piece in group.cells().chunks(PIECE) {
            bytes.clear();
            piece.iter().for_each(|cell| C::load(cell).push_to(&mut bytes));
            let compressed = zstd::bulk::compress(&bytes, LEVEL)?;
            file.write_all(&(compressed.len() as u32).to_le_bytes())?;
            file.write_all(&compressed)?;
        }
        file.write_all(&(group.crossings().len() as u64).to_le_bytes())?;
        for cell in group.crossings() {
            file.write_all(&cell.to_le_bytes())?;
        }
        let hash = file.hasher.finalize();
        let mut file = file.inner;
        file.write_all(hash.as_bytes())?;
        file.into_inner()?.sync_all()?;
        fs::rename(temporary, &self.path)?;
        // The new name is on the disk only after the folder is synced.
        self.path.parent().map_or(Ok(()), table::system::sync_folder)
    }

    /// The number of bytes of a cell in the checkpoint. Returns `None` if there is no checkpoint for this group.
    pub fn width(&self) -> Option<usize> {
        let mut file = Hashing::new(BufReader::new(File::open(&self.path).ok()?));
        let ours = &file.read_array::<8>().ok()? == MAGIC && file.read_array().ok()? == self.identity;
        let [width] = file.read_array().ok()?;
        ours.then_some(width.into())
    }

    /// Reads the state of the group. Returns `None` if there is no checkpoint with cells of this width.
    ///
    /// # Errors
    /// Returns an error if there is a checkpoint that cannot be used.
    pub fn load<C: Cell>(&self, cells: usize) -> io::Result<Option<Left<C>>> {
        let file = match File::open(&self.path) {
            Ok(file) => file,
            Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(None),
            Err(error) => return Err(error),
        };
        let unusable = |what: &str| io::Error::new(io::ErrorKind::InvalidData, what.to_owned());
        let mut file = Hashing::new(BufReader::new(file));
        if &file.read_array::<8>()? != MAGIC || file.read_array()? != self.identity {
            return Err(unusable("it belongs to another group"));
        }
        let [width] = file.read_array()?;
        if usize::from(width) != C::BYTES {
            return Ok(None);
        }
        let round = Plies(u16::from_le_bytes(file.read_array()?));
        if u64::from_le_bytes(file.read_array()?) != cells as u64 {
            return Err(unusable("it has another size"));
        }
        let mut loaded = Vec::with_capacity(cells);
        while loaded.len() < cells {
            let expected = PIECE.min(cells - loaded.len()) * C::BYTES;
            let length = u32::from_le_bytes(file.read_array()?) as usize;
            if length > zstd::zstd_safe::compress_bound(expected) {
                return Err(unusable("it is damaged"));
            }
            let mut compressed = vec![0; length];
            file.read_exact(&mut compressed)?;
            let bytes = zstd::bulk::decompress(&compressed, expected)?;
            if bytes.len() != expected {
                return Err(unusable("it is damaged"));
            }
            loaded.extend(bytes.chunks_exact(C::BYTES).map(|bytes| C::from_bytes(bytes).share()));
        }
        let many = u64::from_le_bytes(file.read_array()?);
        if many > cells as u64 {
            return Err(unusable("it is damaged"));
        }
        let crossings = (0..many).map(|_| file.read_array().map(u64::from_le_bytes));
        let crossings = crossings.collect::<io::Result<Vec<_>>>()?;
        let hash = file.hasher.finalize();
        if &file.read_array::<32>()? != hash.as_bytes() {
            return Err(unusable("its checksum is wrong"));
        }
        Ok(Some(Left { cells: loaded, crossings, round }))
    }

    /// Removes the checkpoint, if there is one.
    pub fn remove(&self) -> io::Result<()> {
        for path in [&self.path, &self.path.with_extension("part")] {
            match fs::remove_file(path) {
                Err(error) if error.kind() != io::ErrorKind::NotFound => return Err(error),
                _ => {}
            }
        }
        Ok(())
    }
}

/// A reader or writer that hashes all bytes that are read or written.
struct Hashing<T> {
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
