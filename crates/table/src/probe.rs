//! Probes: looks up the values of positions in tables.

use crate::error::Error;
use crate::library::{AnyTable, Library, Places, Reach};
use crate::payload::Entries;
use crate::small::SmallTable;
use crate::values::Values;
use crate::{Entry, Table, describe, describe_small};
use game::{Endgame, Index, Location, Metric, Plies, ShortNumbering, Value, Wdl, quoted_path};
use std::path::PathBuf;
use std::sync::{Arc, OnceLock};

/// The result of a probe, from the view of the side to move.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct Probed {
    /// Win, draw or loss.
    pub wdl: Wdl,
    /// The distance to the end of the game. `None` for draws, for wins and losses by a rule, and if the table has no
    /// distances or has distances to the next irreversible move.
    pub plies: Option<Plies>,
    /// True for a win or loss by a rule, such as the rule on perpetual check.
    pub by_rule: bool,
}

impl Probed {
    /// The same result for the opponent, who has just moved to this position. The plies are those that remain after that
    /// move.
    #[must_use]
    pub fn for_opponent(self) -> Self {
        let wdl = match self.wdl {
            Wdl::Loss => Wdl::Win,
            Wdl::Draw => Wdl::Draw,
            Wdl::Win => Wdl::Loss,
        };
        Self { wdl, ..self }
    }

    /// Returns whether the position has a distance that the table does not tell.
    #[inline]
    pub(crate) fn lacks_distance(self) -> bool {
        self.plies.is_none() && !self.by_rule && self.wdl != Wdl::Draw
    }
}

impl From<Value> for Probed {
    #[inline]
    fn from(value: Value) -> Self {
        Self { wdl: value.wdl(), plies: value.plies(), by_rule: false }
    }
}

impl Probed {
    /// The same value one ply before: with the move that leads to this position.
    #[must_use]
    pub fn one_ply_before(self) -> Self {
        Self { plies: self.plies.map(|plies| Plies(plies.0.saturating_add(1))), ..self }
    }
}

/// Makes a result without a distance.
impl From<Wdl> for Probed {
    #[inline]
    fn from(wdl: Wdl) -> Self {
        Self { wdl, plies: None, by_rule: false }
    }
}

