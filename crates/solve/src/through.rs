//! Moves into positions that have no index, whose values are one step over their moves: en passant in chess.
//!
//! Few cells have such a move, a *crossing*. The first look lists them, and after every round those that are still open are
//! looked at again, since nothing leads back to them. What a crossing learns is exact, or a promise like those of finished
//! slices: a quicker win may still come up.

use crate::batch::{Batch, Found};
use crate::cell::Cell;
use crate::outside::Outside;
use crate::run::Stop;
use crate::tally::Tally;
use game::{Endgame, Plies, Position, Value};
use rayon::prelude::*;
use std::sync::atomic::{AtomicU16, Ordering::Relaxed};
use std::sync::{Mutex, PoisonError};

/// The cells with a crossing.
pub(crate) struct Crossings {
    /// Ascending once all are found.
    cells: Vec<u64>,
    /// What the threads of the first look add.
    found: Mutex<Vec<u64>>,
    /// The latest win that a position without an index is promised by a finished slice while it may still be quicker.
    promise: AtomicU16,
}

impl Crossings {
    pub(crate) fn new(cells: Vec<u64>) -> Self {
        Self { cells, found: Mutex::default(), promise: AtomicU16::new(0) }
    }

    pub(crate) fn push(&self, cell: usize) {
        self.found.lock().unwrap_or_else(PoisonError::into_inner).push(cell as u64);
    }

    pub(crate) fn cells(&self) -> &[u64] {
        &self.cells
    }

    /// Until this round something may still become certain.
    pub(crate) fn promise(&self) -> Plies {
        Plies(self.promise.load(Relaxed))
    }

    /// Ends the first look. In order, so that a checkpoint does not depend on the threads.
    pub(crate) fn gather(&mut self) {
        let found = self.found.get_mut().unwrap_or_else(PoisonError::into_inner);
        self.cells.append(found);
        self.cells.sort_unstable();
    }
}

impl<G: Endgame, C: Cell, O: Outside<G>> Batch<'_, G, C, O> {
    /// Looks at every open crossing with what is certain after a round.
    pub(crate) fn cross(&mut self, round: Plies) -> Result<(), Stop> {
        if self.crossings.cells.is_empty() {
            return Ok(());
        }
        let this = &*self;
        let look = |mut changes: Tally, &cell: &u64| {
            if !this.is_interrupted() {
                this.look_across(cell as usize, round.next(), &mut changes);
            }
            changes
        };
        let cells = this.crossings.cells.par_iter();
        let changes = cells.fold(Tally::default, look).reduce(Tally::default, Tally::merge);
        self.add(changes)
    }

    fn look_across(&self, cell: usize, before: Plies, changes: &mut Tally) {
        let known = C::load(&self.cells[cell]).value();
        if !self.is_open(cell, before) {
            return;
        }
        let Some(position) = self.position(cell) else { return };
        let (best, is_complete) = self.step(&position, before);
        match best {
            Some(win @ Value::Win(_)) if known.is_none_or(|known| win > known) => {
                self.set(cell, win, changes)
            }
            Some(loss @ Value::Loss(_)) if is_complete && known.is_none() => self.set(cell, loss, changes),
            _ => {}
        }
    }

    /// One step over the moves of a position: the best that is certain before a round, and whether all moves are.
    fn step(&self, position: &G::Position, before: Plies) -> (Option<Value>, bool) {
        let (mut best, mut is_complete) = (None, true);
        position.for_each_move(|m| match self.value_before(&position.play_unchecked(m), before) {
            Some(value) => best = best.max(Some(value.before_move())),
            None => is_complete = false,
        });
        let ended = || position.outcome().map(|outcome| outcome.value(position.turn()));
        (if is_complete { best.or_else(ended) } else { best }, is_complete)
    }

    /// The exact value of a position, if it is certain before a round: what is not certain takes as many plies or more.
    fn value_before(&self, position: &G::Position, before: Plies) -> Option<Value> {
        match self.find(self.game.locate(position)) {
            Found::Outside(value) => Some(value),
            Found::Cell(cell) => self.certain(cell, before),
            Found::Unreadable => None,
            Found::Through => match self.step(position, before) {
                (best, true) => best,
                (Some(Value::Win(plies)), false) if plies > before => {
                    // A finished slice promises it, but what is not certain yet may be quicker.
                    self.crossings.promise.fetch_max(plies.0, Relaxed);
                    None
                }
                (win @ Some(Value::Win(_)), false) => win,
                (_, false) => None,
            },
        }
    }
}
