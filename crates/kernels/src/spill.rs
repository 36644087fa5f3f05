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
    let number = NUMBER.fetch_add(1, Relaxed);
    let path = folder.join(format!(".{}-{number}.{EXTENSION}", std::process::id()));
    let file = File::options().read(true).write(true).create_new(true).open(&path)?;
    fs::remove_file(&path)?;
    Ok(file)
}

const EXTENSION: &str = "spill";

/// Removes files that still have a name: a run that was killed just then has left them. No other run may use the folder.
///
/// # Errors
/// Returns an error if a file cannot be removed.
pub fn tidy(folder: &Path) -> io::Result<()> {
    let files = match fs::read_dir(folder) {
        Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(()),
        files => files?,
    };
    for file in files {
        let path = file?.path();
        if path.extension().is_some_and(|extension| extension == EXTENSION) {
            fs::remove_file(path)?;
        }
    }
    Ok(())
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
        fs::write(folder.path().join(".77-1.spill"), "left by a killed run").expect("a file");
        fs::write(folder.path().join("R.dtm.est"), "a table").expect("a file");
        tidy(folder.path()).expect("a folder of ours");
        assert_eq!(count(), 1);
        tidy(&folder.path().join("missing")).expect("nothing to do");
    }
}
