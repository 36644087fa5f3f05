//! The statistics of probes as JSON.

use serde::Serialize;
use table::{LibraryStatistics, Statistics};

/// The statistics of a library, which serialise as `{"probes", "hits", "misses", "bytes_read", "hit_rate", "tables"}`. Each
/// of the tables has the same keys after its name, `"table"`. The hit rate is `null` if there were no probes.
#[derive(Clone, PartialEq, Debug, Serialize)]
pub struct ProbeStatistics {
    /// The sum over all tables.
    #[serde(flatten)]
    pub total: ProbeCounts,
    /// The tables that were opened, by name.
    pub tables: Vec<OfTable>,
}

/// The statistics of one table.
#[derive(Clone, PartialEq, Debug, Serialize)]
pub struct OfTable {
    /// The name of the table, such as `chess/standard/KRvK.dtm.est`.
    pub table: String,
    /// Its statistics.
    #[serde(flatten)]
    pub counts: ProbeCounts,
}

/// The numbers of [`Statistics`], also those that follow from others.
#[derive(Clone, Copy, PartialEq, Debug, Serialize)]
pub struct ProbeCounts {
    /// The number of entries that were asked for.
    pub probes: u64,
    /// The number of probes that found their block in the cache.
    pub hits: u64,
    /// The number of blocks that had to be read.
    pub misses: u64,
    /// The compressed bytes of these blocks.
    pub bytes_read: u64,
    /// The hits divided by the probes.
    pub hit_rate: Option<f64>,
}

impl From<Statistics> for ProbeCounts {
    fn from(statistics: Statistics) -> Self {
        let Statistics { probes, misses, bytes_read } = statistics;
        Self { probes, hits: statistics.hits(), misses, bytes_read, hit_rate: statistics.hit_rate() }
    }
}

impl From<LibraryStatistics> for ProbeStatistics {
    fn from(statistics: LibraryStatistics) -> Self {
        let total = statistics.total().into();
        let of_table = |(table, counts): (String, Statistics)| OfTable { table, counts: counts.into() };
        Self { total, tables: statistics.tables.into_iter().map(of_table).collect() }
    }
}
