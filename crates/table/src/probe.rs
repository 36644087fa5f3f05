//! Asking the tables about positions.

use crate::error::Error;
use crate::library::{Library, Places};
use crate::payload::Payload;
use crate::ranking::rank_of;
use crate::values::Values;
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
    /// The distance to the end. Draws have none, nor has what is decided by a rule, nor what comes from a table
    /// without distances or with those to the next irreversible move.
    pub plies: Option<Plies>,
    /// Is it a win or loss by a rule, such as that on perpetual check?
    pub by_rule: bool,
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
        Self { wdl: value.wdl(), plies: value.plies(), by_rule: false }
    }
}

/// Without a distance.
impl From<Wdl> for Probed {
    #[inline]
    fn from(wdl: Wdl) -> Self {
        Self { wdl, plies: None, by_rule: false }
    }
}

/// Why a position has no answer.
#[derive(Clone, Debug, thiserror::Error)]
pub enum ProbeError {
    /// Its slice has no table.
    #[error("{} has no table of {slice} for {game} ({rules}); it has to be solved first", places.quoted())]
    MissingTable {
        /// Where the library looked.
        places: Places,
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
/// Each slice's table is looked for once, when it is first needed. A table that is made later is seen by the next
/// prober. Of any payload it finds a position's [entry](Self::entry); what values are for, such as ranking moves, is
/// there for [`Values`].
#[derive(Debug)]
pub struct Prober<G: Endgame, P: Payload = Values> {
    pub(crate) game: G,
    library: Arc<Library>,
    /// The tables of a slice from best to worst: the first that is there is asked.
    metrics: Vec<Metric>,
    /// The slices in order, and a place for the table of each: a probe takes no lock and builds no text.
    slices: Vec<G::Slice>,
    tables: Vec<OnceLock<Option<Opened<P>>>>,
}

/// The table of a slice.
#[derive(Debug)]
struct Opened<P: Payload> {
    table: Arc<Table<P>>,
    /// Does it have a short numbering? Compared once, as it is a text.
    is_short: bool,
}

impl<G: Endgame + PartialEq> Prober<G> {
    /// Asks this library about values of positions of this game: the tables with distances to the end, and where there
    /// are none those without. No file is opened yet.
    pub fn new(game: G, library: Arc<Library>) -> Self {
        Self::of_metrics(game, library, vec![Metric::Dtm, Metric::Wdl])
    }
}

impl<G: Endgame + PartialEq, P: Payload> Prober<G, P> {
    /// Asks this library for tables with any of these metrics, in this order, about positions of this game. No file is
    /// opened yet.
    pub fn of_metrics(game: G, library: Arc<Library>, metrics: Vec<Metric>) -> Self {
        let mut slices = game.batches().concat();
        slices.sort();
        let tables = slices.iter().map(|_| OnceLock::new()).collect();
        Self { game, library, metrics, slices, tables }
    }

    /// The same library for the rules that a position brings with it.
    pub fn for_position(&self, position: &G::Position) -> Self {
        let game = self.game.of_position(position);
        Self::of_metrics(game, Arc::clone(&self.library), self.metrics.clone())
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

    /// What a table stores for a position; nothing where no table has an entry for it: its game is over, it wins at once and
    /// a short numbering leaves it out, or it is one step from those that have one.
    ///
    /// # Errors
    /// If its table is missing or damaged, or the position brings other rules.
    #[inline]
    pub fn entry(&self, position: &G::Position) -> Result<Option<P::Entry>, ProbeError> {
        match self.find(position).map_err(|unanswered| self.error(unanswered))? {
            Found::At(table, index) => Ok(Some(table.entry(index.0)?)),
            Found::Over(_) | Found::WonAtOnce | Found::Through => Ok(None),
        }
    }

    /// Where the answer is.
    #[inline]
    pub(crate) fn find(&self, position: &G::Position) -> Result<Found<'_, P>, Unanswered<G::Slice>> {
        if !self.fits(position) {
            return Err(ProbeError::OtherRules.into());
        }
        self.find_at(self.game.locate(position))
    }

    #[inline]
    fn find_at(&self, location: Location<G::Slice>) -> Result<Found<'_, P>, Unanswered<G::Slice>> {
        let (slice, index) = match location {
            Location::At(slice, index) => (slice, index),
            Location::Over(value) => return Ok(Found::Over(value)),
            Location::Through => return Ok(Found::Through),
            Location::Beyond(why) => return Err(ProbeError::Beyond { game: G::INFO.title, why }.into()),
        };
        let Opened { table, is_short } = self.opened(slice)?.ok_or(Unanswered::Missing(slice))?;
        match self.game.short().filter(|_| *is_short) {
            None => Ok(Found::At(table, index)),
            Some(short) => {
                let index = short.short_index(slice, index);
                Ok(index.map_or(Found::WonAtOnce, |index| Found::At(table, index)))
            }
        }
    }

    /// The table of a slice, looked for on the first call.
    ///
    /// # Errors
    /// If there is a file, but not the right one. It is looked at again next time.
    #[inline]
    pub fn table(&self, slice: G::Slice) -> Result<Option<&Table<P>>, Error> {
        Ok(self.opened(slice)?.map(|opened| &*opened.table))
    }

    #[inline]
    fn opened(&self, slice: G::Slice) -> Result<Option<&Opened<P>>, Error> {
        let Ok(number) = self.slices.binary_search(&slice) else { return Ok(None) };
        let place = &self.tables[number];
        let opened = match place.get() {
            Some(opened) => opened,
            None => {
                let opened = self.open(slice)?;
                place.get_or_init(|| opened)
            }
        };
        Ok(opened.as_ref())
    }

    #[cold]
    fn open(&self, slice: G::Slice) -> Result<Option<Opened<P>>, Error> {
        for &metric in &self.metrics {
            if let Some(table) = self.library.described_of(&describe(&self.game, slice, metric))? {
                let is_short = table.description().index != G::INDEX;
                return Ok(Some(Opened { table, is_short }));
            }
        }
        Ok(None)
    }

    #[cold]
    pub(crate) fn error(&self, unanswered: Unanswered<G::Slice>) -> ProbeError {
        match unanswered {
            Unanswered::Failed(error) => error,
            Unanswered::Missing(slice) => ProbeError::MissingTable {
                places: self.library.places(),
                game: G::INFO.name,
                rules: self.game.table_rules_id(),
                slice: slice.to_string(),
            },
        }
    }
}

impl<G: Endgame + PartialEq> Prober<G> {
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
            Found::At(table, index) => match told(table, index, table.entry(index.0)?)? {
                Some(probed) => Ok(probed),
                None => self.loss_or_draw(position),
            },
            Found::Over(value) => Ok(value.into()),
            Found::WonAtOnce => Ok(Wdl::Win.into()),
            Found::Through => self.one_step(position),
        }
    }

    /// The best that the moves of a position lead to.
    #[cold]
    pub(crate) fn one_step(&self, position: &G::Position) -> Result<Probed, Unanswered<G::Slice>> {
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

    /// What a position is that is [not won](Entry::NotWon): a loss if all moves lead to wins of the opponent. One
    /// that does not is enough for a draw, whatever is unknown about the others.
    pub(crate) fn loss_or_draw(&self, position: &G::Position) -> Result<Probed, Unanswered<G::Slice>> {
        // Who cannot move has lost or not, as the rules say.
        if let Some(outcome) = position.outcome() {
            return Ok(outcome.value(position.turn()).into());
        }
        let (mut unknown, mut leads_through) = (None, false);
        let mut judge = |won: Result<bool, Unanswered<G::Slice>>| match won {
            Ok(true) => ControlFlow::Continue(()),
            Ok(false) => ControlFlow::Break(()),
            Err(unanswered) => {
                unknown.get_or_insert(unanswered);
                ControlFlow::Continue(())
            }
        };
        let mut walk = self.game.successors(position, |location| match location {
            Location::Through => {
                leads_through = true;
                ControlFlow::Continue(())
            }
            location => judge(self.is_won(location)),
        });
        // A location says where a position is, and one that is nowhere has to be played. That ends, since play comes
        // back to no position that is nowhere.
        if leads_through && walk.is_continue() {
            walk = position.visit_moves(|m| {
                let next = position.play_unchecked(m);
                match self.game.locate(&next) {
                    Location::Through => judge(self.one_step(&next).map(|probed| probed.wdl == Wdl::Win)),
                    _ => ControlFlow::Continue(()),
                }
            });
        }
        let wdl = match (walk, unknown) {
            (ControlFlow::Break(()), _) => Wdl::Draw,
            (ControlFlow::Continue(()), None) => Wdl::Loss,
            (ControlFlow::Continue(()), Some(unanswered)) => return Err(unanswered),
        };
        Ok(wdl.into())
    }

    /// Does the side to move win there? The entry alone tells.
    fn is_won(&self, location: Location<G::Slice>) -> Result<bool, Unanswered<G::Slice>> {
        Ok(match self.find_at(location)? {
            Found::At(table, index) => {
                told(table, index, table.entry(index.0)?)?.is_some_and(|probed| probed.wdl == Wdl::Win)
            }
            Found::Over(value) => value.wdl() == Wdl::Win,
            Found::WonAtOnce => true,
            Found::Through => unreachable!("asked about positions that are somewhere"),
        })
    }
}

