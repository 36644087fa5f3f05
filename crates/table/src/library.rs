//! Tables of one or several places.

use crate::cache::BlockCache;
use crate::container::TableFile;
use crate::description;
use crate::error::{Error, Field, Problem};
use crate::payload::Payload;
use crate::store::{Folder, Store};
use crate::{Description, Table};
use game::Metric;
use std::any::Any;
use std::collections::{HashMap, HashSet};
use std::fmt;
use std::io;
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

/// Tables of one or several places, each `<game>/<rules>/<slice>.<metric>.est`; the first place that has a table gives it.
/// A table is opened when it is first asked for; all share one block cache. The [`MOST_OPEN`](Self::MOST_OPEN) tables
/// asked for last are kept, and others while someone uses them: a system allows few open files, and a game may have
/// thousands. A file that is replaced later is seen when it is opened again, and at the latest by the next library.
#[derive(Debug)]
pub struct Library {
    stores: Vec<Arc<dyn Store>>,
    cache: Arc<BlockCache>,
    opened: Mutex<Opened>,
}

/// The tables asked for last.
#[derive(Debug, Default)]
struct Opened {
    /// Each by its name, as a `Table` of its payload, with the time when it was asked for.
    tables: HashMap<String, (Arc<dyn Any + Send + Sync>, u64)>,
    now: u64,
}

impl Opened {
    fn get<P: Payload>(&mut self, name: &str) -> Option<Arc<Table<P>>> {
        let (table, asked) = self.tables.get_mut(name)?;
        let table = Arc::clone(table).downcast().ok()?;
        self.now += 1;
        *asked = self.now;
        Some(table)
    }

    /// Adds a table, and lets go of the one that nobody has asked for the longest if there are too many.
    fn insert<P: Payload>(&mut self, name: String, table: Arc<Table<P>>) {
        self.now += 1;
        self.tables.insert(name, (table, self.now));
        if self.tables.len() > Library::MOST_OPEN {
            let oldest = self.tables.iter().min_by_key(|(_, (_, asked))| *asked);
            if let Some(name) = oldest.map(|(name, _)| name.clone()) {
                self.tables.remove(&name);
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
    pub table: Result<TableFile, Error>,
}

/// The places of a library, as messages name them.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Places(Vec<PathBuf>);

impl Places {
    /// Each in quotes, for a sentence.
    pub fn quoted(&self) -> String {
        let quoted: Vec<String> = self.iter().map(|place| game::quoted(&place.to_string_lossy())).collect();
        quoted.join(" or ")
    }

    /// The places in the order in which they are asked.
    pub fn iter(&self) -> impl ExactSizeIterator<Item = &Path> + '_ {
        self.0.iter().map(PathBuf::as_path)
    }
}

/// One after another, with commas between them.
impl fmt::Display for Places {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for (number, place) in self.iter().enumerate() {
            let comma = if number == 0 { "" } else { ", " };
            write!(f, "{comma}{}", place.display())?;
        }
        Ok(())
    }
}

impl Library {
    /// How many tables it keeps open.
    pub const MOST_OPEN: usize = 256;

    /// The tables in a folder, with a cache of so many bytes. Nothing is read yet; a folder that is not there has
    /// no tables.
    pub fn new(root: impl Into<PathBuf>, cache_bytes: u64) -> Self {
        Self::of(vec![Arc::new(Folder::new(root))], cache_bytes)
    }

    /// The tables of these places, asked in this order.
    pub fn of(stores: Vec<Arc<dyn Store>>, cache_bytes: u64) -> Self {
        Self { stores, cache: Arc::new(BlockCache::new(cache_bytes)), opened: Mutex::default() }
    }

    /// A library of the same places with a cache of its own.
    #[must_use]
    pub fn with_own_cache(&self, cache_bytes: u64) -> Self {
        Self::of(self.stores.clone(), cache_bytes)
    }

    /// The place that is asked first, and where new tables belong.
    pub fn folder(&self) -> &Path {
        self.stores.first().map_or(Path::new(""), |store| store.root())
    }

    /// Where it looks.
    pub fn places(&self) -> Places {
        Places(self.stores.iter().map(|store| store.root().to_owned()).collect())
    }

    /// The cache that its tables share.
    pub fn cache(&self) -> &BlockCache {
        &self.cache
    }

