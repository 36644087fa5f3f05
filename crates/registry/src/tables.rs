//! Solving a game and checking its tables, with positions as text, as [`Rules`](crate::Rules) does for the rules.

use crate::equity_tables::EquityTables;
use crate::error::Error;
use crate::value_tables::ValueTables;
use env::Matches;
use game::{GameOption, Index, Metric};
use solve::{StaysWhole, Stop, Unmoves, Watch, Way};
use std::io;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering::Relaxed};
use std::time::Duration;
use table::{Depth, Description, Fault, Library, TableFile, Verification};

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
pub struct SliceId(pub(crate) usize);

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

/// The result of deriving the values of a table again.
#[derive(Debug)]
pub struct Verified {
    /// The number of positions whose values were derived.
    pub positions: u64,
    /// The first wrong entries.
    pub wrong: Vec<Wrong>,
}

impl From<kernels::backgammon::Verified> for Verified {
    fn from(kernels::backgammon::Verified { positions, wrong }: kernels::backgammon::Verified) -> Self {
        let text = |wrong: kernels::backgammon::Unlike| {
            let (stored, expected) = wrong.numbers.map_or_else(
                || ("an entry".to_owned(), "another one".to_owned()),
                |(stored, expected)| (format!("{stored:+.6}"), format!("{expected:+.6}")),
            );
            Wrong { index: wrong.index, stored, expected }
        };
        Self { positions, wrong: wrong.into_iter().map(text).collect() }
    }
}

/// An entry that does not follow from the moves.
#[derive(Debug)]
pub struct Wrong {
    /// Its index.
    pub index: Index,
    /// What is stored, as text.
    pub stored: String,
    /// What follows from the moves, as text.
    pub expected: String,
}

impl From<solve::Verified> for Verified {
    fn from(solve::Verified { positions, wrong }: solve::Verified) -> Self {
        let text = |wrong: solve::Wrong| Wrong {
            index: wrong.index,
            stored: format!("{:?}", wrong.stored),
            expected: format!("{:?}", wrong.expected),
        };
        Self { positions, wrong: wrong.into_iter().map(text).collect() }
    }
}

impl TableVerified {
    /// The result if there is no table.
    pub(crate) fn missing(error: solve::Error) -> Self {
        Self { verified: Err(error.into()), recorded: Recorded::UpToDate }
    }

    /// The result for a table that cannot be opened.
    pub(crate) fn unreadable(error: table::Error) -> Self {
        let recorded = match error.fault() {
            Fault::Unreadable => Recorded::UpToDate,
            _ => Recorded::forget(&error.path),
        };
        Self { verified: Err(error.into()), recorded }
    }

    /// The result for a table, which is recorded beside it.
    pub(crate) fn of(table: &TableFile, verified: Result<Verified, Error>, depth: Depth) -> Self {
        let recorded = match &verified {
            // There is no place for a record beside a remote table.
            Ok(_) if !table.path().is_file() => Recorded::UpToDate,
            Ok(verified) if verified.wrong.is_empty() => {
                Verification::record(table.path(), table.content_hash(), depth)
                    .map_or_else(Recorded::NotWritten, |()| Recorded::UpToDate)
            }
            // A table that this one leads to may be missing or damaged. Nothing is known about this one then.
            Err(Error::Solve(solve::Error::Table(error)) | Error::Table(error))
                if error.path != table.path() && !is_other_half(&error.path, table) =>
            {
                Recorded::UpToDate
            }
            Err(error) if !error.is_damaged_table() => Recorded::UpToDate,
            _ => Recorded::forget(table.path()),
        };
        Self { verified, recorded }
    }
}

/// Returns whether a file has the outcomes to which the distances of a small table belong. They may be in any place.
fn is_other_half(path: &Path, table: &TableFile) -> bool {
    let outcomes = Description { metric: Metric::Wdl, ..table.description().clone() };
    table.is_small() && path.ends_with(outcomes.path(Path::new("")))
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
    /// Roughly the seconds that it takes on two cores of 2024. `None` if only the way tells.
    pub seconds: Option<f64>,
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

/// Runs a plan. If another run solves in the same folder, it waits until that ends, if it is to wait.
///
/// # Errors
/// Returns the error of the run, or that it was interrupted while it waited.
pub(crate) fn run_when_free(
    wait: bool,
    watch: &dyn Watch,
    interrupt: &AtomicBool,
    name: impl Fn() -> String,
    run: impl Fn() -> Result<(), solve::Error>,
) -> Result<(), Error> {
    const BETWEEN_TRIES: Duration = Duration::from_millis(100);
    let mut has_told = false;
    loop {
        match run() {
            Err(solve::Error::Busy { folder, holder }) if wait => {
                if !has_told {
                    watch.waiting(&folder, holder.as_deref());
                    has_told = true;
                }
                if interrupt.load(Relaxed) {
                    return Err(solve::Error::Stopped { group: name(), stop: Stop::Interrupted }.into());
                }
                std::thread::sleep(BETWEEN_TRIES);
            }
            result => return Ok(result?),
        }
    }
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

    /// A position of a slice as text, as an example of a question.
    fn example(&self, slice: SliceId) -> Option<String>;

    /// The position with this index, as text.
    fn position_at(&self, slice: SliceId, index: Index) -> Option<String>;

    /// The agents of the game. If the library has tables, perfect play is among them. Tables of expected points also tell what agents
    /// lose.
    fn matches(&self, library: Arc<Library>) -> Box<dyn Matches>;

    /// What the tables tell: the value of each position, or its expected points.
    fn contents(&self) -> Contents<'_>;
}

/// What the tables of a game tell.
#[derive(Clone, Copy)]
pub enum Contents<'a> {
    /// Who wins, and in how many plies.
    Values(&'a dyn ValueTables),
    /// Expected points, in games with dice.
    Equities(&'a dyn EquityTables),
}
