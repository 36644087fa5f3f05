//! Solving a game and asking its tables: what [`Rules`](crate::Rules) is for the rules.

use crate::error::Error;
use crate::prober::{Prober, ProberOf};
use game::{Catalogue, GameOption, Index, Metric, Notation, Position};
use serde::ser::{Serialize, SerializeStruct, Serializer};
use solve::{Job, Kernel, MovesBack, PlannedBatch, Run, Stats, Verified, Watch, Way};
use std::collections::HashSet;
use std::sync::atomic::AtomicBool;
use std::sync::{Arc, OnceLock};
use std::time::Duration;
use table::Library;

/// Which slices are meant.
#[derive(Clone, Debug, Default)]
pub struct Wanted {
    /// By their names.
    pub names: Vec<String>,
    /// By the value of the game's selector.
    pub selected: Option<String>,
}

impl Wanted {
    /// Was nothing said?
    pub fn is_empty(&self) -> bool {
        self.names.is_empty() && self.selected.is_none()
    }
}

/// A slice of an opened game: its place among all of them, in solving order.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct SliceId(usize);

/// How to solve.
#[derive(Clone, Copy)]
pub struct Solving<'a> {
    /// Where finished tables are read. New ones go to its first place, which is a folder.
    pub library: &'a Library,
    /// What to store.
    pub metric: Metric,
    /// The memory that may be used, in bytes.
    pub memory: u64,
    /// The time between two checkpoints.
    pub checkpoint_every: Duration,
    /// Where the moves back come from.
    pub moves_back: MovesBack,
    /// Is the game's special solver to be left alone?
    pub generic: bool,
    /// Who watches.
    pub watch: &'a dyn Watch,
    /// Stops it.
    pub interrupt: &'a AtomicBool,
}

/// A batch that is to be solved.
#[derive(Clone, Debug)]
pub struct PlannedStep {
    /// Its slices.
    pub name: String,
    /// The number of indices.
    pub indices: u64,
    /// The memory it takes, in bytes.
    pub memory: u64,
    /// The disk it takes at most, in bytes.
    pub disk: u64,
    /// How it is solved.
    pub way: Way,
}

/// What is in the table of a slice. As JSON: `{"game", "rules", "slice", "positions", "win", "loss", "draw", "plies", "longest"}`.
#[derive(Clone, Debug)]
pub struct SliceStats {
    /// The game's name.
    pub game: &'static str,
    /// The rules of the table.
    pub rules: String,
    /// The slice.
    pub slice: String,
    /// The counts.
    pub stats: Stats,
    /// The position of the longest win or loss.
    pub longest: Option<String>,
}

impl Serialize for SliceStats {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let Self { game, rules, slice, stats, longest } = self;
        let plies: serde_json::Map<String, serde_json::Value> =
            stats.plies.iter().map(|(plies, &count)| (plies.0.to_string(), count.into())).collect();
        let longest = stats.longest.map(|found| {
            let count = stats.plies[&found.plies];
            serde_json::json!({"plies": found.plies.0, "position": longest, "count": count})
        });
        let mut object = serializer.serialize_struct("SliceStats", 9)?;
        object.serialize_field("game", game)?;
        object.serialize_field("rules", rules)?;
        object.serialize_field("slice", slice)?;
        object.serialize_field("positions", &stats.positions())?;
        object.serialize_field("win", &stats.wins)?;
        object.serialize_field("loss", &stats.losses)?;
        object.serialize_field("draw", &stats.draws)?;
        object.serialize_field("plies", &plies)?;
        object.serialize_field("longest", &longest)?;
        object.end()
    }
}

/// What is to be solved, known before it begins.
pub trait Plan: Send + Sync {
    /// Its batches, in order. What is finished already is not among them.
    fn steps(&self) -> &[PlannedStep];

    /// Solves them and writes their tables.
    ///
    /// # Errors
    /// If something does not fit, cannot be read or written, or someone interrupts; what is finished stays.
    fn run(&self) -> Result<(), Error>;
}

/// The tables of an opened game.
pub trait Tables: Send + Sync {
    /// The rules under which they are stored.
    fn rules_id(&self) -> String;

