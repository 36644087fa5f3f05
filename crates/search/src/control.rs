//! The hand on a search that is running: stop, and the ponder hit.

use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::time::{Duration, Instant};

/// Controls a search from another thread.
///
/// A search that ponders thinks about a position that may never come. Its clock begins with [`ponder_hit`](Self::ponder_hit).
#[derive(Debug)]
pub struct Control {
    stop: AtomicBool,
    begun: Instant,
    /// Milliseconds from `begun` until the clock of the search began. [`PONDERS`](Self::PONDERS) while it ponders.
    clock_began: AtomicU64,
}

impl Control {
    const PONDERS: u64 = u64::MAX;

    /// Controls a search that begins now.
    pub fn new() -> Self {
        Self { stop: AtomicBool::new(false), begun: Instant::now(), clock_began: AtomicU64::new(0) }
    }

    /// Controls a search that ponders.
    pub fn pondering() -> Self {
        Self { clock_began: AtomicU64::new(Self::PONDERS), ..Self::new() }
    }

    /// Ends the search as soon as possible. It keeps the best move that it has found.
    pub fn stop(&self) {
        self.stop.store(true, Ordering::Release);
    }

    /// The expected move was played: the search goes on with its clock.
    pub fn ponder_hit(&self) {
        self.clock_began.store(self.begun.elapsed().as_millis() as u64, Ordering::Release);
    }

    /// Returns whether the search was stopped.
    #[inline]
    pub fn is_stopped(&self) -> bool {
        self.stop.load(Ordering::Acquire)
    }

    /// Returns whether the search ponders.
    #[inline]
    pub fn ponders(&self) -> bool {
        self.clock_began.load(Ordering::Acquire) == Self::PONDERS
    }

    /// The time since the search began.
    pub fn elapsed(&self) -> Duration {
        self.begun.elapsed()
    }

    /// The time on the clock of the search; `None` while it ponders.
    pub fn on_clock(&self) -> Option<Duration> {
        let began = self.clock_began.load(Ordering::Acquire);
        (began != Self::PONDERS).then(|| self.elapsed().saturating_sub(Duration::from_millis(began)))
    }
}

impl Default for Control {
    fn default() -> Self {
        Self::new()
    }
}
