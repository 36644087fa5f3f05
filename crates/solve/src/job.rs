//! A whole run: batch after batch, what is finished skipped, what was left taken up again, each table written.

use crate::batch::Batch;
use crate::cell::Cell;
use crate::checkpoint::Checkpoint;
use crate::error::Error;
use crate::kernel::Kernel;
use crate::layout::Layout;
use crate::outside::{Finished, LEAST_CACHE};
use crate::plan::{self, PlannedBatch, Way};
use crate::run::{Run, Stop};
use game::{Endgame, Index, Metric, Value};
use std::fs::{self, File, TryLockError};
use std::time::{Duration, Instant};
use table::{Description, Entry, Library, Table, describe};

/// Solves slices of a game and writes their tables.
pub struct Job<'a, G: Endgame> {
    /// The game.
    pub game: &'a G,
    /// Its special solver, if that is to be used where it can.
    pub kernel: Option<&'a dyn Kernel<G>>,
    /// Where finished tables are read. New ones go to its first place, which is a folder.
    pub library: &'a Library,
    /// What to store.
    pub metric: Metric,
    /// The memory that may be used, in bytes.
    pub memory: u64,
    /// The time between two checkpoints.
    pub checkpoint_every: Duration,
    /// Who watches, and what stops it.
    pub run: Run<'a>,
}

impl<G: Endgame> Job<'_, G> {
    /// What is to be done for these slices, in order: their batches and all that they need, without those that are
    /// finished.
    ///
    /// # Errors
    /// If a table that is there cannot be read, or the metric cannot be solved.
    pub fn plan(&self, wanted: &[G::Slice]) -> Result<Vec<PlannedBatch<G::Slice>>, Error> {
        if !Metric::SOLVED.contains(&self.metric) {
            return Err(Error::Metric { game: G::INFO.title, metric: self.metric.name() });
        }
        let mut open = Vec::new();
        for mut batch in plan::batches(self.game, wanted) {
            if self.is_finished(&batch)? {
                continue;
            }
            match self.kernel.and_then(|kernel| kernel.plan(self, &batch)) {
                Some(needs) => {
                    (batch.memory, batch.disk, batch.way) = (needs.memory, needs.disk, Way::Kernel);
                }
                None => batch = self.planned_generically(batch),
            }
            open.push(batch);
        }
        Ok(open)
    }

    fn planned_generically(&self, batch: PlannedBatch<G::Slice>) -> PlannedBatch<G::Slice> {
        batch.for_generic_solver(self.game, self.run.inverts(self.game)).within(self.memory)
    }

    fn is_finished(&self, batch: &PlannedBatch<G::Slice>) -> Result<bool, Error> {
        let library = self.library.with_own_cache(0);
        for &slice in &batch.slices {
            if library.described(&self.description(slice))?.is_none() {
                return Ok(false);
            }
        }
        Ok(true)
    }

    /// Does it. A batch that does not fit the memory is refused before anything is solved.
    ///
    /// # Errors
    /// If something does not fit, cannot be read or written, or someone interrupts; what is finished stays.
    pub fn solve(&self, plan: &[PlannedBatch<G::Slice>]) -> Result<(), Error> {
        for batch in plan {
            let by_this_solver = batch.slices.iter().chain(&batch.needs).filter(|_| batch.way != Way::Kernel);
            for &slice in by_this_solver {
                check_numbering::<G>(&self.description(slice))?;
            }
            self.check_memory(batch, batch.memory)?;
        }
        if plan.is_empty() {
            return Ok(());
        }
        let _lock = self.lock()?;
        for batches in plan.chunk_by(|a, b| a.way == b.way) {
            match self
                .kernel
                .filter(|_| batches[0].way == Way::Kernel)
                .map(|kernel| kernel.solve(self, batches))
            {
                // Where its cells are too narrow, wide ones are not.
                None | Some(Err(Error::Stopped { stop: Stop::Overflow, .. })) => {
                    for batch in batches {
                        if !self.is_finished(batch)? {
                            self.solve_generically(&self.planned_generically(batch.clone()))?;
                        }
                    }
                }
                Some(result) => result?,
            }
        }
        Ok(())
    }

    fn solve_generically(&self, batch: &PlannedBatch<G::Slice>) -> Result<(), Error> {
        self.check_memory(batch, batch.memory)?;
        // A run that was left with wide cells has found out already that narrow ones do not do.
        let narrow = match self.checkpoint(batch)?.width() {
            Some(width) if width == u16::BYTES => None,
            _ => Some(self.solve_batch::<u8>(batch)),
        };
        match narrow {
            None | Some(Err(Error::Stopped { stop: Stop::Overflow, .. })) => {
                // Wide cells take another byte each.
                self.check_memory(batch, batch.least_memory() + batch.indices)?;
                self.solve_batch::<u16>(batch)
            }
            Some(result) => result,
        }
    }

    /// The folder of this game's tables is ours until the lock is dropped: two runs would spoil each other's files.
    fn lock(&self) -> Result<File, Error> {
        let folder = self.library.folder().join(G::INFO.name).join(self.game.table_rules_id());
        let failed = |source| Error::Folder { folder: folder.clone(), source };
        fs::create_dir_all(&folder).map_err(failed)?;
        let file = File::create(folder.join(".lock")).map_err(failed)?;
        match file.try_lock() {
            Ok(()) => Ok(file),
            Err(TryLockError::WouldBlock) => Err(Error::Busy { folder }),
            Err(TryLockError::Error(source)) => Err(failed(source)),
        }
    }

    fn check_memory(&self, batch: &PlannedBatch<G::Slice>, needed: u64) -> Result<(), Error> {
        let allowed = self.memory;
        if needed <= allowed { Ok(()) } else { Err(Error::Memory { batch: batch.name(), needed, allowed }) }
    }

    /// Which table belongs to a slice.
    pub fn description(&self, slice: G::Slice) -> Description {
        describe(self.game, slice, self.metric)
    }

    fn solve_batch<C: Cell>(&self, planned: &PlannedBatch<G::Slice>) -> Result<(), Error> {
        let stopped = |stop| Error::Stopped { batch: planned.name(), stop };
        // What is left beside the cells holds what the batch needs.
        let own_memory = planned.own_memory + (C::BYTES as u64 - 1) * planned.indices;
        let left = self.memory.saturating_sub(own_memory).max(LEAST_CACHE);
        let library = self.library.with_own_cache(left);
        let finished = Finished::open(self.game, &library, &planned.needs, self.metric, left)?;
        let checkpoint = self.checkpoint(planned)?;
        let cells = Layout::new(self.game, &planned.slices).len();
        let left = checkpoint.load::<C>(cells).unwrap_or_else(|error| {
            self.run.watch.warning(&format!("the checkpoint of {} is not used: {error}", planned.name()));
            None
        });
        self.run.watch.batch(&planned.name(), planned.indices, left.is_some());
        let mut batch = match left {
            Some(left) => Batch::<G, C, _>::resume(self.game, &planned.slices, &finished, &self.run, left),
            None => Batch::new(self.game, &planned.slices, &finished, &self.run),
        };
        let mut saved = Instant::now();
        let mut save = |batch: &Batch<'_, G, C, _>| {
            if saved.elapsed() >= self.checkpoint_every || batch.is_interrupted() {
                checkpoint.save(batch)?;
                saved = Instant::now();
            }
            Ok(())
        };
        batch.solve(&mut save).map_err(stopped)?;
        for &slice in &planned.slices {
            self.write(slice, |index| batch.cell(slice, index))?;
        }
        checkpoint.remove().map_err(|error| stopped(Stop::Checkpoint(error)))
    }

    /// It belongs to one metric and to the very tables that the batch leads into: what a batch knows depends on both.
    fn checkpoint(&self, planned: &PlannedBatch<G::Slice>) -> Result<Checkpoint, Error> {
        let first = self.description(planned.slices[0]);
        let (path, metric) = (first.path(self.library.folder()), self.metric.name());
        let library = self.library.with_own_cache(0);
        let mut identity =
            format!("{} {} {} {} {metric}", first.game, first.rules, first.index, planned.name());
        for &slice in &planned.needs {
            if let Some(table) = library.described(&self.description(slice))? {
                identity += &format!(" {slice} {:?}", table.content_hash());
            }
        }
        let folder = path.parent().unwrap_or(self.library.folder());
        Ok(Checkpoint::new(folder, &format!("{}.{metric}", planned.name()), &identity))
    }

    fn write<C: Cell>(&self, slice: G::Slice, cell: impl Fn(Index) -> C + Sync) -> Result<(), Error> {
        let description = self.description(slice);
        let entry = |index| match cell(Index(index)) {
            hole if hole == C::HOLE => Entry::Nothing,
            known => Entry::new(Some(known.value().unwrap_or(Value::Draw)), self.metric),
        };
        let name = slice.to_string();
        let progress = |done| self.run.watch.writing(&name, done, description.entries);
        let written = table::write(&description.path(self.library.folder()), &description, entry, progress)?;
        self.run.watch.written(&name, written.bytes);
        Ok(())
    }
}

