//! A library: the tables of one or several places.

use crate::cache::BlockCache;
use crate::container::TableFile;
use crate::description;
use crate::distances::Distances;
use crate::error::{Error, Fault, Field, Problem};
use crate::format::Header;
use crate::open_files::OpenFiles;
use crate::outcomes::Outcomes;
use crate::payload::Payload;
use crate::small::SmallTable;
use crate::source::Source;
use crate::statistics::{Counters, LibraryStatistics};
use crate::store::{Folder, Listing, Store};
use crate::values::Values;
use crate::{Description, Table, describe, describe_small};
use game::{Endgame, Metric};
use std::any::Any;
use std::collections::{HashMap, HashSet};
use std::fmt;
use std::io;
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

/// The tables of one or several places, each with the name `<game>/<rules>/<slice>.<metric>.est`. If several places have
/// a table, the first place is used.
///
/// A table is opened when it is first needed, and a library has each table at most once. All tables share one block cache
/// and one limit on open files: the least recently used file is closed, and opened again when a block of it is read. So
/// callers can hold any number of tables. A file that is replaced later is seen by the next library at the latest. Until
/// then, its table may return an error that says so.
///
/// [`statistics`](Self::statistics) counts the probes of each table. Threads can share a library.
#[derive(Debug)]
pub struct Library {
    stores: Vec<Arc<dyn Store>>,
    cache: Arc<BlockCache>,
    files: Arc<OpenFiles>,
    opened: Mutex<Opened>,
}

/// The tables that were opened.
#[derive(Debug, Default)]
struct Opened {
    by_name: HashMap<String, OpenedTable>,
    /// The number of tables in `by_name` that are kept.
    kept: usize,
    now: u64,
}

#[derive(Debug)]
struct OpenedTable {
    /// A `Table` of its payload, if it is kept.
    table: Option<Arc<dyn Any + Send + Sync>>,
    /// What was counted, also before the table was dropped.
    counters: Arc<Counters>,
    /// The time of the last use.
    asked: u64,
}

impl Opened {
    /// The number of tables that are kept although nobody holds them.
    const MOST_KEPT: usize = 256;

    fn get<P: Payload>(&mut self, name: &str) -> Option<Arc<Table<P>>> {
        let OpenedTable { table, asked, .. } = self.by_name.get_mut(name)?;
        let table = Arc::clone(table.as_ref()?).downcast().ok()?;
        self.now += 1;
        *asked = self.now;
        Some(table)
    }

    /// Adds a table. If there are too many, drops the least recently used one that nobody holds.
    fn insert<P: Payload>(&mut self, name: String, table: Table<P>) -> Arc<Table<P>> {
        self.now += 1;
        let opened = self.by_name.entry(name).or_insert_with(|| OpenedTable {
            table: None,
            counters: Arc::default(),
            asked: 0,
        });
        let table = Arc::new(table.with_counters(Arc::clone(&opened.counters)));
        let replaced = opened.table.replace(Arc::clone(&table) as _);
        opened.asked = self.now;
        self.kept += usize::from(replaced.is_none());
        if self.kept > Self::MOST_KEPT {
            let is_idle = |opened: &&mut OpenedTable| {
                opened.table.as_ref().is_some_and(|table| Arc::strong_count(table) == 1)
            };
            let idle = self.by_name.values_mut().filter(is_idle);
            if let Some(oldest) = idle.min_by_key(|opened| opened.asked) {
                oldest.table = None;
                self.kept -= 1;
            }
        }
        table
    }
}

/// A table in one of its forms.
#[derive(Debug)]
pub(crate) enum AnyTable<P: Payload> {
    /// It has an entry for each index.
    Whole(Arc<Table<P>>),
    /// Some of its values follow from those after a move.
    Small(SmallTable),
}

/// The places of a library that are searched.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Reach {
    /// Those on this machine.
    Local,
    /// Servers.
    Remote,
    /// All places.
    Everywhere,
}

