//! Tables of expected points: those of backgammon.

use crate::equity_agents;
use crate::equity_prober::{EquityProber, ProberOfEquities};
use crate::equity_source::{self, EquityLibrary};
use crate::equity_stats::EquityStats;
use crate::equity_walk;
use crate::error::Error;
use crate::pip_map::PipMap;
use crate::probe_speed::ProbeSpeed;
use crate::tables::{
    Contents, Plan, PlannedStep, SliceId, Solving, TableVerified, Tables, Verified, Verifying, Wanted,
    run_when_free,
};
use backgammon::{Backgammon, Slice};
use env::Matches;
use game::{Game, GameOption, Index, Metric, Notation as _};
use kernels::backgammon::{self as kernel, Settings};
use solve::{Extent, StaysWhole, Way};
use std::collections::HashSet;
use std::io::Write;
use std::sync::Arc;
use table::{Depth, Library};

/// How an endgame is exported.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Exporting {
    /// Write a one-sided database without compression.
    pub uncompressed: bool,
}

/// Tables of expected points.
pub trait EquityTables: Send + Sync {
    /// Makes a prober for the tables of a library. Keep it for further questions.
    fn prober(&self, library: Arc<Library>) -> Arc<dyn EquityProber>;

    /// Whether the table of a slice tells what the choices in the game lose.
    ///
    /// # Errors
    /// Returns an error if it is not exact, as a one-sided one, in which each side bears off as if it were alone; or if it is of
    /// another variant.
    fn can_judge(&self, slice: SliceId) -> Result<(), Error>;

    /// Random positions of a slice under the options of the game, as text: each before a roll, and, if there is a cube, before a double
    /// of the cube in the middle. The same seed gives the same positions.
    fn sample(&self, slice: SliceId, count: u64, seed: u64) -> Vec<String>;

    /// Counts what is in the table of a slice.
    ///
    /// # Errors
    /// Returns an error if the table is missing or damaged.
    fn stats(&self, library: &Library, slice: SliceId) -> Result<EquityStats, Error>;

    /// Measures on one thread how quickly the tables of these slices are opened and asked, at a number of random positions. All
    /// must have tables.
    ///
    /// # Errors
    /// Returns an error if a table is missing or damaged.
    fn probe_speed(&self, library: &Library, slices: &[SliceId], positions: u64)
    -> Result<ProbeSpeed, Error>;

    /// The positions of a bear-off by the pip counts of both sides. Returns `None` if the slice is no bear-off of both sides. If
    /// the library has a one-sided table, it is compared. `progress` is told how many more indices are done.
    ///
    /// # Errors
    /// Returns an error if a table is missing or damaged.
    fn by_pips(
        &self,
        library: &Library,
        slice: SliceId,
        progress: &dyn Fn(u64),
    ) -> Result<Option<PipMap>, Error>;

    /// Writes an endgame in the format of GNU Backgammon's databases, byte for byte as that program makes it. It is solved anew by
    /// that program's integer arithmetic, which is less exact than ours. `progress` gets the number of indices done.
    ///
    /// # Errors
    /// Returns an error if the format has no such endgame, if the free memory does not suffice, or if writing fails.
    fn export(
        &self,
        slice: SliceId,
        exporting: Exporting,
        to: &mut dyn Write,
        progress: &(dyn Fn(u64) + Sync),
    ) -> Result<(), Error>;
}

/// The tables of backgammon.
pub(crate) struct BackgammonTables {
    game: Backgammon,
    slices: Vec<Slice>,
}

impl BackgammonTables {
    pub(crate) fn new(game: Backgammon) -> Self {
        Self { game, slices: Slice::all().collect() }
    }

    fn slice(&self, SliceId(slice): SliceId) -> Slice {
        self.slices[slice]
    }

    fn ids(&self, slices: impl IntoIterator<Item = Slice>) -> Vec<SliceId> {
        let mut seen = HashSet::new();
        let new = slices.into_iter().filter(|&slice| seen.insert(slice));
        new.filter_map(|slice| self.slices.iter().position(|&known| known == slice)).map(SliceId).collect()
    }
}

/// The error for a slice without a table.
pub(crate) fn missing(slice: Slice) -> solve::Error {
    let about = kernel::describe(slice);
    solve::Error::Missing {
        game: Backgammon::INFO.name,
        rules: about.rules,
        slice: slice.to_string(),
        metric: about.metric.name(),
        command: solve_command(slice),
    }
}

/// The command that solves a slice.
pub(crate) fn solve_command(slice: Slice) -> String {
    format!("endspiel solve {} {slice}", Backgammon::INFO.name)
}

/// What is solved if nothing is asked for: seconds, and enough for most races.
const USUAL: [Slice; 3] =
    [Slice::OneSided { points: 6 }, Slice::Cubeful { checkers: 6 }, Slice::Hyper { checkers: 1 }];

