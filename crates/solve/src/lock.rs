//! The lock on a folder of tables. One run at a time solves in a folder.

use crate::error::Error;
use game::visible;
use std::fs::{self, File, TryLockError};
use std::io::{self, Read, Seek, Write};
use std::path::Path;
use table::working;

/// A lock on a folder. It is the file `.lock`, locked as the operating system locks files, so that a run that is killed
/// holds it no longer. The holder writes into it who he is. The text of a run that was killed stays there and is harmless,
/// because only the text of a run that holds the lock is read.
#[derive(Debug)]
pub struct Lock(File);

/// No text about a holder that is shown is longer.
const LONGEST: u64 = 500;

impl Lock {
    /// Takes the lock of a folder. If there is no folder, it is created.
    ///
    /// # Errors
    /// Returns an error if another run holds the lock, or if an I/O operation fails.
    pub fn take(folder: &Path, solving: &str) -> Result<Self, Error> {
        let failed = |source| Error::Folder { folder: folder.to_owned(), source };
        fs::create_dir_all(folder).map_err(failed)?;
        let path = folder.join(".lock");
        let unusable = |source| Error::Folder { folder: path.clone(), source };
        let mut file = working::open_or_create(&path).map_err(unusable)?;
        match file.try_lock() {
            Ok(()) => {
                let (process, since) = (std::process::id(), table::utc_now());
                // The lock holds without the text, for example on a full disk.
                let _ = rewrite(&mut file, &format!("process {process} since {since}, solving {solving}\n"));
                Ok(Self(file))
            }
            Err(TryLockError::WouldBlock) => {
                Err(Error::Busy { folder: folder.to_owned(), holder: holder(&file) })
            }
            Err(TryLockError::Error(source)) => Err(failed(source)),
        }
    }
}

/// Nobody holds the lock any more, so the text is removed.
impl Drop for Lock {
    fn drop(&mut self) {
        let _ = rewrite(&mut self.0, "");
    }
}

fn rewrite(file: &mut File, text: &str) -> io::Result<()> {
    file.rewind()?;
    file.set_len(0)?;
    file.write_all(text.as_bytes())
}

/// Reads who holds a lock. Returns `None` if he has not written it, or if it cannot be read.
fn holder(file: &File) -> Option<String> {
    let mut bytes = Vec::new();
    file.take(LONGEST).read_to_end(&mut bytes).ok()?;
    let text = String::from_utf8_lossy(&bytes);
    let line = text.lines().next().filter(|line| !line.is_empty())?;
    Some(visible(line))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_second_is_told_who_holds_the_lock() {
        let folder = tempfile::tempdir().expect("a folder");
        let path = folder.path().join("tables");
        let lock = Lock::take(&path, "KRvK (dtm)").expect("nobody has it");
        let text = fs::read_to_string(path.join(".lock")).expect("a text");
        let said = Lock::take(&path, "KQvK (dtm)").expect_err("one of us has it").to_string();
        let expected = format!("process {} since 2", std::process::id());
        assert!(said.contains(&expected) && said.contains("solving KRvK (dtm)"), "{said}");
        assert_eq!(
            fs::read_to_string(path.join(".lock")).expect("a text"),
            text,
            "the second changes nothing"
        );
        drop(lock);
        assert_eq!(fs::read_to_string(path.join(".lock")).expect("a text"), "");
    }

    #[test]
    fn old_and_hostile_texts_are_harmless() {
        let folder = tempfile::tempdir().expect("a folder");
        let path = folder.path().join(".lock");
        fs::write(&path, "process 1 since long ago, and much more text than usual\n").expect("a file");
        let lock = Lock::take(folder.path(), "x").expect("nobody has it");
        assert!(fs::read_to_string(&path).expect("a text").ends_with(", solving x\n"));
        drop(lock);
        let file = File::options().read(true).write(true).open(&path).expect("a file");
        file.lock().expect("nobody has it");
        for (text, shown) in [
            (&b""[..], None),
            (b"\n\nnot the first line", None),
            (b"\x1b[2J\xff", Some("\\u{1b}[2J\u{fffd}")),
            (&[b'x'; 10_000], Some(&*"x".repeat(LONGEST as usize))),
        ] {
            fs::write(&path, text).expect("a file");
            match Lock::take(folder.path(), "x") {
                Err(Error::Busy { holder, .. }) => assert_eq!(holder.as_deref(), shown),
                other => panic!("{other:?}"),
            }
        }
    }
}
