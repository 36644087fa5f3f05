//! The solver: retrograde analysis of one group, in rounds of one ply each.
//!
//! After round n every win and loss within n plies is known exactly. A cell can also hold a value with a distance above n:
//!
//! - a *promise*, which is a win that a finished slice guarantees; a later round may still find a quicker win;
//! - a loss that takes more than n plies.
//!
//! The solver uses the value of a cell only in rounds after its distance. So the result does not depend on the order of
//! threads, and an interrupted round can be repeated.

use crate::cell::Cell;
use crate::checkpoint::{Loading, Saving, unusable};
use crate::defences::Defences;
use crate::inverse::Inverse;
use crate::offsets::{CHUNK, Offsets};
use crate::outside::Outside;
use crate::perpetual::ByRule;
use crate::run::{Progress, Run, Stop};
use crate::tally::{Due, Tally};
use crate::through::Crossings;
use game::{Endgame, Index, Location, Plies, Position, Predecessors, Value, parallel};
use std::io;
use std::ops::{ControlFlow, Range};
use std::sync::OnceLock;
use std::sync::atomic::{AtomicU64, Ordering::Relaxed};

/// A group that is being solved.
pub struct Group<'a, G: Endgame, C: Cell, O> {
    pub(crate) game: &'a G,
    offsets: Offsets<G>,
    pub(crate) cells: Vec<C::Shared>,
    outside: &'a O,
    defences: Defences,
    pub(crate) crossings: Crossings,
    run: &'a Run<'a>,
    due: Vec<Due>,
    tally: Tally,
    /// The reason to stop, if a thread found one: a value that cells cannot hold, or a table that cannot be read.
    stopped: OnceLock<Stop>,
    stage: Stage,
}

/// How far a group is solved.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub enum Stage {
    /// The first look has seen so many chunks of cells.
    Look(usize),
    /// This round is done.
    Round(Plies),
}

impl Stage {
    const BEGIN: Self = Self::Look(0);

    fn save(self, saving: &mut Saving) -> io::Result<()> {
        let (kind, number) = match self {
            Self::Look(chunks) => (0, chunks as u64),
            Self::Round(Plies(round)) => (1, round.into()),
        };
        saving.number(kind)?;
        saving.number(number)
    }

    fn load(loading: &mut Loading, cells: usize) -> io::Result<Self> {
        let (kind, number) = (loading.number()?, loading.number()?);
        match (kind, usize::try_from(number), u16::try_from(number)) {
            (0, Ok(chunks), _) if chunks <= cells / CHUNK => Ok(Self::Look(chunks)),
            (1, _, Ok(round)) => Ok(Self::Round(Plies(round))),
            _ => Err(unusable("it is damaged")),
        }
    }
}

/// The state of a group at a stage, from which it can be resumed.
pub struct Left<C: Cell> {
    /// The cells of the group, slice by slice.
    pub cells: Vec<C::Shared>,
    /// The cells with a move into a position that has no index.
    pub crossings: Vec<u64>,
    /// How far it was solved.
    pub stage: Stage,
}

impl<C: Cell> Left<C> {
    /// Reads the state from a checkpoint. Returns `None` if its cells have another width.
    pub(crate) fn load(loading: &mut Loading, cells: usize) -> io::Result<Option<Self>> {
        if loading.number()? != C::BYTES as u64 {
            return Ok(None);
        }
        let stage = Stage::load(loading, cells)?;
        if loading.number()? != cells as u64 {
            return Err(unusable("it has another size"));
        }
        let mut bytes = Vec::new();
        let mut left = Self { cells: Vec::with_capacity(cells), crossings: Vec::new(), stage };
        while left.cells.len() < cells {
            bytes.resize(SAVED_AT_ONCE.min(cells - left.cells.len()) * C::BYTES, 0);
            loading.bytes(&mut bytes)?;
            left.cells.extend(bytes.chunks_exact(C::BYTES).map(|bytes| C::from_bytes(bytes).share()));
        }
        let crossings = loading.number()?;
        if crossings > cells as u64 {
            return Err(unusable("it is damaged"));
        }
        left.crossings = (0..crossings).map(|_| loading.number()).collect::<io::Result<_>>()?;
        Ok(Some(left))
    }
}

/// The number of parts of the first look, unless it is small.
const LOOKS: usize = 100;
/// A part of the first look has so many chunks at least, so that all threads share it.
const CHUNKS_AT_LEAST: usize = 256;
/// So many predecessors are gathered before their cells are read.
const AT_ONCE: usize = 1 << 8;
/// The number of cells that are saved at once.
const SAVED_AT_ONCE: usize = 1 << 20;

