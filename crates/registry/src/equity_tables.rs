//! Tables of expected points: those of backgammon.

use crate::equity_prober::EquityProber;
use crate::equity_stats::EquityStats;
use crate::error::Error;
use crate::tables::SliceId;
use std::sync::Arc;
use table::Library;

/// Tables of expected points.
pub trait EquityTables: Send + Sync {
    /// Makes a prober for the tables of a library. Keep it for further questions.
    fn prober(&self, library: Arc<Library>) -> Arc<dyn EquityProber>;

    /// Counts what is in the table of a slice.
    ///
    /// # Errors
    /// Returns an error if the table is missing or damaged.
    fn stats(&self, library: &Library, slice: SliceId) -> Result<EquityStats, Error>;
}
