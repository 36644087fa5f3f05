//! The kernel: solves chess endgames by rows and writes their tables.

use super::board::{Board, levels};
use super::budget;
use super::complete::{answered_by_changes, complete};
use super::forward::{Forward, Tables};
use super::values::{Coded, Unpacked, entries_of_cells};
use super::verify::verify;
use crate::rows::{Cells, Conversions, Rounds, RowGame, Saves, Space, Tensors};
use chess::{Chess, Material};
use game::{Game as _, Metric};
use solve::{Cell, Checkpoint, Error, Job, Kernel, Needs, PlannedGroup, Progress, Stop, Verified, unusable};
use std::io;
use std::sync::Arc;
use std::sync::atomic::Ordering::Relaxed;
use std::time::Instant;
use table::{Library, SmallTable, Table, describe};

/// Solves chess endgames: distances to mate (DTM), distances to the next capture or move of a pawn with the 50-move rule (DTZ),
/// or only who wins (WDL).
#[derive(Default)]
pub struct ChessKernel;

impl Kernel<Chess> for ChessKernel {
    fn plan(&self, job: &Job<'_, Chess>, group: &PlannedGroup<Material>) -> Option<Needs> {
        let (material, width) = (group.slices[0], first_width(job.metric));
        let memory = budget::to_solve(material, job.metric, width)?;
        Some(Needs { memory, disk: group.indices + budget::of_checkpoint(material, width) })
    }

    fn solve(&self, job: &Job<'_, Chess>, groups: &[PlannedGroup<Material>]) -> Result<(), Error> {
        groups.iter().try_for_each(|group| solve_material(job, group))
    }

    fn verify(
        &self,
        game: &Chess,
        library: &Library,
        material: Material,
        metric: Metric,
        memory: u64,
        progress: &(dyn Fn(u64) + Sync),
    ) -> Result<Option<Verified>, Error> {
        if let Some(small) = library.small(&describe(game, material, metric))? {
            if budget::to_complete(material) > memory {
                return Ok(None);
            }
            small.check()?;
            let tables = open(game, library, material, metric)?;
            let table = complete(material, &small, &tables, metric)?;
            return Ok(table.map(|table| verify(material, &table, &tables, metric, progress)));
        }
        let table = library.described(&describe(game, material, metric))?;
        let fits =
            |table: &Arc<Table>| budget::to_verify(material, table.different_entries().len()) <= memory;
        let Some(table) = table.filter(fits) else { return Ok(None) };
        table.check()?;
        let tables = open(game, library, material, metric)?;
        Ok(Some(verify(material, &Unpacked::read(&table)?, &tables, metric, progress)))
    }

    fn answered_by_conversions(
        &self,
        game: &Chess,
        library: &Library,
        material: Material,
        metric: Metric,
        table: &Table,
    ) -> Result<Option<Vec<u64>>, Error> {
        let tables = open(game, library, material, metric)?;
        let indices = table.entries() as usize;
        Ok(Some(answered_by_changes(material, &Unpacked::read(table)?, indices, &tables, metric)))
    }

    fn complete(
        &self,
        game: &Chess,
        library: &Library,
        material: Material,
        metric: Metric,
        small: &SmallTable,
    ) -> Result<Option<Table>, Error> {
        let Some(table) = completed(game, library, material, metric, small)? else { return Ok(None) };
        let entry = |index: u64| table.entry(index as usize);
        Ok(Some(table::in_memory(small.path(), &describe(game, material, metric), entry)?))
    }
}

/// The width of the cells that are tried first. Distances to conversions need wide ones, because wins can be even.
fn first_width(metric: Metric) -> usize {
    if metric == Metric::Dtz { u16::BYTES } else { u8::BYTES }
}

/// Reads the tables that a material leads to.
fn open(game: &Chess, library: &Library, material: Material, metric: Metric) -> Result<Tables, Error> {
    let read = |material| Ok((material, unpacked(game, library, material, metric)?));
    material.leads_to().into_iter().map(read).collect()
}

/// Reads all values of a table.
fn unpacked(game: &Chess, library: &Library, material: Material, metric: Metric) -> Result<Unpacked, Error> {
    if let Some(small) = library.small(&describe(game, material, metric))?
        && let Some(table) = completed(game, library, material, metric, &small)?
    {
        return Ok(table);
    }
    let table = solve::whole(game, library, material, metric, None)?;
    Ok(Unpacked::read(&*table.ok_or_else(|| Error::missing(game, material, metric))?)?)
}