/// The reason why a probe failed.
#[derive(Clone, Debug, thiserror::Error)]
pub enum ProbeError {
    /// The library has no table of the slice.
    #[error("{} has no {}table of {slice} for {game} ({rules}); `{command}` makes it", places.quoted(), kind(*metric))]
    MissingTable {
        /// The places of the library.
        places: Places,
        /// The game.
        game: &'static str,
        /// The rules.
        rules: String,
        /// The slice.
        slice: String,
        /// The metric, if no other table can answer.
        metric: Option<Metric>,
        /// The command that solves it.
        command: String,
    },
    /// The position is in no slice.
    #[error("{game} has no table for this position: {why}")]
    Beyond {
        /// The game.
        game: &'static str,
        /// The reason.
        why: &'static str,
    },
    /// The position belongs to the same game with other rules. [`Prober::for_position`] gives a prober for it.
    #[error("the position belongs to other rules than the tables")]
    OtherRules,
    /// The table has no position at the index. It was made with other rules, or it is wrong.
    #[error("the table {} has no value for the position with the index {}", quoted_path(path), index.0)]
    NoValue {
        /// The path of the table.
        path: PathBuf,
        /// The index of the position.
        index: Index,
    },
    /// A table could not be read.
    #[error(transparent)]
    Table(#[from] Error),
}

/// The kind of a table, in front of the word `table`.
fn kind(metric: Option<Metric>) -> String {
    metric.map_or_else(String::new, |metric| format!("{} ", metric.name()))
}

/// The reason why a probe failed, before it is decided whether a missing table is an error.
pub(crate) enum Unanswered<S> {
    /// The table of this slice is missing.
    Missing(S),
    /// Any other reason.
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

/// Probes the tables of a library for positions of one game. Threads can share a prober.
///
/// The prober searches for the table of a slice once, when it is first needed or with [`preload`](Self::preload). A table
/// that is written later is found only by a new prober. The library limits the open files, so a prober may have any number
/// of tables. With any payload, the prober finds the [entry](Self::entry) of a position. Methods that need values,
/// such as ranking moves, exist only for [`Values`].
#[derive(Debug)]
pub struct Prober<G: Endgame, P: Entries = Values> {
    pub(crate) game: G,
    library: Arc<Library>,
    /// The metrics of tables from best to worst. Of each slice, the first table that exists is used, and one that is not remote
    /// before all others.
    metrics: Vec<Metric>,
    /// The slices in order. `places` has a place for the table of each, so that a probe needs no lock and no text.
    slices: Vec<G::Slice>,
    places: Vec<Place<P>>,
}

/// The place for the table of a slice.
#[derive(Debug)]
struct Place<P: Entries> {
    /// The number of the group of the slice.
    group: usize,
    opened: OnceLock<Option<Opened<P>>>,
}

/// The table of a slice.
#[derive(Debug)]
struct Opened<P: Entries> {
    table: AnyTable<P>,
    /// True if the table has the short numbering. Stored because it takes a comparison of texts.
    is_short: bool,
}

/// The result of opening all tables of a game.
#[derive(Clone, Debug, Default)]
pub struct Preloaded {
    /// The number of tables that are open.
    pub opened: usize,
    /// The tables that are there but cannot be opened.
    pub failed: Vec<Error>,
}

impl<G: Endgame + PartialEq> Prober<G> {
    /// A prober for the values of positions of this game. Of each slice, it uses the table with distances to the end, or
    /// else the table without distances. No file is opened yet.
    pub fn new(game: G, library: Arc<Library>) -> Self {
        Self::of_metrics(game, library, vec![Metric::Dtm, Metric::Wdl])
    }
}

impl<G: Endgame + PartialEq, P: Entries> Prober<G, P> {
    /// A prober for positions of this game. Of each slice, it uses the table with the first of these metrics that exists.
    /// Only if no table is here, servers are asked. No file is opened yet.
    pub fn of_metrics(game: G, library: Arc<Library>, metrics: Vec<Metric>) -> Self {
        let numbered = game.groups().into_iter().enumerate();
        let mut slices: Vec<(G::Slice, usize)> = numbered
            .flat_map(|(number, group)| group.into_iter().map(move |slice| (slice, number)))
            .collect();
        slices.sort();
        let places = slices.iter().map(|&(_, group)| Place { group, opened: OnceLock::new() }).collect();
        let slices = slices.into_iter().map(|(slice, _)| slice).collect();
        Self { game, library, metrics, slices, places }
    }

    /// A prober with the same library, for the rules that a position carries.
    pub fn for_position(&self, position: &G::Position) -> Self {
        let game = self.game.of_position(position);
        Self::of_metrics(game, Arc::clone(&self.library), self.metrics.clone())
    }

    /// Returns whether a position belongs to the rules of this prober. It takes a few nanoseconds.
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

    /// The entry of a position. Returns `None` if tables have no entry for it: the game is over, the side to move wins at
    /// once and the short numbering leaves the position out, the value follows from the values after its moves
    /// ([`Location::Through`]), or the table is a [small](SmallTable) one.
    ///
    /// # Errors
    /// Returns an error if the table is missing or damaged, or if the position has other rules than this prober.
    #[inline]
    pub fn entry(&self, position: &G::Position) -> Result<Option<P::Entry>, ProbeError> {
        match self.find(position).map_err(|unanswered| self.error(unanswered))? {
            Found::At(table, index) => Ok(Some(table.entry(index.0)?)),
            Found::Small(_) | Found::Over(_) | Found::WonAtOnce | Found::Through => Ok(None),
        }
    }

    /// Finds where the value of a position is stored.
    #[inline]
    pub(crate) fn find(&self, position: &G::Position) -> Result<Found<'_, P>, Unanswered<G::Slice>> {
        if !self.fits(position) {
            return Err(ProbeError::OtherRules.into());
        }
        self.find_at(self.game.locate(position))
    }