impl Reach {
    fn includes(self, store: &dyn Store) -> bool {
        match self {
            Self::Local => !store.is_remote(),
            Self::Remote => store.is_remote(),
            Self::Everywhere => true,
        }
    }
}

/// A file of a library, or a part of a place that cannot be listed.
#[derive(Clone, Debug)]
pub struct Listed {
    /// The path of the file, or of the folder that cannot be listed.
    pub path: PathBuf,
    found: Result<Found, Error>,
}

/// Where a listed file is.
#[derive(Clone, Debug)]
struct Found {
    store: Arc<dyn Store>,
    name: String,
}

impl Listed {
    /// The name of the table in its place. `None` if this is a part of a place that cannot be listed.
    pub fn name(&self) -> Option<&str> {
        self.found.as_ref().ok().map(|found| found.name.as_str())
    }

    /// Opens the file without a look at its bytes.
    ///
    /// # Errors
    /// Returns an error if the file cannot be opened, or if the folder cannot be listed.
    pub fn source(&self) -> Result<Box<dyn Source>, Error> {
        let Found { store, name } = self.found.as_ref().map_err(Error::clone)?;
        let source = store.open(name).and_then(|source| source.ok_or_else(|| io::ErrorKind::NotFound.into()));
        source.map_err(|error| Problem::io("opened")(error).at(&self.path))
    }

    /// Opens the table, and checks that it is where its header says.
    ///
    /// # Errors
    /// Returns an error if the file is not a valid table or is misplaced, or if the folder cannot be listed.
    pub fn open(&self) -> Result<TableFile, Error> {
        let Found { store, name } = self.found.as_ref().map_err(Error::clone)?;
        let gone = || Problem::io("opened")(io::ErrorKind::NotFound.into()).at(&self.path);
        let table = opened_from(&**store, name, store.open(name), &|_| Ok(()))?.ok_or_else(gone)?;
        let belongs = table.description().path(store.root());
        if belongs == self.path { Ok(table) } else { Err(Problem::Misplaced { belongs }.at(&self.path)) }
    }
}

/// The names of the tables of a game in a library.
#[derive(Clone, Debug)]
pub struct Scanned {
    game: String,
    rules: String,
    names: HashSet<String>,
}

impl Scanned {
    /// Returns whether a slice has a table of this metric.
    pub fn has(&self, slice: &str, metric: Metric) -> bool {
        self.names.contains(&description::file_name(&self.game, &self.rules, slice, metric))
    }
}

/// The places of a library, with their names in messages.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Places(Vec<PathBuf>);

impl Places {
    /// The places in quotes, joined by "or", for a message.
    pub fn quoted(&self) -> String {
        let quoted: Vec<String> = self.iter().map(game::quoted_path).collect();
        quoted.join(" or ")
    }

    /// Iterates over the places in the order in which they are searched.
    pub fn iter(&self) -> impl ExactSizeIterator<Item = &Path> + '_ {
        self.0.iter().map(PathBuf::as_path)
    }
}

/// Writes the places with commas between them.
impl fmt::Display for Places {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for (number, place) in self.iter().enumerate() {
            let comma = if number == 0 { "" } else { ", " };
            write!(f, "{comma}{}", game::visible_path(place))?;
        }
        Ok(())
    }
}

impl Library {
    /// The default limit on open files.
    pub const MOST_OPEN: usize = 256;

    /// A library of the tables in a folder, with a cache of `cache_bytes` bytes. Nothing is read yet. A folder that does
    /// not exist has no tables.
    pub fn new(root: impl Into<PathBuf>, cache_bytes: u64) -> Self {
        Self::of(vec![Arc::new(Folder::new(root))], cache_bytes)
    }

    /// A library of the tables in these places, which are searched in this order.
    pub fn of(stores: Vec<Arc<dyn Store>>, cache_bytes: u64) -> Self {
        Self {
            stores,
            cache: Arc::new(BlockCache::new(cache_bytes)),
            files: Arc::new(OpenFiles::new(Self::MOST_OPEN)),
            opened: Mutex::default(),
        }
    }

