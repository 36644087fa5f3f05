//! Asking the tables of an opened game.

use crate::answer::{Answer, Line, RankedMove};
use crate::error::Error;
use crate::json;
use crate::rules::answer_positions;
use crate::session::{Session, position_of};
use game::{Endgame, Notation};
use std::collections::HashMap;
use std::io::{self, Read, Write};
use std::sync::{Arc, Mutex, PoisonError};
use table::Library;

/// Asks the tables of a game. It is made once and kept; threads share it.
pub trait Prober: Send + Sync {
    /// What the tables say about the position of a session: its value, its moves from best to worst, and, if that is to
    /// have so many moves, the line that follows when both play their best.
    ///
    /// # Errors
    /// If the tables have no answer, or one of them is damaged.
    fn probe(&self, session: &dyn Session, line: Option<usize>) -> Result<Answer, Error>;

    /// Reads a position per line and answers each with a line of JSON, as [`probe`](Self::probe) does, or with
    /// what is wrong with it.
    ///
    /// # Errors
    /// If reading or writing fails.
    fn answer_lines(
        &self,
        line: Option<usize>,
        input: &mut dyn Read,
        output: &mut dyn Write,
    ) -> io::Result<()>;
}

/// The tables of any game.
pub(crate) struct ProberOf<G: Endgame> {
    own: Arc<table::Prober<G>>,
    /// Positions may bring other rules along: a prober for each, by their names.
    others: Mutex<HashMap<String, Arc<table::Prober<G>>>>,
}

impl<G: Endgame + Notation + PartialEq> ProberOf<G> {
    pub(crate) fn new(game: G, library: Arc<Library>) -> Self {
        Self { own: Arc::new(table::Prober::new(game, library)), others: Mutex::default() }
    }

    /// The prober for the rules of a position.
    fn of(&self, position: &G::Position) -> Arc<table::Prober<G>> {
        // A prober keeps its tables open, so that only some are kept.
        const MOST: usize = 16;
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
}

impl<G: Endgame + Notation + PartialEq> Prober for ProberOf<G> {
    fn probe(&self, session: &dyn Session, line: Option<usize>) -> Result<Answer, Error> {
        let position = position_of::<G>(session)?;
        Ok(answer(&self.of(position), position, line)?)
    }

    fn answer_lines(
        &self,
        line: Option<usize>,
        input: &mut dyn Read,
        output: &mut dyn Write,
    ) -> io::Result<()> {
        // Most positions follow one of their own kind.
        let mut last = Arc::clone(&self.own);
        answer_positions(self.own.game(), input, output, |position, out| {
            if !last.fits(&position) {
                last = self.of(&position);
            }
            let answer = answer(&last, &position, line).map_err(|error| error.to_string())?;
            json::push_members(out, &answer);
            Ok(())
        })
    }
}

fn answer<G: Endgame + Notation + PartialEq>(
    prober: &table::Prober<G>,
    position: &G::Position,
    line: Option<usize>,
) -> Result<Answer, table::ProbeError> {
    let value = prober.value(position)?;
    let moves = prober.moves(position)?.into_iter();
    let moves = moves.map(|ranked| RankedMove { text: ranked.text, value: ranked.value }).collect();
    let line = line.map(|most| best_line(prober, position, most)).transpose()?;
    Ok(Answer { value, moves, line })
}

fn best_line<G: Endgame + Notation + PartialEq>(
    prober: &table::Prober<G>,
    position: &G::Position,
    most: usize,
) -> Result<Line, table::ProbeError> {
    let line = prober.line(position, most)?;
    Ok(Line { moves: line.moves.into_iter().map(|ranked| ranked.text).collect(), end: line.end })
}
