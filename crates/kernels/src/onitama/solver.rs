//! The special solver: batches of slices, by attacks.

use super::attack::{Attack, Means, Mismatch, Stop};
use super::budget::{Budget, FIXED, size_on_disk};
use super::deals::Deals;
use super::exact;
use super::known::{self, Known, Men, leads_to, men_of, positions, slice_of, turned};
use super::men::with_men;
use super::store::{Lists, Rows};
use super::tables::entry_of;
use bits::pext;
use bits::subsets::of_25;
use game::{Endgame, Game, Index, Metric};
use onitama::{Onitama, Slice};
use solve::{Error, Job, Kernel, Needs, PlannedBatch, Stats, Verified, Watch, Wrong};
use std::collections::HashMap;
use std::fs::{self, File};
use std::io;
use std::path::PathBuf;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering::Relaxed};
use table::system::FileAt;
use table::{Entry, Library};

/// Solves Onitama: who wins for any number of men, and distances where a byte for each position fits the memory.
#[derive(Default)]
pub struct OnitamaKernel;

/// Rows that take more than this are kept in a file: it is a checkpoint.
const MOST_WITHOUT_CHECKPOINT: u64 = 1 << 20;

impl Kernel<Onitama> for OnitamaKernel {
    fn plan(&self, job: &Job<'_, Onitama>, batch: &PlannedBatch<Slice>) -> Option<Needs> {
        match job.metric {
            Metric::Wdl => {
                let budget = Budget::new(job.game, men_of(batch.slices[0]), job.memory);
                let tables: u64 = batch.slices.iter().map(|&slice| size_on_disk(job.game, slice)).sum();
                Some(Needs { memory: budget.memory, disk: budget.disk + tables })
            }
            Metric::Dtm => {
                let men = men_of(batch.slices[0]);
                let cells: u64 =
                    batch.slices.iter().chain(&batch.needs).map(|&slice| job.game.size(slice)).sum();
                // Losses of two rounds, the rows of the attacks with a man less as words, and those of threads.
                let memory =
                    cells + cells / 8 + rayon::current_num_threads() as u64 * known::scratch(men) + FIXED;
                (memory <= job.memory).then_some(Needs { memory, disk: batch.indices })
            }
            Metric::Dtz | Metric::Equity | Metric::Distribution => None,
        }
    }

    fn solve(&self, job: &Job<'_, Onitama>, batches: &[PlannedBatch<Slice>]) -> Result<(), Error> {
        let folder = job.description(batches[0].slices[0]).path(job.library.folder());
        let folder = folder.parent().unwrap_or(job.library.folder()).to_owned();
        let mut run = Run {
            game: job.game,
            deals: Deals::new(job.game.table_cards()),
            library: job.library.with_own_cache(0),
            folder,
            known: Known::default(),
            cells: HashMap::new(),
            interrupt: job.run.interrupt,
            watch: job.run.watch,
        };
        run.tidy()?;
        batches.iter().try_for_each(|batch| match job.metric {
            Metric::Wdl => run.solve(job, batch),
            Metric::Dtm => run.solve_exactly(job, batch),
            Metric::Dtz | Metric::Equity | Metric::Distribution => unreachable!("there is no plan for them"),
        })
    }

    fn stats(&self, game: &Onitama, library: &Library, slice: Slice) -> Result<Stats, Error> {
        let never = AtomicBool::new(false);
        let mut run = Run::reading(game, library, &never);
        let men = men_of(slice);
        let budget = Budget::for_reading(game, men);
        let taken = game.needs(slice).into_iter().map(men_of);
        for men in [men, turned(men)].into_iter().chain(taken) {
            run.need(men, &budget)?;
        }
        run.stats(slice, &budget)
    }

    fn verify(
        &self,
        game: &Onitama,
        library: &Library,
        slice: Slice,
        progress: &(dyn Fn(u64) + Sync),
    ) -> Result<Verified, Error> {
        let never = AtomicBool::new(false);
        let mut run = Run::reading(game, library, &never);
        let men = men_of(slice);
        let budget = Budget::for_reading(game, men);
        for men in [men].into_iter().chain(leads_to(men)) {
            run.need(men, &budget)?;
        }
        if let Some(table) = library.described(&table::describe(game, slice, Metric::Wdl))? {
            table.check()?;
        }
        let wrong = run.check(men, &budget).map_err(|stop| run.stopped(&slice.to_string(), stop))?;
        progress(game.size(slice));
        let positions = positions(men);
        let wrong = wrong.iter().map(|mismatch| wrong_entry(&run.deals, slice, mismatch)).collect();
        Ok(Verified { positions, wrong })
    }
}

