//! Whole tables, brought from a server into a folder.

use super::Remote;
use super::client::Version;
use super::error::RemoteError;
use crate::container::TableFile;
use crate::distances::Distances;
use crate::error::{Error, Problem};
use crate::manifest::Fingerprint;
use crate::payload::Payload as _;
use crate::source::Backend;
use crate::store::Store;
use crate::{Description, Table, system, working};
use game::{Metric, quoted_path};
use std::fs::{self, File, TryLockError};
use std::io::{self, Read, Seek, SeekFrom, Write};
use std::ops::RangeInclusive;
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicBool, Ordering::Relaxed};
use std::time::{Duration, Instant};

/// What [`Remote::fetch`] did.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Fetched {
    /// The folder has the table already.
    Here,
    /// The table was brought.
    Brought,
}

/// The reason why a table was not brought.
#[derive(Debug, thiserror::Error)]
pub enum FetchError {
    /// The server did not give the file.
    #[error("the table {} cannot be fetched: {source}", quoted_path(path))]
    Remote {
        /// The address of the table.
        path: PathBuf,
        /// The reason.
        source: RemoteError,
    },
    /// The manifest has the table, and the server has not.
    #[error("the table {} is in the manifest of the server, but not on the server", quoted_path(path))]
    NotThere {
        /// The address of the table.
        path: PathBuf,
    },
    /// The bytes are not those of the manifest.
    #[error("the table {} does not have the bytes that the manifest of the server says", quoted_path(path))]
    Wrong {
        /// The address of the table.
        path: PathBuf,
    },
    /// The file is not a table, or not this one.
    #[error(transparent)]
    Table(#[from] Error),
    /// The folder has a whole table of this name, with other bytes.
    #[error(
        "there is another table {}, which was left as it is; remove it to fetch that of the server",
        quoted_path(path)
    )]
    Other {
        /// The path of the table.
        path: PathBuf,
    },
    /// Another process brings tables to the same folder.
    #[error("another process is fetching tables to {}", quoted_path(folder))]
    Busy {
        /// The folder.
        folder: PathBuf,
    },
    /// A file cannot be written.
    #[error("{}: {source}", quoted_path(path))]
    File {
        /// The file.
        path: PathBuf,
        /// The reason.
        source: io::Error,
    },
    /// The caller asked to stop.
    #[error("interrupted; run the same command to go on")]
    Stopped,
}

impl Remote {
    /// Brings a table into a folder. `expected` is what the manifest of the server says about it. `progress` gets the number of
    /// bytes of each piece, also of pieces that are here already.
    ///
    /// The bytes go to a hidden file beside the table, which a later call continues. Only after its hash is right does it get the
    /// name of the table. Its extension is not that of the files that a solver removes. What was begun of other versions of the
    /// table, or before it came another way, is removed.
    ///
    /// # Errors
    /// Returns an error if the server does not give the right bytes, if the folder has another whole table of this name, if a file
    /// cannot be written, or if `stop` becomes true.
    pub fn fetch(
        &self,
        name: &str,
        expected: Fingerprint,
        folder: &Path,
        progress: &dyn Fn(u64),
        stop: &AtomicBool,
    ) -> Result<Fetched, FetchError> {
        let path = folder.join(name);
        let failed = |source| FetchError::File { path: path.clone(), source };
        let folder = working::folder_of(&path);
        if is_here(&path, expected)? {
            // The table may have come another way. Then nobody goes on with what was begun, except a process that is at it
            // now and holds the lock.
            let begun = begun(folder, &path);
            if !begun.is_empty()
                && let Ok(_lock) = lock(folder)
            {
                remove(&begun);
            }
            progress(expected.bytes);
            return Ok(Fetched::Here);
        }
        fs::create_dir_all(folder).map_err(failed)?;
        let _lock = lock(folder)?;
        let part = part(&path, expected);
        let mut others = begun(folder, &path);
        others.retain(|begun| *begun != part);
        remove(&others);
        let download = Download { remote: self, name, expected, progress, stop };
        let mut file = working::open_or_create(&part).map_err(failed)?;
        let begun = file.metadata().map_err(failed)?.len();
        let mut is_right = download.run(&mut file, &part)?;
        if !is_right && begun > 0 {
            // The beginning may be wrong, so everything is asked for again.
            file.set_len(0).map_err(failed)?;
            is_right = download.run(&mut file, &part)?;
        }
        let shown = self.root().join(name);
        let checked = match is_right {
            false => Err(FetchError::Wrong { path: shown }),
            true => check_table(&part, &path, name, shown).map_err(FetchError::Table),
        };
        if let Err(error) = checked {
            let _ = working::remove(&part);
            return Err(error);
        }
        file.sync_all().and_then(|()| fs::rename(&part, &path)).map_err(failed)?;
        // The new name is on the disk only after the folder is synced.
        system::sync_folder(folder).map_err(failed)?;
        Ok(Fetched::Brought)
    }
}

