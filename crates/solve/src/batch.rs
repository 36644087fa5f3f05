//! The solver: rounds of backward induction over one batch, a ply each.
//!
//! After round n every win and loss within n plies is known exactly. A cell may say more than that: a *promise*, a win
//! that a finished slice guarantees later than n and that may still turn out to be quicker, or a loss whose last
//! defence ends later. What a cell says counts only in the rounds after its distance; so nothing depends on the order
//! of threads, and a round that was broken off can be done again.

use crate::cell::Cell;
use crate::inverse::Inverse;
use crate::layout::{CHUNK, Layout};
use crate::outside::Outside;
use crate::run::{Progress, Run, Stop};
use crate::tally::{Due, Tally};
use crate::through::Crossings;
use game::{Endgame, Location, Plies, Position, Predecessors, Value};
use rayon::prelude::*;
use std::ops::ControlFlow;
use std::sync::OnceLock;
use std::sync::atomic::{AtomicU64, Ordering::Relaxed};

/// A batch being solved.
pub struct Batch<'a, G: Endgame, C: Cell, O> {
    pub(crate) game: &'a G,
    layout: Layout<G>,
    pub(crate) cells: Vec<C::Shared>,
    outside: &'a O,
    pub(crate) crossings: Crossings,
    run: &'a Run<'a>,
    due: Vec<Due>,
    tally: Tally,
    /// What a thread met that ends the work: a value that the cells cannot hold, a table that cannot be read.
    stopped: OnceLock<Stop>,
    /// Rounds done; none before the first look at all.
    round: Option<Plies>,
}

/// A batch as it was left after a round.
pub struct Left<C: Cell> {
    /// Its cells, slice by slice.
    pub cells: Vec<C::Shared>,
    /// The cells with a move into a position that has no index.
    pub crossings: Vec<u64>,
    /// The rounds that were done.
    pub round: Plies,
}

impl<'a, G: Endgame, C: Cell, O: Outside<G>> Batch<'a, G, C, O> {
    /// A batch about which nothing is known.
    pub fn new(game: &'a G, batch: &[G::Slice], outside: &'a O, run: &'a Run<'a>) -> Self {
        let layout = Layout::new(game, batch);
        let cells = (0..layout.len()).into_par_iter().map(|_| C::UNKNOWN.share()).collect();
        Self::with(game, layout, outside, run, cells, Vec::new(), None)
    }

    /// A batch as it was left.
    pub fn resume(game: &'a G, batch: &[G::Slice], outside: &'a O, run: &'a Run<'a>, left: Left<C>) -> Self {
        let layout = Layout::new(game, batch);
        assert_eq!(left.cells.len(), layout.len(), "as many cells as the batch has");
        Self::with(game, layout, outside, run, left.cells, left.crossings, Some(left.round))
    }

    fn with(
        game: &'a G,
        layout: Layout<G>,
        outside: &'a O,
        run: &'a Run<'a>,
        cells: Vec<C::Shared>,
        crossings: Vec<u64>,
        round: Option<Plies>,
    ) -> Self {
        let due = (0..layout.len() / CHUNK).map(|_| Due::default()).collect();
        let (tally, stopped) = (Tally::default(), OnceLock::new());
        let crossings = Crossings::new(crossings);
        let mut batch = Self { game, layout, cells, outside, crossings, run, due, tally, stopped, round };
        batch.tally = batch.count();
        batch
    }

    /// The game.
    pub(crate) fn game(&self) -> &G {
        self.game
    }

    /// Where its slices lie.
    pub(crate) fn layout(&self) -> &Layout<G> {
        &self.layout
    }

    /// The rounds done.
    pub fn round(&self) -> Option<Plies> {
        self.round
    }

    /// The cells as they are, slice by slice.
    pub fn cells(&self) -> &[C::Shared] {
        &self.cells
    }

    /// The cells with a move into a position that has no index, ascending.
    pub fn crossings(&self) -> &[u64] {
        self.crossings.cells()
    }

    /// What is known of an index of the batch. In the end, what is still unknown is a draw.
    pub fn cell(&self, slice: G::Slice, index: game::Index) -> C {
        C::load(&self.cells[self.layout.cell(slice, index).expect("a slice of the batch")])
    }

    /// Solves the batch, from where it stands to the end. `save` is called between rounds, and when the run is
    /// interrupted.
    pub fn solve(&mut self, mut save: impl FnMut(&Self) -> Result<(), Stop>) -> Result<(), Stop> {
        let mut done = match self.round {
            Some(round) => round,
            None => {
                self.look_at_all()?;
                Plies(0)
            }
        };
        self.round = Some(done);
        save(self)?;
        let crossed = self.cross(done);
        let inverted =
            crossed.and_then(|()| self.run.inverts(self.game).then(|| Inverse::new(self)).transpose());
        let inverse = match inverted {
            Ok(inverse) => inverse,
            Err(stop) => {
                save(self)?;
                return Err(stop);
            }
        };
        while self.tally.has_from(done) || self.crossings.promise() > done {
            let round = done.next();
            let played = self.play_round(round, inverse.as_ref()).and_then(|()| self.cross(round));
            if let Err(stop) = played {
                save(self)?;
                return Err(stop);
            }
            done = round;
            self.round = Some(done);
            save(self)?;
        }
        Ok(())
    }

