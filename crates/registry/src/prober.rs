//! Probing the tables of an opened game.

use crate::answer::{Answer, Line, RankedMove};
use crate::error::Error;
use crate::json;
use crate::line_format::LineFormat;
use crate::rule50::{Category, Rule50, Zeroing};
use crate::rules::answer_positions;
use crate::session::{Session, position_of};
use game::{Endgame, Metric, Notation, Position, Wdl};
use std::cmp::Reverse;
use std::collections::HashMap;
use std::io::{self, Read, Write};
use std::ops::ControlFlow;
use std::sync::{Arc, Mutex, PoisonError};
use table::{Library, LineEnd, Preloaded, ZeroingProber};

/// Probes the tables of a game. Make it once and keep it; threads can share it.
pub trait Prober: Send + Sync {
    /// Returns the value of the position of a session and its moves from best to worst, with the extras.
    ///
    /// # Errors
    /// Returns an error if the tables do not have the position or an extra, or if a table is damaged.
    fn probe(&self, session: &dyn Session, extras: Extras) -> Result<Answer, Error>;

    /// Opens all tables of the opened game now, instead of when they are first needed. `progress` gets the number of slices
    /// done, and of all.
    fn preload(&self, progress: &dyn Fn(usize, usize)) -> Preloaded;

    /// Returns whether the game has a 50-move rule, so that answers can have [that extra](Extras::rule50).
    fn has_rule50(&self) -> bool;

    /// Returns the best line from the position of a session, as the extras ask for it, as text in one of the game's
    /// [formats](crate::Family::line_formats).
    ///
    /// # Errors
    /// Returns an error if the game has no such format, or if a table is missing or damaged.
    fn line_text(&self, session: &dyn Session, extras: Extras, format: &str) -> Result<String, Error>;

    /// Reads one position per line and writes one line of JSON for each: the answer of [`probe`](Self::probe), or the
    /// error.
    ///
    /// # Errors
    /// Returns an error if reading or writing fails.
    fn answer_lines(&self, extras: Extras, input: &mut dyn Read, output: &mut dyn Write) -> io::Result<()>;
}

/// What an answer has in addition to the value and the moves.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Extras {
    /// The best line, with at most so many moves.
    pub line: Option<usize>,
    /// What the 50-move rule makes of the position and of each move. The moves are then sorted by that first.
    pub rule50: bool,
}

impl Extras {
    /// Only the best line.
    pub const fn line(most: usize) -> Self {
        Self { line: Some(most), rule50: false }
    }
}

/// The [`Prober`] of any game.
pub(crate) struct ProberOf<G: Endgame> {
    own: Arc<table::Prober<G>>,
    /// Positions may have other rules than the opened game. There is a prober for each such rule set, by its name.
    others: Mutex<HashMap<String, Arc<table::Prober<G>>>>,
    formats: &'static [LineFormat<G>],
    /// `None` if the game has no 50-move rule.
    zeroing: Option<ZeroingOf<G>>,
}

/// The 50-move rule from DTZ tables.
type ZeroingOf<G> = Zeroing<G, ZeroingProber<G>>;

impl<G: Endgame + Notation + PartialEq> ProberOf<G> {
    pub(crate) fn new(
        game: G,
        library: Arc<Library>,
        formats: &'static [LineFormat<G>],
        zeroing: Option<ZeroingOf<G>>,
    ) -> Self {
        let own = match zeroing {
            None => table::Prober::new(game, library),
            // A library may have only the tables that the 50-move rule needs. They also tell who wins.
            Some(_) => table::Prober::of_metrics(game, library, Metric::OF_VALUES.to_vec()),
        };
        Self { own: Arc::new(own), others: Mutex::default(), formats, zeroing }
    }

