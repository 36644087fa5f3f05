//! The kernel: solves groups of slices with the help of attacks.

use super::attack::{self, Attack, AttackError, Means, Mismatch};
use super::budget::{Budget, FIXED, size_on_disk};
use super::deals::Deals;
use super::exact;
use super::known::{self, Known, Men, leads_to, men_of, positions, slice_of, turned};
use super::men::with_men;
use super::store::{Lists, Rows};
use super::tables::entry_of;
use crate::spill;
use bits::pext;
use bits::subsets::of_25;
use game::{Endgame, Game, Index, Metric};
use onitama::{Onitama, Slice};
use solve::{Error, Job, Kernel, Needs, PlannedGroup, Stats, Verified, Watch, Wrong};
use std::collections::HashMap;
use std::fs::File;
use std::io;
use std::path::{Path, PathBuf};
use std::sync::atomic::AtomicBool;
use table::system::FileAt;
use table::{Entry, Library, NotAFile, working};

/// Solves Onitama: WDL for any number of men, and distances (DTM) if a byte for each position fits the memory.
#[derive(Default)]
pub struct OnitamaKernel;

/// The rows of an attack are kept in a file, which is a checkpoint, if they take more than this many bytes.
const MOST_WITHOUT_CHECKPOINT: u64 = 1 << 20;

impl Kernel<Onitama> for OnitamaKernel {
    fn plan(&self, job: &Job<'_, Onitama>, group: &PlannedGroup<Slice>) -> Option<Needs> {
        match job.metric {
            Metric::Wdl => {
                let budget = Budget::new(job.game, men_of(group.slices[0]), job.memory);
                let tables: u64 = group.slices.iter().map(|&slice| size_on_disk(job.game, slice)).sum();
                Some(Needs { memory: budget.memory, disk: budget.disk + tables })
            }
            Metric::Dtm => {
                let men = men_of(group.slices[0]);
                let cells: u64 =
                    group.slices.iter().chain(&group.needs).map(|&slice| job.game.size(slice)).sum();
                // The cells, the losses of two rounds, the words of the attacks with one man less, and the threads' scratch.
                let memory =
                    cells + cells / 8 + rayon::current_num_threads() as u64 * known::scratch(men) + FIXED;
                (memory <= job.memory).then_some(Needs { memory, disk: group.indices })
            }
            Metric::Dtz | Metric::Equity | Metric::Distribution => None,
        }
    }

    fn solve(&self, job: &Job<'_, Onitama>, groups: &[PlannedGroup<Slice>]) -> Result<(), Error> {
        let mut solver = Solver {
            game: job.game,
            deals: Deals::new(job.game.table_cards()),
            library: job.library.with_own_cache(0),
            folder: job.folder(),
            known: Known::default(),
            cells: HashMap::new(),
            interrupt: job.run.interrupt,
            watch: job.run.watch,
        };
        groups.iter().try_for_each(|group| match job.metric {
            Metric::Wdl => solver.solve(job, group),
            Metric::Dtm => solver.solve_exactly(job, group),
            Metric::Dtz | Metric::Equity | Metric::Distribution => unreachable!("there is no plan for them"),
        })
    }

    fn stats(
        &self,
        game: &Onitama,
        library: &Library,
        slice: Slice,
        metric: Metric,
    ) -> Result<Option<Stats>, Error> {
        if !is_short(game, library, slice, metric)? {
            return Ok(None);
        }
        let never = AtomicBool::new(false);
        let mut solver = Solver::reading(game, library, &never);
        let men = men_of(slice);
        let budget = Budget::for_reading(game, men);
        let taken = game.needs(slice).into_iter().map(men_of);
        for men in [men, turned(men)].into_iter().chain(taken) {
            solver.need(men, &budget)?;
        }
        solver.stats(slice, &budget).map(Some)
    }