    /// The same library with another limit on open files, which is at least 1. If the operating system allows fewer, the
    /// library keeps fewer open.
    #[must_use]
    pub fn with_most_open(self, files: usize) -> Self {
        Self { files: Arc::new(OpenFiles::new(files)), ..self }
    }

    /// A library of the same places, with its own cache and statistics. Both libraries share the limit on open files.
    #[must_use]
    pub fn with_own_cache(&self, cache_bytes: u64) -> Self {
        Self { files: Arc::clone(&self.files), ..Self::of(self.stores.clone(), cache_bytes) }
    }

    /// A library like [`with_own_cache`](Self::with_own_cache), in which this place is searched before all others.
    #[must_use]
    pub fn with_first(&self, store: Arc<dyn Store>, cache_bytes: u64) -> Self {
        let stores = std::iter::once(store).chain(self.stores.iter().cloned()).collect();
        Self { files: Arc::clone(&self.files), ..Self::of(stores, cache_bytes) }
    }

    /// The parts of the library on this machine and on servers, the latter if there are servers. They share the cache and the limit on
    /// open files with it.
    #[must_use]
    pub fn parts(&self) -> (Self, Option<Self>) {
        let (remote, local): (Vec<_>, Vec<_>) =
            self.stores.iter().cloned().partition(|store| store.is_remote());
        let part = |stores| Self {
            stores,
            cache: Arc::clone(&self.cache),
            files: Arc::clone(&self.files),
            opened: Mutex::default(),
        };
        (part(local), (!remote.is_empty()).then(|| part(remote)))
    }

    /// The place that is searched first. New tables belong there.
    pub fn folder(&self) -> &Path {
        self.stores.first().map_or(Path::new(""), |store| store.root())
    }

    /// The places of the library.
    pub fn places(&self) -> Places {
        Places(self.stores.iter().map(|store| store.root().to_owned()).collect())
    }

    /// The cache that all tables of the library share.
    pub fn cache(&self) -> &BlockCache {
        &self.cache
    }

    /// Opens a table of values. Returns `None` if no place has it.
    ///
    /// # Errors
    /// Returns an error if the file cannot be read, is damaged, has the header of another table, or has another payload.
    pub fn table(
        &self,
        game: &str,
        rules: &str,
        slice: &str,
        metric: Metric,
    ) -> Result<Option<Arc<Table>>, Error> {
        self.table_of(game, rules, slice, metric)
    }

    /// Opens a table with any payload. Returns `None` if no place has it.
    ///
    /// # Errors
    /// Returns the same errors as [`table`](Self::table).
    pub fn table_of<P: Payload>(
        &self,
        game: &str,
        rules: &str,
        slice: &str,
        metric: Metric,
    ) -> Result<Option<Arc<Table<P>>>, Error> {
        let name = description::file_name(game, rules, slice, metric);
        self.expected(name, &description::fields_in_path(game, rules, slice, metric))
    }

    /// Opens the table with this name, whose header must have these fields.
    fn expected<P: Payload>(
        &self,
        name: String,
        fields: &[(Field, String)],
    ) -> Result<Option<Arc<Table<P>>>, Error> {
        self.check_names(&name, fields)?;
        if let Some(table) = self.opened().get::<P>(&name) {
            return table.expect_fields(fields).map(|()| Some(table));
        }
        // A table with another payload may have another numbering, so that the payload is compared first.
        let check = |header: &Header| {
            let (in_path, others): (Vec<_>, Vec<_>) =
                fields.iter().cloned().partition(|&(field, _)| field.is_in_path());
            header.description.expect(&in_path)?;
            header.payload.expect::<P>()?;
            header.description.expect(&others)
        };
        // No lock is held while a place is searched: other threads must not wait for a remote place.
        let Some(file) = self.open_file(&name, Reach::Everywhere, check)? else { return Ok(None) };
        self.keep(name, file).map(Some)
    }

