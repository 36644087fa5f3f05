//! Asking the tables about positions.

use crate::error::Error;
use crate::library::Library;
use crate::{Description, Entry, Table};
use game::{Endgame, Index, Location, Metric, Plies, Value, Wdl};
use std::path::PathBuf;
use std::sync::{Arc, OnceLock};

/// What the tables say about a position, for the side to move.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct Probed {
    /// Win, draw or loss.
    pub wdl: Wdl,
    /// The distance to the end. Draws have none, and neither has what comes from a table without distances.
    pub plies: Option<Plies>,
}

impl Probed {
    /// Nothing for an entry that stands for no position.
    #[inline]
    pub(crate) fn from_entry(entry: Entry) -> Option<Self> {
        entry.wdl().map(|wdl| Self { wdl, plies: entry.plies() })
    }

    /// The same for the other side: what a move that leads here is worth to the player who makes it, with the plies
    /// that remain after it.
    #[must_use]
    pub fn for_opponent(self) -> Self {
        let wdl = match self.wdl {
            Wdl::Loss => Wdl::Win,
            Wdl::Draw => Wdl::Draw,
            Wdl::Win => Wdl::Loss,
        };
        Self { wdl, ..self }
    }
}

impl From<Value> for Probed {
    #[inline]
    fn from(value: Value) -> Self {
        Self { wdl: value.wdl(), plies: value.plies() }
    }
}

/// Why a position has no answer.
#[derive(Clone, Debug, thiserror::Error)]
pub enum ProbeError {
    /// Its slice has no table.
    #[error("`{}` has no table of {slice} for {game} ({rules}); it has to be solved first", root.display())]
    MissingTable {
        /// The library's folder.
        root: PathBuf,
        /// The game.
        game: &'static str,
        /// Its rules.
        rules: String,
        /// The slice.
        slice: String,
    },
    /// It is a position of the same game under other rules: a [`Prober::for_position`] can answer.
    #[error("the position belongs to other rules than the tables that were asked")]
    OtherRules,
    /// The table says that there is no such position: it was made by other rules, or solved wrongly.
    #[error("the table `{}` has no value for the position with the index {}", path.display(), index.0)]
    NoValue {
        /// The table.
        path: PathBuf,
        /// The position's index.
        index: Index,
    },
    /// A table could not be read.
    #[error(transparent)]
    Table(#[from] Error),
}

/// Asks a library about the positions of one game. Threads share it.
///
/// Each slice's table is looked for once, when it is first needed: the one with distances, or else the one without.
/// A table that is made later is seen by the next prober.
#[derive(Debug)]
pub struct Prober<G: Endgame> {
    pub(crate) game: G,
    library: Arc<Library>,
    rules: String,
    /// The slices in order, and a place for the table of each: a probe takes no lock and builds no text.
    slices: Vec<G::Slice>,
    tables: Vec<OnceLock<Option<Arc<Table>>>>,
}

impl<G: Endgame + PartialEq> Prober<G> {
    /// Asks this library about positions of this game. No file is opened yet.
    pub fn new(game: G, library: Arc<Library>) -> Self {
        let mut slices = game.batches().concat();
        slices.sort();
        let tables = slices.iter().map(|_| OnceLock::new()).collect();
        Self { rules: game.table_rules_id(), game, library, slices, tables }
    }

    /// The same library for the rules that a position brings with it.
    pub fn for_position(&self, position: &G::Position) -> Self {
        Self::new(self.game.of_position(position), Arc::clone(&self.library))
    }

    /// Does a position belong to this prober's rules? A few nanoseconds.
    #[inline]
    pub fn fits(&self, position: &G::Position) -> bool {
        self.game.of_position(position) == self.game
    }

    /// The game.
    pub fn game(&self) -> &G {
        &self.game
    }

    /// The library.
    pub fn library(&self) -> &Library {
        &self.library
    }

    /// The value of a position. Well below a microsecond if its block is in the cache, and else the time to read
    /// and unpack one.
    ///
    /// # Errors
    /// If its table is missing or damaged, or the position brings other rules.
    #[inline]
    pub fn value(&self, position: &G::Position) -> Result<Probed, ProbeError> {
        match self.find(position)? {
            Found::Known(probed) => Ok(probed),
            Found::Missing(slice) => Err(self.missing(slice)),
            Found::At(table, index) => read(table, index),
        }
    }

    /// As [`value`](Self::value), but nothing where the table is missing: for those who ask often and
    /// do not mind.
    ///
    /// # Errors
    /// As [`value`](Self::value) otherwise.
    #[inline]
    pub fn known_value(&self, position: &G::Position) -> Result<Option<Probed>, ProbeError> {
        match self.find(position)? {
            Found::Known(probed) => Ok(Some(probed)),
            Found::Missing(_) => Ok(None),
            Found::At(table, index) => read(table, index).map(Some),
        }
    }

    /// Where the answer is.
    #[inline]
    pub(crate) fn find(&self, position: &G::Position) -> Result<Found<'_, G::Slice>, ProbeError> {
        if !self.fits(position) {
            return Err(ProbeError::OtherRules);
        }
        Ok(match self.game.locate(position) {
            Location::Over(value) => Found::Known(value.into()),
            Location::At(slice, index) => match self.table(slice)? {
                Some(table) => Found::At(table, index),
                None => Found::Missing(slice),
            },
        })
    }

    /// The table of a slice, looked for on the first call.
    ///
    /// # Errors
    /// If there is a file, but not the right one. It is looked at again next time.
    #[inline]
    pub fn table(&self, slice: G::Slice) -> Result<Option<&Table>, Error> {
        let Ok(number) = self.slices.binary_search(&slice) else { return Ok(None) };
        let place = &self.tables[number];
        let table = match place.get() {
            Some(table) => table,
            None => {
                let opened = self.open(slice)?;
                place.get_or_init(|| opened)
            }
        };
        Ok(table.as_deref())
    }

    #[cold]
    fn open(&self, slice: G::Slice) -> Result<Option<Arc<Table>>, Error> {
        let description = |metric| Description {
            game: G::INFO.name.to_owned(),
            rules: self.rules.clone(),
            slice: slice.to_string(),
            metric,
            index: G::INDEX.to_owned(),
            entries: self.game.size(slice),
        };
        match self.library.described(&description(Metric::Dtm))? {
            Some(table) => Ok(Some(table)),
            None => self.library.described(&description(Metric::Wdl)),
        }
    }

    #[cold]
    pub(crate) fn missing(&self, slice: G::Slice) -> ProbeError {
        ProbeError::MissingTable {
            root: self.library.root().to_owned(),
            game: G::INFO.name,
            rules: self.rules.clone(),
            slice: slice.to_string(),
        }
    }
}

/// Where the answer to a probe is.
pub(crate) enum Found<'a, S> {
    /// It needs no table.
    Known(Probed),
    /// In a table that is not there.
    Missing(S),
    /// In this one.
    At(&'a Table, Index),
}

#[inline]
fn read(table: &Table, index: Index) -> Result<Probed, ProbeError> {
    probed(table, index, table.entry(index.0)?)
}

/// The answer that an entry gives.
#[inline]
pub(crate) fn probed(table: &Table, index: Index, entry: Entry) -> Result<Probed, ProbeError> {
    Probed::from_entry(entry).ok_or_else(|| ProbeError::NoValue { path: table.path().to_owned(), index })
}
