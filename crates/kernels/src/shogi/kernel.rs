//! The kernel: solves classes of shogi endgames by rows and writes their tables.

use super::board::Board;
use super::budget::Budget;
use super::complete::complete;
use super::verify::verify;
use crate::rows::{
    Cells, Planes, Rounds, Row2, Row4, RowGame, Saves, Space, Tensors, distances_to_zeroing, perpetual,
};
use game::{Game as _, Metric};
use shogi::{Class, Kind, Shogi};
use solve::{Cell, Checkpoint, Error, Job, Kernel, Needs, PlannedGroup, Progress, Stop, Verified};
use std::io;
use std::path::{Path, PathBuf};
use std::sync::atomic::Ordering::Relaxed;
use std::time::Instant;
use table::{Library, SmallTable, Table, describe};

/// Solves shogi endgames: distances to mate (DTM), distances to the next irreversible move (DTZ), or only who wins (WDL), with
/// the rule on perpetual check.
#[derive(Default)]
pub struct ShogiKernel;

impl Kernel<Shogi> for ShogiKernel {
    fn plan(&self, job: &Job<'_, Shogi>, group: &PlannedGroup<Class>) -> Option<Needs> {
        let budget = Budget::new(group.slices[0], job.metric, u8::BYTES, job.memory)?;
        Some(Needs { memory: budget.memory, disk: budget.disk + group.indices })
    }

    fn solve(&self, job: &Job<'_, Shogi>, groups: &[PlannedGroup<Class>]) -> Result<(), Error> {
        groups.iter().try_for_each(|group| match has_two_planes(group.slices[0]) {
            true => solve_class::<Row2>(job, group),
            false => solve_class::<Row4>(job, group),
        })
    }

    fn verify(
        &self,
        game: &Shogi,
        library: &Library,
        class: Class,
        metric: Metric,
        memory: u64,
        progress: &(dyn Fn(u64) + Sync),
    ) -> Result<Option<Verified>, Error> {
        let can_do_it = match metric {
            Metric::Dtm => true,
            // Without distances, a pawn drop that mates looks like any winning drop.
            Metric::Wdl => class.count(Kind::Pawn) == 0,
            Metric::Dtz | Metric::Equity | Metric::Distribution => false,
        };
        if !can_do_it || Budget::to_verify(class) > memory {
            return Ok(None);
        }
        match library.small(&describe(game, class, metric))? {
            Some(small) => small.check()?,
            None => {
                library.described(&describe(game, class, metric))?.map_or(Ok(()), |table| table.check())?
            }
        }
        let Some(table) = solve::whole(game, library, class, metric, Some(self))? else { return Ok(None) };
        Ok(match has_two_planes(class) {
            true => verify::<Row2>(class, &table, progress)?,
            false => verify::<Row4>(class, &table, progress)?,
        })
    }

    fn complete(
        &self,
        game: &Shogi,
        _: &Library,
        class: Class,
        metric: Metric,
        small: &SmallTable,
    ) -> Result<Option<Table>, Error> {
        let cells = match has_two_planes(class) {
            true => complete::<Row2>(class, small)?,
            false => complete::<Row4>(class, small)?,
        };
        let Some(cells) = cells else { return Ok(None) };
        let entry = |index: u64| cells[index as usize].entry(metric);
        Ok(Some(table::in_memory(small.path(), &describe(game, class, metric), entry)?))
    }
}

/// Returns whether the rows of a class have two planes: the last man is a gold, which does not promote.
pub fn has_two_planes(class: Class) -> bool {
    class.men().last() == Some(&Kind::Gold)
}

fn solve_class<R: Planes>(job: &Job<'_, Shogi>, group: &PlannedGroup<Class>) -> Result<(), Error> {
    let stopped = |stop| Error::Stopped { group: group.name(), stop };
    // A checkpoint with wide cells is from a run that has found narrow cells too small.
    let is_wide = job.checkpoint(group)?.first_number() == Some(u16::BYTES as u64);
    let narrow = if is_wide { None } else { Solver::<R>::new(job, group, u8::BYTES)?.solve::<u8>()? };
    match narrow {
        Some(()) => Ok(()),
        None => {
            let wide = Solver::<R>::new(job, group, u16::BYTES)?;
            wide.solve::<u16>()?.ok_or_else(|| stopped(Stop::Overflow))
        }
    }
}