    /// Checks that the names in a path lead to no other folder.
    fn check_names(&self, name: &str, fields: &[(Field, String)]) -> Result<(), Error> {
        let leads_elsewhere =
            |(field, text): &&(Field, String)| field.is_in_path() && !description::is_name(text);
        match fields.iter().find(leads_elsewhere) {
            Some(&(field, _)) => Err(Problem::Name { field }.at(&self.folder().join(name))),
            None => Ok(()),
        }
    }

    /// Keeps the table in a file that was just opened.
    fn keep<P: Payload>(&self, name: String, file: TableFile) -> Result<Arc<Table<P>>, Error> {
        let table = Table::of(file)?.with_cache(Arc::clone(&self.cache));
        let mut opened = self.opened();
        // Another thread may have opened the same table in the meantime. Then all share the first one and its blocks.
        Ok(opened.get(&name).unwrap_or_else(|| opened.insert(name, table)))
    }

    /// Opens the table of a slice, which is a whole or a small one, in the places within reach. The file is opened once, and its
    /// payload decides. The outcomes of distances may be anywhere.
    pub(crate) fn any<P: Payload>(
        &self,
        whole: &Description,
        small: &Description,
        reach: Reach,
    ) -> Result<Option<AnyTable<P>>, Error> {
        let Description { game, rules, slice, metric, .. } = whole;
        let name = description::file_name(game, rules, slice, *metric);
        let in_path = whole.fields_in_path();
        self.check_names(&name, &in_path)?;
        if let Some(table) = self.opened().get::<P>(&name) {
            return table.expect_fields(&whole.fields()).map(|()| Some(AnyTable::Whole(table)));
        }
        let may_be_small = P::NAME == Values::NAME;
        let is_kept = |opened: &mut Opened| {
            opened.get::<Outcomes>(&name).is_some() || opened.get::<Distances>(&name).is_some()
        };
        if !(may_be_small && is_kept(&mut self.opened())) {
            let check = |header: &Header| {
                header.description.expect(&in_path)?;
                let is_small = may_be_small && header.payload.is_small();
                header.description.expect(&if is_small { small } else { whole }.fields())
            };
            let Some(file) = self.open_file(&name, reach, check)? else { return Ok(None) };
            if !(may_be_small && file.is_small()) {
                return self.keep(name, file).map(|table| Some(AnyTable::Whole(table)));
            }
            match *metric {
                Metric::Wdl => self.keep::<Outcomes>(name, file).map(|_| ())?,
                _ => self.keep::<Distances>(name, file).map(|_| ())?,
            }
        }
        Ok(self.small(small)?.map(AnyTable::Small))
    }

    /// The statistics of all tables that were opened since the library was made, sorted by name.
    pub fn statistics(&self) -> LibraryStatistics {
        let opened = self.opened();
        let mut tables: Vec<_> =
            opened.by_name.iter().map(|(name, table)| (name.clone(), table.counters.read())).collect();
        drop(opened);
        tables.sort_by(|(a, _), (b, _)| a.cmp(b));
        LibraryStatistics { tables }
    }

    fn opened(&self) -> MutexGuard<'_, Opened> {
        self.opened.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Opens the table of values with this description, and also checks its numbering and number of entries. Returns
    /// `None` if no place has it.
    ///
    /// # Errors
    /// Returns the same errors as [`table`](Self::table), and an error if the file has another index or another number of
    /// entries.
    pub fn described(&self, expected: &Description) -> Result<Option<Arc<Table>>, Error> {
        self.described_of(expected)
    }