    /// The option that stands for many slices.
    fn selector(&self) -> Option<GameOption>;

    /// The slices that are meant. If nothing was said, these are the game's default ones.
    ///
    /// # Errors
    /// If there is no such slice, or the game has no tables under these rules.
    fn slices(&self, wanted: &Wanted) -> Result<Vec<SliceId>, Error>;

    /// The slices that a newcomer gets first.
    fn starter(&self) -> Vec<SliceId>;

    /// The slices whose tables are there.
    fn present(&self, library: &Library) -> Vec<SliceId>;

    /// The name of a slice.
    fn name(&self, slice: SliceId) -> String;

    /// The number of indices of a slice.
    fn size(&self, slice: SliceId) -> u64;

    /// What solving them, with all that they need, will do.
    ///
    /// # Errors
    /// If a table that is there cannot be read.
    fn plan<'a>(&'a self, slices: &[SliceId], solving: &Solving<'a>) -> Result<Box<dyn Plan + 'a>, Error>;

    /// The metrics in which a slice has a table.
    ///
    /// # Errors
    /// If it has none.
    fn metrics(&self, library: &Library, slice: SliceId) -> Result<Vec<Metric>, Error>;

    /// Derives every value of a slice anew, in about so many bytes of memory. `progress` hears how many indices are done,
    /// from any thread.
    ///
    /// # Errors
    /// If a table is missing or damaged.
    fn verify(
        &self,
        library: &Library,
        slice: SliceId,
        metric: Metric,
        memory: u64,
        progress: &(dyn Fn(u64) + Sync),
    ) -> Result<Verified, Error>;

    /// Counts what is in the table of a slice: positions, or with `classes` each index once.
    ///
    /// # Errors
    /// If the table is missing or damaged.
    fn stats(&self, library: &Library, slice: SliceId, classes: bool) -> Result<SliceStats, Error>;

    /// A position of a slice that is worth asking about, as text.
    fn example(&self, slice: SliceId) -> Option<String>;

    /// The position with an index, as text.
    fn position_at(&self, slice: SliceId, index: Index) -> Option<String>;

    /// Asks the tables of a library; to be kept.
    ///
    /// # Errors
    /// If the game has no tables under these rules.
    fn prober(&self, library: Arc<Library>) -> Result<Arc<dyn Prober>, Error>;
}

/// The tables of any game with numbered positions.
pub(crate) struct TablesOf<G: Catalogue> {
    game: Arc<G>,
    /// Its special solver.
    kernel: Option<Box<dyn Kernel<G> + Send>>,
    /// All slices, in solving order. Found when they are first asked for: some games have thousands.
    slices: OnceLock<Vec<G::Slice>>,
}

impl<G: Catalogue + Notation + PartialEq> TablesOf<G> {
    pub(crate) fn new(game: Arc<G>, kernel: Option<Box<dyn Kernel<G> + Send>>) -> Self {
        Self { game, kernel, slices: OnceLock::new() }
    }

    fn all(&self) -> &[G::Slice] {
        self.slices.get_or_init(|| self.game.batches().concat())
    }

    fn slice(&self, SliceId(slice): SliceId) -> G::Slice {
        self.all()[slice]
    }

    /// Each once, in the order given.
    fn ids(&self, slices: impl IntoIterator<Item = G::Slice>) -> Vec<SliceId> {
        let mut seen = HashSet::new();
        let new = slices.into_iter().filter(|&slice| seen.insert(slice));
        new.filter_map(|slice| self.all().iter().position(|&known| known == slice)).map(SliceId).collect()
    }

    /// Have these rules any tables?
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

    /// Does its table have a numbering of its own, which only the special solver can count and check?
    fn is_short(&self, slice: G::Slice, metric: Metric) -> bool {
        self.game.numbering(slice, metric).name != G::INDEX
    }