impl Tables for BackgammonTables {
    fn rules_id(&self) -> String {
        kernel::RULES.to_owned()
    }

    fn selector(&self) -> Option<GameOption> {
        None
    }

    fn slices(&self, wanted: &Wanted) -> Result<Vec<SliceId>, Error> {
        if wanted.names.is_empty() {
            return Ok(self.ids(USUAL));
        }
        let named = wanted.names.iter().map(|name| {
            name.parse().map_err(|_| Error::UnknownSlice {
                name: name.clone(),
                game: Backgammon::INFO.title,
                known: self.slices.iter().map(Slice::to_string).collect(),
            })
        });
        Ok(self.ids(named.collect::<Result<Vec<_>, _>>()?))
    }

    fn starter(&self) -> Vec<SliceId> {
        self.ids(USUAL)
    }

    fn present(&self, library: &Library) -> Vec<SliceId> {
        let present = equity_source::present(library);
        self.ids(self.slices.iter().copied().filter(|slice| present.contains(slice)))
    }

    fn name(&self, slice: SliceId) -> String {
        self.slice(slice).to_string()
    }

    fn size(&self, slice: SliceId) -> u64 {
        self.slice(slice).entries()
    }

    fn plan<'a>(&'a self, slices: &[SliceId], solving: &Solving<'a>) -> Result<Box<dyn Plan + 'a>, Error> {
        if solving.generic {
            return Err(Error::NoGenericEquities { game: Backgammon::INFO.title });
        }
        let mut open = Vec::new();
        for &slice in slices {
            let slice = self.slice(slice);
            if solving.library.file_of(&kernel::describe(slice))?.is_none() {
                open.push(slice);
            }
        }
        let step = |&slice: &Slice| {
            let needs = kernel::needs(slice);
            PlannedStep {
                name: slice.to_string(),
                indices: slice.entries(),
                memory: needs.memory,
                disk: needs.disk,
                way: Way::Kernel,
                seconds: Some(kernel::seconds(slice)),
            }
        };
        Ok(Box::new(EquityPlan { steps: open.iter().map(step).collect(), slices: open, solving: *solving }))
    }

    fn metrics(&self, library: &Library, slice: SliceId) -> Result<Vec<Metric>, Error> {
        let about = kernel::describe(self.slice(slice));
        match library.file_of(&about) {
            Ok(None) => Err(missing(self.slice(slice)).into()),
            // A damaged file counts as present.
            Ok(Some(_)) | Err(_) => Ok(vec![about.metric]),
        }
    }

    fn verify(
        &self,
        library: &Library,
        slice: SliceId,
        _metric: Metric,
        verifying: Verifying,
        progress: &(dyn Fn(u64) + Sync),
    ) -> TableVerified {
        let slice = self.slice(slice);
        let about = kernel::describe(slice);
        let file = match library.file_of(&about) {
            Ok(Some(file)) => file,
            Ok(None) => return TableVerified::missing(missing(slice)),
            Err(error) => return TableVerified::unreadable(error),
        };
        let derive_again = |extent| {
            if verifying.generic {
                return Err(Error::NoGenericEquities { game: Backgammon::INFO.title });
            }
            // What was opened before is not verified: the file may have been replaced since.
            let now = library.with_own_cache(0).file_of(&about)?.ok_or_else(|| missing(slice))?;
            if now.content_hash() != file.content_hash() {
                return Err(Error::Replaced { path: file.path().to_owned() });
            }
            let verified = kernel::verify(slice, now, extent, verifying.memory, progress)?;
            Ok(Verified::from(verified))
        };
        let verified = match verifying.depth {
            Depth::Checksums => {
                let checked = file.check().map(|()| Verified { positions: 0, wrong: Vec::new() });
                progress(slice.entries());
                checked.map_err(Error::from)
            }
            Depth::Everything => derive_again(Extent::All),
            Depth::Sample { positions, seed } => derive_again(Extent::Sample { positions, seed }),
        };
        TableVerified::of(&file, verified, verifying.depth)
    }

    /// Returns a position from the middle of the indices, if it can be asked about with the options of the game.
    fn example(&self, slice: SliceId) -> Option<String> {
        let slice = self.slice(slice);
        if slice.variant() != self.game.terms.variant {
            return None;
        }
        let mut positions =
            (slice.entries() / 2..slice.entries()).filter_map(|index| slice.position(Index(index)));
        positions.next().map(|position| self.game.position_text(&position))
    }

    fn position_at(&self, slice: SliceId, index: Index) -> Option<String> {
        self.slice(slice).position(index).map(|position| self.game.position_text(&position))
    }

    fn matches(&self, library: Arc<Library>) -> Box<dyn Matches> {
        equity_agents::matches(self.game, EquityLibrary::new(library))
    }

