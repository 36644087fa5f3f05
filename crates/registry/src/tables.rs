//! Solving a game and probing its tables, with positions as text, as [`Rules`](crate::Rules) does for the rules.

use crate::error::Error;
use crate::line_format::LineFormat;
use crate::probe_speed::{self, ProbeSpeed};
use crate::prober::{Prober, ProberOf};
use crate::rule50::{QuietPlies, Zeroing};
use game::{Catalogue, GameOption, Index, Metric, Notation, Plies, Position, Wdl};
use serde::ser::{Serialize, SerializeStruct, Serializer};
use solve::{
    Extent, Job, Kernel, Longest, PlannedGroup, Reading, Run, Stats, StaysWhole, Stop, Unmoves, Verified,
    Watch, Way,
};
use std::collections::HashSet;
use std::io;
use std::ops::Range;
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicBool, Ordering::Relaxed};
use std::sync::{Arc, OnceLock};
use std::time::Duration;
use table::{Depth, Fault, Library, Verification, ZeroingProber, describe, describe_small};

/// Selects slices.
#[derive(Clone, Debug, Default)]
pub struct Wanted {
    /// The names of slices.
    pub names: Vec<String>,
    /// A value of the game's selector, the option that selects many slices at once.
    pub selected: Option<String>,
}

impl Wanted {
    /// Returns whether nothing is selected.
    pub fn is_empty(&self) -> bool {
        self.names.is_empty() && self.selected.is_none()
    }
}

/// A slice of an opened game: its number among all slices, in the order of solving.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct SliceId(usize);

/// The settings of a solver run.
#[derive(Clone, Copy)]
pub struct Solving<'a> {
    /// The library of the finished tables. New tables are written to its first place, which is a folder.
    pub library: &'a Library,
    /// The metric to store.
    pub metric: Metric,
    /// The largest amount of memory to use, in bytes.
    pub memory: u64,
    /// The time between two checkpoints.
    pub checkpoint_every: Duration,
    /// Pack whole tables into small ones at the end.
    pub packs: bool,
    /// Where the unmoves come from.
    pub unmoves: Unmoves,
    /// Use the generic solver even if the game has a kernel.
    pub generic: bool,
    /// If another run solves in the same folder, wait until it ends.
    pub wait: bool,
    /// Receives the progress.
    pub watch: &'a dyn Watch,
    /// Stops the solver when it is set to true.
    pub interrupt: &'a AtomicBool,
}

/// How a table is verified.
#[derive(Clone, Copy, Debug)]
pub struct Verifying {
    /// The checksums only, a sample, or every position.
    pub depth: Depth,
    /// Look at one position after another, with the moves of the rules, even if the game's kernel has a faster way.
    pub generic: bool,
    /// Roughly the memory to use, in bytes.
    pub memory: u64,
}

/// The result of [verifying](Tables::verify) a table.
#[derive(Debug)]
pub struct TableVerified {
    /// What was verified, or the reason why the table could not be: it is missing or damaged.
    pub verified: Result<Verified, Error>,
    /// What became of the record.
    pub recorded: Recorded,
}

/// The [record](table::Verification) beside a table after a verification.
#[derive(Debug)]
pub enum Recorded {
    /// It is up to date. Beside a remote table, there is none.
    UpToDate,
    /// The success cannot be recorded: the folder may be read-only.
    NotWritten(io::Error),
    /// The record of an earlier success cannot be removed, although the table is wrong.
    NotRemoved {
        /// The path of the record.
        path: PathBuf,
        /// The reason.
        reason: io::Error,
    },
}

impl Recorded {
    /// Removes the record of a table that is wrong.
    fn forget(table: &Path) -> Self {
        match Verification::forget(table) {
            Ok(()) => Self::UpToDate,
            Err(reason) => Self::NotRemoved { path: Verification::path(table), reason },
        }
    }
}

