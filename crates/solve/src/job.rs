//! A whole run. It solves group after group and writes the tables. It skips finished groups and resumes from checkpoints.

use crate::cell::Cell;
use crate::checkpoint::Checkpoint;
use crate::error::Error;
use crate::group::{Group, Left};
use crate::kernel::Kernel;
use crate::leftovers;
use crate::lock::Lock;
use crate::memory::free_memory;
use crate::offsets::Offsets;
use crate::outside::{Finished, LEAST_CACHE, Reading};
use crate::pack::{self, StaysWhole};
use crate::plan::{self, PlannedGroup, Way};
use crate::run::{Run, Stop};
use game::{Endgame, Index, Metric};
use std::path::PathBuf;
use std::time::{Duration, Instant};
use table::{Description, Distances, Entry, Library, Payload as _, Table, describe, describe_small};

/// Solves slices of a game and writes their tables.
pub struct Job<'a, G: Endgame> {
    /// The game.
    pub game: &'a G,
    /// The kernel of the game, or `None` to use the generic solver only.
    pub kernel: Option<&'a dyn Kernel<G>>,
    /// The library with the finished tables. New tables are written to its first place, which must be a folder.
    pub library: &'a Library,
    /// The metric of the tables.
    pub metric: Metric,
    /// The memory that the solver may use, in bytes.
    pub memory: u64,
    /// The time between two checkpoints.
    pub checkpoint_every: Duration,
    /// Whether whole tables are packed into small ones at the end.
    pub packs: bool,
    /// The source of unmoves, the progress callbacks and the interrupt flag.
    pub run: Run<'a>,
}

impl<'a, G: Endgame> Job<'a, G> {
    /// A job of the generic solver: whole tables with distances to the end, in most of the free memory, without checkpoints.
    pub fn new(game: &'a G, library: &'a Library) -> Self {
        Self {
            game,
            kernel: None,
            library,
            metric: Metric::Dtm,
            memory: free_memory(),
            checkpoint_every: Duration::MAX,
            packs: false,
            run: Run::default(),
        }
    }
}

