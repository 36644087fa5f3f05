//! Solving a game and asking its tables, in text: what [`Host`](crate::Host) is for the rules.

use crate::error::Error;
use crate::host::{answer_positions, parse_position};
use crate::json;
use game::{Endgame, GameOption, Index, Info, Metric, Notation, Options, Plies, Position, Wdl};
use solve::{Job, Kernel, MovesBack, Run, Stats, Verified, Watch, Way};
use std::collections::{HashMap, HashSet};
use std::io::{self, Read, Write};
use std::path::Path;
use std::sync::Arc;
use std::sync::atomic::AtomicBool;
use std::time::Duration;
use table::{Library, LineEnd, Probed, Prober};

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

/// How to solve.
pub struct Solving<'a> {
    /// The folder of the tables.
    pub tables: &'a Path,
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

/// What the tables say about a position.
#[derive(Clone, Debug)]
pub struct Answer {
    /// The value for the side to move.
    pub value: Probed,
    /// The legal moves, best first, each with its value for the player who makes it; none where a table is missing.
    pub moves: Vec<(String, Option<Probed>)>,
    /// What happens when both play their best.
    pub line: Vec<String>,
    /// Why the line goes no further.
    pub line_end: LineEnd,
}

/// What is in the table of a slice.
#[derive(Clone, Debug)]
pub struct SliceStats {
    /// The rules of the table.
    pub rules: String,
    /// The slice.
    pub slice: String,
    /// The counts.
    pub stats: Stats,
    /// The position of the longest win or loss.
    pub longest: Option<String>,
}

/// A game that can be solved.
pub trait TableHost: Send + Sync {
    /// What the game says about itself.
    fn info(&self) -> &'static Info;

    /// The rules of the tables.
    fn rules_id(&self) -> String;

    /// The names of the slices that are meant; of nothing, those that are solved when nothing is said.
    fn slices(&self, wanted: &Wanted) -> Result<Vec<String>, Error>;

    /// The names of the slices that a newcomer gets first.
    fn starter(&self) -> Vec<String>;

    /// The names of the slices whose tables are there.
    fn present(&self, library: &Library) -> Vec<String>;