    fn verify(
        &self,
        game: &Onitama,
        library: &Library,
        slice: Slice,
        metric: Metric,
        _memory: u64,
        progress: &(dyn Fn(u64) + Sync),
    ) -> Result<Option<Verified>, Error> {
        if !is_short(game, library, slice, metric)? {
            return Ok(None);
        }
        let never = AtomicBool::new(false);
        let mut solver = Solver::reading(game, library, &never);
        let men = men_of(slice);
        let budget = Budget::for_reading(game, men);
        for men in [men].into_iter().chain(leads_to(men)) {
            solver.need(men, &budget)?;
        }
        if let Some(table) = library.described(&table::describe(game, slice, Metric::Wdl))? {
            table.check()?;
        }
        let wrong = solver.check(men, &budget).map_err(|stop| solver.stopped(&slice.to_string(), stop))?;
        progress(game.size(slice));
        let positions = positions(men);
        let wrong = wrong.iter().map(|mismatch| wrong_entry(&solver.deals, slice, mismatch)).collect();
        Ok(Some(Verified { positions, wrong }))
    }
}

/// Returns whether there is a table with the short numbering. Only the kernel can count and verify it. A packed table never has it.
fn is_short(game: &Onitama, library: &Library, slice: Slice, metric: Metric) -> Result<bool, Error> {
    let table = library.file(game, slice, metric)?;
    Ok(table.is_some_and(|table| table.description().index != Onitama::INDEX))
}

/// The wrong entry of a mismatch: the first deal in which the word is wrong.
fn wrong_entry(deals: &Deals, slice: Slice, mismatch: &Mismatch) -> Wrong {
    let (a, b) = men_of(slice);
    let differs = mismatch.stored ^ mismatch.expected;
    let deal = deals.numbered(true).iter().position(|&bit| differs >> bit & 1 != 0).unwrap_or(0);
    let [men, opponents] = mismatch.men;
    let placement = u64::from(of_25::rank(pext(opponents.into(), (!men).into()) as u32));
    let set = u64::from(of_25::rank(men)) * known::shape((a, b)).1 as u64 + placement;
    let pair = (mismatch.masters[0] * b + mismatch.masters[1]) as u64;
    let index = Index((set * (a * b) as u64 + pair) * 30 + deal as u64);
    let bit = deals.numbered(true)[deal];
    let entry = |word: u32| if word >> bit & 1 != 0 { Entry::Win(None) } else { Entry::NotWon };
    Wrong { index, stored: entry(mismatch.stored), expected: entry(mismatch.expected) }
}

/// A run of the solver, or of `stats` and `verify`, which only read tables.
pub struct Solver<'a> {
    pub(super) game: &'a Onitama,
    pub(super) deals: Deals,
    pub(super) library: Library,
    folder: PathBuf,
    pub(super) known: Known,
    /// The distances of finished slices.
    cells: HashMap<Slice, Vec<u8>>,
    interrupt: &'a AtomicBool,
    pub(super) watch: &'a dyn Watch,
}

impl<'a> Solver<'a> {
    fn reading(game: &'a Onitama, library: &Library, interrupt: &'a AtomicBool) -> Self {
        Self {
            game,
            deals: Deals::new(game.table_cards()),
            library: library.with_own_cache(0),
            folder: library.folder().to_owned(),
            known: Known::default(),
            cells: HashMap::new(),
            interrupt,
            watch: &solve::Unwatched,
        }
    }

    pub(super) fn stopped(&self, group: &str, stop: AttackError) -> Error {
        match stop {
            AttackError::Interrupted => {
                Error::Stopped { group: group.to_owned(), stop: solve::Stop::Interrupted }
            }
            AttackError::Overflow => Error::Stopped { group: group.to_owned(), stop: solve::Stop::Overflow },
            AttackError::Disk(source) => Error::Folder { folder: self.folder.clone(), source },
        }
    }

    pub(super) fn disk(&self) -> impl Fn(io::Error) -> Error {
        |source| Error::Folder { folder: self.folder.clone(), source }
    }

    fn solve(&mut self, job: &Job<'_, Onitama>, group: &PlannedGroup<Slice>) -> Result<(), Error> {
        let name = group.name();
        let (a, b) = men_of(group.slices[0]);
        self.known.forget_below(a + b - 2);
        let budget = Budget::new(self.game, (a, b), job.memory);
        self.watch.group(&name, group.indices, false);
        for &slice in &group.slices {
            self.solve_attack(slice, &budget, group)?;
        }
        for &slice in &group.slices {
            self.write(job, slice, &budget)?;
        }
        job.tidy();
        Ok(())
    }