    /// Returns the prober for the rules of a position.
    fn of(&self, position: &G::Position) -> Arc<table::Prober<G>> {
        // A prober keeps the headers of its tables in memory. The library limits the open files.
        const MOST: usize = 1024;
        if self.own.fits(position) {
            return Arc::clone(&self.own);
        }
        let rules = self.own.game().of_position(position).rules_id();
        let mut others = self.others.lock().unwrap_or_else(PoisonError::into_inner);
        if others.len() >= MOST && !others.contains_key(&rules) {
            others.clear();
        }
        Arc::clone(others.entry(rules).or_insert_with(|| Arc::new(self.own.for_position(position))))
    }

    fn answer(
        &self,
        prober: &table::Prober<G>,
        position: &G::Position,
        extras: Extras,
    ) -> Result<Answer, Error> {
        let value = prober.value(position)?;
        let zeroing = self.asked_zeroing(extras.rule50)?;
        let rule50 = zeroing.map(|zeroing| zeroing.of(position)).transpose()?;
        let moves = self.ranked(prober, position, zeroing)?;
        let moves = moves.into_iter().map(|(_, ranked)| ranked).collect();
        let line = extras.line.map(|most| self.line(prober, position, most, zeroing));
        let text = |line: LineOf<G>| Line {
            moves: line.moves.into_iter().map(|ranked| ranked.text).collect(),
            end: line.end,
        };
        Ok(Answer { value, rule50, moves, line: line.map(text) })
    }

    /// The best move by the tables, with the 50-move rule where tables know it. Returns `None` if no table has the position.
    pub(crate) fn best(&self, position: &G::Position) -> Result<Option<MoveOf<G>>, Error> {
        let prober = self.of(position);
        let zeroing = self.zeroing.as_ref().filter(|zeroing| zeroing.of(position).is_ok());
        match prober.value(position).map_err(Error::from) {
            Err(error) if error.has_no_table() => Ok(None),
            Err(error) => Err(error),
            Ok(_) => Ok(self.ranked(&prober, position, zeroing)?.first().map(|(best, _)| *best)),
        }
    }

    /// The 50-move rule, if it is asked for.
    fn asked_zeroing(&self, is_asked: bool) -> Result<Option<&ZeroingOf<G>>, Error> {
        match (&self.zeroing, is_asked) {
            (_, false) => Ok(None),
            (None, true) => Err(Error::NoRule50 { game: G::INFO.title }),
            (zeroing, true) => Ok(zeroing.as_ref()),
        }
    }

    /// The moves of a position, best first. With the 50-move rule, its categories come first; then the distances to mate, or,
    /// if there are none, to the next capture or pawn move.
    fn ranked(
        &self,
        prober: &table::Prober<G>,
        position: &G::Position,
        zeroing: Option<&ZeroingOf<G>>,
    ) -> Result<Vec<(MoveOf<G>, RankedMove)>, Error> {
        let mut moves = Vec::new();
        for ranked in prober.moves(position)? {
            let table::RankedMove { m, text, value } = ranked;
            let next = position.play_unchecked(m);
            let rule50 = zeroing.map(|zeroing| zeroing.known(&next)).transpose()?.flatten();
            let rule50 = rule50.map(Rule50::for_opponent);
            let has_distance = value.is_some_and(|value| value.plies.is_some());
            let is_last =
                has_distance || next.outcome().is_some() || prober.game().is_irreversible(position, m);
            let order = Reverse(rule50.map(|rule50| rule50.order(is_last)));
            moves.push((order, m, RankedMove { text, value, rule50 }));
        }
        moves.sort_by_key(|(order, ..)| *order);
        Ok(moves.into_iter().map(|(_, m, ranked)| (m, ranked)).collect())
    }

    /// The best line, as far as it can be read. With the 50-move rule, it keeps what the rule allows.
    fn line(
        &self,
        prober: &table::Prober<G>,
        position: &G::Position,
        most: usize,
        zeroing: Option<&ZeroingOf<G>>,
    ) -> LineOf<G> {
        match zeroing {
            None => {
                let table::Line { moves, end } = prober.line(position, most);
                LineOf::<G> { moves, end: end.map_err(Error::from) }
            }
            Some(zeroing) => self.line_with_clock(prober, position, most, zeroing),
        }
    }

