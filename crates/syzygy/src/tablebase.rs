//! Folders of tables: finds the files, opens them when they are needed, and knows the table of a position.

use crate::error::{Error, Metric, ProbeError, Problem};
use crate::file::TableFile;
use crate::material::Material;
use chess::Board;
use std::collections::BTreeMap;
use std::ffi::OsStr;
use std::fs;
use std::io;
use std::path::{Path, PathBuf};
use std::sync::OnceLock;
use std::sync::atomic::{AtomicU64, Ordering};
use table::{Backend, Source};

/// Files that are read into memory take at most this many bytes together, unless they are mapped. It is enough for the most
/// used tables with five men; larger tables are read block by block.
const MEMORY: u64 = 256 << 20;

/// The tables of one or several folders. Many threads can probe them at the same time.
///
/// Files are found by their names when the tablebase is made, and opened when a position needs them for the first time. A
/// file that cannot be opened then gives the same error every time.
///
/// See the [crate](crate) for an example.
pub struct Tablebase {
    tables: Vec<Table>,
    lookup: Lookup,
    backend: Backend,
    /// Bytes that may still be used to keep files in memory.
    memory: AtomicU64,
    largest: u32,
}

/// The files of a material.
struct Table {
    material: Material,
    wdl: Slot,
    dtz: Slot,
}

/// A file that is opened when it is needed.
#[derive(Default)]
struct Slot {
    path: Option<PathBuf>,
    file: OnceLock<Result<TableFile, Problem>>,
}

impl Table {
    fn slot(&self, metric: Metric) -> &Slot {
        match metric {
            Metric::Wdl => &self.wdl,
            Metric::Dtz => &self.dtz,
        }
    }
}

/// The files that were found, by material: WDL and DTZ.
type Files = BTreeMap<Material, (Slot, Slot)>;

fn slot_of(files: &mut Files, material: Material, metric: Metric) -> &mut Slot {
    let (wdl, dtz) = files.entry(material).or_default();
    match metric {
        Metric::Wdl => wdl,
        Metric::Dtz => dtz,
    }
}

/// A file for a position, and whether its sides are exchanged.
pub(crate) struct Found<'a> {
    pub file: &'a TableFile,
    pub swapped: bool,
    path: &'a Path,
}

impl Found<'_> {
    /// Adds the path of the file to a problem.
    pub fn error(&self, problem: Problem) -> ProbeError {
        Error { path: self.path.to_owned(), problem }.into()
    }
}

impl Tablebase {
    /// Finds the tables in these folders, which are searched in this order. Other files are ignored. Files are read into
    /// memory as long as there is some ([`Self::with_memory`]), and otherwise block by block.
    ///
    /// # Errors
    /// Returns an error if a folder cannot be read. Damaged files give an error when they are probed.
    pub fn open(folders: impl IntoIterator<Item = impl AsRef<Path>>) -> Result<Self, Error> {
        Self::open_with(folders, Backend::Read)
    }

    /// Finds the tables in a list of folders that is written as in the UCI option `SyzygyPath`: `DIR:DIR`, or `DIR;DIR` on
    /// Windows.
    ///
    /// # Errors
    /// Returns an error if a folder cannot be read.
    pub fn open_path(list: impl AsRef<OsStr>) -> Result<Self, Error> {
        Self::open(std::env::split_paths(list.as_ref()).filter(|path| !path.as_os_str().is_empty()))
    }

    /// Finds the tables in these folders, to be read in this way. [`Backend::Map`] is the fastest for tables that do not fit in
    /// memory.
    ///
    /// # Errors
    /// Returns an error if a folder cannot be read.
    pub fn open_with(
        folders: impl IntoIterator<Item = impl AsRef<Path>>,
        backend: Backend,
    ) -> Result<Self, Error> {
        let mut found = Files::new();
        for folder in folders {
            let folder = folder.as_ref();
            let error = |reason: io::Error| Error { path: folder.to_owned(), problem: reason.into() };
            for entry in fs::read_dir(folder).map_err(error)? {
                let path = entry.map_err(error)?.path();
                if let Some((material, metric)) = named(&path) {
                    let slot = slot_of(&mut found, material, metric);
                    slot.path.get_or_insert(path);
                }
            }
        }
        Ok(Self::new(found, backend))
    }