/// Where the answer to a probe is.
pub(crate) enum Found<'a, P: Payload> {
    /// In this table, by its own numbering.
    At(&'a Table<P>, Index),
    /// The game is over.
    Over(Value),
    /// Nowhere: the table leaves out what wins at once.
    WonAtOnce,
    /// One step over the moves.
    Through,
}

/// The answer that an entry gives; nothing if it is only known not to be a win.
#[inline]
pub(crate) fn told(table: &Table, index: Index, entry: Entry) -> Result<Option<Probed>, ProbeError> {
    let probed = |wdl, plies, by_rule| Ok(Some(Probed { wdl, plies, by_rule }));
    let to_the_end = |plies: Option<Plies>| plies.filter(|_| table.description().metric != Metric::Dtz);
    // One look at the kind: this is where probes spend their time.
    match entry {
        Entry::Win(plies) => probed(Wdl::Win, to_the_end(plies), false),
        Entry::Loss(plies) => probed(Wdl::Loss, to_the_end(plies), false),
        Entry::Draw => probed(Wdl::Draw, None, false),
        Entry::WinByRule => probed(Wdl::Win, None, true),
        Entry::LossByRule => probed(Wdl::Loss, None, true),
        Entry::NotWon => Ok(None),
        Entry::Nothing => Err(no_value(table, index)),
    }
}

#[cold]
fn no_value(table: &Table, index: Index) -> ProbeError {
    ProbeError::NoValue { path: table.path().to_owned(), index }
}