/// The first deal in which a word of wins is wrong.
fn wrong_entry(deals: &Deals, slice: Slice, mismatch: &Mismatch) -> Wrong {
    let (a, b) = men_of(slice);
    let differs = mismatch.stored ^ mismatch.expected;
    let deal = deals.numbered(true).iter().position(|&bit| differs >> bit & 1 != 0).unwrap_or(0);
    let [men, opponents] = mismatch.men;
    let layout = u64::from(of_25::rank(pext(opponents.into(), (!men).into()) as u32));
    let set = u64::from(of_25::rank(men)) * known::shape((a, b)).1 as u64 + layout;
    let pair = (mismatch.masters[0] * b + mismatch.masters[1]) as u64;
    let index = Index((set * (a * b) as u64 + pair) * 30 + deal as u64);
    let bit = deals.numbered(true)[deal];
    let entry = |word: u32| if word >> bit & 1 != 0 { Entry::Win(None) } else { Entry::NotWon };
    Wrong { index, stored: entry(mismatch.stored), expected: entry(mismatch.expected) }
}

/// A run of the solver, or of those who only read what it wrote.
pub struct Run<'a> {
    pub(super) game: &'a Onitama,
    pub(super) deals: Deals,
    pub(super) library: Library,
    folder: PathBuf,
    pub(super) known: Known,
    /// Distances of finished slices.
    cells: HashMap<Slice, Vec<u8>>,
    interrupt: &'a AtomicBool,
    pub(super) watch: &'a dyn Watch,
}

impl<'a> Run<'a> {
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

    pub(super) fn stopped(&self, batch: &str, stop: Stop) -> Error {
        match stop {
            Stop::Interrupted => Error::Stopped { batch: batch.to_owned(), stop: solve::Stop::Interrupted },
            Stop::Overflow => Error::Stopped { batch: batch.to_owned(), stop: solve::Stop::Overflow },
            Stop::Disk(source) => Error::Folder { folder: self.folder.clone(), source },
        }
    }

    pub(super) fn disk(&self) -> impl Fn(io::Error) -> Error {
        |source| Error::Folder { folder: self.folder.clone(), source }
    }

    fn solve(&mut self, job: &Job<'_, Onitama>, batch: &PlannedBatch<Slice>) -> Result<(), Error> {
        let name = batch.name();
        let (a, b) = men_of(batch.slices[0]);
        self.known.forget_below(a + b - 2);
        let budget = Budget::new(self.game, (a, b), job.memory);
        self.watch.batch(&name, batch.indices, false);
        let mut files = Vec::new();
        for &slice in &batch.slices {
            files.extend(self.solve_attack(slice, &budget, batch)?);
        }
        for &slice in &batch.slices {
            self.write(job, slice, &budget)?;
        }
        files.iter().try_for_each(fs::remove_file).map_err(self.disk())
    }

    /// Makes the wins of a slice's mover known, and gives the file that they are in.
    fn solve_attack(
        &mut self,
        slice: Slice,
        budget: &Budget,
        batch: &PlannedBatch<Slice>,
    ) -> Result<Option<PathBuf>, Error> {
        let (men, name) = (men_of(slice), batch.name());
        for men in leads_to(men) {
            self.need(men, budget)?;
        }
        let sizes = known::row_sizes(&self.deals, men);
        let (_, layouts) = known::shape(men);
        let counts = sizes.iter().map(|&size| if size == 0 { 0 } else { (layouts * men.1) as u64 });
        let (won, path, resumed) = self.rows_to_solve(slice, &sizes).map_err(self.disk())?;
        if resumed {
            self.watch.batch(&name, batch.indices, true);
        }
        let counts = self.rows(budget.rows_in_memory, counts.collect()).map_err(self.disk())?;
        let solved = self.with_means(budget, &slice.to_string(), |means| {
            self.known.solve(&self.deals, men, &won, &counts, means)
        });
        solved.map_err(|stop| self.stopped(&name, stop))?;
        self.known.insert(men, won);
        Ok(path)
    }