/// This solver makes and reads tables in the ordinary numbering. Others are left to those that made them.
fn check_numbering<G: Endgame>(description: &Description) -> Result<(), Error> {
    if description.index == G::INDEX { Ok(()) } else { Err(own_solver(description)) }
}

/// As with the numbering, entries must tell all: whoever leaves out what one step finds has to take that step.
pub(crate) fn check_readable<G: Endgame>(table: &Table) -> Result<(), Error> {
    check_numbering::<G>(table.description())?;
    let tells_all = !table.different_entries().contains(&Entry::NotWon);
    if tells_all { Ok(()) } else { Err(own_solver(table.description())) }
}

/// Does every value of a table follow from its successors?
pub(crate) fn check_derivable<G: Endgame>(table: &Table) -> Result<(), Error> {
    check_readable::<G>(table)?;
    let Description { game, slice, .. } = table.description();
    match table.different_entries().iter().any(|entry| entry.is_by_rule()) {
        true => Err(Error::ByRule { game: game.clone(), slice: slice.clone() }),
        false => Ok(()),
    }
}

fn own_solver(description: &Description) -> Error {
    let Description { game, slice, metric, .. } = description;
    Error::OwnSolver { game: game.clone(), slice: slice.clone(), metric: metric.name() }
}

pub(crate) fn missing<G: Endgame>(game: &G, slice: G::Slice, metric: Metric) -> Error {
    Error::Missing {
        game: G::INFO.name,
        rules: game.table_rules_id(),
        slice: slice.to_string(),
        metric: metric.name(),
    }
}