/// Finds all values of a small table by rows, if that is quicker than one position after another.
fn completed(
    game: &Chess,
    library: &Library,
    material: Material,
    metric: Metric,
    small: &SmallTable,
) -> Result<Option<Unpacked>, Error> {
    if !budget::is_quicker_by_rows(material) {
        return Ok(None);
    }
    Ok(complete(material, small, &open(game, library, material, metric)?, metric)?)
}

fn solve_material(job: &Job<'_, Chess>, group: &PlannedGroup<Material>) -> Result<(), Error> {
    let solver = Solver::new(job, group)?;
    // A checkpoint with wide cells is from a run that has found narrow cells too small.
    let is_wide =
        first_width(job.metric) == u16::BYTES || solver.checkpoint.first_number() == Some(u16::BYTES as u64);
    let narrow = if is_wide { None } else { solver.solve::<u8>()? };
    match narrow {
        Some(()) => Ok(()),
        None => {
            solver.check_memory(u16::BYTES)?;
            solver.solve::<u16>()?.ok_or_else(|| solver.stopped(Stop::Overflow))
        }
    }
}

/// Solves one material.
struct Solver<'a> {
    job: &'a Job<'a, Chess>,
    group: &'a PlannedGroup<Material>,
    checkpoint: Checkpoint,
    tables: Tables,
    /// The levels in the order in which they are solved.
    boards: Vec<Board>,
}

impl<'a> Solver<'a> {
    fn new(job: &'a Job<'a, Chess>, group: &'a PlannedGroup<Material>) -> Result<Self, Error> {
        let material = group.slices[0];
        Ok(Self {
            job,
            group,
            checkpoint: job.checkpoint(group)?,
            tables: open(job.game, job.library, material, job.metric)?,
            boards: levels(material).rev().map(|level| Board::new(material, level)).collect(),
        })
    }

    fn stopped(&self, stop: Stop) -> Error {
        Error::Stopped { group: self.group.name(), stop }
    }

    fn disk(&self) -> impl Fn(io::Error) -> Error {
        let folder = self.job.library.folder().to_owned();
        move |source| Error::Folder { folder: folder.clone(), source }
    }

    fn check_memory(&self, width: usize) -> Result<(), Error> {
        let metric = self.job.metric;
        let needed = budget::to_solve(self.group.slices[0], metric, width)
            .ok_or_else(|| Error::Metric { game: Chess::INFO.title, metric: metric.name() })?;
        let (group, allowed) = (self.group.name(), self.job.memory);
        if needed <= allowed {
            Ok(())
        } else {
            Err(Error::Memory { work: "solving", group, needed, allowed })
        }
    }

    /// Solves the material and writes its table. Returns `None` if cells of this width cannot hold a distance.
    fn solve<C: Coded>(&self) -> Result<Option<()>, Error> {
        let watch = self.job.run.watch;
        let left = self.checkpoint.load(|loading| {
            let Some(cells) = Cells::<C>::load(&self.boards[0], &Space::Memory, loading)? else {
                return Ok(None);
            };
            let level = usize::try_from(loading.number()?).ok().filter(|&level| level < self.boards.len());
            let level = level.ok_or_else(|| unusable("it is damaged"))?;
            let board = &self.boards[level];
            let tensors = self.tensors(board, &cells)?;
            Ok(Some((level, Rounds::load(board, tensors, cells, loading)?)))
        });
        let left = left.unwrap_or_else(|error| {
            watch.warning(&format!("the checkpoint of {} is not used: {error}", self.group.name()));
            None
        });
        watch.group(&self.group.name(), self.group.indices, left.is_some());
        let (mut level, mut rounds) = match left {
            Some(left) => left,
            None => {
                let cells = Cells::<C>::new(&self.boards[0], &Space::Memory).map_err(self.disk())?;
                (0, self.begin(&self.boards[0], cells)?)
            }
        };
        loop {
            if self.play(level, &mut rounds)?.is_none() {
                return Ok(None);
            }
            let cells = rounds.into_cells();
            level += 1;
            let Some(board) = self.boards.get(level) else {
                self.write(cells)?;
                break;
            };
            cells.mark(board);
            rounds = self.begin(board, cells)?;
        }
        self.job.run.discard(&self.checkpoint);
        Ok(Some(()))
    }

