//! Probes: looks up the values of positions in tables.

use crate::error::Error;
use crate::library::{Library, Places};
use crate::payload::Payload;
use crate::ranking::rank_of;
use crate::small::{SmallTable, Stored};
use crate::values::Values;
use crate::{Entry, Table, describe};
use game::{Endgame, Index, Location, Metric, Plies, Position, ShortNumbering, Value, Wdl, quoted_path};
use std::ops::ControlFlow;
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
}

impl From<Value> for Probed {
    #[inline]
    fn from(value: Value) -> Self {
        Self { wdl: value.wdl(), plies: value.plies(), by_rule: false }
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
pub struct Prober<G: Endgame, P: Payload = Values> {
    pub(crate) game: G,
    library: Arc<Library>,
    /// The metrics of tables from best to worst. Of each slice, the first table that exists is used.
    metrics: Vec<Metric>,
    /// The slices in order. `tables` has a place for the table of each, so that a probe needs no lock and no text.
    slices: Vec<G::Slice>,
    /// By slice: the number of its group.
    groups: Vec<usize>,
    tables: Vec<OnceLock<Option<Opened<P>>>>,
}

/// The table of a slice.
#[derive(Debug)]
struct Opened<P: Payload> {
    table: AnyTable<P>,
    /// True if the table has the short numbering. Stored because it takes a comparison of texts.
    is_short: bool,
}

/// A table in one of its forms.
#[derive(Debug)]
enum AnyTable<P: Payload> {
    /// It has an entry for each index.
    Whole(Arc<Table<P>>),
    /// Some of its values follow from those after a move.
    Small(SmallTable),
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

impl<G: Endgame + PartialEq, P: Payload> Prober<G, P> {
    /// A prober for positions of this game. Of each slice, it uses the table with the first of these metrics that exists.
    /// No file is opened yet.
    pub fn of_metrics(game: G, library: Arc<Library>, metrics: Vec<Metric>) -> Self {
        let numbered = game.groups().into_iter().enumerate();
        let mut slices: Vec<(G::Slice, usize)> = numbered
            .flat_map(|(number, group)| group.into_iter().map(move |slice| (slice, number)))
            .collect();
        slices.sort();
        let tables = slices.iter().map(|_| OnceLock::new()).collect();
        let (slices, groups) = slices.into_iter().unzip();
        Self { game, library, metrics, slices, groups, tables }
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
            Found::Small(..) | Found::Over(_) | Found::WonAtOnce | Found::Through => Ok(None),
        }
    }

    /// Finds where the value of a position is stored.
    #[inline]
    pub(crate) fn find(
        &self,
        position: &G::Position,
    ) -> Result<Found<'_, P, G::Slice>, Unanswered<G::Slice>> {
        if !self.fits(position) {
            return Err(ProbeError::OtherRules.into());
        }
        self.find_at(self.game.locate(position))
    }

    #[inline]
    fn find_at(&self, location: Location<G::Slice>) -> Result<Found<'_, P, G::Slice>, Unanswered<G::Slice>> {
        let (slice, index) = match location {
            Location::At(slice, index) => (slice, index),
            Location::Over(value) => return Ok(Found::Over(value)),
            Location::Through => return Ok(Found::Through),
            Location::Beyond(why) => return Err(ProbeError::Beyond { game: G::INFO.title, why }.into()),
        };
        let Opened { table, is_short } = self.opened(slice)?.ok_or(Unanswered::Missing(slice))?;
        let table = match table {
            AnyTable::Whole(table) => table,
            AnyTable::Small(table) => return Ok(Found::Small(table, slice, index)),
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
        for (number, &slice) in self.slices.iter().enumerate() {
            match self.opened(slice) {
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
        Ok(self.opened(slice)?.and_then(|opened| match &opened.table {
            AnyTable::Whole(table) => Some(&**table),
            AnyTable::Small(_) => None,
        }))
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
            let description = describe(&self.game, slice, metric);
            let is_of_values = P::NAME == Values::NAME;
            if let Some(table) = is_of_values.then(|| self.library.small(&description)).transpose()?.flatten()
            {
                return Ok(Some(Opened { table: AnyTable::Small(table), is_short: false }));
            }
            if let Some(table) = self.library.described_of(&description)? {
                let is_short = table.description().index != G::INDEX;
                return Ok(Some(Opened { table: AnyTable::Whole(table), is_short }));
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
    /// read and decompress one block.
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
    fn answer(&self, position: &G::Position) -> Result<Probed, Unanswered<G::Slice>> {
        match self.find(position)? {
            Found::At(table, index) => match told(table, index, table.entry(index.0)?)? {
                Some(probed) => Ok(probed),
                None => self.loss_or_draw(position),
            },
            Found::Small(table, slice, index) => self.small_value(position, table, slice, index),
            Found::Over(value) => Ok(value.into()),
            Found::WonAtOnce => Ok(Wdl::Win.into()),
            Found::Through => self.one_step(position),
        }
    }

    /// The value of a position with a small table.
    #[inline]
    pub(crate) fn small_value(
        &self,
        position: &G::Position,
        table: &SmallTable,
        slice: G::Slice,
        index: Index,
    ) -> Result<Probed, Unanswered<G::Slice>> {
        match self.told_by_small(position, table, slice, index, table.stored(index.0)?)? {
            Told::Value(value) => Ok(value),
            Told::WithoutDistance(wdl) => self.derived(position, table, slice, index, wdl),
        }
    }

    /// What a small table tells of a position. The entry may be worse than the value, if a move out of the group gives the value.
    #[inline]
    fn told_by_small(
        &self,
        position: &G::Position,
        table: &SmallTable,
        slice: G::Slice,
        index: Index,
        stored: Stored,
    ) -> Result<Told, Unanswered<G::Slice>> {
        let (Stored::Entry(entry) | Stored::WithoutDistance(entry)) = stored;
        let Some(wdl) = entry.wdl() else { return Err(Unanswered::Failed(no_small_value(table, index))) };
        let probed = Probed { wdl, plies: entry.plies(), by_rule: entry.is_by_rule() };
        // No move is better than a win.
        if (probed.wdl != Wdl::Win || probed.by_rule)
            && let Some(value) = self.best_conversion(position, slice, probed)?
        {
            return Ok(Told::Value(value));
        }
        Ok(match stored {
            Stored::Entry(_) => Told::Value(probed),
            Stored::WithoutDistance(_) => Told::WithoutDistance(wdl),
        })
    }

    /// The value of a win or loss whose distance follows from those after its moves. The distances that it follows from are stored, or
    /// follow from other groups. Other moves within the group are left out: the values after them may follow from this one.
    fn derived(
        &self,
        position: &G::Position,
        table: &SmallTable,
        slice: G::Slice,
        index: Index,
        wdl: Wdl,
    ) -> Result<Probed, Unanswered<G::Slice>> {
        let (group, mut best) = (self.group_of(slice), None);
        let after_move = |next: &G::Position| -> Result<Option<Probed>, Unanswered<G::Slice>> {
            let (table, slice, index) = match self.find(next)? {
                Found::Small(table, slice, index) if self.group_of(slice) == group => (table, slice, index),
                _ => return self.answer(next).map(Some),
            };
            let stored = table.stored(index.0)?;
            let (Stored::Entry(entry) | Stored::WithoutDistance(entry)) = stored;
            // A win follows from losses, and no entry is better than the value.
            if wdl == Wdl::Win && entry.wdl() != Some(Wdl::Loss) {
                return Ok(None);
            }
            match self.told_by_small(next, table, slice, index, stored)? {
                Told::Value(value) => Ok(Some(value)),
                Told::WithoutDistance(_) => Err(Unanswered::Failed(no_small_value(table, index))),
            }
        };
        let walk = position.visit_moves(|m| match after_move(&position.play_unchecked(m)) {
            Ok(after) => {
                best = better(best, after.map(before_move));
                ControlFlow::Continue(())
            }
            Err(unanswered) => ControlFlow::Break(unanswered),
        });
        let ended = || position.outcome().map(|outcome| outcome.value(position.turn()).into());
        match walk {
            ControlFlow::Break(unanswered) => Err(unanswered),
            ControlFlow::Continue(()) => {
                best.or_else(ended).ok_or_else(|| Unanswered::Failed(no_small_value(table, index)))
            }
        }
    }

    /// The value of the best move out of the group of a slice, if its outcome is better than this one.
    fn best_conversion(
        &self,
        position: &G::Position,
        slice: G::Slice,
        stored: Probed,
    ) -> Result<Option<Probed>, Unanswered<G::Slice>> {
        let group = self.group_of(slice);
        let outcome = |probed: Probed| rank_of(Some(Probed { plies: None, ..probed }));
        let mut best: Option<Probed> = None;
        let walk = self.game.conversions(position, |next| {
            match self.game.locate(next) {
                Location::At(slice, _) if self.group_of(slice) == group => return ControlFlow::Continue(()),
                Location::Through => return ControlFlow::Continue(()),
                Location::At(..) | Location::Over(_) | Location::Beyond(_) => {}
            }
            match self.answer(next) {
                Ok(after) => {
                    let value = Some(before_move(after)).filter(|&value| outcome(value) < outcome(stored));
                    best = better(best, value);
                    ControlFlow::Continue(())
                }
                Err(unanswered) => ControlFlow::Break(unanswered),
            }
        });
        match walk {
            ControlFlow::Break(unanswered) => Err(unanswered),
            ControlFlow::Continue(()) => Ok(best),
        }
    }

    fn group_of(&self, slice: G::Slice) -> Option<usize> {
        self.slices.binary_search(&slice).ok().map(|number| self.groups[number])
    }

    /// The value of a position from the values after its moves.
    #[cold]
    pub(crate) fn one_step(&self, position: &G::Position) -> Result<Probed, Unanswered<G::Slice>> {
        let mut best: Option<Probed> = None;
        let walk = position.visit_moves(|m| match self.answer(&position.play_unchecked(m)) {
            Ok(after) => {
                best = better(best, Some(before_move(after)));
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

    /// The value of a position that is [not won](Entry::NotWon). It is a loss if the opponent wins after every move. One
    /// move after which the opponent does not win is enough for a draw, even if the values after other moves are not known.
    pub(crate) fn loss_or_draw(&self, position: &G::Position) -> Result<Probed, Unanswered<G::Slice>> {
        // If there is no legal move, the rules decide.
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
        // `successors` gives only locations. For a position that is in no table, the move has to be played. This
        // recursion ends, because play cannot return to a position that is in no table.
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

    /// Returns whether the side to move wins at a location. It uses the entry only, not the moves.
    fn is_won(&self, location: Location<G::Slice>) -> Result<bool, Unanswered<G::Slice>> {
        Ok(match self.find_at(location)? {
            Found::At(table, index) => {
                told(table, index, table.entry(index.0)?)?.is_some_and(|probed| probed.wdl == Wdl::Win)
            }
            // Games with such entries have no small tables, because their solver does not make them.
            Found::Small(table, _, index) => return Err(Unanswered::Failed(no_small_value(table, index))),
            Found::Over(value) => value.wdl() == Wdl::Win,
            Found::WonAtOnce => true,
            Found::Through => unreachable!("the caller handles positions that are in no table"),
        })
    }
}

/// What a small table tells of a position.
enum Told {
    /// Its value.
    Value(Probed),
    /// Its outcome. The distance follows from those after its moves.
    WithoutDistance(Wdl),
}

/// What a move promises if it leads to this value.
#[inline]
fn before_move(after: Probed) -> Probed {
    Probed { plies: after.plies.map(Plies::next), ..after.for_opponent() }
}

/// The better of two values, if there is one.
#[inline]
fn better(one: Option<Probed>, other: Option<Probed>) -> Option<Probed> {
    match (one, other) {
        (Some(best), Some(value)) if rank_of(Some(value)) < rank_of(Some(best)) => other,
        (None, _) => other,
        _ => one,
    }
}

/// Where the value of a position is stored.
pub(crate) enum Found<'a, P: Payload, S> {
    /// In this table, at this index of its own numbering.
    At(&'a Table<P>, Index),
    /// In the small table of this slice, at this index.
    Small(&'a SmallTable, S, Index),
    /// The game is over.
    Over(Value),
    /// In no table: the side to move wins at once, and the short numbering leaves such positions out.
    WonAtOnce,
    /// In no table: the value follows from the values after the moves.
    Through,
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

#[cold]
fn no_small_value(table: &SmallTable, index: Index) -> ProbeError {
    ProbeError::NoValue { path: table.outcomes().path().to_owned(), index }
}