    /// Opens the table with this description and any payload. Returns `None` if no place has it.
    ///
    /// # Errors
    /// Returns the same errors as [`described`](Self::described).
    pub fn described_of<P: Payload>(&self, expected: &Description) -> Result<Option<Arc<Table<P>>>, Error> {
        let Description { game, rules, slice, metric, .. } = expected;
        self.expected(description::file_name(game, rules, slice, *metric), &expected.fields())
    }

    /// Finds the file of the table of a slice, a whole or a small one. Returns `None` if no place has it.
    ///
    /// # Errors
    /// Returns the same errors as [`described`](Self::described), but the payload may be any.
    pub fn file<G: Endgame>(
        &self,
        game: &G,
        slice: G::Slice,
        metric: Metric,
    ) -> Result<Option<TableFile>, Error> {
        let whole = describe(game, slice, metric);
        let Description { game: name, rules, slice: of, .. } = &whole;
        // Only the payload tells whether the file has the numbering of whole or of small tables.
        let file_name = description::file_name(name, rules, of, metric);
        self.open_file(&file_name, Reach::Everywhere, |header| {
            header.description.expect(&whole.fields_in_path())?;
            match header.payload.is_small() {
                true => header.description.expect(&describe_small(game, slice, metric).fields()),
                false => header.description.expect(&whole.fields()),
            }
        })
    }

    /// Finds the file of the table with this description. Returns `None` if no place has it.
    ///
    /// # Errors
    /// Returns the same errors as [`described`](Self::described), but the payload may be any.
    pub fn file_of(&self, expected: &Description) -> Result<Option<TableFile>, Error> {
        let Description { game, rules, slice, metric, .. } = expected;
        let name = description::file_name(game, rules, slice, *metric);
        let fields = expected.fields();
        self.open_file(&name, Reach::Everywhere, |header| header.description.expect(&fields))
    }

    /// Opens the file with this name in a place within reach. `check` sees its header before more is read.
    fn open_file(
        &self,
        name: &str,
        reach: Reach,
        check: impl Fn(&Header) -> Result<(), Problem>,
    ) -> Result<Option<TableFile>, Error> {
        let open = |store| {
            let source = self.files.open(store, name);
            opened_from(&**store, name, source, &check).transpose()
        };
        self.stores.iter().filter(|store| reach.includes(&***store)).find_map(open).transpose()
    }

    /// Opens the small table of a slice: its outcomes, and its distances if the description asks for them. Returns `None` if no place
    /// has it, or if the table is not a small one.
    ///
    /// # Errors
    /// Returns the same errors as [`described`](Self::described), and an error if the outcomes of distances are missing.
    pub fn small(&self, expected: &Description) -> Result<Option<SmallTable>, Error> {
        let of_outcomes = Description { metric: Metric::Wdl, ..expected.clone() };
        match expected.metric {
            Metric::Wdl => match self.if_payload::<Outcomes>(expected)? {
                Some(outcomes) => SmallTable::new(outcomes, None).map(Some),
                None => Ok(None),
            },
            Metric::Dtm => match self.if_payload::<Distances>(expected)? {
                Some(distances) => {
                    let outcomes = self.outcomes_of(&distances, &of_outcomes)?;
                    SmallTable::new(outcomes, Some(distances)).map(Some)
                }
                None => Ok(None),
            },
            Metric::Dtz | Metric::Equity | Metric::Distribution => Ok(None),
        }
    }

