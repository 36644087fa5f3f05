//! Measures how quickly tables are opened and asked.

use crate::error::Error;
use game::{Endgame, Index, Metric, Rng};
use serde::Serialize;
use std::sync::Arc;
use std::time::{Duration, Instant};
use table::{Library, Prober};

/// How quickly the tables of a game are opened and asked, on one thread.
#[derive(Clone, Copy, Debug, Serialize)]
pub struct ProbeSpeed {
    /// The number of tables.
    pub tables: usize,
    /// The number of positions, which are random ones of all tables.
    pub positions: u64,
    /// Probes per second if all blocks are in the cache.
    pub warm_per_second: f64,
    /// The mean time of a probe that begins with an empty cache, in microseconds. The files are in the memory of the system.
    pub cold_microseconds: f64,
    /// The mean time to open a table, in microseconds.
    pub open_microseconds: f64,
}

/// How many probes with an empty cache are measured.
const COLD: usize = 2_000;

/// Measures the tables of these slices, of the first metric that each has.
pub(crate) fn measure<G: Endgame>(
    game: &G,
    library: &Library,
    slices: &[G::Slice],
    metrics: &[Metric],
    positions: u64,
) -> Result<ProbeSpeed, Error> {
    let prober = |cache_bytes| {
        Prober::<G>::of_metrics(game.clone(), Arc::new(library.with_own_cache(cache_bytes)), metrics.to_vec())
    };
    // The first time, the system reads the files from the disk.
    prober(0).preload(|_, _| ());
    let (opening, asked) = (Instant::now(), prober(u64::MAX));
    let tables = asked.preload(|_, _| ()).opened;
    let open_microseconds = opening.elapsed().as_secs_f64() * 1e6 / tables.max(1) as f64;

    let mut rng = Rng::new(1);
    let mut sample = Vec::new();
    while !slices.is_empty() && (sample.len() as u64) < positions {
        let slice = slices[rng.below(slices.len() as u64) as usize];
        let index = Index(rng.below(game.size(slice).max(1)));
        // Some indices have no position.
        sample.extend(game.unrank(slice, index));
    }
    let ask = |position: &G::Position| {
        asked.value(position).map(|value| _ = std::hint::black_box(value)).map_err(Error::from)
    };
    measure_asking(tables, open_microseconds, &sample, &|| asked.library().cache().clear(), &ask)
}

/// Measures a question about each of these positions. `clear` empties the cache of blocks.
pub(crate) fn measure_asking<P>(
    tables: usize,
    open_microseconds: f64,
    sample: &[P],
    clear: &dyn Fn(),
    ask: &dyn Fn(&P) -> Result<(), Error>,
) -> Result<ProbeSpeed, Error> {
    let mut cold = Duration::ZERO;
    let few = &sample[..sample.len().min(COLD)];
    for position in few {
        clear();
        let started = Instant::now();
        ask(position)?;
        cold += started.elapsed();
    }
    let cold_microseconds = cold.as_secs_f64() * 1e6 / few.len().max(1) as f64;
    let ask_all = || -> Result<Duration, Error> {
        let started = Instant::now();
        sample.iter().try_for_each(ask)?;
        Ok(started.elapsed())
    };
    ask_all()?;
    let best = (0..3).map(|_| ask_all()).collect::<Result<Vec<_>, _>>()?.into_iter().min();
    let seconds = best.unwrap_or_default().as_secs_f64();
    let warm_per_second = sample.len() as f64 / seconds.max(1e-9);
    let positions = sample.len() as u64;
    Ok(ProbeSpeed { tables, positions, warm_per_second, cold_microseconds, open_microseconds })
}