/// A group to be solved.
#[derive(Clone, Debug)]
pub struct PlannedStep {
    /// The names of its slices.
    pub name: String,
    /// The number of indices.
    pub indices: u64,
    /// The memory that it needs, in bytes.
    pub memory: u64,
    /// The most disk space that it can need, in bytes.
    pub disk: u64,
    /// The way in which it is solved.
    pub way: Way,
}

/// The statistics of the table of a slice, or of its positions with one side to move. As JSON:
/// `{"game", "rules", "slice", "positions", "win", "loss", "draw", "plies", "longest"}`; `"to_move"` after `"slice"` in
/// games whose tables keep the sides apart; `"cursed_win"` and `"blessed_loss"` after `"draw"` if a DTZ table tells what the
/// 50-move rule draws; and `"win_by_rule"` and `"loss_by_rule"` in games in which perpetual check loses.
#[derive(Clone, Debug)]
pub struct SliceStats {
    /// The game's name.
    pub game: &'static str,
    /// The rules of the table.
    pub rules: String,
    /// The slice.
    pub slice: String,
    /// The side to move, if the tables of the game keep the sides apart.
    pub to_move: Option<&'static str>,
    /// The counts.
    pub stats: Stats,
    /// What the 50-move rule draws. `None` if there is no DTZ table, or no such rule.
    pub late: Option<Late>,
    /// Whether perpetual check loses in this game, so that it decides some of the wins and losses.
    pub has_perpetual_check: bool,
    /// The longest win.
    pub longest_win: Option<Extreme>,
    /// The longest loss.
    pub longest_loss: Option<Extreme>,
    /// The size of the table, in bytes.
    pub bytes: u64,
}

/// The wins and losses that come too late for the 50-move rule.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Late {
    /// The number of cursed wins.
    pub cursed_wins: u64,
    /// The number of blessed losses.
    pub blessed_losses: u64,
}

impl Late {
    fn of(Stats { cursed_wins, blessed_losses, .. }: Stats) -> Self {
        Self { cursed_wins, blessed_losses }
    }
}

/// A position with a longest distance.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Extreme {
    /// The distance.
    pub plies: Plies,
    /// The position, as text.
    pub position: String,
}

impl SliceStats {
    /// The longest win or loss.
    pub fn longest(&self) -> Option<&Extreme> {
        let is_win = self.stats.longest() == self.stats.longest_win;
        if is_win { self.longest_win.as_ref() } else { self.longest_loss.as_ref() }
    }

    /// The distances to show: the longest win and the longest loss if one side is to move, otherwise only the longer of them.
    pub fn extremes(&self) -> Vec<(Option<Wdl>, &Extreme)> {
        match self.to_move {
            None => self.longest().map(|longest| (None, longest)).into_iter().collect(),
            Some(_) => {
                let win = self.longest_win.iter().map(|longest| (Some(Wdl::Win), longest));
                win.chain(self.longest_loss.iter().map(|longest| (Some(Wdl::Loss), longest))).collect()
            }
        }
    }
}