    fn contents(&self) -> Contents<'_> {
        Contents::Equities(self)
    }
}

/// The [`Plan`] of backgammon.
struct EquityPlan<'a> {
    slices: Vec<Slice>,
    steps: Vec<PlannedStep>,
    solving: Solving<'a>,
}

impl Plan for EquityPlan<'_> {
    fn steps(&self) -> &[PlannedStep] {
        &self.steps
    }

    fn stay_whole(&self) -> &[(String, StaysWhole)] {
        &[]
    }

    fn run(&self) -> Result<(), Error> {
        let Solving { library, memory, checkpoint_every, wait, watch, interrupt, .. } = self.solving;
        let settings = Settings { folder: library.folder(), memory, checkpoint_every, watch, interrupt };
        let name = || self.slices.first().map(Slice::to_string).unwrap_or_default();
        run_when_free(wait, watch, interrupt, name, || kernel::solve(&self.slices, &settings))
    }
}

impl EquityTables for BackgammonTables {
    fn prober(&self, library: Arc<Library>) -> Arc<dyn EquityProber> {
        Arc::new(ProberOfEquities { game: self.game, source: EquityLibrary::new(library) })
    }

    fn can_judge(&self, slice: SliceId) -> Result<(), Error> {
        equity_agents::can_judge(&self.game, self.slice(slice))
    }

    fn sample(&self, slice: SliceId, count: u64, seed: u64) -> Vec<String> {
        equity_agents::sample(&self.game, self.slice(slice), count, seed)
    }

    fn stats(&self, library: &Library, slice: SliceId) -> Result<EquityStats, Error> {
        equity_walk::stats(library, self.slice(slice))
    }

    fn probe_speed(
        &self,
        library: &Library,
        slices: &[SliceId],
        positions: u64,
    ) -> Result<ProbeSpeed, Error> {
        let slices: Vec<Slice> = slices.iter().map(|&slice| self.slice(slice)).collect();
        equity_source::probe_speed(library, &slices, positions)
    }

    fn by_pips(
        &self,
        library: &Library,
        slice: SliceId,
        progress: &dyn Fn(u64),
    ) -> Result<Option<PipMap>, Error> {
        equity_walk::by_pips(library, self.slice(slice), progress)
    }

    fn export(
        &self,
        slice: SliceId,
        exporting: Exporting,
        to: &mut dyn Write,
        progress: &(dyn Fn(u64) + Sync),
    ) -> Result<(), Error> {
        let slice = self.slice(slice);
        let no_export = || Error::NoExport { slice: slice.to_string() };
        let (needed, allowed) =
            (kernel::memory_to_export(slice).ok_or_else(no_export)?, solve::free_memory());
        if needed > allowed {
            let group = slice.to_string();
            return Err(solve::Error::Memory { work: "exporting", group, needed, allowed }.into());
        }
        let exported = kernel::export(slice, !exporting.uncompressed, to, progress).ok_or_else(no_export)?;
        exported.map_err(Error::Export)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use kernels::backgammon::HYPER;
    use solve::Unwatched;
    use std::sync::atomic::AtomicBool;
    use std::time::Duration;
    use table::{Layout, Numbers, write_payload};

    /// The library still has the right table open, while the file has a wrong number.
    #[test]
    fn a_table_that_was_opened_before_is_not_believed() {
        let folder = tempfile::tempdir().expect("a folder");
        let slice = Slice::Hyper { checkers: 1 };
        let settings = Settings {
            folder: folder.path(),
            memory: u64::MAX,
            checkpoint_every: Duration::MAX,
            watch: &Unwatched,
            interrupt: &AtomicBool::new(false),
        };
        kernel::solve(&[slice], &settings).expect("it is solved");
        let (library, about) = (Library::new(folder.path(), 1 << 20), kernel::describe(slice));
        let tables = BackgammonTables::new(Backgammon::default());
        let verify = |generic| {
            let verifying = Verifying { depth: Depth::Everything, generic, memory: u64::MAX };
            tables.verify(&library, tables.ids([slice])[0], Metric::Equity, verifying, &|_| ()).verified
        };
        assert!(verify(false).is_ok_and(|verified| verified.wrong.is_empty()));
        assert!(matches!(verify(true), Err(Error::NoGenericEquities { .. })));
        let opened = library.described_of::<Numbers<HYPER>>(&about).expect("intact").expect("a table");
        let entry = |index| {
            let mut entry = opened.entry(index).expect("a good block");
            if let Some(numbers) = entry.as_mut().filter(|_| index == 201) {
                numbers[5] += 1000;
            }
            entry
        };
        let (path, layout) = (about.path(folder.path()), Layout::for_payload(opened.payload()));
        write_payload(&path, &about, layout, opened.payload(), entry, |_| ()).expect("a table");
        assert!(!verify(false).is_ok_and(|verified| verified.wrong.is_empty()));
    }
}
