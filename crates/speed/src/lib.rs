//! What a benchmark is, and how it is timed. Names no game.
//!
//! ```
//! use endspiel_speed::{Benchmark, Unit, millions_per_second};
//!
//! const SUM: Benchmark = Benchmark {
//!     name: "sum",
//!     what: "numbers added",
//!     unit: Unit::MillionsPerSecond,
//!     measure: || millions_per_second(|| (1..=1_000u64).map(std::hint::black_box).map(|_| 1).sum()),
//! };
//! assert!((SUM.measure)() > 0.0);
//! ```

use std::fmt;
use std::time::{Duration, Instant};

/// Something that a game measures on request.
#[derive(Clone, Copy, Debug)]
pub struct Benchmark {
    /// One word, by which other programs' figures for the same are found.
    pub name: &'static str,
    /// What is measured, in a few words.
    pub what: &'static str,
    /// What its figure counts.
    pub unit: Unit,
    /// Measures it, on one thread, in a second or so.
    pub measure: fn() -> f64,
}

/// What a figure counts.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Unit {
    /// Nanoseconds a call: less is better.
    Nanoseconds,
    /// Thousands a second: more is better.
    ThousandsPerSecond,
    /// Millions a second: more is better.
    MillionsPerSecond,
}

impl fmt::Display for Unit {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(match self {
            Self::Nanoseconds => "ns",
            Self::ThousandsPerSecond => "thousand/s",
            Self::MillionsPerSecond => "million/s",
        })
    }
}

/// How often work is measured that takes tenths of a second, ours and others': the best run counts.
pub const RUNS: usize = 5;

/// Nanoseconds of a call: the best of many short batches, for a machine is often disturbed and never sped up. A batch
/// is so short that some are not interrupted even where other programs run. The call hides its inputs and its
/// result from the compiler with [`black_box`](std::hint::black_box).
pub fn nanoseconds(mut call: impl FnMut()) -> f64 {
    const BATCH: Duration = Duration::from_micros(500);
    const BATCHES: u32 = 2_000;
    let mut batch = |calls: u32| {
        let started = Instant::now();
        (0..calls).for_each(|_| call());
        started.elapsed()
    };
    let mut calls = 1;
    while batch(calls) < BATCH {
        calls *= 2;
    }
    let best = (0..BATCHES).map(|_| batch(calls)).min().unwrap_or_default();
    best.as_secs_f64() * 1e9 / f64::from(calls)
}

/// Millions a second of what the work counts: the best of [`RUNS`].
pub fn millions_per_second(work: impl FnMut() -> u64) -> f64 {
    thousands_per_second(work) / 1e3
}

/// Thousands a second of what the work counts: the best of [`RUNS`].
pub fn thousands_per_second(mut work: impl FnMut() -> u64) -> f64 {
    let mut run = || {
        let started = Instant::now();
        let counted = work();
        counted as f64 / started.elapsed().as_secs_f64() / 1e3
    };
    (0..RUNS).map(|_| run()).fold(0.0, f64::max)
}