    /// Finds where the value of a position with this location is stored.
    #[inline]
    pub(crate) fn find_at(&self, location: Location<G::Slice>) -> Result<Found<'_, P>, Unanswered<G::Slice>> {
        let (slice, index) = match location {
            Location::At(slice, index) => (slice, index),
            Location::Over(value) => return Ok(Found::Over(value)),
            Location::Through => return Ok(Found::Through),
            Location::Beyond(why) => return Err(ProbeError::Beyond { game: G::INFO.title, why }.into()),
        };
        let place = self.place(slice).ok_or(Unanswered::Missing(slice))?;
        let Opened { table, is_short } = self.opened(slice, place)?.ok_or(Unanswered::Missing(slice))?;
        let table = match table {
            AnyTable::Whole(table) => table,
            AnyTable::Small(table) => {
                return Ok(Found::Small(SmallPlace { table, group: place.group, index }));
            }
        };
        match self.game.short().filter(|_| *is_short) {
            None => Ok(Found::At(table, index)),
            Some(short) => {
                let index = short.short_index(slice, index);
                Ok(index.map_or(Found::WonAtOnce, |index| Found::At(table, index)))
            }
        }
    }

    /// Searches for the tables of all slices now, and opens them. `progress` gets the number of slices done, and of all.
    pub fn preload(&self, progress: impl Fn(usize, usize)) -> Preloaded {
        let mut preloaded = Preloaded::default();
        for (number, (&slice, place)) in self.slices.iter().zip(&self.places).enumerate() {
            match self.opened(slice, place) {
                Ok(table) => preloaded.opened += usize::from(table.is_some()),
                Err(error) => preloaded.failed.push(error),
            }
            progress(number + 1, self.slices.len());
        }
        preloaded
    }

    /// The table of a slice. The first call searches for it. Returns `None` if there is no table, or a [small](SmallTable) one.
    ///
    /// # Errors
    /// Returns an error if there is a file but it is not the right table. The next call searches again.
    #[inline]
    pub fn table(&self, slice: G::Slice) -> Result<Option<&Table<P>>, Error> {
        let Some(place) = self.place(slice) else { return Ok(None) };
        Ok(self.opened(slice, place)?.and_then(|opened| match &opened.table {
            AnyTable::Whole(table) => Some(&**table),
            AnyTable::Small(_) => None,
        }))
    }

    #[inline]
    fn place(&self, slice: G::Slice) -> Option<&Place<P>> {
        self.slices.binary_search(&slice).ok().map(|number| &self.places[number])
    }

    /// The number of the group of a slice.
    #[inline]
    pub(crate) fn group_of(&self, slice: G::Slice) -> Option<usize> {
        self.place(slice).map(|place| place.group)
    }

    #[inline]
    fn opened<'a>(&self, slice: G::Slice, place: &'a Place<P>) -> Result<Option<&'a Opened<P>>, Error> {
        let opened = match place.opened.get() {
            Some(opened) => opened,
            None => {
                let opened = self.open(slice)?;
                place.opened.get_or_init(|| opened)
            }
        };
        Ok(opened.as_ref())
    }

    #[cold]
    fn open(&self, slice: G::Slice) -> Result<Option<Opened<P>>, Error> {
        // A table that is here answers, even if a server may have a better one: a local answer never waits for a server.
        for reach in [Reach::Local, Reach::Remote] {
            for &metric in &self.metrics {
                let whole = describe(&self.game, slice, metric);
                let small = describe_small(&self.game, slice, metric);
                if let Some(table) = self.library.any(&whole, &small, reach)? {
                    let is_short = matches!(table, AnyTable::Whole(_)) && whole.index != G::INDEX;
                    return Ok(Some(Opened { table, is_short }));
                }
            }
        }
        Ok(None)
    }

    #[cold]
    pub(crate) fn error(&self, unanswered: Unanswered<G::Slice>) -> ProbeError {
        match unanswered {
            Unanswered::Failed(error) => error,
            Unanswered::Missing(slice) => {
                let metric = self.metrics.first().copied().filter(|&metric| self.metrics == [metric]);
                let option = metric.map_or_else(String::new, |metric| format!(" --metric {}", metric.name()));
                ProbeError::MissingTable {
                    places: self.library.places(),
                    game: G::INFO.name,
                    rules: self.game.table_rules_id(),
                    slice: slice.to_string(),
                    metric,
                    command: self.game.solve_command(slice) + &option,
                }
            }
        }
    }
}