    fn solve_exactly(&mut self, job: &Job<'_, Onitama>, batch: &PlannedBatch<Slice>) -> Result<(), Error> {
        let name = batch.name();
        self.cells.retain(|slice, _| batch.needs.contains(slice));
        for &slice in &batch.needs {
            if !self.cells.contains_key(&slice) {
                let cells = self.read_cells(slice)?;
                self.cells.insert(slice, cells);
            }
        }
        self.watch.batch(&name, batch.indices, false);
        let men: Vec<Men> = batch.slices.iter().map(|&slice| men_of(slice)).collect();
        let finished = |mover: usize, opponent: usize| {
            self.cells.get(&Slice::new(mover as u32, opponent as u32)?).map(Vec::as_slice)
        };
        // Losses of a round stay in memory: they are few beside the cells.
        let budget = Budget { memory: 0, disk: 0, rows_in_memory: true, room: u64::MAX, cache: 0 };
        let solved =
            self.with_means(&budget, &name, |means| exact::solve(&self.deals, &men, &finished, means));
        let solved = solved.map_err(|stop| self.stopped(&name, stop))?;
        for (&slice, cells) in batch.slices.iter().zip(solved) {
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

    pub(super) fn missing(&self, slice: Slice, metric: Metric) -> Error {
        Error::Missing {
            game: Onitama::INFO.name,
            rules: self.game.table_rules_id(),
            slice: slice.to_string(),
            metric: metric.name(),
        }
    }

    fn with_means<T>(
        &self,
        budget: &Budget,
        slice: &str,
        work: impl FnOnce(&Means<'_>) -> Result<T, Stop>,
    ) -> Result<T, Stop> {
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

    /// A file that is gone when it is closed, however the program ends.
    fn spill(&self) -> io::Result<File> {
        static NUMBER: AtomicU64 = AtomicU64::new(0);
        let path =
            self.folder.join(format!(".{}-{}.spill", std::process::id(), NUMBER.fetch_add(1, Relaxed)));
        let file = File::options().read(true).write(true).create(true).truncate(true).open(&path)?;
        fs::remove_file(&path)?;
        Ok(file)
    }

    pub(super) fn rows(&self, in_memory: bool, sizes: Vec<u64>) -> io::Result<Rows> {
        if in_memory {
            Ok(Rows::in_memory(sizes.len()))
        } else {
            Rows::in_file(FileAt::new(self.spill()?), 0, sizes)
        }
    }

    /// The rows of an attack that is to be solved, those of a former run if there are any; and the file that they are in.
    fn rows_to_solve(&self, slice: Slice, sizes: &[u64]) -> io::Result<(Rows, Option<PathBuf>, bool)> {
        let bytes: u64 = sizes.iter().sum();
        if bytes <= MOST_WITHOUT_CHECKPOINT {
            return Ok((Rows::in_memory(sizes.len()), None, false));
        }
        let path = self.rows_path(slice);
        let mut title = format!("endspiel onitama rows 1 {} {slice}", self.game.table_rules_id());
        // What is known rests on the very tables that the attack leads into.
        for men in leads_to(men_of(slice)) {
            let table = self.library.described(&table::describe(self.game, slice_of(men), Metric::Wdl));
            if let Ok(Some(table)) = table {
                title += &format!(
                    " {:016x}",
                    u64::from_le_bytes(table.content_hash()[..8].try_into().expect("eight"))
                );
            }
        }
        let mut title = title.into_bytes();
        title.resize(TITLE as usize, b' ');
        let file = File::options().read(true).write(true).create(true).truncate(false).open(&path)?;
        let file = FileAt::new(file);
        let mut found = vec![0; title.len()];
        let resumed =
            file.length()? == TITLE + bytes && file.read_exact_at(&mut found, 0).is_ok() && found == title;
        if !resumed {
            file.set_length(0)?;
            file.write_all_at(&title, 0)?;
        }
        Ok((Rows::in_checked_file(file, TITLE, sizes)?, Some(path), resumed))
    }

    fn rows_path(&self, slice: Slice) -> PathBuf {
        self.folder.join(format!(".{slice}.rows"))
    }

    /// Removes rows of slices whose tables are written: a run that was killed between the two left them.
    fn tidy(&self) -> Result<(), Error> {
        for slice in self.game.batches().concat() {
            let path = self.rows_path(slice);
            let is_written = || {
                self.library
                    .described(&table::describe(self.game, slice, Metric::Wdl))
                    .map(|table| table.is_some())
            };
            if path.exists() && is_written()? {
                fs::remove_file(path).map_err(self.disk())?;
            }
        }
        Ok(())
    }

    pub(super) fn losses(&self, men: Men, budget: &Budget) -> Result<Lists, Stop> {
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

    /// The wins of a mover, and his losses, which are these.
    pub(super) fn count(&self, men: Men, lost: &Lists, budget: &Budget) -> Result<(u64, u64), Stop> {
        let won = self.known.get(men).expect("it is known");
        self.with_means(budget, "", |means| {
            let wins = with_men!(men, A B FEWER => {
                Attack::<A, B, FEWER> { deals: &self.deals, won, fewer_attackers: None, means }.count_wins()
            })?;
            let losses = with_men!(turned(men), A B FEWER => {
                Attack::<A, B, FEWER> { deals: &self.deals, won, fewer_attackers: None, means }.count_losses(lost)
            })?;
            Ok((wins, losses))
        })
    }

    fn check(&self, men: Men, budget: &Budget) -> Result<Vec<Mismatch>, Stop> {
        const MOST_SHOWN: usize = 10;
        let (a, b) = men;
        let losses = self.losses(men, budget)?;
        let taken = if b > 1 { Some(self.losses((a, b - 1), budget)?) } else { None };
        let won = self.known.get(men).expect("it is known");
        self.with_means(budget, "", |means| {
            with_men!(men, A B FEWER => {
                let attack = Attack::<A, B, FEWER> { deals: &self.deals, won, fewer_attackers: None, means };
                attack.check(taken.as_ref(), &losses, MOST_SHOWN)
            })
        })
    }
}

/// The title of a file of rows, in bytes.
const TITLE: u64 = 256;
