//! Tables of wins, draws and losses: those of any game with numbered positions and without chance.

use crate::error::Error;
use crate::line_format::LineFormat;
use crate::perfect::perfect_agent;
use crate::probe_speed::{self, ProbeSpeed};
use crate::prober::{Prober, ProberOf};
use crate::rule50::{QuietPlies, Zeroing};
use crate::slice_stats::{Extreme, Late, SliceStats};
use crate::tables::{
    Contents, Plan, PlannedStep, SliceId, Solving, TableVerified, Tables, Verified, Verifying, Wanted,
    run_when_free,
};
use env::{MatchGame, Matches};
use game::{Catalogue, GameOption, Index, Metric, Position};
use solve::{Extent, Job, Kernel, Longest, PlannedGroup, Reading, Run, Stats, StaysWhole};
use std::collections::HashSet;
use std::ops::Range;
use std::sync::{Arc, OnceLock};
use table::{Depth, Library, ZeroingProber, describe, describe_small};

/// Tables of wins, draws and losses.
pub trait ValueTables: Send + Sync {
    /// The chapter of an atlas in which a slice is listed.
    fn chapter(&self, slice: SliceId) -> String;

    /// Counts the values in the table of a slice. It counts every position, or with `classes` each index once. If the table
    /// keeps the sides to move apart, there is one result for each of them, the first side first.
    ///
    /// # Errors
    /// Returns an error if the table is missing or damaged.
    fn stats(&self, library: &Library, slice: SliceId, classes: bool) -> Result<Vec<SliceStats>, Error>;

    /// Measures how quickly the tables of these slices are opened and asked for their values, with the first of these metrics that
    /// each slice has, at so many random positions.
    ///
    /// # Errors
    /// Returns an error if a table is missing or damaged.
    fn probe_speed(
        &self,
        library: &Library,
        slices: &[SliceId],
        metrics: &[Metric],
        positions: u64,
    ) -> Result<ProbeSpeed, Error>;

    /// Makes a prober for the tables of a library. Keep it for further questions.
    ///
    /// # Errors
    /// Returns an error if the game has no tables for these rules.
    fn prober(&self, library: Arc<Library>) -> Result<Arc<dyn Prober>, Error>;
}

/// The [`Tables`] of any game with numbered positions.
pub(crate) struct TablesOf<G: Catalogue> {
    game: Arc<G>,
    /// The kernel of the game.
    kernel: Option<Box<dyn Kernel<G> + Send>>,
    formats: &'static [LineFormat<G>],
    /// The clock of the 50-move rule, if the game has that rule.
    quiet_plies: Option<QuietPlies<G>>,
    /// All slices, in the order of solving. They are listed at the first use, because some games have thousands.
    slices: OnceLock<Vec<G::Slice>>,
}

impl<G: Catalogue + MatchGame + PartialEq> TablesOf<G> {
    pub(crate) fn new(
        game: Arc<G>,
        kernel: Option<Box<dyn Kernel<G> + Send>>,
        formats: &'static [LineFormat<G>],
        quiet_plies: Option<QuietPlies<G>>,
    ) -> Self {
        Self { game, kernel, formats, quiet_plies, slices: OnceLock::new() }
    }

    fn all(&self) -> &[G::Slice] {
        self.slices.get_or_init(|| self.game.groups().concat())
    }

    fn slice(&self, SliceId(slice): SliceId) -> G::Slice {
        self.all()[slice]
    }

    /// Returns the numbers of the slices: each once, in the given order.
    fn ids(&self, slices: impl IntoIterator<Item = G::Slice>) -> Vec<SliceId> {
        let mut seen = HashSet::new();
        let new = slices.into_iter().filter(|&slice| seen.insert(slice));
        new.filter_map(|slice| self.all().iter().position(|&known| known == slice)).map(SliceId).collect()
    }

    /// Returns an error if the game has no tables for these rules.
    fn check_rules(&self) -> Result<(), Error> {
        match self.all().is_empty() {
            true => Err(Error::NoSlices { game: G::INFO.title, rules: self.rules_id() }),
            false => Ok(()),
        }
    }

    fn named(&self, name: &str) -> Result<G::Slice, Error> {
        self.game.slice(name).ok_or_else(|| Error::UnknownSlice {
            name: name.to_owned(),
            game: G::INFO.title,
            known: self.all().iter().map(G::Slice::to_string).collect(),
        })
    }