    /// Finds the wins of a slice and adds them to `known`.
    fn solve_attack(
        &mut self,
        slice: Slice,
        budget: &Budget,
        group: &PlannedGroup<Slice>,
    ) -> Result<(), Error> {
        let (men, name) = (men_of(slice), group.name());
        for men in leads_to(men) {
            self.need(men, budget)?;
        }
        let sizes = known::row_sizes(&self.deals, men);
        let (_, placements) = known::shape(men);
        let counts = sizes.iter().map(|&size| if size == 0 { 0 } else { (placements * men.1) as u64 });
        let (won, resumed) = self.rows_to_solve(group, slice, &sizes).map_err(self.disk())?;
        if resumed {
            self.watch.group(&name, group.indices, true);
        }
        let counts = self.rows(budget.rows_in_memory, counts.collect()).map_err(self.disk())?;
        let solved = self.with_means(budget, &slice.to_string(), |means| {
            self.known.solve(&self.deals, men, &won, &counts, means)
        });
        solved.map_err(|stop| self.stopped(&name, stop))?;
        self.known.insert(men, won);
        Ok(())
    }

    fn solve_exactly(&mut self, job: &Job<'_, Onitama>, group: &PlannedGroup<Slice>) -> Result<(), Error> {
        let name = group.name();
        self.cells.retain(|slice, _| group.needs.contains(slice));
        for &slice in &group.needs {
            if !self.cells.contains_key(&slice) {
                let cells = self.read_cells(slice)?;
                self.cells.insert(slice, cells);
            }
        }
        self.watch.group(&name, group.indices, false);
        let men: Vec<Men> = group.slices.iter().map(|&slice| men_of(slice)).collect();
        let finished = |mover: usize, opponent: usize| {
            self.cells.get(&Slice::new(mover as u32, opponent as u32)?).map(Vec::as_slice)
        };
        // The losses of a round stay in memory, because they are small compared to the cells.
        let budget = Budget { memory: 0, disk: 0, rows_in_memory: true, room: u64::MAX, cache: 0 };
        let solved =
            self.with_means(&budget, &name, |means| exact::solve(&self.deals, &men, &finished, means));
        let solved = solved.map_err(|stop| self.stopped(&name, stop))?;
        for (&slice, cells) in group.slices.iter().zip(solved) {
            let description = job.description(slice);
            let text = slice.to_string();
            let progress = |done| self.watch.writing(&text, done, description.entries);
            let entry = |index: u64| entry_of(cells[index as usize]);
            let written =
                table::write(&description.path(job.library.folder()), &description, entry, progress)?;
            self.watch.written(&text, written.bytes);
            self.cells.insert(slice, cells);
        }
        Ok(())
    }