impl Serialize for SliceStats {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let Self { game, rules, slice, to_move, stats, late, has_perpetual_check, .. } = self;
        let plies: serde_json::Map<String, serde_json::Value> =
            stats.plies.iter().map(|(plies, &count)| (plies.0.to_string(), count.into())).collect();
        let longest = |extreme: Option<&Extreme>| {
            extreme.map(|Extreme { plies, position }| {
                serde_json::json!({"plies": plies.0, "position": position, "count": stats.plies[plies]})
            })
        };
        let pairs =
            usize::from(*has_perpetual_check) + usize::from(late.is_some()) + usize::from(to_move.is_some());
        let fields = 9 + usize::from(to_move.is_some()) + 2 * pairs;
        let mut object = serializer.serialize_struct("SliceStats", fields)?;
        object.serialize_field("game", game)?;
        object.serialize_field("rules", rules)?;
        object.serialize_field("slice", slice)?;
        if let Some(to_move) = to_move {
            object.serialize_field("to_move", to_move)?;
        }
        object.serialize_field("positions", &stats.positions())?;
        object.serialize_field("win", &stats.wins)?;
        object.serialize_field("loss", &stats.losses)?;
        object.serialize_field("draw", &stats.draws)?;
        if let Some(Late { cursed_wins, blessed_losses }) = late {
            object.serialize_field("cursed_win", cursed_wins)?;
            object.serialize_field("blessed_loss", blessed_losses)?;
        }
        if *has_perpetual_check {
            object.serialize_field("win_by_rule", &stats.wins_by_rule)?;
            object.serialize_field("loss_by_rule", &stats.losses_by_rule)?;
        }
        object.serialize_field("plies", &plies)?;
        object.serialize_field("longest", &longest(self.longest()))?;
        if to_move.is_some() {
            object.serialize_field("longest_win", &longest(self.longest_win.as_ref()))?;
            object.serialize_field("longest_loss", &longest(self.longest_loss.as_ref()))?;
        }
        object.end()
    }
}

/// The plan of a solver run, known before it begins.
pub trait Plan: Send + Sync {
    /// The groups to solve, in order. Groups that are already finished are not listed.
    fn steps(&self) -> &[PlannedStep];

    /// The groups that stay whole although the run packs tables: their names, and why.
    fn stay_whole(&self) -> &[(String, StaysWhole)];

    /// Solves the groups and writes their tables.
    ///
    /// # Errors
    /// Returns an error if a group does not fit into memory, an I/O operation fails, or the run is interrupted. Finished
    /// tables are kept.
    fn run(&self) -> Result<(), Error>;
}

/// The tables of an opened game.
pub trait Tables: Send + Sync {
    /// The name of the rules under which the tables are stored.
    fn rules_id(&self) -> String;

    /// The option that selects many slices at once.
    fn selector(&self) -> Option<GameOption>;

    /// Returns the selected slices. If nothing is selected, these are the default slices of the game.
    ///
    /// # Errors
    /// Returns an error if there is no such slice, or if the game has no tables for these rules.
    fn slices(&self, wanted: &Wanted) -> Result<Vec<SliceId>, Error>;

    /// The slices of the starter set, which `endspiel solve` solves without a game.
    fn starter(&self) -> Vec<SliceId>;

    /// The slices that have a table in the library.
    fn present(&self, library: &Library) -> Vec<SliceId>;

    /// The name of a slice.
    fn name(&self, slice: SliceId) -> String;

    /// The number of indices of a slice.
    fn size(&self, slice: SliceId) -> u64;

    /// The chapter of an atlas in which a slice is listed.
    fn chapter(&self, slice: SliceId) -> String;

    /// Plans how to solve the slices and all slices that they depend on.
    ///
    /// # Errors
    /// Returns an error if an existing table cannot be read.
    fn plan<'a>(&'a self, slices: &[SliceId], solving: &Solving<'a>) -> Result<Box<dyn Plan + 'a>, Error>;

    /// The metrics in which a slice has a table.
    ///
    /// # Errors
    /// Returns an error if the slice has no table.
    fn metrics(&self, library: &Library, slice: SliceId) -> Result<Vec<Metric>, Error>;

    /// Verifies the table of a slice: checks every checksum, and derives values again from the values after each move.
    /// `progress` is called from any thread when a part is done, with its number of indices. A success is recorded beside
    /// the table, and a failure removes the record.
    fn verify(
        &self,
        library: &Library,
        slice: SliceId,
        metric: Metric,
        verifying: Verifying,
        progress: &(dyn Fn(u64) + Sync),
    ) -> TableVerified;

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

    /// A position of a slice as text, as an example of a question.
    fn example(&self, slice: SliceId) -> Option<String>;