/// Returns whether a folder has the table already. A whole table with other bytes is an error: somebody may need it.
fn is_here(path: &Path, expected: Fingerprint) -> Result<bool, FetchError> {
    let source = match Backend::Read.open(path) {
        Ok(source) => source,
        Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(false),
        Err(source) => return Err(FetchError::File { path: path.to_owned(), source }),
    };
    let failed = |source| FetchError::File { path: path.to_owned(), source };
    if source.len() == expected.bytes && Fingerprint::of(&*source, &|_| ()).map_err(failed)? == expected {
        return Ok(true);
    }
    match TableFile::from_source(path, source).and_then(|table| table.check()) {
        Ok(()) => Err(FetchError::Other { path: path.to_owned() }),
        Err(_) => Ok(false),
    }
}

/// Checks that a file is the table of this name. `shown` is its name in messages. Distances belong to outcomes, which must be beside
/// `path`: a probe would find the distances first, and fail.
fn check_table(file: &Path, path: &Path, name: &str, shown: PathBuf) -> Result<(), Error> {
    let source = Backend::Read.open(file).map_err(|error| Problem::io("read")(error).at(file))?;
    let table = TableFile::from_source(&*shown, source)?;
    let belongs = table.description().path(Path::new(""));
    if belongs != Path::new(name) {
        return Err(Problem::Misplaced { belongs }.at(&shown));
    }
    if table.payload_name() == Distances::NAME {
        let of_outcomes = Description { metric: Metric::Wdl, ..table.description().clone() };
        let beside = of_outcomes.path(Path::new(""));
        let outcomes = path.with_file_name(beside.file_name().unwrap_or_default());
        match TableFile::open(&outcomes, Backend::Read) {
            Ok(found) if found.content_hash() == Table::<Distances>::of(table)?.payload().outcomes() => {}
            Ok(_) => return Err(Problem::OtherOutcomes { outcomes }.at(&shown)),
            Err(_) => return Err(Problem::NoOutcomes { outcomes }.at(&shown)),
        }
    }
    Ok(())
}

/// Locks a folder until the returned file is dropped. It is another lock than that of a solver, which may run meanwhile.
fn lock(folder: &Path) -> Result<File, FetchError> {
    let path = folder.join(".fetch.lock");
    let failed = |source| FetchError::File { path: path.clone(), source };
    let file = working::open_or_create(&path).map_err(failed)?;
    match file.try_lock() {
        Ok(()) => Ok(file),
        Err(TryLockError::WouldBlock) => Err(FetchError::Busy { folder: folder.to_owned() }),
        Err(TryLockError::Error(source)) => Err(failed(source)),
    }
}

const EXTENSION: &str = "fetch";

/// The path of the file for the bytes of a table. It has a part of the hash, so that only the same version is continued.
fn part(path: &Path, expected: Fingerprint) -> PathBuf {
    let hash = blake3::Hash::from_bytes(expected.hash).to_hex();
    path.with_file_name(format!("{}{}.{EXTENSION}", beginning(path), &hash[..16]))
}