    fn selected(&self, value: &str) -> Result<Vec<G::Slice>, Error> {
        self.game.select(value).ok_or_else(|| Error::Selector {
            option: G::SELECTOR.map_or("", |selector| selector.name),
            help: G::SELECTOR.map_or("", |selector| selector.help),
            value: value.to_owned(),
        })
    }

    fn prober_of(&self, library: Arc<Library>) -> ProberOf<G> {
        let zeroing = self.quiet_plies.map(|quiet_plies| {
            let source = ZeroingProber::new(G::clone(&self.game), Arc::clone(&library));
            Zeroing { source, quiet_plies }
        });
        ProberOf::new(G::clone(&self.game), library, self.formats, zeroing)
    }

    fn kernel(&self) -> Option<&dyn Kernel<G>> {
        self.kernel.as_deref().map(|kernel| kernel as &dyn Kernel<G>)
    }

    /// Checks the checksums of a table, and derives as many of its values again as the depth says.
    fn derive_again(
        &self,
        library: &Library,
        slice: G::Slice,
        metric: Metric,
        verifying: Verifying,
        progress: &(dyn Fn(u64) + Sync),
    ) -> Result<solve::Verified, Error> {
        let Verifying { depth, generic, memory } = verifying;
        let extent = match depth {
            Depth::Checksums => {
                match library.small(&describe_small(&*self.game, slice, metric))? {
                    Some(table) => table.check()?,
                    None => {
                        let table = library.described(&describe(&*self.game, slice, metric))?;
                        table.map_or(Ok(()), |table| table.check())?;
                    }
                }
                progress(self.game.size(slice));
                return Ok(solve::Verified { positions: 0, wrong: Vec::new() });
            }
            Depth::Sample { positions, seed } => Extent::Sample { positions, seed },
            Depth::Everything => Extent::All,
        };
        // Only the kernel can read a table with another numbering.
        let file = library.file(&*self.game, slice, metric)?;
        let is_short = file.is_some_and(|table| table.description().index != G::INDEX);
        let by_kernel = is_short || (!generic && extent == Extent::All);
        let game = &*self.game;
        let verified = self
            .kernel()
            .filter(|_| by_kernel)
            .map(|kernel| kernel.verify(game, library, slice, metric, memory, progress));
        match verified.transpose()?.flatten() {
            Some(verified) => Ok(verified),
            None => {
                let reading = Reading { kernel: self.kernel().filter(|_| !generic), memory };
                Ok(solve::verify(game, library, slice, metric, reading, extent, progress)?)
            }
        }
    }

    /// Returns whether a slice has a table. A damaged file counts as one.
    fn has_file(&self, library: &Library, slice: G::Slice, metric: Metric) -> bool {
        !matches!(library.file(&*self.game, slice, metric), Ok(None))
    }

    /// The size of the table of a slice. A small table with distances has two files.
    fn bytes(&self, library: &Library, slice: G::Slice, metric: Metric) -> Result<u64, Error> {
        Ok(match library.small(&describe_small(&*self.game, slice, metric))? {
            Some(table) => table.bytes(),
            None => library.file(&*self.game, slice, metric)?.map_or(0, |table| table.bytes()),
        })
    }

    /// Finds the table of a slice: the one with distances if it exists, otherwise the one without.
    fn table(&self, library: &Library, slice: G::Slice) -> Result<Arc<table::Table>, Error> {
        for metric in Metric::OF_VALUES {
            if let Some(table) = solve::whole(&*self.game, library, slice, metric, self.kernel())? {
                return Ok(table);
            }
        }
        Err(Error::MissingTable {
            game: G::INFO.name,
            rules: self.game.table_rules_id(),
            slice: slice.to_string(),
            places: library.places(),
            command: self.game.solve_command(slice),
        })
    }
}

impl<G: Catalogue + MatchGame + PartialEq> Tables for TablesOf<G> {
    fn rules_id(&self) -> String {
        self.game.table_rules_id()
    }

    fn selector(&self) -> Option<GameOption> {
        G::SELECTOR
    }

    fn slices(&self, wanted: &Wanted) -> Result<Vec<SliceId>, Error> {
        self.check_rules()?;
        let named = wanted.names.iter().map(|name| self.named(name));
        let mut slices = named.collect::<Result<Vec<_>, _>>()?;
        let default = G::SELECTOR.filter(|_| wanted.is_empty()).map(|selector| selector.default);
        match wanted.selected.as_deref().or(default) {
            Some(value) => slices.extend(self.selected(value)?),
            None if wanted.is_empty() => slices = self.all().to_vec(),
            None => {}
        }
        Ok(self.ids(slices))
    }