    /// What solving them, with all that they need, will do; finished batches are left out.
    fn plan(&self, slices: &[String], solving: &Solving<'_>) -> Result<Vec<PlannedStep>, Error>;

    /// Solves them and writes their tables.
    fn solve(&self, slices: &[String], solving: &Solving<'_>) -> Result<(), Error>;

    /// Derives every value of a slice anew. `progress` hears how many indices are done, from any thread.
    fn verify(
        &self,
        library: &Library,
        slice: &str,
        metric: Metric,
        progress: &(dyn Fn(u64) + Sync),
    ) -> Result<Verified, Error>;

    /// The metrics in which a slice has a table.
    fn metrics(&self, library: &Library, slice: &str) -> Result<Vec<Metric>, Error>;

    /// The number of indices of a slice.
    fn size(&self, slice: &str) -> Result<u64, Error>;

    /// Counts what is in the table of a slice: positions, or with `classes` each index once.
    fn stats(&self, library: &Library, slice: &str, classes: bool) -> Result<SliceStats, Error>;

    /// A position of a slice that is worth asking about, as text.
    fn example(&self, slice: &str) -> Option<String>;

    /// The position with an index, as text.
    fn position_at(&self, slice: &str, index: Index) -> Result<Option<String>, Error>;

    /// Asks about one position.
    fn probe(&self, library: &Arc<Library>, position: Option<&str>) -> Result<Answer, Error>;

    /// Reads a position per line and answers each with a line of JSON.
    fn probe_lines(
        &self,
        library: &Arc<Library>,
        input: &mut dyn Read,
        output: &mut dyn Write,
    ) -> io::Result<()>;
}

/// A game that can be solved, with its options: what the registry needs to know before it opens one.
#[derive(Clone, Copy)]
pub struct Tables {
    /// The option that stands for many slices.
    pub selector: Option<GameOption>,
    /// Options for each of the rules that have tables of their own, of a game that has many.
    pub all_rules: fn() -> Vec<Options>,
    pub(crate) open: fn(&Options) -> Result<Box<dyn TableHost>, Error>,
}

/// Makes any game with numbered positions a [`TableHost`].
pub(crate) struct Solvable<G> {
    pub(crate) game: G,
    /// Its special solver.
    pub(crate) kernel: Option<Box<dyn Kernel<G> + Send>>,
}

/// The best moves that an answer shows.
const LONGEST_LINE: usize = 400;

impl<G: Endgame + Notation + PartialEq> Solvable<G> {
    /// Have these rules any tables?
    fn check_rules(&self) -> Result<(), Error> {
        match self.game.batches().is_empty() {
            true => Err(Error::NoSlices { game: G::INFO.title, rules: self.rules_id() }),
            false => Ok(()),
        }
    }

    fn slice(&self, name: &str) -> Result<G::Slice, Error> {
        self.check_rules()?;
        self.game.slice(name).ok_or_else(|| Error::UnknownSlice {
            name: name.to_owned(),
            game: G::INFO.title,
            known: self.game.batches().concat().iter().map(G::Slice::to_string).collect(),
        })
    }

    fn all(&self, names: &[String]) -> Result<Vec<G::Slice>, Error> {
        names.iter().map(|name| self.slice(name)).collect()
    }

    fn job<'a>(&'a self, solving: &Solving<'a>) -> Job<'a, G> {
        Job {
            game: &self.game,
            kernel: self
                .kernel
                .as_deref()
                .filter(|_| !solving.generic)
                .map(|kernel| kernel as &dyn Kernel<G>),
            tables: solving.tables,
            metric: solving.metric,
            memory: solving.memory,
            checkpoint_every: solving.checkpoint_every,
            run: Run { moves_back: solving.moves_back, watch: solving.watch, interrupt: solving.interrupt },
        }
    }

    /// Does its table have a numbering of its own, which only the special solver can count and check?
    fn is_short(&self, slice: G::Slice, metric: Metric) -> bool {
        self.game.numbering(slice, metric).name != G::INDEX
    }

    /// The table of a slice, with distances or else without.
    fn table(&self, library: &Library, slice: G::Slice) -> Result<Arc<table::Table>, Error> {
        for metric in [Metric::Dtm, Metric::Wdl] {
            if let Some(table) = library.described(&table::describe(&self.game, slice, metric))? {
                return Ok(table);
            }
        }
        Err(Error::MissingTable {
            game: G::INFO.name,
            rules: self.game.table_rules_id(),
            slice: slice.to_string(),
            folder: library.root().to_owned(),
        })
    }
}

impl<G: Endgame + Notation + PartialEq> TableHost for Solvable<G> {
    fn info(&self) -> &'static Info {
        &G::INFO
    }

    fn rules_id(&self) -> String {
        self.game.table_rules_id()
    }

    fn slices(&self, wanted: &Wanted) -> Result<Vec<String>, Error> {
        self.check_rules()?;
        let mut slices = self.all(&wanted.names)?;
        let default = G::SELECTOR.filter(|_| wanted.is_empty()).map(|selector| selector.default.to_owned());
        match wanted.selected.clone().or(default) {
            Some(value) => slices.extend(self.game.select(&value).ok_or_else(|| Error::Selector {
                option: G::SELECTOR.map_or("", |selector| selector.name),
                help: G::SELECTOR.map_or("", |selector| selector.help),
                value,
            })?),
            None if wanted.is_empty() => slices = self.game.batches().concat(),
            None => {}
        }
        let mut seen = HashSet::new();
        slices.retain(|&slice| seen.insert(slice));
        Ok(slices.iter().map(G::Slice::to_string).collect())
    }

    fn starter(&self) -> Vec<String> {
        self.game.starter().iter().map(G::Slice::to_string).collect()
    }

    fn present(&self, library: &Library) -> Vec<String> {
        let mut present = Vec::new();
        for slice in self.game.batches().concat() {
            match self.table(library, slice) {
                Err(Error::MissingTable { .. }) => {}
                // A damaged one is there too; whoever reads it is told.
                Ok(_) | Err(_) => present.push(slice.to_string()),
            }
        }
        present
    }

    fn plan(&self, slices: &[String], solving: &Solving<'_>) -> Result<Vec<PlannedStep>, Error> {
        let plan = self.job(solving).plan(&self.all(slices)?)?;
        let step = |batch: &solve::PlannedBatch<G::Slice>| PlannedStep {
            name: batch.name(),
            indices: batch.indices,
            memory: batch.memory,
            disk: batch.disk,
            way: batch.way,
        };
        Ok(plan.iter().map(step).collect())
    }

    fn solve(&self, slices: &[String], solving: &Solving<'_>) -> Result<(), Error> {
        let job = self.job(solving);
        Ok(job.solve(&job.plan(&self.all(slices)?)?)?)
    }

    fn metrics(&self, library: &Library, slice: &str) -> Result<Vec<Metric>, Error> {
        let slice = self.slice(slice)?;
        // A file that is damaged is there all the same.
        let is_there = |metric: &Metric| {
            !matches!(library.described(&table::describe(&self.game, slice, *metric)), Ok(None))
        };
        let metrics: Vec<Metric> = Metric::ALL.into_iter().filter(is_there).collect();
        if metrics.is_empty() { self.table(library, slice).map(|_| metrics) } else { Ok(metrics) }
    }

    fn verify(
        &self,
        library: &Library,
        slice: &str,
        metric: Metric,
        progress: &(dyn Fn(u64) + Sync),
    ) -> Result<Verified, Error> {
        let slice = self.slice(slice)?;
        match &self.kernel {
            Some(kernel) if self.is_short(slice, metric) => {
                Ok(kernel.verify(&self.game, library, slice, progress)?)
            }
            _ => Ok(solve::verify(&self.game, library, slice, metric, progress)?),
        }
    }

    fn size(&self, slice: &str) -> Result<u64, Error> {
        Ok(self.game.size(self.slice(slice)?))
    }

    fn stats(&self, library: &Library, slice: &str, classes: bool) -> Result<SliceStats, Error> {
        let name = slice.to_owned();
        let slice = self.slice(slice)?;
        let table = self.table(library, slice)?;
        let stats = match &self.kernel {
            Some(kernel) if self.is_short(slice, table.description().metric) => {
                kernel.stats(&self.game, library, slice)?
            }
            _ => solve::stats(&self.game, slice, &table, classes)?,
        };
        let longest = stats.longest.and_then(|longest| self.game.unrank(slice, longest.index));
        Ok(SliceStats {
            rules: self.rules_id(),
            slice: name,
            longest: longest.map(|position| self.game.position_text(&position)),
            stats,
        })
    }

    /// One from the middle of its numbers in which nobody wins at once.
    fn example(&self, slice: &str) -> Option<String> {
        let slice = self.slice(slice).ok()?;
        let middle = self.game.size(slice) / 2;
        let wins_at_once = |position: &G::Position| {
            let won = |m| position.play_unchecked(m).outcome().is_some();
            position.moves().into_iter().any(won)
        };
        let mut positions =
            (middle..self.game.size(slice)).filter_map(|index| self.game.unrank(slice, Index(index)));
        positions
            .find(|position| position.outcome().is_none() && !wins_at_once(position))
            .map(|position| self.game.position_text(&position))
    }

    fn position_at(&self, slice: &str, index: Index) -> Result<Option<String>, Error> {
        let position = self.game.unrank(self.slice(slice)?, index);
        Ok(position.map(|position| self.game.position_text(&position)))
    }

    fn probe(&self, library: &Arc<Library>, position: Option<&str>) -> Result<Answer, Error> {
        self.check_rules()?;
        let position = parse_position(&self.game, position)?;
        let prober = Prober::new(self.game.of_position(&position), Arc::clone(library));
        let value = prober.value(&position)?;
        let moves = prober.moves(&position)?.into_iter().map(|ranked| (ranked.text, ranked.value));
        let line = prober.line(&position, LONGEST_LINE)?;
        Ok(Answer {
            value,
            moves: moves.collect(),
            line: line.moves.into_iter().map(|ranked| ranked.text).collect(),
            line_end: line.end,
        })
    }

    fn probe_lines(
        &self,
        library: &Arc<Library>,
        input: &mut dyn Read,
        output: &mut dyn Write,
    ) -> io::Result<()> {
        // Positions may bring different rules; each keeps its prober, and most follow one of their own kind. A prober
        // keeps its tables open, so that only some probers are kept.
        const MOST_PROBERS: usize = 16;
        let mut probers: HashMap<String, Prober<G>> = HashMap::new();
        let mut last = Prober::new(self.game.clone(), Arc::clone(library));
        answer_positions(&self.game, input, output, |position, out| {
            if !last.fits(&position) {
                let rules = self.game.of_position(&position).rules_id();
                let next = probers.remove(&rules).unwrap_or_else(|| last.for_position(&position));
                let before = std::mem::replace(&mut last, next);
                if probers.len() >= MOST_PROBERS {
                    probers.clear();
                }
                probers.insert(before.game().rules_id(), before);
            }
            push_answer(&last, &position, out).map_err(|error| error.to_string())
        })
    }
}

/// Appends value and moves; nothing if they cannot be told.
fn push_answer<G: Endgame + Notation + PartialEq>(
    prober: &Prober<G>,
    position: &G::Position,
    out: &mut Vec<u8>,
) -> Result<(), table::ProbeError> {
    let value = prober.value(position)?;
    let moves = prober.moves(position)?;
    push_value(out, Some(value));
    out.extend_from_slice(b",\"moves\":[");
    for (i, ranked) in moves.iter().enumerate() {
        out.extend_from_slice(if i == 0 { b"{\"move\":" } else { b",{\"move\":" });
        json::push_string(out, &ranked.text);
        push_value(out, ranked.value);
        out.push(b'}');
    }
    out.push(b']');
    Ok(())
}

fn push_value(out: &mut Vec<u8>, value: Option<Probed>) {
    let name: &[u8] = match value.map(|value| value.wdl) {
        Some(Wdl::Win) => b"\"win\"",
        Some(Wdl::Draw) => b"\"draw\"",
        Some(Wdl::Loss) => b"\"loss\"",
        None => b"null",
    };
    out.extend_from_slice(b",\"value\":");
    out.extend_from_slice(name);
    out.extend_from_slice(b",\"plies\":");
    match value.and_then(|value| value.plies) {
        Some(Plies(plies)) => out.extend_from_slice(plies.to_string().as_bytes()),
        None => out.extend_from_slice(b"null"),
    }
}