    /// Makes a tablebase of files in memory, each with its name: `KQvK.rtbw`. Files with other names are ignored.
    ///
    /// ```
    /// use endspiel_syzygy::{Tablebase, Wdl5};
    ///
    /// # let bytes = fixtures::bytes("chess/syzygy/KQvK.rtbw");
    /// let tables = Tablebase::from_bytes([("KQvK.rtbw", bytes)]);
    /// assert_eq!(tables.wdl(&"8/8/8/8/8/8/1k1K3Q/8 w - - 0 1".parse()?)?, Wdl5::Win);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn from_bytes(files: impl IntoIterator<Item = (impl AsRef<Path>, Vec<u8>)>) -> Self {
        let mut found = Files::new();
        for (name, bytes) in files {
            if let Some((material, metric)) = named(name.as_ref()) {
                let file = TableFile::new(Box::new(bytes), material, metric);
                *slot_of(&mut found, material, metric) =
                    Slot { path: Some(name.as_ref().to_owned()), file: OnceLock::from(file) };
            }
        }
        Self::new(found, Backend::Read)
    }

    fn new(found: Files, backend: Backend) -> Self {
        let tables: Vec<Table> =
            found.into_iter().map(|(material, (wdl, dtz))| Table { material, wdl, dtz }).collect();
        let with_wdl = tables.iter().filter(|table| table.wdl.path.is_some());
        let largest = with_wdl.map(|table| table.material.men()).max().unwrap_or(2);
        let lookup = Lookup::new(tables.iter().map(|table| table.material));
        Self { tables, lookup, backend, memory: AtomicU64::new(MEMORY), largest }
    }

    /// Sets the number of bytes that files in memory may take together; 256 MiB if nothing is set. Larger files, and those that
    /// are opened when the memory is used up, are read with positioned reads. Mapped files do not count.
    #[must_use]
    pub fn with_memory(mut self, bytes: u64) -> Self {
        self.memory = AtomicU64::new(bytes);
        self
    }

    /// The number of men of the largest table that says who wins, kings included. It is 2 if there is none.
    pub fn largest(&self) -> u32 {
        self.largest
    }

    /// The materials that have a file of this kind, in no particular order.
    pub fn materials(&self, metric: Metric) -> impl Iterator<Item = Material> {
        self.tables.iter().filter(move |table| table.slot(metric).path.is_some()).map(|table| table.material)
    }

    /// The file for the men on a board.
    #[inline]
    pub(crate) fn find(&self, board: &Board, metric: Metric) -> Result<Found<'_>, ProbeError> {
        let men = board.occupied().len();
        if men > self.largest {
            return Err(ProbeError::TooManyMen { men, largest: self.largest });
        }
        let material = Material::of(board);
        let missing = || ProbeError::Missing { material: material.canonical(), metric };
        let (number, swapped) = self.lookup.find(material).ok_or_else(missing)?;
        let slot = self.tables[number].slot(metric);
        let path = slot.path.as_deref().ok_or_else(missing)?;
        let file = slot.file.get_or_init(|| self.open_file(path, self.tables[number].material, metric));
        match file {
            Ok(file) => Ok(Found { file, swapped, path }),
            Err(problem) => Err(Error { path: path.to_owned(), problem: problem.clone() }.into()),
        }
    }

    /// Opens a file. If it is not mapped and there is memory for it, it is read at once.
    fn open_file(&self, path: &Path, material: Material, metric: Metric) -> Result<TableFile, Problem> {
        let source = self.backend.open(path)?;
        let length = source.len();
        if matches!(self.backend, Backend::Map(_)) || !self.take_memory(length) {
            return TableFile::new(source, material, metric);
        }
        let file = read_whole(&*source).and_then(|bytes| TableFile::new(Box::new(bytes), material, metric));
        if file.is_err() {
            self.memory.fetch_add(length, Ordering::Relaxed);
        }
        file
    }

    /// Takes bytes of the memory for files. Returns whether there were enough.
    fn take_memory(&self, bytes: u64) -> bool {
        let take = |free: u64| free.checked_sub(bytes);
        self.memory.fetch_update(Ordering::Relaxed, Ordering::Relaxed, take).is_ok()
    }
}

