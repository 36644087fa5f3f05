//! Tables of expected points: those of backgammon.

use crate::equity_prober::EquityProber;
use crate::equity_stats::EquityStats;
use crate::error::Error;
use crate::pip_map::PipMap;
use crate::tables::SliceId;
use std::io::Write;
use std::sync::Arc;
use table::Library;

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

    /// Counts what is in the table of a slice.
    ///
    /// # Errors
    /// Returns an error if the table is missing or damaged.
    fn stats(&self, library: &Library, slice: SliceId) -> Result<EquityStats, Error>;

    /// The positions of a bear-off by the pip counts of both sides. Returns `None` if the slice is no bear-off of both sides. If
    /// the library has a one-sided table, it is compared.
    ///
    /// # Errors
    /// Returns an error if a table is missing or damaged.
    fn by_pips(&self, library: &Library, slice: SliceId) -> Result<Option<PipMap>, Error>;

    /// Writes an endgame in the format of GNU Backgammon's databases, byte for byte as that program makes it. It is solved anew by
    /// that program's integer arithmetic, which is less exact than ours. `progress` gets the number of indices done.
    ///
    /// # Errors
    /// Returns an error if the format has no such endgame, or if writing fails.
    fn export(
        &self,
        slice: SliceId,
        exporting: Exporting,
        to: &mut dyn Write,
        progress: &(dyn Fn(u64) + Sync),
    ) -> Result<(), Error>;
}