    /// The outcomes to which distances belong, from any place. A place that is searched first may have another table of this name.
    fn outcomes_of(
        &self,
        distances: &Table<Distances>,
        expected: &Description,
    ) -> Result<Arc<Table<Outcomes>>, Error> {
        let belongs = |hash: [u8; 32]| hash == distances.payload().outcomes();
        if let Some(outcomes) = self.if_payload::<Outcomes>(expected)?
            && belongs(outcomes.content_hash())
        {
            return Ok(outcomes);
        }
        let Description { game, rules, slice, .. } = expected;
        let name = description::file_name(game, rules, slice, Metric::Wdl);
        let check = |header: &Header| {
            header.payload.expect::<Outcomes>()?;
            header.description.expect(&expected.fields())
        };
        let mut other = None;
        for store in &self.stores {
            match opened_from(&**store, &name, self.files.open(store, &name), &check) {
                Ok(None) => continue,
                Ok(Some(file)) if belongs(file.content_hash()) => {
                    return Ok(Arc::new(Table::of(file)?.with_cache(Arc::clone(&self.cache))));
                }
                Ok(Some(_)) | Err(Error { problem: Problem::Mismatch { .. }, .. }) => {}
                Err(error) => return Err(error),
            }
            other.get_or_insert(store.root().join(&name));
        }
        let problem = match other {
            Some(outcomes) => Problem::OtherOutcomes { outcomes },
            None => Problem::NoOutcomes { outcomes: expected.path(self.folder()) },
        };
        Err(problem.at(distances.path()))
    }

    /// The table with this description, if it has this payload. A table with another payload may have another numbering.
    fn if_payload<P: Payload>(&self, expected: &Description) -> Result<Option<Arc<Table<P>>>, Error> {
        match self.described_of::<P>(expected) {
            Err(Error { problem: Problem::Mismatch { field: Field::Payload, .. }, .. }) => Ok(None),
            found => found,
        }
    }

    /// Finds out which tables of a game there are, by their names. No file is opened, so any of them may be damaged.
    ///
    /// # Errors
    /// Returns an error if a name leads to another folder, or if a place cannot be listed.
    pub fn scan(&self, game: &str, rules: &str) -> Result<Scanned, Error> {
        let folder = format!("{game}/{rules}");
        let named = [(Field::Game, game), (Field::Rules, rules)];
        if let Some((field, _)) = named.into_iter().find(|(_, name)| !description::is_name(name)) {
            return Err(Problem::Name { field }.at(&self.folder().join(folder)));
        }
        let mut names = HashSet::new();
        for store in &self.stores {
            let Listing { names: found, problems } = store.list_in(&folder);
            if let Some(error) = problems.into_iter().next() {
                return Err(error);
            }
            names.extend(found);
        }
        Ok(Scanned { game: game.to_owned(), rules: rules.to_owned(), names })
    }

    /// Lists all tables of the library, with any payload, sorted by name within each place. No file is opened. What cannot
    /// be listed is an item of its own and does not hide the rest. If several places have a table, only that of the first
    /// place is listed. A place that does not exist has no tables.
    pub fn list(&self) -> Vec<Listed> {
        let (mut listed, mut seen) = (Vec::new(), HashSet::new());
        for store in &self.stores {
            let Listing { mut names, problems } = store.list();
            listed.extend(
                problems.into_iter().map(|error| Listed { path: error.path.clone(), found: Err(error) }),
            );
            // Sorted as paths are: component by component.
            names.sort_by(|a, b| a.split('/').cmp(b.split('/')));
            names.retain(|name| seen.insert(name.clone()));
            listed.extend(names.into_iter().map(|name| Listed {
                path: store.root().join(&name),
                found: Ok(Found { store: Arc::clone(store), name }),
            }));
        }
        listed
    }
}

/// The table in a source of a place. `check` sees the header before more is read. Returns `None` if
/// the place does not have the table.
fn opened_from(
    store: &dyn Store,
    name: &str,
    source: io::Result<Option<Box<dyn Source>>>,
    check: &dyn Fn(&Header) -> Result<(), Problem>,
) -> Result<Option<TableFile>, Error> {
    let path = store.root().join(name);
    let failed = |error| Problem::io("opened")(error).at(&path);
    let Some(source) = source.map_err(failed)? else { return Ok(None) };
    match TableFile::checked(path.clone(), source, check) {
        Err(error) if error.fault() == Fault::Damaged => match store.open_again(name).map_err(failed)? {
            Some(source) => TableFile::checked(path, source, check).map(Some),
            None => Err(error),
        },
        opened => opened.map(Some),
    }
}
