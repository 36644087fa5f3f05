//! The solver: rounds of backward induction over one batch, a ply each.
//!
//! After round n every win and loss within n plies is known exactly. A cell may say more than that: a *promise*, a win
//! that a finished slice guarantees later than n and that may still turn out to be quicker, or a loss whose last
//! defence ends later. What a cell says counts only in the rounds after its distance; so nothing depends on the order
//! of threads, and a round that was broken off can be done again.

use crate::cell::Cell;
use crate::inverse::Inverse;
use crate::layout::{CHUNK, Layout};
use crate::run::{Progress, Run, Stop};
use crate::tally::{Due, Tally};
use game::{Endgame, Location, Plies, Position, Value};
use rayon::prelude::*;
use std::ops::ControlFlow;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering::Relaxed};

/// The solved slices that a batch leads into.
pub type Finished<G, C> = Vec<(<G as Endgame>::Slice, Vec<C>)>;

/// A batch being solved.
pub struct Batch<'a, G: Endgame, C: Cell> {
    game: &'a G,
    layout: Layout<G>,
    cells: Vec<C::Shared>,
    finished: &'a Finished<G, C>,
    run: &'a Run<'a>,
    due: Vec<Due>,
    tally: Tally,
    /// A value came up that the cells cannot hold.
    overflow: AtomicBool,
    /// Rounds done; none before the first look at all.
    round: Option<Plies>,
}

impl<'a, G: Endgame, C: Cell> Batch<'a, G, C> {
    /// A batch about which nothing is known.
    pub fn new(game: &'a G, batch: &[G::Slice], finished: &'a Finished<G, C>, run: &'a Run<'a>) -> Self {
        let layout = Layout::new(game, batch);
        let cells = (0..layout.len()).into_par_iter().map(|_| C::UNKNOWN.share()).collect();
        Self::resume(game, batch, finished, run, cells, None)
    }

    /// A batch as it was left after a round.
    pub fn resume(
        game: &'a G,
        batch: &[G::Slice],
        finished: &'a Finished<G, C>,
        run: &'a Run<'a>,
        cells: Vec<C::Shared>,
        round: Option<Plies>,
    ) -> Self {
        let layout = Layout::new(game, batch);
        assert_eq!(cells.len(), layout.len(), "as many cells as the batch has");
        let due = (0..layout.len() / CHUNK).map(|_| Due::default()).collect();
        let overflow = AtomicBool::new(false);
        let mut batch =
            Self { game, layout, cells, finished, run, due, tally: Tally::default(), overflow, round };
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
        let inverse = match self.run.inverts::<G>().then(|| Inverse::new(self)).transpose() {
            Ok(inverse) => inverse,
            Err(stop) => {
                save(self)?;
                return Err(stop);
            }
        };
        while self.tally.has_from(done) {
            let round = done.next();
            if let Err(stop) = self.play_round(round, inverse.as_ref()) {
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
        self.tally = std::mem::take(&mut self.tally).merge(changes);
        let cells = self.layout.len() as u64;
        let known = cells - self.tally.unknown.unsigned_abs();
        self.run.watch.progress(Progress { round: self.round, known, cells });
        if self.overflow.load(Relaxed) {
            return Err(Stop::Overflow);
        }
        if self.run.is_interrupted() { Err(Stop::Interrupted) } else { Ok(()) }
    }

    /// A chunk more is done of a walk over all of them.
    pub(crate) fn walked(&self, what: &str, done: &AtomicU64) {
        let done = done.fetch_add(CHUNK as u64, Relaxed) + CHUNK as u64;
        self.run.watch.walk(what, done, self.layout.len() as u64);
    }

    /// The first look at every index: holes, what ends at once, and what finished slices say.
    fn look_at_all(&mut self) -> Result<(), Stop> {
        let done = AtomicU64::new(0);
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
        })
    }

    fn look_at(&self, cell: usize, position: &G::Position, changes: &mut Tally) {
        let mut best = None;
        let mut leads_inside = false;
        let _ = self.game.successors(position, |location| {
            match self.outside(location) {
                Ok(value) => best = best.max(Some(value.before_move())),
                Err(_) => leads_inside = true,
            }
            // Nothing is better than to win at once.
            if best == Some(Value::Win(Plies(1))) {
                ControlFlow::Break(())
            } else {
                ControlFlow::Continue(())
            }
        });
        match best {
            // Nothing leads on: the game is over here.
            None if !leads_inside => {
                let value = position.outcome().map(|outcome| outcome.value(position.turn()));
                if let Some(decided @ (Value::Win(_) | Value::Loss(_))) = value {
                    self.set(cell, decided, changes);
                }
            }
            Some(win @ Value::Win(_)) => self.set(cell, win, changes),
            Some(loss @ Value::Loss(_)) if !leads_inside => self.set(cell, loss, changes),
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
        if let Some(position) = self.position(cell) {
            self.game.predecessors(&position, |slice, index| {
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

    /// The value of what lies outside the batch, or the cell of what lies inside.
    #[inline]
    fn outside(&self, location: Location<G::Slice>) -> Result<Value, usize> {
        let (slice, index) = match location {
            Location::Over(value) => return Ok(value),
            Location::At(slice, index) => (slice, index),
            Location::Through | Location::Beyond(_) => {
                unreachable!("moves of a solved position lead to others")
            }
        };
        match self.layout.cell(slice, index) {
            Some(cell) => Err(cell),
            None => {
                let finished = self.finished.iter().find(|(known, _)| *known == slice);
                let (_, cells) = finished.expect("what a batch needs is finished");
                Ok(cells[index.0 as usize].value().unwrap_or(Value::Draw))
            }
        }
    }

    /// A cell is lost when all successors are certain to be won, and so far as the longest of them.
    #[inline]
    fn look_for_loss(&self, cell: usize, round: Plies, changes: &mut Tally) {
        let Some(position) = self.position(cell) else { return };
        let mut longest = None;
        let defence = self.game.successors(&position, |location| {
            let value = match self.outside(location) {
                Ok(value) => Some(value),
                Err(cell) => C::load(&self.cells[cell]).value().filter(|value| value.plies() < Some(round)),
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
    fn set(&self, cell: usize, value: Value, changes: &mut Tally) {
        let (Some(code), Some(plies)) = (C::of(value), value.plies()) else {
            return self.overflow.store(true, Relaxed);
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
