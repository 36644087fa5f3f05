//! Files for what does not fit into memory.

use std::fs::{self, File};
use std::io;
use std::path::Path;
use std::sync::atomic::{AtomicU64, Ordering::Relaxed};

/// Opens a new file in a folder. It has no name, so it is gone when it is closed, however the program ends.
///
/// # Errors
/// Returns an error if the file cannot be made.
pub fn file(folder: &Path) -> io::Result<File> {
    static NUMBER: AtomicU64 = AtomicU64::new(0);
    let path = folder.join(format!(".{}-{}.spill", std::process::id(), NUMBER.fetch_add(1, Relaxed)));
    let file = File::options().read(true).write(true).create_new(true).open(&path)?;
    fs::remove_file(&path)?;
    Ok(file)
}