    /// What the cells say, counted; and when it is due.
    fn count(&self) -> Tally {
        let count_chunk = |mut tally: Tally, chunk: usize| {
            for cell in &self.cells[chunk * CHUNK..(chunk + 1) * CHUNK] {
                let code = C::load(cell);
                match code.value().and_then(Value::plies) {
                    Some(plies) => {
                        tally.add(plies, 1);
                        self.due[chunk].mark(plies);
                    }
                    None if code == C::UNKNOWN => tally.unknown += 1,
                    None => {}
                }
            }
            tally
        };
        (0..self.due.len())
            .into_par_iter()
            .fold(Tally::default, count_chunk)
            .reduce(Tally::default, Tally::merge)
    }

    /// Works on every chunk, on all threads, and adds up what changed.
    fn each_chunk(&mut self, work: impl Fn(&Self, usize, &mut Tally) + Sync) -> Result<(), Stop> {
        let this = &*self;
        let work_or_stop = |mut changes: Tally, chunk: usize| {
            if !this.run.is_interrupted() {
                work(this, chunk, &mut changes);
            }
            changes
        };
        let changes = (0..this.due.len())
            .into_par_iter()
            .fold(Tally::default, work_or_stop)
            .reduce(Tally::default, Tally::merge);
        self.add(changes)
    }

    /// Adds what changed, tells how far it is, and stops if a thread met a reason to.
    pub(crate) fn add(&mut self, changes: Tally) -> Result<(), Stop> {
        self.tally = std::mem::take(&mut self.tally).merge(changes);
        let cells = self.layout.len() as u64;
        let known = cells - self.tally.unknown.unsigned_abs();
        self.run.watch.progress(Progress { round: self.round, known, cells });
        match self.stopped.take() {
            Some(stop) => Err(stop),
            None if self.run.is_interrupted() => Err(Stop::Interrupted),
            None => Ok(()),
        }
    }

    /// A chunk more is done of a walk over all of them.
    pub(crate) fn walked(&self, what: &str, done: &AtomicU64) {
        let done = done.fetch_add(CHUNK as u64, Relaxed) + CHUNK as u64;
        self.run.watch.walk(what, done, self.layout.len() as u64);
    }

    /// The first look at every index: holes, what ends at once, and what finished slices say.
    fn look_at_all(&mut self) -> Result<(), Stop> {
        let done = AtomicU64::new(0);
        self.crossings = Crossings::new(Vec::new());
        self.each_chunk(|this, chunk, changes| {
            for cell in chunk * CHUNK..(chunk + 1) * CHUNK {
                match this.position(cell) {
                    Some(position) => this.look_at(cell, &position, changes),
                    None => {
                        C::HOLE.swap(&this.cells[cell]);
                        changes.unknown -= 1;
                    }
                }
            }
            this.walked("first look", &done);
        })?;
        self.crossings.gather();
        Ok(())
    }

    fn look_at(&self, cell: usize, position: &G::Position, changes: &mut Tally) {
        let mut best = None;
        let (mut leads_inside, mut crosses) = (false, false);
        let _ = self.game.successors(position, |location| {
            match self.find(location) {
                Found::Outside(value) => best = best.max(Some(value.before_move())),
                Found::Cell(_) | Found::Unreadable => leads_inside = true,
                Found::Through => crosses = true,
            }
            // Nothing is better than to win at once.
            if best == Some(Value::Win(Plies(1))) {
                ControlFlow::Break(())
            } else {
                ControlFlow::Continue(())
            }
        });
        if crosses && best != Some(Value::Win(Plies(1))) {
            self.crossings.push(cell);
        }
        let is_open = leads_inside || crosses;
        match best {
            // Nothing leads on: the game is over here.
            None if !is_open => {
                let value = position.outcome().map(|outcome| outcome.value(position.turn()));
                if let Some(decided @ (Value::Win(_) | Value::Loss(_))) = value {
                    self.set(cell, decided, changes);
                }
            }
            Some(win @ Value::Win(_)) => self.set(cell, win, changes),
            Some(loss @ Value::Loss(_)) if !is_open => self.set(cell, loss, changes),
            _ => {}
        }
    }

    /// One round. Wins are found by going back from the losses of the last round. Losses are found by going back from
    /// its wins, or, when these are many, by looking at every open cell.
    fn play_round(&mut self, round: Plies, inverse: Option<&Inverse>) -> Result<(), Stop> {
        let last = Plies(round.0 - 1);
        let (won, lost) = (C::of(Value::Win(last)), C::of(Value::Loss(last)));
        // Narrow cells tell by the distance that nobody won in so many plies.
        let sweep = won.is_some() && self.sweep_is_cheaper(last, inverse);
        self.each_chunk(|this, chunk, changes| {
            if !sweep && !this.due[chunk].is_marked(last) {
                return;
            }
            for cell in chunk * CHUNK..(chunk + 1) * CHUNK {
                let code = C::load(&this.cells[cell]);
                if code == C::UNKNOWN {
                    if sweep {
                        this.look_for_loss(cell, round, changes);
                    }
                } else if Some(code) == lost {
                    this.predecessors(cell, inverse, |before| {
                        if this.is_open(before, round) {
                            this.set(before, Value::Win(round), changes);
                        }
                    });
                } else if Some(code) == won && !sweep {
                    this.predecessors(cell, inverse, |before| {
                        if C::load(&this.cells[before]) == C::UNKNOWN {
                            this.look_for_loss(before, round, changes);
                        }
                    });
                }
            }
        })
    }