impl<G: Endgame> Job<'_, G> {
    /// Lists the groups that have to be solved for these slices, in order: their groups and all groups that they need,
    /// without finished ones.
    ///
    /// # Errors
    /// Returns an error if an existing table cannot be read, or if the solver does not support the metric.
    pub fn plan(&self, wanted: &[G::Slice]) -> Result<Vec<PlannedGroup<G::Slice>>, Error> {
        let mut open = Vec::new();
        for mut group in plan::groups(self.game, wanted) {
            let Self { game, library, metric, memory, .. } = *self;
            let can_pack = self.packs && pack::stays_whole(game, library, &group.slices, metric)?.is_none();
            let packing =
                can_pack.then(|| pack::needs(game, &group.slices, metric, self.kernel.is_some(), memory));
            if self.is_finished(&group)? {
                if let Some(needs) = packing
                    && pack::is_whole(game, library, &group.slices, metric)?
                {
                    (group.memory, group.disk, group.way) = (needs.memory, needs.disk, Way::Pack);
                    open.push(group);
                }
                continue;
            }
            self.check_outcomes(&group)?;
            match self.kernel.and_then(|kernel| kernel.plan(self, &group)) {
                Some(needs) => {
                    (group.memory, group.disk, group.way) = (needs.memory, needs.disk, Way::Kernel);
                }
                None if matches!(self.metric, Metric::Wdl | Metric::Dtm) => {
                    group = self.planned_generically(group);
                }
                None => return Err(Error::Metric { game: G::INFO.title, metric: self.metric.name() }),
            }
            if let Some(needs) = packing {
                group.memory = group.memory.max(needs.memory);
                group.disk += needs.disk;
            }
            open.push(group);
        }
        Ok(open)
    }

    /// Lists the groups of these slices, and those that they need, that stay whole although the run packs: their names, and why.
    ///
    /// # Errors
    /// Returns an error if an existing table cannot be read.
    pub fn stay_whole(&self, wanted: &[G::Slice]) -> Result<Vec<(String, StaysWhole)>, Error> {
        let mut whole = Vec::new();
        for group in plan::groups(self.game, wanted).into_iter().filter(|_| self.packs) {
            let why = pack::stays_whole(self.game, self.library, &group.slices, self.metric)?;
            whole.extend(why.map(|why| (group.name(), why)));
        }
        Ok(whole)
    }

    /// Checks that solving a group does not replace outcomes to which packed distances belong: those would be lost.
    fn check_outcomes(&self, group: &PlannedGroup<G::Slice>) -> Result<(), Error> {
        if self.metric != Metric::Wdl {
            return Ok(());
        }
        let (game, library) = (self.game, self.library.with_own_cache(0));
        let has_file = |slice: G::Slice| Ok::<_, Error>(library.file(game, slice, Metric::Wdl)?.is_some());
        for &slice in &group.slices {
            let distances = library.file(game, slice, Metric::Dtm)?;
            if distances.is_some_and(|table| table.payload_name() == Distances::NAME) {
                let mut missing = slice;
                for &other in &group.slices {
                    missing = if has_file(other)? { missing } else { other };
                }
                return Err(Error::Packed {
                    game: G::INFO.name,
                    slice: slice.to_string(),
                    missing: missing.to_string(),
                    command: game.solve_command(slice),
                });
            }
        }
        Ok(())
    }

    fn planned_generically(&self, group: PlannedGroup<G::Slice>) -> PlannedGroup<G::Slice> {
        group.for_generic_solver(self.game, self.run.inverts(self.game)).within(self.memory)
    }

    fn is_finished(&self, group: &PlannedGroup<G::Slice>) -> Result<bool, Error> {
        let library = self.library.with_own_cache(0);
        for &slice in &group.slices {
            let Some(file) = library.file(self.game, slice, self.metric)? else { return Ok(false) };
            // Distances alone are no table. The error tells what to do.
            if file.payload_name() == Distances::NAME {
                library.small(&describe_small(self.game, slice, self.metric))?;
            }
        }
        Ok(true)
    }

    /// Solves the groups of a plan. If a group does not fit the memory, it returns an error before it solves anything.
    ///
    /// # Errors
    /// Returns an error if a group does not fit the memory, if an I/O operation fails, or if the run is interrupted.
    /// Finished tables are kept.
    pub fn solve(&self, plan: &[PlannedGroup<G::Slice>]) -> Result<(), Error> {
        for group in plan {
            let by_this_solver = group
                .slices
                .iter()
                .chain(&group.needs)
                .filter(|_| !matches!(group.way, Way::Kernel | Way::Pack));
            for &slice in by_this_solver {
                check_numbering::<G>(&self.description(slice))?;
            }
            self.check_memory(group, group.memory)?;
        }
        if plan.is_empty() {
            // A run that was killed after its last table may have left files.
            leftovers::remove_if_idle(&self.folder(), self.run.watch);
            return Ok(());
        }
        let _lock = self.lock(plan)?;
        self.tidy();
        // Another run may have finished some groups since they were planned.
        let mut open = Vec::new();
        for group in plan {
            if !self.is_finished(group)? {
                open.push(group.clone());
            }
        }
        for groups in open.chunk_by(|a, b| a.way == b.way) {
            match self
                .kernel
                .filter(|_| groups[0].way == Way::Kernel)
                .map(|kernel| kernel.solve(self, groups))
            {
                // If the cells of the kernel are too narrow, the generic solver can use wide ones.
                None | Some(Err(Error::Stopped { stop: Stop::Overflow, .. })) => {
                    for group in groups {
                        if !self.is_finished(group)? {
                            self.solve_generically(&self.planned_generically(group.clone()))?;
                        }
                    }
                }
                Some(result) => result?,
            }
        }
        // What a run by another solver left for the same tables.
        self.tidy();
        // Only now, and what needs the others first: to solve or pack a group from whole tables is much quicker.
        if self.packs {
            for group in plan.iter().rev() {
                if self.run.is_interrupted() {
                    let group = format!("packing {}", group.name());
                    return Err(Error::Stopped { group, stop: Stop::Interrupted });
                }
                let Self { game, library, metric, kernel, memory, .. } = *self;
                let reading = Reading { kernel, memory };
                pack::pack(game, library, &group.slices, metric, reading, &self.run)?;
            }
        }
        Ok(())
    }

    /// Removes the files that no run needs any more. The folder must be locked.
    pub fn tidy(&self) {
        leftovers::remove(&self.folder(), self.run.watch);
    }

    fn solve_generically(&self, group: &PlannedGroup<G::Slice>) -> Result<(), Error> {
        self.check_memory(group, group.memory)?;
        // If the checkpoint has wide cells, an earlier run has already found that narrow cells are not enough.
        let narrow = match self.checkpoint(group)?.first_number() {
            Some(width) if width == u16::BYTES as u64 => None,
            _ => Some(self.solve_group::<u8>(group)),
        };
        match narrow {
            None | Some(Err(Error::Stopped { stop: Stop::Overflow, .. })) => {
                // A wide cell takes one more byte.
                self.check_memory(group, group.least_memory() + group.indices)?;
                self.solve_group::<u16>(group)
            }
            Some(result) => result,
        }
    }

    /// The folder of the game's tables, and of the files that a run makes for itself.
    pub fn folder(&self) -> PathBuf {
        self.library.folder().join(G::INFO.name).join(self.game.table_rules_id())
    }

    /// Locks the folder of the game's tables until the returned lock is dropped. Two runs at the same time would overwrite
    /// each other's files.
    fn lock(&self, plan: &[PlannedGroup<G::Slice>]) -> Result<Lock, Error> {
        let slices = match plan {
            [first, .., last] => format!("{} to {}", first.name(), last.name()),
            groups => groups.iter().map(PlannedGroup::name).collect(),
        };
        Lock::take(&self.folder(), &format!("{slices} ({})", self.metric.name()))
    }

    fn check_memory(&self, group: &PlannedGroup<G::Slice>, needed: u64) -> Result<(), Error> {
        let allowed = self.memory;
        let work = if group.way == Way::Pack { "packing" } else { "solving" };
        let group = group.name();
        if needed <= allowed { Ok(()) } else { Err(Error::Memory { work, group, needed, allowed }) }
    }

    /// The description of the table of a slice.
    pub fn description(&self, slice: G::Slice) -> Description {
        describe(self.game, slice, self.metric)
    }

    fn solve_group<C: Cell>(&self, planned: &PlannedGroup<G::Slice>) -> Result<(), Error> {
        let stopped = |stop| Error::Stopped { group: planned.name(), stop };
        // The memory that the cells do not take is used for the tables that the group needs.
        let own_memory = planned.own_memory + (C::BYTES as u64 - 1) * planned.indices;
        let left = self.memory.saturating_sub(own_memory).max(LEAST_CACHE);
        let library = self.library.with_own_cache(left);
        let reading = Reading { kernel: self.kernel, memory: left };
        let finished = Finished::open(self.game, &library, &planned.needs, self.metric, reading)?;
        let checkpoint = self.checkpoint(planned)?;
        let cells = Offsets::new(self.game, &planned.slices).len();
        let left = checkpoint.load(|loading| Left::<C>::load(loading, cells)).unwrap_or_else(|error| {
            self.run.watch.warning(&format!("the checkpoint of {} is not used: {error}", planned.name()));
            None
        });
        self.run.watch.group(&planned.name(), planned.indices, left.is_some());
        let mut group = match left {
            Some(left) => Group::<G, C, _>::resume(self.game, &planned.slices, &finished, &self.run, left),
            None => Group::new(self.game, &planned.slices, &finished, &self.run),
        };
        let mut saved = Instant::now();
        let mut save = |group: &Group<'_, G, C, _>| {
            if saved.elapsed() >= self.checkpoint_every || group.is_interrupted() {
                self.run.save(&checkpoint, |saving| group.save(saving))?;
                saved = Instant::now();
            }
            Ok(())
        };
        group.solve(&mut save).map_err(stopped)?;
        group.apply_perpetual_check();
        for &slice in &planned.slices {
            self.write(slice, |index| group.cell(slice, index))?;
        }
        self.run.discard(&checkpoint);
        Ok(())
    }

    /// The checkpoint of a group. It is valid only for one metric and for exactly the tables that the group leads into,
    /// because the cells depend on both.
    ///
    /// # Errors
    /// Returns an error if a table that the group leads into cannot be read.
    pub fn checkpoint(&self, planned: &PlannedGroup<G::Slice>) -> Result<Checkpoint, Error> {
        let (first, metric) = (self.description(planned.slices[0]), self.metric.name());
        let library = self.library.with_own_cache(0);
        let mut identity =
            format!("{} {} {} {} {metric}", first.game, first.rules, first.index, planned.name());
        for &slice in &planned.needs {
            if let Some(table) = library.file(self.game, slice, self.metric)? {
                identity += &format!(" {slice} {:?}", table.content_hash());
            }
        }
        Ok(Checkpoint::new(&self.folder(), &format!("{}.{metric}", planned.name()), &identity))
    }

    fn write<C: Cell>(&self, slice: G::Slice, cell: impl Fn(Index) -> C + Sync) -> Result<(), Error> {
        let description = self.description(slice);
        let entry = |index| cell(Index(index)).entry(self.metric);
        let name = slice.to_string();
        let progress = |done| self.run.watch.writing(&name, done, description.entries);
        let written = table::write(&description.path(self.library.folder()), &description, entry, progress)?;
        self.run.watch.written(&name, written.bytes);
        Ok(())
    }
}

