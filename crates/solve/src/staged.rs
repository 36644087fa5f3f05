//! New tables of a group, in a folder of their own until all of them are complete and compared.

use crate::error::Error;
use game::Endgame;
use std::io;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use table::{Description, Folder, Library, working};

/// The name of the folder, beside the tables that will be replaced. It is hidden, so that nobody takes a table in it for a finished
/// one.
pub(crate) const FOLDER: &str = ".packing";

/// A folder with new tables. It is removed with all that is still in it when this is dropped.
pub(crate) struct Staged<'a> {
    root: PathBuf,
    library: &'a Library,
}

impl<'a> Staged<'a> {
    /// An empty folder for tables of a game, in the first place of the library. What a killed run has left in it is removed.
    pub(crate) fn new<G: Endgame>(game: &G, library: &'a Library) -> Result<Self, Error> {
        let root = library.folder().join(G::INFO.name).join(game.table_rules_id()).join(FOLDER);
        let created = working::remove_all(&root).and_then(|()| std::fs::create_dir(&root));
        created.map_err(failed(&root))?;
        Ok(Self { root, library })
    }

    /// The root of the paths of the tables.
    pub(crate) fn root(&self) -> &Path {
        &self.root
    }

    /// The same library with its own cache, but with the tables of this folder instead of those that they will replace.
    pub(crate) fn library(&self, cache_bytes: u64) -> Library {
        self.library.with_first(Arc::new(Folder::new(&self.root)), cache_bytes)
    }

    /// Replaces a table by that of this folder.
    pub(crate) fn put_in_place(&self, table: &Description) -> Result<(), Error> {
        let path = table.path(self.library.folder());
        working::rename(&table.path(&self.root), &path).map_err(failed(&path))
    }
}

impl Drop for Staged<'_> {
    fn drop(&mut self) {
        // It only takes room, and the next run tries again.
        let _ = working::remove_all(&self.root);
    }
}

fn failed(path: &Path) -> impl Fn(io::Error) -> Error {
    move |source| Error::Folder { folder: path.to_owned(), source }
}