/// All bytes of a source. A file that grows meanwhile is read to its former end.
fn read_whole(source: &dyn Source) -> Result<Vec<u8>, Problem> {
    let length = usize::try_from(source.len()).map_err(|_| io::Error::from(io::ErrorKind::OutOfMemory))?;
    let mut bytes = Vec::new();
    source.read_at(0, length, &mut bytes)?;
    Ok(bytes)
}

/// The table that a file name stands for. The stronger side comes first in the names of tables.
fn named(path: &Path) -> Option<(Material, Metric)> {
    let extension = path.extension()?;
    let metric = Metric::ALL.into_iter().find(|metric| extension == metric.extension())?;
    let material: Material = path.file_stem()?.to_str()?.parse().ok()?;
    (material.men() > 2 && material == material.canonical()).then_some((material, metric))
}

/// A hash table from materials to the numbers of their tables. Half of its places or more are empty.
struct Lookup {
    places: Box<[Place]>,
    shift: u32,
}

/// A place of the hash table. An empty one has the key of two bare kings, which have no table.
#[derive(Clone, Copy, Default)]
struct Place {
    key: u64,
    number: u32,
    swapped: bool,
}

impl Lookup {
    fn new(materials: impl ExactSizeIterator<Item = Material>) -> Self {
        let bits = (4 * materials.len().max(1)).next_power_of_two().trailing_zeros();
        let mut lookup = Self { places: vec![Place::default(); 1 << bits].into(), shift: 64 - bits };
        for (number, material) in materials.enumerate() {
            let number = number as u32;
            lookup.insert(Place { key: material.key(), number, swapped: false });
            if !material.is_symmetric() {
                lookup.insert(Place { key: material.swapped().key(), number, swapped: true });
            }
        }
        lookup
    }

    fn insert(&mut self, place: Place) {
        let mut at = self.start(place.key);
        while self.places[at].key != 0 {
            at = (at + 1) & (self.places.len() - 1);
        }
        self.places[at] = place;
    }

    /// Where the search for a key begins, by multiplicative hashing.
    #[inline]
    fn start(&self, key: u64) -> usize {
        (key.wrapping_mul(0x9e37_79b9_7f4a_7c15) >> self.shift) as usize
    }

    #[inline]
    fn find(&self, material: Material) -> Option<(usize, bool)> {
        let key = material.key();
        let mut at = self.start(key);
        loop {
            let place = self.places[at & (self.places.len() - 1)];
            if place.key == key && key != 0 {
                return Some((place.number as usize, place.swapped));
            }
            if place.key == 0 {
                return None;
            }
            at += 1;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn files_that_are_refused_take_no_memory() {
        let folder = tempfile::tempdir().unwrap();
        let whole = fixtures::bytes("chess/syzygy/KQvK.rtbw");
        fs::write(folder.path().join("KQvK.rtbw"), &whole).unwrap();
        fs::write(folder.path().join("KRvK.rtbw"), &whole[..whole.len() - 64]).unwrap();
        // Enough for one of the files, so that the good one has a place only if the bad one gave its own back.
        let memory = whole.len() as u64;
        let tables = Tablebase::open([folder.path()]).unwrap().with_memory(memory);
        let probe = |fen: &str| tables.wdl(&fen.parse().unwrap());
        probe("8/8/8/8/8/8/1k1K3R/8 w - - 0 1").unwrap_err();
        assert_eq!(tables.memory.load(Ordering::Relaxed), memory);
        probe("8/8/8/8/8/8/1k1K3Q/8 w - - 0 1").unwrap();
        assert_eq!(tables.memory.load(Ordering::Relaxed), 0);
    }
}