/// Checks that a table has the ordinary numbering. The generic solver cannot write or read other tables.
fn check_numbering<G: Endgame>(description: &Description) -> Result<(), Error> {
    if description.index == G::INDEX { Ok(()) } else { Err(own_solver(description)) }
}

/// Checks that the generic solver can read a table: it has the ordinary numbering, and no entry is
/// [`NotWon`](Entry::NotWon).
pub(crate) fn check_readable<G: Endgame>(table: &Table) -> Result<(), Error> {
    check_numbering::<G>(table.description())?;
    let tells_all = !table.different_entries().contains(&Entry::NotWon);
    if tells_all { Ok(()) } else { Err(own_solver(table.description())) }
}

/// Checks that every value of a table can be derived from its successors. Wins and losses by rule can only be derived in a game
/// that has such a rule.
pub(crate) fn check_derivable<G: Endgame>(game: &G, table: &Table) -> Result<(), Error> {
    check_readable::<G>(table)?;
    let Description { game: name, slice, .. } = table.description();
    let has_rule = game.rulebook().is_check.is_some();
    match !has_rule && table.different_entries().iter().any(|entry| entry.is_by_rule()) {
        true => Err(Error::ByRule { game: name.clone(), slice: slice.clone() }),
        false => Ok(()),
    }
}

fn own_solver(description: &Description) -> Error {
    let Description { game, slice, metric, .. } = description;
    Error::OwnSolver { game: game.clone(), slice: slice.clone(), metric: metric.name() }
}
