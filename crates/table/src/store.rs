//! Places that hold tables.

use crate::description::EXTENSION;
use crate::error::{Error, Problem};
use crate::source::{Backend, Source};
use std::fmt::Debug;
use std::fs;
use std::io;
use std::path::{Path, PathBuf};

/// A place that holds tables: a [`Folder`], or a remote store. The name of a table in it is
/// `<game>/<rules>/<slice>.<metric>.est`, with `/` on every operating system.
pub trait Store: Debug + Send + Sync {
    /// The name of the place in messages. Messages show a table as this path joined with the name of the table.
    fn root(&self) -> &Path;

    /// Opens a table. Returns `None` if the place does not have it.
    ///
    /// # Errors
    /// Returns an error if the place cannot be reached, or if the table cannot be opened.
    fn open(&self, name: &str) -> io::Result<Option<Box<dyn Source>>>;

    /// The names of all tables, in any order. The list is empty if the place does not exist.
    ///
    /// # Errors
    /// Returns an error if the place cannot be listed.
    fn list(&self) -> Result<Vec<String>, Error>;
}

/// A folder in the file system.
#[derive(Clone, Debug)]
pub struct Folder {
    root: PathBuf,
    backend: Backend,
}

impl Folder {
    /// A folder whose files are read with positioned reads.
    pub fn new(root: impl Into<PathBuf>) -> Self {
        Self::with_backend(root, Backend::Read)
    }

    /// A folder whose files are read with this backend.
    pub fn with_backend(root: impl Into<PathBuf>, backend: Backend) -> Self {
        Self { root: root.into(), backend }
    }
}

impl Store for Folder {
    fn root(&self) -> &Path {
        &self.root
    }

    fn open(&self, name: &str) -> io::Result<Option<Box<dyn Source>>> {
        match self.backend.open(&self.root.join(name)) {
            Ok(source) => Ok(Some(source)),
            Err(error) if matches!(error.kind(), io::ErrorKind::NotFound | io::ErrorKind::NotADirectory) => {
                Ok(None)
            }
            Err(error) => Err(error),
        }
    }

    fn list(&self) -> Result<Vec<String>, Error> {
        let mut names = Vec::new();
        if self.root.exists() {
            collect(&self.root, "", &mut names)?;
        }
        Ok(names)
    }
}

/// Adds the table files of a folder and its subfolders. Links to folders are not followed, because they could form a loop.
fn collect(folder: &Path, prefix: &str, names: &mut Vec<String>) -> Result<(), Error> {
    let failed = |error: io::Error| Problem::io("listed")(error).at(folder);
    for file in fs::read_dir(folder).map_err(failed)? {
        let file = file.map_err(failed)?;
        let name = format!("{prefix}{}", file.file_name().to_string_lossy());
        if file.file_type().map_err(failed)?.is_dir() {
            collect(&file.path(), &format!("{name}/"), names)?;
        } else if file.path().extension().is_some_and(|extension| extension == EXTENSION) {
            names.push(name);
        }
    }
    Ok(())
}
