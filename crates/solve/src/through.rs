//! Moves into positions that have no index, such as positions with an en-passant right in chess. The value of such a
//! position follows from the values after its moves.
//!
//! Few cells have such a move, a *crossing*. The first look lists these cells. After every round the solver looks again at
//! those that are still open, because they are not found as predecessors. The value that it finds is exact, or it is a
//! promise like those of finished slices: a later round may still find a quicker win.

use crate::cell::Cell;
use crate::group::{Found, Group};
use crate::outside::Outside;
use crate::run::Stop;
use crate::tally::Tally;
use game::{Endgame, Plies, Position, Value, parallel};
use std::sync::atomic::{AtomicU16, Ordering::Relaxed};
use std::sync::{Mutex, PoisonError};

/// The cells with a crossing.
pub(crate) struct Crossings {
    /// In ascending order after [`gather`](Self::gather).
    cells: Vec<u64>,
    /// The cells that the threads of the first look have found.
    found: Mutex<Vec<u64>>,
    /// The longest win that a finished slice promises to a position without an index, while a quicker win is still
    /// possible.
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

    /// The last round in which the value of a crossing may still become certain.
    pub(crate) fn promise(&self) -> Plies {
        Plies(self.promise.load(Relaxed))
    }

    /// Forgets the cells that were found since the last [`gather`](Self::gather).
    pub(crate) fn forget(&mut self) {
        self.found.get_mut().unwrap_or_else(PoisonError::into_inner).clear();
    }

    /// Ends a part of the first look. Sorts the cells, so that a checkpoint does not depend on the order of threads.
    pub(crate) fn gather(&mut self) {
        let found = self.found.get_mut().unwrap_or_else(PoisonError::into_inner);
        self.cells.append(found);
        self.cells.sort_unstable();
    }
}

impl<G: Endgame, C: Cell, O: Outside<G>> Group<'_, G, C, O> {
    /// Looks at every open crossing, using the values that are certain after a round.
    pub(crate) fn cross(&mut self, round: Plies) -> Result<(), Stop> {
        if self.crossings.cells.is_empty() {
            return Ok(());
        }
        let this = &*self;
        let look = |changes: &mut Tally, crossing: usize| {
            if !this.is_interrupted() {
                this.look_across(this.crossings.cells[crossing] as usize, round.next(), changes);
            }
        };
        let changes = parallel::fold(this.crossings.cells.len(), Tally::default, look, Tally::merge);
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

    /// The best value that is certain before a round, over the moves of a position, and whether the values after all moves
    /// are certain.
    fn step(&self, position: &G::Position, before: Plies) -> (Option<Value>, bool) {
        let (mut best, mut is_complete) = (None, true);
        position.for_each_move(|m| match self.value_before(&position.play_unchecked(m), before) {
            Some(value) => best = best.max(Some(value.before_move())),
            None => is_complete = false,
        });
        let ended = || position.outcome().map(|outcome| outcome.value(position.turn()));
        (if is_complete { best.or_else(ended) } else { best }, is_complete)
    }

    /// The exact value of a position, if it is certain before a round. A win or loss that is not certain has a distance of
    /// at least `before` plies.
    fn value_before(&self, position: &G::Position, before: Plies) -> Option<Value> {
        match self.find(self.game.locate(position)) {
            Found::Outside(value) => Some(value),
            Found::Cell(cell) => self.certain(cell, before),
            Found::Unreadable => None,
            Found::Through => match self.step(position, before) {
                (best, true) => best,
                (Some(Value::Win(plies)), false) if plies > before => {
                    // A finished slice promises this win, but a move whose value is not certain yet may be quicker.
                    self.crossings.promise.fetch_max(plies.0, Relaxed);
                    None
                }
                (win @ Some(Value::Win(_)), false) => win,
                (_, false) => None,
            },
        }
    }
}