    /// The table of a slice, with distances or else without.
    fn table(&self, library: &Library, slice: G::Slice) -> Result<Arc<table::Table>, Error> {
        for metric in [Metric::Dtm, Metric::Wdl] {
            if let Some(table) = library.described(&table::describe(&*self.game, slice, metric))? {
                return Ok(table);
            }
        }
        Err(Error::MissingTable {
            game: G::INFO.name,
            rules: self.game.table_rules_id(),
            slice: slice.to_string(),
            places: library.places(),
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
        // A damaged one is there too; whoever reads it is told.
        let is_there =
            |&slice: &G::Slice| !matches!(self.table(library, slice), Err(Error::MissingTable { .. }));
        self.ids(self.all().iter().copied().filter(is_there))
    }

    fn name(&self, slice: SliceId) -> String {
        self.slice(slice).to_string()
    }

    fn size(&self, slice: SliceId) -> u64 {
        self.game.size(self.slice(slice))
    }

    fn plan<'a>(&'a self, slices: &[SliceId], solving: &Solving<'a>) -> Result<Box<dyn Plan + 'a>, Error> {
        let kernel = self.kernel.as_deref().filter(|_| !solving.generic);
        let job = Job {
            game: &*self.game,
            kernel: kernel.map(|kernel| kernel as &dyn Kernel<G>),
            library: solving.library,
            metric: solving.metric,
            memory: solving.memory,
            checkpoint_every: solving.checkpoint_every,
            run: Run { moves_back: solving.moves_back, watch: solving.watch, interrupt: solving.interrupt },
        };
        let slices: Vec<G::Slice> = slices.iter().map(|&slice| self.slice(slice)).collect();
        let batches = job.plan(&slices)?;
        let steps = batches.iter().map(PlannedStep::of).collect();
        Ok(Box::new(PlanOf { job, batches, steps }))
    }

    fn metrics(&self, library: &Library, slice: SliceId) -> Result<Vec<Metric>, Error> {
        let slice = self.slice(slice);
        // A file that is damaged is there all the same.
        let is_there = |metric: &Metric| {
            !matches!(library.described(&table::describe(&*self.game, slice, *metric)), Ok(None))
        };
        let metrics: Vec<Metric> = Metric::SOLVED.into_iter().filter(is_there).collect();
        if metrics.is_empty() { self.table(library, slice).map(|_| metrics) } else { Ok(metrics) }
    }

    fn verify(
        &self,
        library: &Library,
        slice: SliceId,
        metric: Metric,
        memory: u64,
        progress: &(dyn Fn(u64) + Sync),
    ) -> Result<Verified, Error> {
        let slice = self.slice(slice);
        match &self.kernel {
            Some(kernel) if self.is_short(slice, metric) => {
                Ok(kernel.verify(&self.game, library, slice, progress)?)
            }
            _ => Ok(solve::verify(&*self.game, library, slice, metric, memory, progress)?),
        }
    }

    fn stats(&self, library: &Library, slice: SliceId, classes: bool) -> Result<SliceStats, Error> {
        let slice = self.slice(slice);
        let table = self.table(library, slice)?;
        let stats = match &self.kernel {
            Some(kernel) if self.is_short(slice, table.description().metric) => {
                kernel.stats(&self.game, library, slice)?
            }
            _ => solve::stats(&*self.game, slice, &table, classes)?,
        };
        let longest = stats.longest.and_then(|longest| self.game.unrank(slice, longest.index));
        Ok(SliceStats {
            game: G::INFO.name,
            rules: self.rules_id(),
            slice: slice.to_string(),
            longest: longest.map(|position| self.game.position_text(&position)),
            stats,
        })
    }

    /// One from the middle of its numbers in which nobody wins at once.
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
        Ok(Arc::new(ProberOf::new(G::clone(&self.game), library)))
    }
}

/// The plan of any game.
struct PlanOf<'a, G: Catalogue> {
    job: Job<'a, G>,
    batches: Vec<PlannedBatch<G::Slice>>,
    steps: Vec<PlannedStep>,
}

impl<G: Catalogue> Plan for PlanOf<'_, G> {
    fn steps(&self) -> &[PlannedStep] {
        &self.steps
    }

    fn run(&self) -> Result<(), Error> {
        Ok(self.job.solve(&self.batches)?)
    }
}

impl PlannedStep {
    fn of<S: std::fmt::Display>(batch: &PlannedBatch<S>) -> Self {
        let &PlannedBatch { indices, memory, disk, way, .. } = batch;
        Self { name: batch.name(), indices, memory, disk, way }
    }
}
