//! A folder of tables.

use crate::cache::BlockCache;
use crate::description::{self, EXTENSION};
use crate::error::{Error, Field, Problem};
use crate::source::Backend;
use crate::{Description, Table};
use game::Metric;
use std::collections::HashMap;
use std::fs;
use std::io;
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, PoisonError};

/// A folder of tables, `<game>/<rules>/<slice>.<metric>.est`. A file is opened when it is first asked for; all share
/// one block cache. The [`MOST_OPEN`](Self::MOST_OPEN) tables asked for last are kept, and others while someone
/// uses them: a system allows few open files, and a game may have thousands. A file that is replaced later is seen
/// when it is opened again, and at the latest by the next library.
#[derive(Debug)]
pub struct Library {
    root: PathBuf,
    backend: Backend,
    cache: Arc<BlockCache>,
    opened: Mutex<Opened>,
}

/// The tables asked for last.
#[derive(Debug, Default)]
struct Opened {
    /// Each with the time when it was asked for.
    tables: HashMap<PathBuf, (Arc<Table>, u64)>,
    now: u64,
}

impl Opened {
    fn get(&mut self, path: &Path) -> Option<Arc<Table>> {
        let (table, asked) = self.tables.get_mut(path)?;
        self.now += 1;
        *asked = self.now;
        Some(Arc::clone(table))
    }

    /// Adds a table, and lets go of the one that nobody has asked for the longest if there are too many.
    fn insert(&mut self, path: PathBuf, table: Arc<Table>) {
        self.now += 1;
        self.tables.insert(path, (table, self.now));
        if self.tables.len() > Library::MOST_OPEN {
            let oldest = self.tables.iter().min_by_key(|(_, (_, asked))| *asked);
            if let Some(path) = oldest.map(|(path, _)| path.clone()) {
                self.tables.remove(&path);
            }
        }
    }
}

/// A file of a library, and what is in it.
#[derive(Debug)]
pub struct Listed {
    /// The file.
    pub path: PathBuf,
    /// The table, or why it is none.
    pub table: Result<Table, Error>,
}

impl Library {
    /// How many tables it keeps open.
    pub const MOST_OPEN: usize = 256;

    /// The tables in a folder, with a cache of so many bytes. Nothing is read yet; a folder that is not there has
    /// no tables.
    pub fn new(root: impl Into<PathBuf>, cache_bytes: u64) -> Self {
        Self::with_backend(root, cache_bytes, Backend::Read)
    }

    /// The same, with the files read in another way.
    pub fn with_backend(root: impl Into<PathBuf>, cache_bytes: u64, backend: Backend) -> Self {
        let cache = Arc::new(BlockCache::new(cache_bytes));
        Self { root: root.into(), backend, cache, opened: Mutex::default() }
    }

    /// The folder.
    pub fn root(&self) -> &Path {
        &self.root
    }

    /// The cache that its tables share.
    pub fn cache(&self) -> &BlockCache {
        &self.cache
    }

    /// A table; nothing if its file is not there.
    ///
    /// # Errors
    /// If the file cannot be read, is damaged, or says that it is another table.
    pub fn table(
        &self,
        game: &str,
        rules: &str,
        slice: &str,
        metric: Metric,
    ) -> Result<Option<Arc<Table>>, Error> {
        let path = description::path(&self.root, game, rules, slice, metric);
        let names = [(Field::Game, game), (Field::Rules, rules), (Field::Slice, slice)];
        if let Some((field, _)) = names.into_iter().find(|(_, name)| !description::is_name(name)) {
            return Err(Problem::Name { field }.at(&path));
        }
        // Opening takes less than a millisecond, and under the lock no file is opened by two at once.
        let mut opened = self.opened.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(table) = opened.get(&path) {
            return Ok(Some(table));
        }
        let table = match Table::open(&path, self.backend) {
            Ok(table) => table.with_cache(Arc::clone(&self.cache)),
            Err(Error { problem: Problem::Io { reason, .. }, .. })
                if matches!(reason.kind(), io::ErrorKind::NotFound | io::ErrorKind::NotADirectory) =>
            {
                return Ok(None);
            }
            Err(error) => return Err(error),
        };
        let found = table.description();
        table.expect_fields([
            (Field::Game, game.to_owned(), found.game.clone()),
            (Field::Rules, rules.to_owned(), found.rules.clone()),
            (Field::Slice, slice.to_owned(), found.slice.clone()),
            (Field::Metric, metric.name().to_owned(), found.metric.name().to_owned()),
        ])?;
        let table = Arc::new(table);
        opened.insert(path, Arc::clone(&table));
        Ok(Some(table))
    }

    /// A table of which everything is known, its numbering and size too; nothing if its file is not there.
    ///
    /// # Errors
    /// As [`table`](Self::table), and if the file has another index or another number of entries.
    pub fn described(&self, expected: &Description) -> Result<Option<Arc<Table>>, Error> {
        let Description { game, rules, slice, metric, .. } = expected;
        let table = self.table(game, rules, slice, *metric)?;
        if let Some(table) = &table {
            table.expect(expected)?;
        }
        Ok(table)
    }

    /// All table files below the root, sorted, each opened and closed again: a broken one does not hide the others.
    ///
    /// # Errors
    /// If a folder cannot be read. A root that is not there has no files.
    pub fn list(&self) -> Result<Vec<Listed>, Error> {
        let mut paths = Vec::new();
        if self.root.exists() {
            collect(&self.root, &mut paths)?;
        }
        paths.sort();
        let listed = |path: PathBuf| Listed { table: self.open_in_place(&path), path };
        Ok(paths.into_iter().map(listed).collect())
    }

    /// A file that lies where its header says.
    fn open_in_place(&self, path: &Path) -> Result<Table, Error> {
        let table = Table::open(path, self.backend)?;
        let belongs = table.description().path(&self.root);
        if belongs == path { Ok(table) } else { Err(Problem::Misplaced { belongs }.at(path)) }
    }
}

/// Adds the table files of a folder and of those in it. Links to folders are not followed: they could lead round.
fn collect(folder: &Path, paths: &mut Vec<PathBuf>) -> Result<(), Error> {
    let failed = |error: io::Error| Problem::io("looked for")(error).at(folder);
    for file in fs::read_dir(folder).map_err(failed)? {
        let file = file.map_err(failed)?;
        let path = file.path();
        if file.file_type().map_err(failed)?.is_dir() {
            collect(&path, paths)?;
        } else if path.extension().is_some_and(|extension| extension == EXTENSION) {
            paths.push(path);
        }
    }
    Ok(())
}