/// Solves one class.
struct Solver<'a, R> {
    job: &'a Job<'a, Shogi>,
    group: &'a PlannedGroup<Class>,
    checkpoint: Checkpoint,
    board: Board<R>,
    rows: Space,
    cells: Space,
}

impl<'a, R: Planes> Solver<'a, R> {
    /// Prepares to solve with cells of `width` bytes.
    fn new(job: &'a Job<'a, Shogi>, group: &'a PlannedGroup<Class>, width: usize) -> Result<Self, Error> {
        let class = group.slices[0];
        let budget = Budget::new(class, job.metric, width, job.memory)
            .ok_or_else(|| Error::Metric { game: Shogi::INFO.title, metric: job.metric.name() })?;
        if budget.memory > job.memory {
            let (group, allowed) = (group.name(), job.memory);
            return Err(Error::Memory { work: "solving", group, needed: budget.memory, allowed });
        }
        let space = |in_memory| if in_memory { Space::Memory } else { Space::Files(job.folder()) };
        Ok(Self {
            job,
            group,
            checkpoint: job.checkpoint(group)?,
            board: Board::new(class),
            rows: space(budget.rows_in_memory),
            cells: space(budget.cells_in_memory),
        })
    }

    fn disk(&self) -> impl Fn(io::Error) -> Error {
        let path = self.job.description(self.group.slices[0]).path(self.job.library.folder());
        let folder = path.parent().map_or_else(PathBuf::new, Path::to_owned);
        move |source| Error::Folder { folder: folder.clone(), source }
    }

    fn stopped(&self, stop: Stop) -> Error {
        Error::Stopped { group: self.group.name(), stop }
    }

    /// Solves the class and writes its table. Returns `None` if cells of this width cannot hold a distance.
    fn solve<C: Cell>(mut self) -> Result<Option<()>, Error> {
        let watch = self.job.run.watch;
        let tensors = Tensors::new(&self.board, &self.rows).map_err(self.disk())?;
        self.find_pawn_mates(&tensors).map_err(self.disk())?;
        let this = &self;
        let mut tensors = Some(tensors);
        let mut load = |loading: &mut _| match tensors.take() {
            Some(tensors) => match Cells::<C>::load(&this.board, &this.cells, loading)? {
                Some(cells) => Rounds::load(&this.board, tensors, cells, loading).map(Some),
                None => Ok(None),
            },
            None => Ok(None),
        };
        let left = this.checkpoint.load(&mut load).unwrap_or_else(|error| {
            watch.warning(&format!("the checkpoint of {} is not used: {error}", this.group.name()));
            None
        });
        watch.group(&this.group.name(), this.group.indices, left.is_some());
        let mut rounds = match left {
            Some(rounds) => rounds,
            None => {
                // A checkpoint that cannot be used may have spoilt the rows.
                let tensors = match tensors {
                    Some(tensors) => tensors,
                    None => Tensors::new(&this.board, &this.rows).map_err(this.disk())?,
                };
                let cells = Cells::new(&this.board, &this.cells).map_err(this.disk())?;
                Rounds::new(&this.board, tensors, cells).map_err(this.disk())?
            }
        };
        if this.play(&mut rounds)?.is_none() {
            return Ok(None);
        }
        match this.job.metric {
            Metric::Dtz => this.write(this.zeroing(rounds)?)?,
            _ => this.write(rounds.with_perpetual_check().map_err(this.disk())?)?,
        }
        this.job.run.discard(&this.checkpoint);
        Ok(Some(()))
    }

    /// Finds the positions in which a pawn in front of the king mates. A drop cannot answer such a check, so these positions
    /// are the same with and without the rule that a dropped pawn must not mate.
    fn find_pawn_mates(&mut self, tensors: &Tensors<R>) -> io::Result<()> {
        if self.board.class().count(Kind::Pawn) > 0 {
            let ended = tensors.turn(&self.board, &tensors.ended(&self.board)?)?;
            for slab in 0..self.board.slabs() {
                self.board.note_pawn_mates(slab, &ended)?;
            }
        }
        Ok(())
    }

