//! Special solvers: what a game's structure allows beyond the generic one.

use crate::error::Error;
use crate::job::Job;
use crate::plan::PlannedBatch;
use crate::stats::Stats;
use crate::verify::Verified;
use game::Endgame;
use table::Library;

/// What a special solver needs for a batch, in bytes.
#[derive(Clone, Copy, Debug)]
pub struct Needs {
    /// Of memory, within what the job allows.
    pub memory: u64,
    /// Of disk while it solves, its tables included.
    pub disk: u64,
}

/// A solver for one game. It writes the tables that the generic solver would write, byte for byte, wherever that one can; and
/// others in a numbering of their own, which only it can count and check.
pub trait Kernel<G: Endgame>: Sync {
    /// What a batch takes; nothing if this solver is not for it, or not within the memory of the job.
    fn plan(&self, job: &Job<'_, G>, batch: &PlannedBatch<G::Slice>) -> Option<Needs>;

    /// Solves batches that follow each other and writes their tables.
    ///
    /// # Errors
    /// As [`Job::solve`]. What is finished stays, and what is not is taken up again by the next run.
    fn solve(&self, job: &Job<'_, G>, batches: &[PlannedBatch<G::Slice>]) -> Result<(), Error>;

    /// Counts what is in a table in a numbering of its own.
    ///
    /// # Errors
    /// If it, or one that it needs, is missing or damaged.
    fn stats(&self, game: &G, library: &Library, slice: G::Slice) -> Result<Stats, Error>;

    /// Derives such a table anew, as [`verify`](crate::verify()) does.
    ///
    /// # Errors
    /// As [`stats`](Self::stats).
    fn verify(
        &self,
        game: &G,
        library: &Library,
        slice: G::Slice,
        progress: &(dyn Fn(u64) + Sync),
    ) -> Result<Verified, Error>;
}