    fn begin<'b, C: Coded>(&self, board: &'b Board, cells: Cells<C>) -> Result<Rounds<'b, Board, C>, Error> {
        let tensors = self.tensors(board, &cells).map_err(self.disk())?;
        Rounds::new(board, tensors, cells).map_err(self.disk())
    }

    /// The rows of a level, of which nothing is known but the conversions.
    fn tensors<C: Coded>(
        &self,
        board: &Board,
        cells: &Cells<C>,
    ) -> io::Result<Tensors<<Board as RowGame>::Row>> {
        let metric = self.job.metric;
        let conversions = cells.with_all(|slabs| {
            let starts: Vec<usize> = (0..board.slabs()).map(|slab| board.cells(slab).start).collect();
            let own = |first: usize, count: usize| {
                let slab = starts.partition_point(|&start| start <= first) - 1;
                C::codes(&slabs[slab][first - starts[slab]..][..count])
            };
            let forward = Forward::new(board, &self.tables, metric, &entries_of_cells::<C>(metric), own);
            Conversions::new(board, &Space::Memory, |slab, row, legal, scores| {
                forward.raise_by_conversions(slab, row, legal.bits(), scores);
            })
        })?;
        Ok(Tensors::new(board, &Space::Memory)?.with_conversions(conversions))
    }

    /// Plays all rounds of a level, and saves checkpoints between them.
    fn play<C: Cell>(&self, level: usize, rounds: &mut Rounds<'_, Board, C>) -> Result<Option<()>, Error> {
        let mut saves = Saves::new(self.job.checkpoint_every);
        while !rounds.is_finished() {
            let is_interrupted = self.job.run.interrupt.load(Relaxed);
            if is_interrupted || saves.is_due() {
                let started = Instant::now();
                let save = self.job.run.save(&self.checkpoint, |saving| {
                    rounds.cells().save(&self.boards[level], saving)?;
                    saving.number(level as u64)?;
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
            let cells = self.group.indices;
            // The levels before are done.
            let known = cells / self.boards.len() as u64 * level as u64 + rounds.decided();
            let progress = Progress { round: Some(rounds.done()), known: known.min(cells), cells };
            self.job.run.watch.progress(progress);
        }
        Ok(Some(()))
    }

    fn write<C: Cell>(&self, cells: Cells<C>) -> Result<(), Error> {
        let board = &self.boards[0];
        let finish =
            |slab: usize, cells: &mut [C]| board.each_folded_cell(slab, |cell| cells[cell] = C::HOLE);
        let cells = cells.finish(board, &Space::Memory, finish).map_err(self.disk())?;
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
                game: &Chess::STANDARD,
                kernel: Some(&ChessKernel),
                library: &Library::new(folder.path(), 0),
                metric: Metric::Dtm,
                memory: 1 << 30,
                checkpoint_every: Duration::ZERO,
                packs: false,
                run: Run { unmoves: Unmoves::FromGame, watch: &Unwatched, interrupt: &interrupt },
            };
            let material = Material::parse("KPvK").expect("a material");
            job.solve(&job.plan(&material.leads_to()).expect("a plan")).expect("it fits");
            let plan = job.plan(&[material]).expect("a plan");
            let solve = |is_interrupted: bool| {
                interrupt.store(is_interrupted, Relaxed);
                let solver = Solver::new(&job, &plan[0]).expect("tables");
                if width == 1 { solver.solve::<u8>() } else { solver.solve::<u16>() }
            };
            assert!(matches!(solve(true), Err(Error::Stopped { stop: Stop::Interrupted, .. })));
            assert_eq!(job.checkpoint(&plan[0]).expect("a folder").first_number(), Some(width as u64));
            if width == 2 {
                // The kernel finds out by itself that it has to go on with wide cells.
                interrupt.store(false, Relaxed);
                job.solve(&plan).expect("it goes on");
            } else {
                assert!(matches!(solve(false), Ok(Some(()))));
            }
            std::fs::read(job.description(material).path(folder.path())).expect("a table")
        });
        assert!(bytes[0] == bytes[1]);
    }
}