    /// Plays all rounds, and saves checkpoints between them.
    fn play<C: Cell>(&self, rounds: &mut Rounds<'_, Board<R>, C>) -> Result<Option<()>, Error> {
        let mut saves = Saves::new(self.job.checkpoint_every);
        while !rounds.is_finished() {
            let is_interrupted = self.job.run.interrupt.load(Relaxed);
            if is_interrupted || saves.is_due() {
                let started = Instant::now();
                let save = self.job.run.save(&self.checkpoint, |saving| {
                    rounds.cells().save(&self.board, saving)?;
                    rounds.save(saving)
                });
                save.map_err(|stop| self.stopped(stop))?;
                saves.saved(started);
            }
            if is_interrupted {
                return Err(self.stopped(Stop::Interrupted));
            }
            if rounds.play().map_err(self.disk())?.is_none() {
                return Ok(None);
            }
            let (known, cells) = (rounds.decided().min(self.group.indices), self.group.indices);
            self.job.run.watch.progress(Progress { round: Some(rounds.done()), known, cells });
        }
        Ok(Some(()))
    }

    /// The distances to the next irreversible move.
    fn zeroing<C: Cell>(&self, rounds: Rounds<'_, Board<R>, C>) -> Result<Cells<u16>, Error> {
        let goes_on = |round| {
            let progress = Progress { round: Some(round), known: 0, cells: self.group.indices };
            self.job.run.watch.progress(progress);
            !self.job.run.interrupt.load(Relaxed)
        };
        let cells = distances_to_zeroing(&self.board, rounds.tensors(), &self.cells, goes_on);
        let Some(cells) = cells.map_err(self.disk())? else {
            // The rounds are done, and the distances begin again.
            let save = self.job.run.save(&self.checkpoint, |saving| {
                rounds.cells().save(&self.board, saving)?;
                rounds.save(saving)
            });
            save.map_err(|stop| self.stopped(stop))?;
            return Err(self.stopped(Stop::Interrupted));
        };
        let by_rule = perpetual::decide(&self.board, rounds.tensors()).map_err(self.disk())?;
        cells.record_by_rule(&self.board, by_rule).map_err(self.disk())?;
        Ok(cells)
    }

    fn write<C: Cell>(&self, cells: Cells<C>) -> Result<(), Error> {
        let finish = |slab: usize, cells: &mut [C]| {
            let indices = self.board.cells(slab);
            let first = indices.start;
            self.board.each_folded_cell(indices, |cell| cells[cell - first] = C::HOLE);
        };
        let cells = cells.finish(&self.board, &self.cells, finish).map_err(self.disk())?;
        cells.write(self.job, self.group.slices[0])
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use solve::{Run, Unmoves, Unwatched};
    use std::sync::atomic::AtomicBool;
    use std::time::Duration;

    /// Wide cells give the same tables as narrow ones, also from checkpoints.
    #[test]
    fn wide_cells_give_the_same_bytes() {
        let bytes = [u8::BYTES, u16::BYTES].map(|width| {
            let (folder, interrupt) = (tempfile::tempdir().expect("a folder"), AtomicBool::new(false));
            let job = Job {
                game: &Shogi::default(),
                kernel: Some(&ShogiKernel),
                library: &Library::new(folder.path(), 0),
                metric: Metric::Dtm,
                memory: 1 << 30,
                checkpoint_every: Duration::ZERO,
                packs: false,
                run: Run { unmoves: Unmoves::FromGame, watch: &Unwatched, interrupt: &interrupt },
            };
            let class = Class::parse("G").expect("a class");
            let plan = job.plan(&[class]).expect("a plan");
            let solver = |interrupted: bool| {
                interrupt.store(interrupted, Relaxed);
                let solver = Solver::<Row2>::new(&job, &plan[0], width).expect("it fits");
                if width == 1 { solver.solve::<u8>() } else { solver.solve::<u16>() }
            };
            assert!(matches!(solver(true), Err(Error::Stopped { stop: Stop::Interrupted, .. })));
            assert_eq!(job.checkpoint(&plan[0]).expect("a folder").first_number(), Some(width as u64));
            assert!(matches!(solver(false), Ok(Some(()))));
            std::fs::read(job.description(class).path(folder.path())).expect("a table")
        });
        assert!(bytes[0] == bytes[1]);
    }
}
