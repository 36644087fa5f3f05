//! Files for what does not fit into memory.

use std::fs::{self, File};
use std::io;
use std::path::Path;
use std::sync::atomic::{AtomicU64, Ordering::Relaxed};

/// Opens a new file in a folder. It has no name, so it is gone when it is closed, however the program ends. If the program is
/// killed before the file has lost its name, the next run in this folder removes it.
///
/// # Errors
/// Returns an error if the file cannot be made.
pub fn file(folder: &Path) -> io::Result<File> {
    static NUMBER: AtomicU64 = AtomicU64::new(0);
    let number = NUMBER.fetch_add(1, Relaxed);
    let path = folder.join(format!(".{}-{number}.spill", std::process::id()));
    let file = File::options().read(true).write(true).create_new(true).open(&path)?;
    fs::remove_file(&path)?;
    Ok(file)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn nothing_is_left() {
        let folder = tempfile::tempdir().expect("a folder");
        let count = || fs::read_dir(folder.path()).expect("a folder").count();
        let open = file(folder.path()).expect("a file");
        assert_eq!((open.metadata().expect("a file").len(), count()), (0, 0));
    }
}