    fn with_means<T>(
        &self,
        budget: &Budget,
        slice: &str,
        work: impl FnOnce(&Means<'_>) -> Result<T, AttackError>,
    ) -> Result<T, AttackError> {
        let watch = |sweep, done, rows| self.watch.sweep(slice, sweep, done, rows);
        let spill = || self.spill();
        work(&Means {
            room: budget.room,
            cache: budget.cache,
            spill: &spill,
            interrupt: self.interrupt,
            watch: &watch,
        })
    }

    fn spill(&self) -> io::Result<File> {
        spill::file(&self.folder)
    }

    pub(super) fn rows(&self, in_memory: bool, sizes: Vec<u64>) -> io::Result<Rows> {
        if in_memory {
            Ok(Rows::in_memory(sizes.len()))
        } else {
            Rows::in_file(FileAt::new(self.spill()?), 0, sizes)
        }
    }

    /// The rows of an attack that is to be solved, and whether they are from an earlier run.
    fn rows_to_solve(
        &self,
        group: &PlannedGroup<Slice>,
        slice: Slice,
        sizes: &[u64],
    ) -> io::Result<(Rows, bool)> {
        let bytes: u64 = sizes.iter().sum();
        if bytes <= MOST_WITHOUT_CHECKPOINT {
            return Ok((Rows::in_memory(sizes.len()), false));
        }
        let path = self.rows_path(group, slice);
        let mut title = format!("endspiel onitama rows 1 {} {slice}", self.game.table_rules_id());
        // The rows are valid only with the same tables of the attacks that this one leads to, so the title has their hashes.
        for men in leads_to(men_of(slice)) {
            if let Ok(Some(table)) = self.library.file(self.game, slice_of(men), Metric::Wdl) {
                title += &format!(
                    " {:016x}",
                    u64::from_le_bytes(table.content_hash()[..8].try_into().expect("eight"))
                );
            }
        }
        let mut title = title.into_bytes();
        title.resize(TITLE as usize, b' ');
        let left = left_rows(&path, &title, TITLE + bytes)?;
        let resumed = left.is_some();
        let file = match left {
            Some(file) => file,
            None => {
                let file = FileAt::new(working::create(&path)?);
                file.write_all_at(&title, 0)?;
                file
            }
        };
        Ok((Rows::in_checked_file(file, TITLE, sizes)?, resumed))
    }

    /// The file of rows of a slice. Its name has all slices of the group, because the rows are needed until all are written.
    fn rows_path(&self, group: &PlannedGroup<Slice>, slice: Slice) -> PathBuf {
        self.folder.join(format!(".{}.{}.rows-{slice}", group.name(), Metric::Wdl.name()))
    }

    pub(super) fn losses(&self, men: Men, budget: &Budget) -> Result<Lists, AttackError> {
        self.with_means(budget, "", |means| self.known.losses(&self.deals, men, means))
    }

    fn stats(&self, slice: Slice, budget: &Budget) -> Result<Stats, Error> {
        let men = men_of(slice);
        let counted = self.losses(turned(men), budget).and_then(|lost| self.count(men, &lost, budget));
        let (wins, losses) = counted.map_err(|stop| self.stopped(&slice.to_string(), stop))?;
        let draws = positions(men).checked_sub(wins + losses);
        let draws =
            draws.ok_or_else(|| Error::Unlike { game: Onitama::INFO.name, slice: slice.to_string() })?;
        Ok(Stats { wins, losses, draws, ..Stats::default() })
    }

    /// Counts the wins and losses of the side to move. `lost` has the lists of its losses.
    pub(super) fn count(&self, men: Men, lost: &Lists, budget: &Budget) -> Result<(u64, u64), AttackError> {
        let won = self.known.get(men).expect("it is known");
        self.with_means(budget, "", |means| {
            let (attackers, defenders) = men;
            let wins = with_men!(defenders, B => {
                Attack::<B> { attackers, deals: &self.deals, won, fewer_attackers: None, means }.count_wins()
            })?;
            let losses = attack::count_losses(defenders, &self.deals, lost, means)?;
            Ok((wins, losses))
        })
    }

    fn check(&self, men: Men, budget: &Budget) -> Result<Vec<Mismatch>, AttackError> {
        const MOST_SHOWN: usize = 10;
        let (attackers, defenders) = men;
        let losses = self.losses(men, budget)?;
        let taken = if defenders > 1 { Some(self.losses((attackers, defenders - 1), budget)?) } else { None };
        let won = self.known.get(men).expect("it is known");
        self.with_means(budget, "", |means| {
            with_men!(defenders, B => {
                let attack = Attack::<B> { attackers, deals: &self.deals, won, fewer_attackers: None, means };
                attack.check(taken.as_ref(), &losses, MOST_SHOWN)
            })
        })
    }
}

/// The file of rows that an earlier run has left, if it has this title and length. A file that cannot be read is an error:
/// it may have hours of work in it.
fn left_rows(path: &Path, title: &[u8], length: u64) -> io::Result<Option<FileAt>> {
    let file = match working::open_to_change(path) {
        Err(error) if error.kind() == io::ErrorKind::NotFound || NotAFile::is_reason_of(&error) => {
            return Ok(None);
        }
        file => FileAt::new(file?),
    };
    if file.length()? != length {
        return Ok(None);
    }
    let mut found = vec![0; title.len()];
    file.read_exact_at(&mut found, 0)?;
    Ok((found == title).then_some(file))
}

/// The size of the title of a file of rows, in bytes.
const TITLE: u64 = 256;
