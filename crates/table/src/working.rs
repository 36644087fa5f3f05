//! Files that a run makes for itself beside the tables: the lock, temporary files, checkpoints, rows.
//!
//! Something else may have the name of such a file: a link to a file that must not be changed, a pipe that nobody
//! writes to, a device. So these functions follow no links, wait for nothing, and open regular files only.

use crate::source::NotAFile;
use crate::system;
use std::ffi::OsStr;
use std::fs::{self, File, OpenOptions};
use std::io::{self, Write};
use std::path::Path;

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
/// Returns an error if the file cannot be opened, and [`NotAFile`] within it if it is not a regular file.
pub fn open(path: &Path) -> io::Result<File> {
    open_with(File::options().read(true), path)
}

/// Opens a file to read from it and to write to it. If there is none, it is created. The contents stay.
///
/// # Errors
/// Returns the same errors as [`open`].
pub fn open_or_create(path: &Path) -> io::Result<File> {
    open_with(File::options().read(true).write(true).create(true).truncate(false), path)
}

/// Writes a small file. What had its name before is replaced when the new file is on the disk.
///
/// # Errors
/// Returns an error if an I/O operation fails, or if a folder has the name. Then no temporary file is left.
pub fn replace(path: &Path, contents: &[u8]) -> io::Result<()> {
    let name = path.file_name().map(OsStr::to_string_lossy).unwrap_or_default();
    let temporary = path.with_file_name(format!(".{name}.part"));
    let write = || {
        let mut file = create(&temporary)?;
        file.write_all(contents)?;
        file.sync_all()?;
        fs::rename(&temporary, path)
    };
    write().inspect_err(|_| {
        // The caller gets the first error.
        let _ = remove(&temporary);
    })?;
    match path.parent() {
        Some(folder) if folder != Path::new("") => system::sync_folder(folder),
        _ => system::sync_folder(Path::new(".")),
    }
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

fn open_with(options: &mut OpenOptions, path: &Path) -> io::Result<File> {
    // Before the file is opened, because it has effects to open some devices. And after, in case it has been replaced.
    match fs::symlink_metadata(path) {
        Ok(metadata) => NotAFile::check(&metadata)?,
        Err(error) if error.kind() == io::ErrorKind::NotFound => {}
        Err(error) => return Err(error),
    }
    let file = system::without_links(options).open(path)?;
    NotAFile::check(&file.metadata()?)?;
    Ok(file)
}
