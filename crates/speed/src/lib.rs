#![doc = include_str!("../README.md")]

use std::fmt;
use std::time::{Duration, Instant};

/// A benchmark that a game offers.
#[derive(Clone, Copy, Debug)]
pub struct Benchmark {
    /// The name, one word. Results of other programs for the same benchmark are found by it.
    pub name: &'static str,
    /// A description of what is measured, in a few words.
    pub what: &'static str,
    /// The unit of the result.
    pub unit: Unit,
    /// Runs the benchmark on one thread, in about a second, and returns the result.
    pub measure: fn() -> f64,
}

/// The unit of a result.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Unit {
    /// Nanoseconds per call; less is better.
    Nanoseconds,
    /// Thousands per second; more is better.
    ThousandsPerSecond,
    /// Millions per second; more is better.
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

/// The number of runs of work that takes tenths of a second, for our programs and others. The best run counts.
pub const RUNS: usize = 5;

/// Measures the nanoseconds of a call: the best of many short batches, because disturbances only make a run slower,
/// never faster. A batch is so short that some are not interrupted even if other programs run. The call must hide its
/// inputs and its result from the compiler with [`black_box`](std::hint::black_box).
pub fn nanoseconds(call: impl FnMut()) -> f64 {
    nanoseconds_in_batches(2_000, Duration::from_micros(500), call)
}

/// Measures as [`nanoseconds`] does, with this number of batches that each take this time.
pub fn nanoseconds_in_batches(batches: u32, time: Duration, mut call: impl FnMut()) -> f64 {
    let mut batch = |calls: u32| {
        let started = Instant::now();
        (0..calls).for_each(|_| call());
        started.elapsed()
    };
    let mut calls = 1;
    while batch(calls) < time {
        calls *= 2;
    }
    let best = (0..batches).map(|_| batch(calls)).min().unwrap_or_default();
    best.as_secs_f64() * 1e9 / f64::from(calls)
}

/// Measures how many millions per second the work counts: the best of [`RUNS`].
pub fn millions_per_second(work: impl FnMut() -> u64) -> f64 {
    thousands_per_second(work) / 1e3
}

/// Measures how many thousands per second the work counts: the best of [`RUNS`].
pub fn thousands_per_second(mut work: impl FnMut() -> u64) -> f64 {
    let mut run = || {
        let started = Instant::now();
        let counted = work();
        counted as f64 / started.elapsed().as_secs_f64() / 1e3
    };
    (0..RUNS).map(|_| run()).fold(0.0, f64::max)
}