impl<G: Endgame + PartialEq> Prober<G> {
    /// The value of a position. It takes well below a microsecond if the block is in the cache, and otherwise the time to
    /// read and decompress one block. A [small](SmallTable) table may need several blocks, because some distances follow
    /// from those after the moves.
    ///
    /// # Errors
    /// Returns an error if the table is missing or damaged, or if the position has other rules than this prober.
    #[inline]
    pub fn value(&self, position: &G::Position) -> Result<Probed, ProbeError> {
        self.answer(position).map_err(|unanswered| self.error(unanswered))
    }

    /// The value of a position like [`value`](Self::value), but returns `None` if the table is missing or out of reach, or if
    /// no table can hold the position. No error is built in this case, so it is cheap where missing tables are normal.
    ///
    /// # Errors
    /// Returns an error if a table is damaged, or if the position has other rules than this prober.
    #[inline]
    pub fn known_value(&self, position: &G::Position) -> Result<Option<Probed>, ProbeError> {
        match self.answer(position) {
            Ok(probed) => Ok(Some(probed)),
            Err(Unanswered::Missing(_) | Unanswered::Failed(ProbeError::Beyond { .. })) => Ok(None),
            // A server that does not answer must not spoil the answers of the tables that are here.
            Err(Unanswered::Failed(ProbeError::Table(error))) if error.is_out_of_reach() => Ok(None),
            Err(Unanswered::Failed(error)) => Err(error),
        }
    }

    #[inline]
    pub(crate) fn answer(&self, position: &G::Position) -> Result<Probed, Unanswered<G::Slice>> {
        let found = self.find(position)?;
        self.answer_found(position, found)
    }

    /// The value of a position whose place has been found.
    #[inline]
    pub(crate) fn answer_found(
        &self,
        position: &G::Position,
        found: Found<'_, Values>,
    ) -> Result<Probed, Unanswered<G::Slice>> {
        match found {
            Found::At(table, index) => match told(table, index, table.entry(index.0)?)? {
                Some(probed) => Ok(probed),
                None => self.loss_or_draw(position),
            },
            Found::Small(place) => self.small_value(position, place),
            Found::Over(value) => Ok(value.into()),
            Found::WonAtOnce => Ok(Wdl::Win.into()),
            Found::Through => self.one_step(position),
        }
    }
}

/// Where the value of a position is stored.
pub(crate) enum Found<'a, P: Entries> {
    /// In this table, at this index of its own numbering.
    At(&'a Table<P>, Index),
    /// In a small table.
    Small(SmallPlace<'a>),
    /// The game is over.
    Over(Value),
    /// In no table: the side to move wins at once, and the short numbering leaves such positions out.
    WonAtOnce,
    /// In no table: the value follows from the values after the moves.
    Through,
}

/// A place in a small table.
#[derive(Clone, Copy)]
pub(crate) struct SmallPlace<'a> {
    pub(crate) table: &'a SmallTable,
    /// The number of the group of its slice.
    pub(crate) group: usize,
    pub(crate) index: Index,
}

/// The result of a probe from an entry. Returns `None` for [`Entry::NotWon`].
#[inline]
pub(crate) fn told(table: &Table, index: Index, entry: Entry) -> Result<Option<Probed>, ProbeError> {
    let probed = |wdl, plies, by_rule| Ok(Some(Probed { wdl, plies, by_rule }));
    let to_the_end = |plies: Option<Plies>| plies.filter(|_| table.description().metric != Metric::Dtz);
    // A single match on the kind, because probes spend their time here.
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
pub(crate) fn no_value(table: &Table, index: Index) -> ProbeError {
    ProbeError::NoValue { path: table.path().to_owned(), index }
}