    fn starter(&self) -> Vec<SliceId> {
        self.ids(self.game.starter())
    }

    fn present(&self, library: &Library) -> Vec<SliceId> {
        // A damaged table counts as present. Reading it reports the damage.
        let scanned = library.scan(G::INFO.name, &self.rules_id());
        let is_there = |&slice: &G::Slice| match &scanned {
            Ok(scanned) => {
                let name = slice.to_string();
                Metric::OF_VALUES.into_iter().any(|metric| scanned.has(&name, metric))
            }
            // A folder that cannot be listed may still have tables that can be read.
            Err(_) => Metric::OF_VALUES.into_iter().any(|metric| self.has_file(library, slice, metric)),
        };
        self.ids(self.all().iter().copied().filter(is_there))
    }

    fn name(&self, slice: SliceId) -> String {
        self.slice(slice).to_string()
    }

    fn size(&self, slice: SliceId) -> u64 {
        self.game.size(self.slice(slice))
    }

    fn plan<'a>(&'a self, slices: &[SliceId], solving: &Solving<'a>) -> Result<Box<dyn Plan + 'a>, Error> {
        let job = Job {
            game: &*self.game,
            kernel: self.kernel().filter(|_| !solving.generic),
            library: solving.library,
            metric: solving.metric,
            memory: solving.memory,
            checkpoint_every: solving.checkpoint_every,
            packs: solving.packs,
            run: Run { unmoves: solving.unmoves, watch: solving.watch, interrupt: solving.interrupt },
        };
        let slices: Vec<G::Slice> = slices.iter().map(|&slice| self.slice(slice)).collect();
        let groups = job.plan(&slices)?;
        let steps = groups.iter().map(PlannedStep::of).collect();
        let whole = job.stay_whole(&slices)?;
        Ok(Box::new(PlanOf { job, groups, steps, whole, wait: solving.wait }))
    }

    fn metrics(&self, library: &Library, slice: SliceId) -> Result<Vec<Metric>, Error> {
        let slice = self.slice(slice);
        let is_there = |metric: &Metric| self.has_file(library, slice, *metric);
        let metrics: Vec<Metric> = Metric::OF_VALUES.into_iter().filter(is_there).collect();
        if metrics.is_empty() { self.table(library, slice).map(|_| metrics) } else { Ok(metrics) }
    }

    fn verify(
        &self,
        library: &Library,
        slice: SliceId,
        metric: Metric,
        verifying: Verifying,
        progress: &(dyn Fn(u64) + Sync),
    ) -> TableVerified {
        let slice = self.slice(slice);
        let file = match library.file(&*self.game, slice, metric) {
            Ok(Some(file)) => file,
            Ok(None) => return TableVerified::missing(solve::Error::missing(&*self.game, slice, metric)),
            Err(error) => return TableVerified::unreadable(error),
        };
        // What was opened before is not verified: the file may have been replaced since.
        let library = library.with_own_cache(library.cache().capacity());
        let verified = self.derive_again(&library, slice, metric, verifying, progress);
        let verified = verified.and_then(|verified| match library.file(&*self.game, slice, metric)? {
            Some(now) if now.content_hash() == file.content_hash() => Ok(Verified::from(verified)),
            _ => Err(Error::Replaced { path: file.path().to_owned() }),
        });
        TableVerified::of(&file, verified, verifying.depth)
    }

    /// Returns the first position from the middle of the indices in which the side to move cannot end the game at once.
    fn example(&self, slice: SliceId) -> Option<String> {
        let slice = self.slice(slice);
        let size = self.game.size(slice);
        let wins_at_once = |position: &G::Position| {
            let won = |m| position.play_unchecked(m).outcome().is_some();
            position.moves().into_iter().any(won)
        };
        let mut positions = (size / 2..size).filter_map(|index| self.game.unrank(slice, Index(index)));
        positions
            .find(|position| position.outcome().is_none() && !wins_at_once(position))
            .map(|position| self.game.position_text(&position))
    }

    fn position_at(&self, slice: SliceId, index: Index) -> Option<String> {
        let position = self.game.unrank(self.slice(slice), index)?;
        Some(self.game.position_text(&position))
    }