    /// The position with this index, as text.
    fn position_at(&self, slice: SliceId, index: Index) -> Option<String>;

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

impl<G: Catalogue + Notation + PartialEq> TablesOf<G> {
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
    ) -> Result<Verified, Error> {
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
                return Ok(Verified { positions: 0, wrong: Vec::new() });
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

impl<G: Catalogue + Notation + PartialEq> Tables for TablesOf<G> {
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
            Err(_) => !matches!(self.table(library, slice), Err(Error::MissingTable { .. })),
        };
        self.ids(self.all().iter().copied().filter(is_there))
    }

    fn name(&self, slice: SliceId) -> String {
        self.slice(slice).to_string()
    }

    fn size(&self, slice: SliceId) -> u64 {
        self.game.size(self.slice(slice))
    }

    fn chapter(&self, slice: SliceId) -> String {
        self.game.chapter(self.slice(slice))
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
        // A damaged file counts as present.
        let is_there = |metric: &Metric| !matches!(library.file(&*self.game, slice, *metric), Ok(None));
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
        let table = match library.file(&*self.game, slice, metric) {
            Ok(Some(table)) => table,
            Ok(None) => {
                let missing = solve::Error::missing(&*self.game, slice, metric);
                return TableVerified { verified: Err(missing.into()), recorded: Recorded::UpToDate };
            }
            Err(error) => {
                let recorded = match error.fault() {
                    Fault::Unreadable => Recorded::UpToDate,
                    _ => Recorded::forget(&error.path),
                };
                return TableVerified { verified: Err(error.into()), recorded };
            }
        };
        let verified = self.derive_again(library, slice, metric, verifying, progress);
        let recorded = match &verified {
            // There is no place for a record beside a remote table.
            Ok(_) if !table.path().is_file() => Recorded::UpToDate,
            Ok(verified) if verified.wrong.is_empty() => {
                Verification::record(table.path(), table.content_hash(), verifying.depth)
                    .map_or_else(Recorded::NotWritten, |()| Recorded::UpToDate)
            }
            // A table that this one leads to may be missing or damaged. Nothing is known about this one then.
            Err(Error::Solve(solve::Error::Table(error)) | Error::Table(error))
                if error.path != table.path() =>
            {
                Recorded::UpToDate
            }
            Err(error) if !error.is_damaged_table() => Recorded::UpToDate,
            _ => Recorded::forget(table.path()),
        };
        TableVerified { verified, recorded }
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

    fn prober(&self, library: Arc<Library>) -> Result<Arc<dyn Prober>, Error> {
        self.check_rules()?;
        let zeroing = self.quiet_plies.map(|quiet_plies| {
            let source = ZeroingProber::new(G::clone(&self.game), Arc::clone(&library));
            Zeroing { source, quiet_plies }
        });
        Ok(Arc::new(ProberOf::new(G::clone(&self.game), library, self.formats, zeroing)))
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
        const BETWEEN_TRIES: Duration = Duration::from_millis(100);
        let mut has_told = false;
        loop {
            match self.job.solve(&self.groups) {
                Err(solve::Error::Busy { folder, holder }) if self.wait => {
                    let run = &self.job.run;
                    if !has_told {
                        run.watch.waiting(&folder, holder.as_deref());
                        has_told = true;
                    }
                    if run.interrupt.load(Relaxed) {
                        let group = self.groups.first().map(PlannedGroup::name).unwrap_or_default();
                        return Err(solve::Error::Stopped { group, stop: Stop::Interrupted }.into());
                    }
                    std::thread::sleep(BETWEEN_TRIES);
                }
                result => return Ok(result?),
            }
        }
    }
}

impl PlannedStep {
    fn of<S: std::fmt::Display>(group: &PlannedGroup<S>) -> Self {
        let &PlannedGroup { indices, memory, disk, way, .. } = group;
        Self { name: group.name(), indices, memory, disk, way }
    }
}