    /// Going back takes a few looks for each cell that the last round found, and most of them at cells that are no
    /// losses yet; sweeping takes one for each open cell.
    fn sweep_is_cheaper(&self, last: Plies, inverse: Option<&Inverse>) -> bool {
        const LOOKS_BACK: i64 = 4;
        let looks_back = inverse.map_or(LOOKS_BACK, Inverse::mean_sources);
        self.tally.at(last) * looks_back > self.tally.unknown
    }

    #[inline]
    fn predecessors(&self, cell: usize, inverse: Option<&Inverse>, mut visit: impl FnMut(usize)) {
        if let Some(inverse) = inverse {
            return inverse.of(cell).iter().for_each(|&before| visit(before as usize));
        }
        if let (Some(moves_back), Some(position)) = (self.game.moves_back(), self.position(cell)) {
            moves_back.predecessors(&position, |slice, index| {
                visit(self.layout.cell(slice, index).expect("predecessors are of the same batch"));
            });
        }
    }

    pub(crate) fn is_interrupted(&self) -> bool {
        self.run.is_interrupted()
    }

    #[inline]
    pub(crate) fn position(&self, cell: usize) -> Option<G::Position> {
        let (slice, index) = self.layout.index(cell)?;
        self.game.unrank(slice, index)
    }

    /// Could this round still find a better value for the cell?
    #[inline]
    pub(crate) fn is_open(&self, cell: usize, round: Plies) -> bool {
        let code = C::load(&self.cells[cell]);
        code == C::UNKNOWN || matches!(code.value(), Some(Value::Win(plies)) if plies > round)
    }

    /// What is found at a location.
    #[inline]
    pub(crate) fn find(&self, location: Location<G::Slice>) -> Found {
        let (slice, index) = match location {
            Location::Over(value) => return Found::Outside(value),
            Location::At(slice, index) => (slice, index),
            Location::Through => return Found::Through,
            Location::Beyond(why) => unreachable!("a solved position leads beyond: {why}"),
        };
        match self.layout.cell(slice, index) {
            Some(cell) => Found::Cell(cell),
            None => match self.outside.value(slice, index) {
                Ok(value) => Found::Outside(value),
                Err(error) => {
                    let _ = self.stopped.set(error.into());
                    Found::Unreadable
                }
            },
        }
    }

    /// What a cell says, if that is certain before a round.
    #[inline]
    pub(crate) fn certain(&self, cell: usize, round: Plies) -> Option<Value> {
        C::load(&self.cells[cell]).value().filter(|value| value.plies() < Some(round))
    }

    /// A cell is lost when all successors are certain to be won, and so far as the longest of them. What has a move
    /// through a position without an index is left to [`cross`](Self::cross).
    #[inline]
    fn look_for_loss(&self, cell: usize, round: Plies, changes: &mut Tally) {
        let Some(position) = self.position(cell) else { return };
        let mut longest = None;
        let defence = self.game.successors(&position, |location| {
            let value = match self.find(location) {
                Found::Outside(value) => Some(value),
                Found::Cell(cell) => self.certain(cell, round),
                Found::Through | Found::Unreadable => None,
            };
            match value {
                Some(Value::Win(plies)) => {
                    longest = longest.max(Some(plies));
                    ControlFlow::Continue(())
                }
                _ => ControlFlow::Break(()),
            }
        });
        // Without a successor it is over, and was seen at the first look.
        if let (ControlFlow::Continue(()), Some(longest)) = (defence, longest) {
            self.set(cell, Value::Loss(longest.next()), changes);
        }
    }

    #[inline]
    pub(crate) fn set(&self, cell: usize, value: Value, changes: &mut Tally) {
        let (Some(code), Some(plies)) = (C::of(value), value.plies()) else {
            let _ = self.stopped.set(Stop::Overflow);
            return;
        };
        let before = code.swap(&self.cells[cell]);
        if before == code {
            return;
        }
        changes.add(plies, 1);
        match before.value().and_then(Value::plies) {
            Some(promised) => changes.add(promised, -1),
            None => changes.unknown -= 1,
        }
        self.due[cell / CHUNK].mark(plies);
    }
}

/// What a move leads to.
pub(crate) enum Found {
    /// Something outside the batch, with its value.
    Outside(Value),
    /// A cell of the batch.
    Cell(usize),
    /// A position without an index: its value is one step over its moves.
    Through,
    /// Something outside the batch whose table cannot be read: nothing follows from it, and all stop.
    Unreadable,
}