impl<'a, G: Endgame, C: Cell, O: Outside<G>> Group<'a, G, C, O> {
    /// Writes the state to a checkpoint.
    pub(crate) fn save(&self, saving: &mut Saving) -> io::Result<()> {
        saving.number(C::BYTES as u64)?;
        self.stage.save(saving)?;
        saving.number(self.cells.len() as u64)?;
        let mut bytes = Vec::new();
        for cells in self.cells.chunks(SAVED_AT_ONCE) {
            bytes.clear();
            cells.iter().for_each(|cell| C::load(cell).push_to(&mut bytes));
            saving.bytes(&bytes)?;
        }
        saving.number(self.crossings().len() as u64)?;
        self.crossings().iter().try_for_each(|&cell| saving.number(cell))
    }

    /// A group of which nothing is known yet.
    pub fn new(game: &'a G, group: &[G::Slice], outside: &'a O, run: &'a Run<'a>) -> Self {
        let offsets = Offsets::new(game, group);
        let cells = parallel::repeat(offsets.len(), unknown::<C>);
        Self::with(game, offsets, outside, run, cells, Vec::new(), Stage::BEGIN)
    }

    /// Continues a group from a saved state.
    ///
    /// # Panics
    /// Panics if `left` does not have as many cells as the group.
    pub fn resume(game: &'a G, group: &[G::Slice], outside: &'a O, run: &'a Run<'a>, left: Left<C>) -> Self {
        let offsets = Offsets::new(game, group);
        assert_eq!(left.cells.len(), offsets.len(), "as many cells as the group has");
        Self::with(game, offsets, outside, run, left.cells, left.crossings, left.stage)
    }

    fn with(
        game: &'a G,
        offsets: Offsets<G>,
        outside: &'a O,
        run: &'a Run<'a>,
        cells: Vec<C::Shared>,
        crossings: Vec<u64>,
        stage: Stage,
    ) -> Self {
        let due = (0..offsets.len() / CHUNK).map(|_| Due::default()).collect();
        let (tally, stopped) = (Tally::default(), OnceLock::new());
        let (defences, crossings) = (Defences::new(offsets.len()), Crossings::new(crossings));
        let mut group =
            Self { game, offsets, cells, outside, defences, crossings, run, due, tally, stopped, stage };
        group.tally = group.count();
        group
    }

    /// The game.
    pub(crate) fn game(&self) -> &G {
        self.game
    }

    /// The ranges of the slices in the array of cells.
    pub(crate) fn offsets(&self) -> &Offsets<G> {
        &self.offsets
    }

    /// How far the group is solved.
    pub fn stage(&self) -> Stage {
        self.stage
    }

    /// The cells, slice by slice.
    pub fn cells(&self) -> &[C::Shared] {
        &self.cells
    }

    /// The cells with a move into a position that has no index, in ascending order.
    pub fn crossings(&self) -> &[u64] {
        self.crossings.cells()
    }

    /// The cell of an index of the group. A cell that is unknown after [`solve`](Self::solve) is a draw.
    ///
    /// # Panics
    /// Panics if the slice is not in the group.
    pub fn cell(&self, slice: G::Slice, index: Index) -> C {
        C::load(&self.cells[self.offsets.cell(slice, index).expect("a slice of the group")])
    }