    fn matches(&self, library: Arc<Library>) -> Box<dyn Matches> {
        let has_tables = !self.present(&library).is_empty();
        let perfect = has_tables.then(|| perfect_agent(self.prober_of(library)));
        env::matches_with(G::clone(&self.game), Vec::from_iter(perfect), None)
    }

    fn contents(&self) -> Contents<'_> {
        Contents::Values(self)
    }
}

impl<G: Catalogue + MatchGame + PartialEq> ValueTables for TablesOf<G> {
    fn chapter(&self, slice: SliceId) -> String {
        self.game.chapter(self.slice(slice))
    }

    fn stats(&self, library: &Library, slice: SliceId, classes: bool) -> Result<Vec<SliceStats>, Error> {
        let slice = self.slice(slice);
        let table = self.table(library, slice)?;
        let bytes = self.bytes(library, slice, table.description().metric)?;
        let stats_of = |to_move, stats: Stats, late| {
            let extreme = |longest: Longest| {
                let position = self.game.unrank(slice, longest.index)?;
                Some(Extreme { plies: longest.plies, position: self.game.position_text(&position) })
            };
            SliceStats {
                game: G::INFO.name,
                rules: self.rules_id(),
                slice: slice.to_string(),
                to_move,
                longest_win: stats.longest_win.and_then(extreme),
                longest_loss: stats.longest_loss.and_then(extreme),
                late,
                has_perpetual_check: self.game.rulebook().is_check.is_some(),
                bytes,
                stats,
            }
        };
        if let Some(indices) = self.game.indices_by_turn(slice) {
            let limited = self.game.irreversible_within().is_some();
            let dtz = describe(&*self.game, slice, Metric::Dtz);
            let dtz = if limited { library.described(&dtz)? } else { None };
            let count = |to_move, indices: Range<u64>| -> Result<SliceStats, Error> {
                let within = |table| solve::stats_within(&*self.game, slice, table, indices.clone(), classes);
                let late = dtz.as_deref().map(within).transpose()?.map(Late::of);
                Ok(stats_of(Some(to_move), within(&table)?, late))
            };
            let sides = G::INFO.sides;
            let first = count(sides.first, indices.first.clone())?;
            let second = match indices.first == indices.second {
                true => SliceStats { to_move: Some(sides.second), ..first.clone() },
                false => count(sides.second, indices.second)?,
            };
            return Ok(vec![first, second]);
        }
        let metric = table.description().metric;
        let by_kernel = self.kernel().map(|kernel| kernel.stats(&self.game, library, slice, metric));
        let stats = match by_kernel.transpose()?.flatten() {
            Some(stats) => stats,
            None => solve::stats(&*self.game, slice, &table, classes)?,
        };
        Ok(vec![stats_of(None, stats, None)])
    }

    fn probe_speed(
        &self,
        library: &Library,
        slices: &[SliceId],
        metrics: &[Metric],
        positions: u64,
    ) -> Result<ProbeSpeed, Error> {
        let slices: Vec<G::Slice> = slices.iter().map(|&slice| self.slice(slice)).collect();
        probe_speed::measure(&*self.game, library, &slices, metrics, positions)
    }

    fn prober(&self, library: Arc<Library>) -> Result<Arc<dyn Prober>, Error> {
        self.check_rules()?;
        Ok(Arc::new(self.prober_of(library)))
    }
}

/// The [`Plan`] of any game.
struct PlanOf<'a, G: Catalogue> {
    job: Job<'a, G>,
    groups: Vec<PlannedGroup<G::Slice>>,
    steps: Vec<PlannedStep>,
    whole: Vec<(String, StaysWhole)>,
    wait: bool,
}

impl<G: Catalogue> Plan for PlanOf<'_, G> {
    fn steps(&self) -> &[PlannedStep] {
        &self.steps
    }

    fn stay_whole(&self) -> &[(String, StaysWhole)] {
        &self.whole
    }

    fn run(&self) -> Result<(), Error> {
        let name = || self.groups.first().map(PlannedGroup::name).unwrap_or_default();
        let Run { watch, interrupt, .. } = self.job.run;
        run_when_free(self.wait, watch, interrupt, name, || self.job.solve(&self.groups))
    }
}

impl PlannedStep {
    fn of<S: std::fmt::Display>(group: &PlannedGroup<S>) -> Self {
        let &PlannedGroup { indices, memory, disk, way, .. } = group;
        Self { name: group.name(), indices, memory, disk, way, seconds: None }
    }
}
