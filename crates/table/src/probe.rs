//! Asking the tables about positions.

use crate::error::Error;
use crate::library::Library;
use crate::ranking::rank_of;
use crate::{Entry, Table, describe};
use game::{Endgame, Index, Location, Metric, Plies, Position, ShortNumbering, Value, Wdl};
use std::ops::ControlFlow;
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
    /// No slice holds it.
    #[error("{game} has no table for this position: {why}")]
    Beyond {
        /// The game.
        game: &'static str,
        /// Why.
        why: &'static str,
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

/// Why a position has no answer, as long as a missing table may be no error.
pub(crate) enum Unanswered<S> {
    /// The table of this slice is missing.
    Missing(S),
    /// There is none for any other reason.
    Failed(ProbeError),
}

impl<S> From<ProbeError> for Unanswered<S> {
    fn from(error: ProbeError) -> Self {
        Self::Failed(error)
    }
}

impl<S> From<Error> for Unanswered<S> {
    fn from(error: Error) -> Self {
        Self::Failed(error.into())
    }
}

/// Asks a library about the positions of one game. Threads share it.
///
/// Each slice's table is looked for once, when it is first needed: the one with distances, or else the one without.
/// A table that is made later is seen by the next prober.
#[derive(Debug)]
pub struct Prober<G: Endgame> {
    pub(crate) game: G,
    library: Arc<Library>,
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
        Self { game, library, slices, tables }
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
        self.answer(position).map_err(|unanswered| self.error(unanswered))
    }

    /// As [`value`](Self::value), but nothing where no table is there: for those who ask often and
    /// do not mind.
    ///
    /// # Errors
    /// As [`value`](Self::value) otherwise.
    #[inline]
    pub fn known_value(&self, position: &G::Position) -> Result<Option<Probed>, ProbeError> {
        match self.answer(position) {
            Ok(probed) => Ok(Some(probed)),
            Err(Unanswered::Missing(_) | Unanswered::Failed(ProbeError::Beyond { .. })) => Ok(None),
            Err(Unanswered::Failed(error)) => Err(error),
        }
    }

    #[inline]
    fn answer(&self, position: &G::Position) -> Result<Probed, Unanswered<G::Slice>> {
        match self.find(position)? {
            Found::Known(probed) => Ok(probed),
            Found::At(table, index) => match told(table, index, table.entry(index.0)?)? {
                Some(probed) => Ok(probed),
                None => self.loss_or_draw(position),
            },
        }
    }

    /// Where the answer is.
    #[inline]
    pub(crate) fn find(&self, position: &G::Position) -> Result<Found<'_>, Unanswered<G::Slice>> {
        if !self.fits(position) {
            return Err(ProbeError::OtherRules.into());
        }
        match self.game.locate(position) {
            Location::Through => Ok(Found::Known(self.one_step(position)?)),
            location => self.find_at(location),
        }
    }

    /// The best that the moves of a position lead to.
    #[cold]
    fn one_step(&self, position: &G::Position) -> Result<Probed, Unanswered<G::Slice>> {
        let mut best: Option<Probed> = None;
        let walk = position.visit_moves(|m| match self.answer(&position.play_unchecked(m)) {
            Ok(after) => {
                let plies = after.plies.map(Plies::next);
                let value = Probed { plies, ..after.for_opponent() };
                if best.is_none_or(|best| rank_of(Some(value)) < rank_of(Some(best))) {
                    best = Some(value);
                }
                ControlFlow::Continue(())
            }
            Err(unanswered) => ControlFlow::Break(unanswered),
        });
        match (walk, best) {
            (ControlFlow::Break(unanswered), _) => Err(unanswered),
            (_, Some(best)) => Ok(best),
            (_, None) => {
                let outcome = position.outcome().expect("a position without moves is finished");
                Ok(outcome.value(position.turn()).into())
            }
        }
    }

    #[inline]
    fn find_at(&self, location: Location<G::Slice>) -> Result<Found<'_>, Unanswered<G::Slice>> {
        let (slice, index) = match location {
            Location::Over(value) => return Ok(Found::Known(value.into())),
            Location::At(slice, index) => (slice, index),
            Location::Beyond(why) => return Err(ProbeError::Beyond { game: G::INFO.title, why }.into()),
            Location::Through => unreachable!("a step is taken where the position is known"),
        };
        let table = self.table(slice)?.ok_or(Unanswered::Missing(slice))?;
        let short = self.game.short().filter(|_| table.description().index != G::INDEX);
        Ok(match short.map(|short| short.short_index(slice, index)) {
            None => Found::At(table, index),
            Some(Some(index)) => Found::At(table, index),
            Some(None) => Found::Known(Probed { wdl: Wdl::Win, plies: None }),
        })
    }

    /// What a position is that is [not won](Entry::NotWon): a loss if all moves lead to wins of the opponent. One
    /// that does not is enough for a draw, whatever is unknown about the others.
    pub(crate) fn loss_or_draw(&self, position: &G::Position) -> Result<Probed, Unanswered<G::Slice>> {
        // Who cannot move has lost or not, as the rules say.
        if let Some(outcome) = position.outcome() {
            return Ok(outcome.value(position.turn()).into());
        }
        let mut unknown = None;
        let walk = self.game.successors(position, |location| match self.is_won(location) {
            Ok(true) => ControlFlow::Continue(()),
            Ok(false) => ControlFlow::Break(()),
            Err(unanswered) => {
                unknown.get_or_insert(unanswered);
                ControlFlow::Continue(())
            }
        });
        let wdl = match (walk, unknown) {
            (ControlFlow::Break(()), _) => Wdl::Draw,
            (ControlFlow::Continue(()), None) => Wdl::Loss,
            (ControlFlow::Continue(()), Some(unanswered)) => return Err(unanswered),
        };
        Ok(Probed { wdl, plies: None })
    }

    /// Does the side to move win there? The entry alone tells.
    fn is_won(&self, location: Location<G::Slice>) -> Result<bool, Unanswered<G::Slice>> {
        Ok(match self.find_at(location)? {
            Found::Known(probed) => probed.wdl == Wdl::Win,
            Found::At(table, index) => {
                told(table, index, table.entry(index.0)?)?.is_some_and(|probed| probed.wdl == Wdl::Win)
            }
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
        match self.library.described(&describe(&self.game, slice, Metric::Dtm))? {
            Some(table) => Ok(Some(table)),
            None => self.library.described(&describe(&self.game, slice, Metric::Wdl)),
        }
    }

    #[cold]
    pub(crate) fn error(&self, unanswered: Unanswered<G::Slice>) -> ProbeError {
        match unanswered {
            Unanswered::Failed(error) => error,
            Unanswered::Missing(slice) => ProbeError::MissingTable {
                root: self.library.root().to_owned(),
                game: G::INFO.name,
                rules: self.game.table_rules_id(),
                slice: slice.to_string(),
            },
        }
    }
}

/// Where the answer to a probe is.
pub(crate) enum Found<'a> {
    /// It needs no entry.
    Known(Probed),
    /// In this table, by its own numbering.
    At(&'a Table, Index),
}

/// The answer that an entry gives; nothing if it is only known not to be a win.
#[inline]
pub(crate) fn told(table: &Table, index: Index, entry: Entry) -> Result<Option<Probed>, ProbeError> {
    match (entry, entry.wdl()) {
        (_, Some(wdl)) => Ok(Some(Probed { wdl, plies: entry.plies() })),
        (Entry::NotWon, None) => Ok(None),
        (_, None) => Err(ProbeError::NoValue { path: table.path().to_owned(), index }),
    }
}