    /// A table of values; nothing if no place has it.
    ///
    /// # Errors
    /// If the file cannot be read, is damaged, says that it is another table, or stores something else.
    pub fn table(
        &self,
        game: &str,
        rules: &str,
        slice: &str,
        metric: Metric,
    ) -> Result<Option<Arc<Table>>, Error> {
        self.table_of(game, rules, slice, metric)
    }

    /// As [`table`](Self::table), of any payload.
    ///
    /// # Errors
    /// As [`table`](Self::table).
    pub fn table_of<P: Payload>(
        &self,
        game: &str,
        rules: &str,
        slice: &str,
        metric: Metric,
    ) -> Result<Option<Arc<Table<P>>>, Error> {
        let name = description::file_name(game, rules, slice, metric);
        let names = [(Field::Game, game), (Field::Rules, rules), (Field::Slice, slice)];
        if let Some((field, _)) = names.into_iter().find(|(_, name)| !description::is_name(name)) {
            return Err(Problem::Name { field }.at(&self.folder().join(name)));
        }
        if let Some(table) = self.opened().get(&name) {
            return Ok(Some(table));
        }
        // Nothing is locked while a place is asked: one that is far away must not keep the others waiting.
        let Some(file) = self.stores.iter().find_map(|store| open(&**store, &name).transpose()) else {
            return Ok(None);
        };
        let file = file?;
        let found = file.description();
        file.expect_fields([
            (Field::Game, game.to_owned(), found.game.clone()),
            (Field::Rules, rules.to_owned(), found.rules.clone()),
            (Field::Slice, slice.to_owned(), found.slice.clone()),
            (Field::Metric, metric.name().to_owned(), found.metric.name().to_owned()),
        ])?;
        let table = Arc::new(Table::of(file.with_cache(Arc::clone(&self.cache)))?);
        let mut opened = self.opened();
        // Another thread may have opened it meanwhile; all share the first one, and its blocks.
        if let Some(table) = opened.get(&name) {
            return Ok(Some(table));
        }
        opened.insert(name, Arc::clone(&table));
        Ok(Some(table))
    }

    fn opened(&self) -> MutexGuard<'_, Opened> {
        self.opened.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// A table of values of which everything is known, its numbering and size too; nothing if no place has it.
    ///
    /// # Errors
    /// As [`table`](Self::table), and if the file has another index or another number of entries.
    pub fn described(&self, expected: &Description) -> Result<Option<Arc<Table>>, Error> {
        self.described_of(expected)
    }

    /// As [`described`](Self::described), of any payload.
    ///
    /// # Errors
    /// As [`described`](Self::described).
    pub fn described_of<P: Payload>(&self, expected: &Description) -> Result<Option<Arc<Table<P>>>, Error> {
        let Description { game, rules, slice, metric, .. } = expected;
        let table = self.table_of::<P>(game, rules, slice, *metric)?;
        if let Some(table) = &table {
            table.expect(expected)?;
        }
        Ok(table)
    }

    /// All tables that it can give, of any payload, sorted within each place, each opened and closed again: a broken one
    /// does not hide the others, but one of an earlier place does.
    ///
    /// # Errors
    /// If a place cannot be looked through. One that is not there has no tables.
    pub fn list(&self) -> Result<Vec<Listed>, Error> {
        let (mut listed, mut seen) = (Vec::new(), HashSet::new());
        for store in &self.stores {
            let mut names = store.list()?;
            // As paths are sorted: part by part.
            names.sort_by(|a, b| a.split('/').cmp(b.split('/')));
            names.retain(|name| seen.insert(name.clone()));
            listed.extend(
                names.iter().map(|name| Listed {
                    path: store.root().join(name),
                    table: open_in_place(&**store, name),
                }),
            );
        }
        Ok(listed)
    }
}

/// A table of a place; nothing if it is not there.
fn open(store: &dyn Store, name: &str) -> Result<Option<TableFile>, Error> {
    let path = store.root().join(name);
    match store.open(name) {
        Ok(source) => source.map(|source| TableFile::from_source(path, source)).transpose(),
        Err(error) => Err(Problem::io("opened")(error).at(&path)),
    }
}

/// A table that lies where its header says.
fn open_in_place(store: &dyn Store, name: &str) -> Result<TableFile, Error> {
    let path = store.root().join(name);
    let gone = || Problem::io("opened")(io::ErrorKind::NotFound.into()).at(&path);
    let table = open(store, name)?.ok_or_else(gone)?;
    let belongs = table.description().path(store.root());
    if belongs == path { Ok(table) } else { Err(Problem::Misplaced { belongs }.at(&path)) }
}
