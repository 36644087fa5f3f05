//! Kernels: special solvers that use the structure of one game.

use crate::error::Error;
use crate::job::Job;
use crate::plan::PlannedGroup;
use crate::stats::Stats;
use crate::verify::Verified;
use game::{Endgame, Metric};
use table::{Library, SmallTable, Table};

/// The memory and disk that a kernel needs for a group.
#[derive(Clone, Copy, Debug)]
pub struct Needs {
    /// The memory in bytes. If it is more than the job allows, the group is refused.
    pub memory: u64,
    /// The disk space in bytes while it solves, including its tables.
    pub disk: u64,
}

/// A special solver for one game. Where the generic solver can solve a table, the kernel writes the same bytes. It can
/// also write tables with their own numbering, which only the kernel can count and verify.
pub trait Kernel<G: Endgame>: Sync {
    /// The needs of a group. Returns `None` if the generic solver has to solve it.
    fn plan(&self, job: &Job<'_, G>, group: &PlannedGroup<G::Slice>) -> Option<Needs>;

    /// Solves consecutive groups of a plan and writes their tables.
    ///
    /// # Errors
    /// Returns the same errors as [`Job::solve`]. Finished tables are kept, and the next run resumes unfinished ones.
    fn solve(&self, job: &Job<'_, G>, groups: &[PlannedGroup<G::Slice>]) -> Result<(), Error>;

    /// Counts the values in a table. Returns `None` if [`stats`](crate::stats()) can do that.
    ///
    /// # Errors
    /// Returns an error if the table, or a table that it needs, is missing or damaged.
    fn stats(
        &self,
        game: &G,
        library: &Library,
        slice: G::Slice,
        metric: Metric,
    ) -> Result<Option<Stats>, Error> {
        let _ = (game, library, slice, metric);
        Ok(None)
    }

    /// Verifies a table, as [`verify`](crate::verify()) does. Returns `None` if the kernel has no way of its own to do that, or
    /// if it takes more than `memory` bytes.
    ///
    /// # Errors
    /// Returns the same errors as [`stats`](Self::stats).
    fn verify(
        &self,
        game: &G,
        library: &Library,
        slice: G::Slice,
        metric: Metric,
        memory: u64,
        progress: &(dyn Fn(u64) + Sync),
    ) -> Result<Option<Verified>, Error> {
        let _ = (game, library, slice, metric, memory, progress);
        Ok(None)
    }

    /// Finds of each index of a whole table whether a move out of the group gives the value of the position, with its distance: a
    /// bit for each, 64 in a word. It gives the same bits as [`answered_by_conversions`](crate::answered_by_conversions()).
    /// Returns `None` if the kernel has no way of its own to do that.
    ///
    /// # Errors
    /// Returns an error if the table, or a table that it leads to, is missing or damaged.
    fn answered_by_conversions(
        &self,
        game: &G,
        library: &Library,
        slice: G::Slice,
        metric: Metric,
        table: &Table,
    ) -> Result<Option<Vec<u64>>, Error> {
        let _ = (game, library, slice, metric, table);
        Ok(None)
    }

    /// Finds all values of a small table, as [`whole`](crate::whole()) does. Returns `None` if the kernel has no way of its own to do
    /// that, or none that is quicker.
    ///
    /// # Errors
    /// Returns the same errors as [`answered_by_conversions`](Self::answered_by_conversions).
    fn complete(
        &self,
        game: &G,
        library: &Library,
        slice: G::Slice,
        metric: Metric,
        small: &SmallTable,
    ) -> Result<Option<Table>, Error> {
        let _ = (game, library, slice, metric, small);
        Ok(None)
    }
}
