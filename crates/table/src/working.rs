//! Files that a run makes for itself beside the tables: the lock, temporary files, checkpoints, rows.
//!
//! Something else may have the name of such a file: a link to a file that must not be changed, a pipe that nobody
//! writes to, a device. So these functions follow no links, wait for nothing, and open regular files only.

use crate::source::regular;
use crate::system;
use std::fs::{self, File, OpenOptions, TryLockError};
use std::io::{self, BufWriter, Write as _};
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicU64, Ordering::Relaxed};

/// Creates an empty file to write to. What had its name before is removed, and not written to.
///
/// # Errors
/// Returns an error if an I/O operation fails, or if a folder has the name.
pub fn create(path: &Path) -> io::Result<File> {
    remove(path)?;
    File::options().read(true).write(true).create_new(true).open(path)
}

/// Opens a file to read from it.
///
/// # Errors
/// Returns an error if the file cannot be opened, and [`NotAFile`](crate::NotAFile) within it if it is not a regular file.
pub fn open(path: &Path) -> io::Result<File> {
    open_with(File::options().read(true), path)
}

/// Opens a file to read from it and to write to it. The contents stay.
///
/// # Errors
/// Returns the same errors as [`open`].
pub fn open_to_change(path: &Path) -> io::Result<File> {
    open_with(File::options().read(true).write(true), path)
}

/// Opens a file like [`open_to_change`]. If there is none, it is created.
///
/// # Errors
/// Returns the same errors as [`open`].
pub fn open_or_create(path: &Path) -> io::Result<File> {
    open_with(File::options().read(true).write(true).create(true).truncate(false), path)
}

/// Removes a file, if there is one. A link is removed, and not the file that it leads to.
///
/// # Errors
/// Returns an error if the file cannot be removed.
pub fn remove(path: &Path) -> io::Result<()> {
    match fs::remove_file(path) {
        Err(error) if error.kind() != io::ErrorKind::NotFound => Err(error),
        _ => Ok(()),
    }
}

/// Removes a file, or a folder with all that is in it, if there is one. Links are removed, and not what they lead to.
///
/// # Errors
/// Returns an error if something cannot be removed.
pub fn remove_all(path: &Path) -> io::Result<()> {
    match fs::symlink_metadata(path) {
        Ok(found) if found.is_dir() => fs::remove_dir_all(path),
        _ => remove(path),
    }
}

/// Gives a complete file its name. What had the name before is replaced. It is on the disk when this returns.
///
/// # Errors
/// Returns an error if an I/O operation fails.
pub fn rename(from: &Path, to: &Path) -> io::Result<()> {
    fs::rename(from, to)?;
    // The new name is on the disk only after the folder is synced.
    system::sync_folder(folder_of(to))
}

/// Replaces a file: writes a temporary file beside it, and renames it when it is on the disk. After a failure or a crash, there
/// is the old file, or none if there was none. Several processes may replace a file at the same time; the last one stays.
///
/// # Errors
/// Returns an error if an I/O operation fails.
pub fn replace(path: &Path, contents: impl FnOnce(&mut BufWriter<File>) -> io::Result<()>) -> io::Result<()> {
    remove_abandoned(path);
    let (temporary, file) = create_own_temporary(path)?;
    let mut file = BufWriter::new(file);
    // The file stays open, and so locked, until it has its name.
    let written = contents(&mut file)
        .and_then(|()| file.flush())
        .and_then(|()| file.get_ref().sync_all())
        .and_then(|()| rename(&temporary, path));
    // The caller gets the first error, even if the temporary file cannot be removed.
    written.inspect_err(|_| drop(fs::remove_file(&temporary)))
}

/// Creates a temporary file for [`replace`], with a name that no other call uses. It is locked as long as it is open.
fn create_own_temporary(path: &Path) -> io::Result<(PathBuf, File)> {
    static NEXT: AtomicU64 = AtomicU64::new(0);
    loop {
        let number = NEXT.fetch_add(1, Relaxed);
        let name = format!("{}{}-{number}.{TEMPORARY}", beginning(path), std::process::id());
        let temporary = path.with_file_name(name);
        let file = create(&temporary)?;
        // Another process may have seen the file before it was locked, and so removes it.
        let is_taken = matches!(file.try_lock(), Err(TryLockError::WouldBlock));
        if !is_taken && fs::exists(&temporary)? {
            return Ok((temporary, file));
        }
        remove(&temporary)?;
    }
}

/// Removes the temporary files of killed processes that would replace a file.
fn remove_abandoned(path: &Path) {
    let beginning = beginning(path);
    let is_of_path = |file: &PathBuf| {
        let name = file.file_name().unwrap_or_default().to_string_lossy();
        name.starts_with(&beginning) && has_process_number(file) || name == format!("{beginning}{TEMPORARY}")
    };
    let files = fs::read_dir(folder_of(path)).into_iter().flatten().flatten().map(|file| file.path());
    for file in files.filter(is_of_path) {
        // It only takes room, and the next process tries again.
        let _ = remove_if_abandoned(&file);
    }
}

/// Returns whether a file has the name of a temporary file of [`replace`]. Such a file may be in use, whoever else works in its folder.
pub fn has_process_number(file: &Path) -> bool {
    let name = file.file_name().unwrap_or_default().to_string_lossy();
    let name = name.strip_prefix('.').and_then(|name| name.strip_suffix(TEMPORARY)?.strip_suffix('.'));
    let number = name.and_then(|name| name.rsplit_once('.')).and_then(|(_, number)| number.split_once('-'));
    let is_number = |text: &str| !text.is_empty() && text.bytes().all(|digit| digit.is_ascii_digit());
    number.is_some_and(|(process, number)| is_number(process) && is_number(number))
}

/// Removes a temporary file of [`replace`], unless a process has it open.
///
/// # Errors
/// Returns an error if an I/O operation fails.
pub fn remove_if_abandoned(temporary: &Path) -> io::Result<()> {
    match open(temporary)?.try_lock() {
        Ok(()) => remove(temporary),
        Err(TryLockError::WouldBlock) => Ok(()),
        Err(TryLockError::Error(error)) => Err(error),
    }
}

/// The extension of temporary files.
const TEMPORARY: &str = "part";

/// The beginning of the names of the temporary files of a file: hidden.
fn beginning(path: &Path) -> String {
    format!(".{}.", path.file_name().unwrap_or_default().to_string_lossy())
}

/// The folder of a file.
pub(crate) fn folder_of(path: &Path) -> &Path {
    match path.parent() {
        Some(folder) if folder != Path::new("") => folder,
        _ => Path::new("."),
    }
}

/// The path of the temporary file of a process that is alone: beside the file, hidden, and without the extension of tables.
pub(crate) fn temporary(path: &Path) -> PathBuf {
    path.with_file_name(format!("{}{TEMPORARY}", beginning(path)))
}

fn open_with(options: &mut OpenOptions, path: &Path) -> io::Result<File> {
    let found = match fs::symlink_metadata(path) {
        Err(error) if error.kind() == io::ErrorKind::NotFound => None,
        found => Some(found?),
    };
    regular(found.as_ref(), || system::without_links(options).open(path))
}