    /// The best line with the 50-move rule.
    fn line_with_clock(
        &self,
        prober: &table::Prober<G>,
        position: &G::Position,
        most: usize,
        zeroing: &ZeroingOf<G>,
    ) -> LineOf<G> {
        let limit = prober.game().irreversible_within();
        table::Line::follow(position, most, |position, repeats| {
            let Some((m, best)) = self.ranked(prober, position, Some(zeroing))?.into_iter().next() else {
                return Ok(ControlFlow::Break(LineEnd::Over));
            };
            let RankedMove { text, value, rule50 } = best;
            // A win goes on: the clock lets no position come back for ever.
            let is_decided =
                rule50.is_some_and(|rule50| matches!(rule50.category, Category::Win | Category::Loss));
            if repeats && !is_decided {
                return Ok(ControlFlow::Break(LineEnd::Repetition));
            }
            if limit.is_some_and(|limit| (zeroing.quiet_plies)(position) >= limit.0) {
                return Ok(ControlFlow::Break(LineEnd::NoProgress));
            }
            if rule50.is_none() {
                return Ok(ControlFlow::Break(LineEnd::MissingTable));
            }
            Ok(ControlFlow::Continue(table::RankedMove { m, text, value }))
        })
    }
}

/// A move of a game.
type MoveOf<G> = <<G as game::Game>::Position as Position>::Move;

/// The best line of a game.
type LineOf<G> = table::Line<MoveOf<G>, Error>;

impl<G: Endgame + Notation + PartialEq> Prober for ProberOf<G> {
    fn probe(&self, session: &dyn Session, extras: Extras) -> Result<Answer, Error> {
        let position = position_of::<G>(session)?;
        self.answer(&self.of(position), position, extras)
    }

    fn preload(&self, progress: &dyn Fn(usize, usize)) -> Preloaded {
        let mut preloaded = self.own.preload(progress);
        if let Some(zeroing) = &self.zeroing {
            let Preloaded { opened, failed } = zeroing.source.preload(progress);
            preloaded.opened += opened;
            // A table that answers who wins may be the same one.
            let is_new = |error: &table::Error| preloaded.failed.iter().all(|known| known.path != error.path);
            let new: Vec<_> = failed.into_iter().filter(is_new).collect();
            preloaded.failed.extend(new);
        }
        preloaded
    }

    fn has_rule50(&self) -> bool {
        self.zeroing.is_some()
    }

    fn line_text(&self, session: &dyn Session, extras: Extras, format: &str) -> Result<String, Error> {
        let position = position_of::<G>(session)?;
        let found = self.formats.iter().find(|known| known.name == format);
        let LineFormat { write, .. } = found.ok_or_else(|| Error::LineFormat {
            game: G::INFO.title,
            name: format.to_owned(),
            known: self.formats.iter().map(|known| known.name).collect(),
        })?;
        let prober = self.of(position);
        // Without tables or distances there is no line that leads to the end.
        let value = prober.value(position)?;
        let zeroing = self.asked_zeroing(extras.rule50)?;
        let has_distance = value.plies.is_some() || value.by_rule || zeroing.is_some();
        if value.wdl != Wdl::Draw && !has_distance {
            return Err(Error::NoDistances { game: G::INFO.title });
        }
        let line = self.line(&prober, position, extras.line.unwrap_or(usize::MAX), zeroing);
        // A record cannot say that its end is missing.
        line.end?;
        Ok(write(position, &line.moves.into_iter().map(|ranked| ranked.m).collect::<Vec<_>>()))
    }

    fn answer_lines(&self, extras: Extras, input: &mut dyn Read, output: &mut dyn Write) -> io::Result<()> {
        // Most positions have the same rules as the one before.
        let mut last = Arc::clone(&self.own);
        answer_positions(self.own.game(), input, output, |position, out| {
            if !last.fits(&position) {
                last = self.of(&position);
            }
            let answer = self.answer(&last, &position, extras).map_err(|error| error.to_string())?;
            json::push_members(out, &answer);
            Ok(())
        })
    }
}
