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

    /// Opens a table again whose bytes were wrong, without the copies that the place has kept of it. Returns `None` if the place
    /// keeps no copies.
    ///
    /// # Errors
    /// Returns the same errors as [`open`](Self::open).
    fn open_again(&self, _name: &str) -> io::Result<Option<Box<dyn Source>>> {
        Ok(None)
    }

    /// Returns whether the tables are on another machine, so that it may take long to find out whether there is one.
    fn is_remote(&self) -> bool {
        false
    }

    /// The names of all tables. There are none if the place does not exist.
    fn list(&self) -> Listing;

    /// The names of the tables whose names begin with `folder` and `/`. A place that can find them more quickly than all
    /// names does so.
    fn list_in(&self, folder: &str) -> Listing {
        let mut listing = self.list();
        listing.names.retain(|name| name.strip_prefix(folder).is_some_and(|rest| rest.starts_with('/')));
        listing
    }
}

/// The tables of a place.
#[derive(Clone, Debug, Default)]
pub struct Listing {
    /// The names of the tables, in any order.
    pub names: Vec<String>,
    /// The parts of the place that cannot be listed.
    pub problems: Vec<Error>,
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

    fn list(&self) -> Listing {
        self.list_from(self.root.clone(), String::new())
    }

    fn list_in(&self, folder: &str) -> Listing {
        self.list_from(self.root.join(folder), format!("{folder}/"))
    }
}

impl Folder {
    /// Lists a folder and the folders in it. `prefix` is the beginning of the names in it.
    fn list_from(&self, folder: PathBuf, prefix: String) -> Listing {
        let mut listing = Listing::default();
        // The folders that are not listed yet, and the beginning of the names in them.
        let mut folders = vec![(folder, prefix)];
        while let Some((folder, prefix)) = folders.pop() {
            if let Err(error) = collect(&folder, &prefix, &mut listing.names, &mut folders) {
                listing.problems.push(Problem::io("listed")(error).at(&folder));
            }
        }
        listing
    }
}

/// Adds the table files of a folder to `names`, and its subfolders to `folders`. Hidden folders have no finished tables. Links to
/// folders are not followed, because they could form a loop. What is not there, or not any more, is left out.
fn collect(
    folder: &Path,
    prefix: &str,
    names: &mut Vec<String>,
    folders: &mut Vec<(PathBuf, String)>,
) -> io::Result<()> {
    let Some(files) = if_there(fs::read_dir(folder))? else { return Ok(()) };
    for file in files {
        let file = file?;
        let Some(kind) = if_there(file.file_type())? else { continue };
        let own_name = file.file_name();
        let own_name = own_name.to_string_lossy();
        let name = format!("{prefix}{own_name}");
        if kind.is_dir() {
            if !own_name.starts_with('.') {
                folders.push((file.path(), format!("{name}/")));
            }
        } else if file.path().extension().is_some_and(|extension| extension == EXTENSION) {
            names.push(name);
        }
    }
    Ok(())
}

/// Returns `None` for what is not there.
fn if_there<T>(found: io::Result<T>) -> io::Result<Option<T>> {
    match found {
        Err(error) if error.kind() == io::ErrorKind::NotFound => Ok(None),
        found => found.map(Some),
    }
}