    /// Solves the group, from its current state to the end. `save` is called between the parts of the first look, between rounds,
    /// and when the run is interrupted.
    pub fn solve(&mut self, mut save: impl FnMut(&Self) -> Result<(), Stop>) -> Result<(), Stop> {
        if let Err(stop) = self.count_defences_again() {
            save(self)?;
            return Err(stop);
        }
        let mut done = match self.stage {
            Stage::Round(round) => round,
            Stage::Look(chunks) => {
                self.look_from(chunks, &mut save)?;
                Plies(0)
            }
        };
        self.stage = Stage::Round(done);
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
            self.stage = Stage::Round(done);
            save(self)?;
        }
        Ok(())
    }

    /// Decides what the rule on perpetual check decides, in games that have it. All rounds must be done.
    pub fn apply_perpetual_check(&mut self) {
        let Some(is_check) = self.game.rulebook().is_check else { return };
        let is_draw = |cell: usize| C::load(&self.cells[cell]) == C::UNKNOWN;
        let ByRule { won, lost } = ByRule::find(self.game, &self.offsets, is_check, &is_draw);
        for (cells, code) in [(won, C::WIN_BY_RULE), (lost, C::LOSS_BY_RULE)] {
            for cell in cells {
                code.swap(&self.cells[cell]);
            }
        }
    }

    /// Counts the distances in all cells, and marks for each chunk the rounds in which it has to be visited.
    fn count(&self) -> Tally {
        let count_chunk = |tally: &mut Tally, chunk: usize| {
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
        };
        parallel::fold(self.due.len(), Tally::default, count_chunk, Tally::merge)
    }

    /// Runs `work` on these chunks, on all threads, and adds up the changes.
    fn each_chunk(
        &mut self,
        chunks: Range<usize>,
        work: impl Fn(&Self, usize, &mut Tally) + Sync,
    ) -> Result<(), Stop> {
        let this = &*self;
        let work_or_stop = |changes: &mut Tally, place: usize| {
            if !this.run.is_interrupted() {
                work(this, chunks.start + place, changes);
            }
        };
        let changes = parallel::fold(chunks.len(), Tally::default, work_or_stop, Tally::merge);
        self.add(changes)
    }

    /// Adds the changes to the tally and reports the progress. Returns an error if a thread found a reason to stop.
    pub(crate) fn add(&mut self, changes: Tally) -> Result<(), Stop> {
        self.tally = std::mem::take(&mut self.tally).merge(changes);
        let cells = self.offsets.len() as u64;
        let known = cells - self.tally.unknown.unsigned_abs();
        let round = match self.stage {
            Stage::Look(_) => None,
            Stage::Round(round) => Some(round),
        };
        self.run.watch.progress(Progress { round, known, cells });
        match self.stopped.take() {
            Some(stop) => Err(stop),
            None if self.run.is_interrupted() => Err(Stop::Interrupted),
            None => Ok(()),
        }
    }

    /// Reports that a walk over all chunks has finished one more chunk.
    pub(crate) fn walked(&self, what: &str, done: &AtomicU64) {
        let done = done.fetch_add(CHUNK as u64, Relaxed) + CHUNK as u64;
        self.run.watch.walk(what, done, self.offsets.len() as u64);
    }

    /// The first look at every index from a chunk on. It finds holes, ended games, immediate wins, and values from finished slices.
    /// It goes in parts, and `save` is called after each, because in games with many moves the look can take hours.
    fn look_from(
        &mut self,
        mut chunk: usize,
        save: &mut impl FnMut(&Self) -> Result<(), Stop>,
    ) -> Result<(), Stop> {
        let chunks = self.due.len();
        let done = AtomicU64::new((chunk * CHUNK) as u64);
        while chunk < chunks {
            let part = chunk..chunks.min(chunk + (chunks / LOOKS).max(CHUNKS_AT_LEAST));
            chunk = part.end;
            if let Err(stop) = self.look_at(part.clone(), &done) {
                self.forget(part);
                save(self)?;
                return Err(stop);
            }
            self.crossings.gather();
            self.stage = Stage::Look(chunk);
            save(self)?;
        }
        Ok(())
    }

    /// Forgets what an interrupted part of the first look has found.
    fn forget(&mut self, chunks: Range<usize>) {
        for cell in &self.cells[chunks.start * CHUNK..chunks.end * CHUNK] {
            C::UNKNOWN.swap(cell);
        }
        self.crossings.forget();
    }

    fn look_at(&mut self, chunks: Range<usize>, done: &AtomicU64) -> Result<(), Stop> {
        self.each_chunk(chunks, |this, chunk, changes| {
            let mut defences = Vec::new();
            for cell in chunk * CHUNK..(chunk + 1) * CHUNK {
                match this.position(cell) {
                    Some(position) => this.look_at_cell(cell, &position, &mut defences, changes),
                    None => {
                        C::HOLE.swap(&this.cells[cell]);
                        changes.unknown -= 1;
                    }
                }
            }
            this.walked("first look", done);
        })
    }

    /// `defences` is only memory that is used again.
    fn look_at_cell(
        &self,
        cell: usize,
        position: &G::Position,
        defences: &mut Vec<usize>,
        changes: &mut Tally,
    ) {
        let mut best = None;
        let (mut is_unreadable, mut crosses) = (false, false);
        defences.clear();
        let _ = self.game.successors(position, |location| {
            match self.find(location) {
                Found::Outside(value) => best = best.max(Some(value.before_move())),
                Found::Cell(cell) => defences.push(cell),
                Found::Unreadable => is_unreadable = true,
                Found::Through => crosses = true,
            }
            // No move is better than an immediate win.
            if best == Some(Value::Win(Plies(1))) {
                ControlFlow::Break(())
            } else {
                ControlFlow::Continue(())
            }
        });
        if crosses && best != Some(Value::Win(Plies(1))) {
            self.crossings.push(cell);
        }
        let is_open = !defences.is_empty() || is_unreadable || crosses;
        match best {
            // There is no move: the game is over.
            None if !is_open => {
                let value = position.outcome().map(|outcome| outcome.value(position.turn()));
                if let Some(decided @ (Value::Win(_) | Value::Loss(_))) = value {
                    self.set(cell, decided, changes);
                }
            }
            Some(win @ Value::Win(_)) => self.set(cell, win, changes),
            Some(loss @ Value::Loss(_)) if !is_open => self.set(cell, loss, changes),
            // A position that leads to one without an index is left to `cross`.
            None | Some(Value::Loss(_)) if !crosses => self.defences.note(cell, defences),
            _ => {}
        }
    }

    /// Counts the defences of the cells that an earlier run has seen.
    fn count_defences_again(&mut self) -> Result<(), Stop> {
        let (chunks, done) = match self.stage {
            Stage::Look(chunks) => (chunks, Plies(0)),
            Stage::Round(round) => (self.due.len(), round),
        };
        let counted = AtomicU64::new(0);
        self.each_chunk(0..chunks, |this, chunk, _| {
            let mut defences = Vec::new();
            for cell in chunk * CHUNK..(chunk + 1) * CHUNK {
                if C::load(&this.cells[cell]) == C::UNKNOWN {
                    this.count_defences(cell, done, &mut defences);
                }
            }
            this.walked("counting defences", &counted);
        })
    }

    /// Counts the defences that a cell has after a round.
    fn count_defences(&self, cell: usize, done: Plies, defences: &mut Vec<usize>) {
        let Some(position) = self.position(cell) else { return };
        defences.clear();
        let all = self.game.successors(&position, |location| match self.find(location) {
            // The next round takes the defences that are wins in as many plies as there were rounds.
            Found::Cell(cell) if matches!(self.certain(cell, done), Some(Value::Win(_))) => {
                ControlFlow::Continue(())
            }
            Found::Cell(cell) => {
                defences.push(cell);
                ControlFlow::Continue(())
            }
            Found::Outside(Value::Win(_)) => ControlFlow::Continue(()),
            Found::Outside(_) | Found::Through | Found::Unreadable => ControlFlow::Break(()),
        });
        if all.is_continue() {
            self.defences.note(cell, defences);
        }
    }

    /// Plays one round. Wins are found among the predecessors of the losses of the last round, and losses among the predecessors
    /// of its wins.
    fn play_round(&mut self, round: Plies, inverse: Option<&Inverse>) -> Result<(), Stop> {
        let last = Plies(round.0 - 1);
        // Narrow cells have wins only at odd distances, and losses only at even ones.
        let (won, lost) = (C::of(Value::Win(last)), C::of(Value::Loss(last)));
        self.each_chunk(0..self.due.len(), |this, chunk, changes| {
            if !this.due[chunk].is_marked(last) {
                return;
            }
            let (mut found, mut before) = (Vec::new(), Vec::new());
            for code in [lost, won].into_iter().flatten() {
                this.find_code(chunk, code, &mut found);
                for cell in found.drain(..) {
                    this.predecessors(cell, inverse, |cell| before.push(cell));
                    if before.len() >= AT_ONCE {
                        this.step_back(Some(code) == lost, &mut before, round, changes);
                    }
                }
                this.step_back(Some(code) == lost, &mut before, round, changes);
            }
        })
    }

    /// Lists the cells of a chunk with this code. The rounds spend much time here, so it is a loop of its own.
    #[inline(never)]
    fn find_code(&self, chunk: usize, code: C, found: &mut Vec<usize>) {
        const STRIDE: usize = 16;
        let start = chunk * CHUNK;
        for (n, cells) in self.cells[start..start + CHUNK].chunks_exact(STRIDE).enumerate() {
            // Without branches: most cells have another code.
            if cells.iter().fold(false, |any, cell| any | (C::load(cell) == code)) {
                let first = start + n * STRIDE;
                found.extend((first..).zip(cells).filter(|(_, cell)| C::load(cell) == code).map(|(n, _)| n));
            }
        }
    }

    /// Goes back to the cells of this list, which lead to losses or to wins of the last round, and empties the list.
    fn step_back(&self, to_losses: bool, before: &mut Vec<usize>, round: Plies, changes: &mut Tally) {
        match to_losses {
            true => self.win(before, round, changes),
            false => self.take_defences(before, round, changes),
        }
    }

    /// Sets the cells of this list that are open, which lead to losses.
    ///
    /// Cells that lead to a cell lie all over the memory. The reads here do not wait for each other; a write to shared memory waits
    /// for all before it.
    fn win(&self, before: &mut Vec<usize>, round: Plies, changes: &mut Tally) {
        before.retain(|&cell| self.is_open(cell, round));
        for cell in before.drain(..) {
            self.set(cell, Value::Win(round), changes);
        }
    }

    /// Takes a defence from each open cell of this list, which lead to wins.
    fn take_defences(&self, before: &mut Vec<usize>, round: Plies, changes: &mut Tally) {
        before.retain(|&cell| C::load(&self.cells[cell]) == C::UNKNOWN && self.defences.may_end(cell));
        for cell in before.drain(..) {
            if self.defences.take(cell) && C::load(&self.cells[cell]) == C::UNKNOWN {
                self.look_for_loss(cell, round, changes);
            }
        }
    }

    #[inline]
    fn predecessors(&self, cell: usize, inverse: Option<&Inverse>, mut visit: impl FnMut(usize)) {
        if let Some(inverse) = inverse {
            return inverse.of(cell).iter().for_each(|&before| visit(before as usize));
        }
        if let (Some(unmoves), Some(position)) = (self.game.unmoves(), self.position(cell)) {
            unmoves.predecessors(&position, |slice, index| {
                visit(self.offsets.cell(slice, index).expect("predecessors are of the same group"));
            });
        }
    }

    pub(crate) fn is_interrupted(&self) -> bool {
        self.run.is_interrupted()
    }

    #[inline]
    pub(crate) fn position(&self, cell: usize) -> Option<G::Position> {
        let (slice, index) = self.offsets.index(cell)?;
        self.game.unrank(slice, index)
    }

    /// Returns whether this round could still find a better value for the cell.
    #[inline]
    pub(crate) fn is_open(&self, cell: usize, round: Plies) -> bool {
        let code = C::load(&self.cells[cell]);
        code == C::UNKNOWN || matches!(code.value(), Some(Value::Win(plies)) if plies > round)
    }

    /// Finds what is at a location: a cell of the group, or a value from outside.
    #[inline]
    pub(crate) fn find(&self, location: Location<G::Slice>) -> Found {
        let (slice, index) = match location {
            Location::Over(value) => return Found::Outside(value),
            Location::At(slice, index) => (slice, index),
            Location::Through => return Found::Through,
            Location::Beyond(why) => unreachable!("a solved position leads beyond: {why}"),
        };
        match self.offsets.cell(slice, index) {
            Some(cell) => Found::Cell(cell),
            None => self.read(slice, index),
        }
    }

    /// Finds the value of an index of another group. Apart from [`find`](Self::find), so that this is inlined everywhere.
    #[inline(never)]
    fn read(&self, slice: G::Slice, index: Index) -> Found {
        match self.outside.value(slice, index) {
            Ok(value) => Found::Outside(value),
            Err(error) => {
                let _ = self.stopped.set(error.into());
                Found::Unreadable
            }
        }
    }

    /// The value of a cell, if it is certain before a round.
    #[inline]
    pub(crate) fn certain(&self, cell: usize, round: Plies) -> Option<Value> {
        C::load(&self.cells[cell]).value().filter(|value| value.plies() < Some(round))
    }

    /// Checks whether a cell is lost, and sets it if so. It is lost if all successors are certain wins, and the longest of
    /// them gives the distance. Cells with a move into a position without an index are left to [`cross`](Self::cross).
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
        // Without a successor the game is over, and the first look has set the cell.
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

/// The target of a move.
pub(crate) enum Found {
    /// A position outside the group, with its value.
    Outside(Value),
    /// A cell of the group.
    Cell(usize),
    /// A position without an index. Its value follows from the values after its moves.
    Through,
    /// A position outside the group whose table cannot be read. Nothing follows from it, and the solver stops.
    Unreadable,
}

/// A cell that knows nothing. A function, and not a closure, so that it is compiled for each kind of cell and not for each game.
fn unknown<C: Cell>() -> C::Shared {
    C::UNKNOWN.share()
}