fn beginning(path: &Path) -> String {
    format!(".{}.", path.file_name().unwrap_or_default().to_string_lossy())
}

/// The files that [`part`] names for any version of a table.
fn begun(folder: &Path, path: &Path) -> Vec<PathBuf> {
    let beginning = beginning(path);
    let is_part = |name: &str| {
        let hash =
            name.strip_prefix(&beginning).and_then(|rest| rest.strip_suffix(EXTENSION)?.strip_suffix('.'));
        hash.is_some_and(|hash| hash.len() == 16)
    };
    let files = fs::read_dir(folder).into_iter().flatten().filter_map(Result::ok);
    files.filter(|file| is_part(&file.file_name().to_string_lossy())).map(|file| file.path()).collect()
}

/// Removes files that nobody needs. What cannot be removed only takes room, and the next fetch of the table tries again.
fn remove(files: &[PathBuf]) {
    for file in files {
        let _ = working::remove(file);
    }
}

struct Download<'a> {
    remote: &'a Remote,
    name: &'a str,
    expected: Fingerprint,
    progress: &'a dyn Fn(u64),
    stop: &'a AtomicBool,
}

impl Download<'_> {
    /// Continues the file to its end. Returns whether it has the right hash.
    fn run(&self, file: &mut File, path: &Path) -> Result<bool, FetchError> {
        // Pieces are long enough that the requests cost little, and short enough to arrive in time over a slow line.
        const PIECES: RangeInclusive<u64> = 1 << 16..=1 << 23;
        const TIME: RangeInclusive<Duration> = Duration::from_millis(250)..=Duration::from_secs(2);
        let mut length: u64 = 1 << 18;
        let failed = |source| FetchError::File { path: path.to_owned(), source };
        let Self { remote, name, expected, .. } = *self;
        let (url, shown) = (remote.base.of(name), remote.root().join(name));
        let refused = |source| FetchError::Remote { path: shown.clone(), source };
        let mut hasher = blake3::Hasher::new();
        let mut done = self.hash_begun(file, &mut hasher).map_err(failed)?;
        let mut version: Option<Version> = None;
        while done < expected.bytes {
            if self.stop.load(Relaxed) {
                return Err(FetchError::Stopped);
            }
            let (started, range) = (Instant::now(), done..expected.bytes.min(done + length));
            let piece = remote.client.range(&url, range).map_err(refused)?;
            let piece = piece.ok_or_else(|| FetchError::NotThere { path: shown.clone() })?;
            if piece.version.length != expected.bytes {
                return Ok(false);
            }
            if *version.get_or_insert_with(|| piece.version.clone()) != piece.version {
                return Err(refused(RemoteError::Changed));
            }
            file.write_all(&piece.bytes).map_err(failed)?;
            hasher.update(&piece.bytes);
            done += piece.bytes.len() as u64;
            (self.progress)(piece.bytes.len() as u64);
            length = match started.elapsed() {
                time if time < *TIME.start() => (2 * length).min(*PIECES.end()),
                time if time > *TIME.end() => (length / 2).max(*PIECES.start()),
                _ => length,
            };
        }
        Ok(hasher.finalize() == expected.hash)
    }

    /// Hashes what the file has already, and goes to its end. A file that is too long is emptied.
    fn hash_begun(&self, file: &mut File, hasher: &mut blake3::Hasher) -> io::Result<u64> {
        if file.metadata()?.len() > self.expected.bytes {
            file.set_len(0)?;
        }
        file.seek(SeekFrom::Start(0))?;
        let (mut done, mut buffer) = (0, vec![0; 1 << 20]);
        loop {
            let length = file.read(&mut buffer)?;
            if length == 0 {
                return Ok(done);
            }
            hasher.update(&buffer[..length]);
            done += length as u64;
            (self.progress)(length as u64);
        }
    }
}
