//! Where tables are kept.

use crate::description::EXTENSION;
use crate::error::{Error, Problem};
use crate::source::{Backend, Source};
use std::fmt::Debug;
use std::fs;
use std::io;
use std::path::{Path, PathBuf};

/// A place that has tables: a [`Folder`], or one that is far away. A table's name in it is
/// `<game>/<rules>/<slice>.<metric>.est`, with `/` on every system.
pub trait Store: Debug + Send + Sync {
    /// What messages call the place. They call a table by its name behind it, as a file in a folder.
    fn root(&self) -> &Path;

    /// The bytes of a table; nothing if it is not there.
    ///
    /// # Errors
    /// If that cannot be found out, or the table cannot be opened.
    fn open(&self, name: &str) -> io::Result<Option<Box<dyn Source>>>;

    /// The names of all tables, in any order. A place that is not there has none.
    ///
    /// # Errors
    /// If they cannot be found out.
    fn list(&self) -> Result<Vec<String>, Error>;
}

/// A folder of this machine.
#[derive(Clone, Debug)]
pub struct Folder {
    root: PathBuf,
    backend: Backend,
}

impl Folder {
    /// A folder whose files are read by position.
    pub fn new(root: impl Into<PathBuf>) -> Self {
        Self::with_backend(root, Backend::Read)
    }

    /// A folder whose files are read in this way.
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

/// Adds the table files of a folder and of those in it. Links to folders are not followed: they could lead round.
fn collect(folder: &Path, prefix: &str, names: &mut Vec<String>) -> Result<(), Error> {
    let failed = |error: io::Error| Problem::io("looked for")(error).at(folder);
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
