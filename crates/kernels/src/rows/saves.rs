//! When checkpoints are written.

use std::time::{Duration, Instant};

/// Tells when the next checkpoint is due.
pub struct Saves {
    last: Instant,
    wait: Duration,
}

impl Saves {
    /// The first checkpoint is due after `wait`.
    pub fn new(wait: Duration) -> Self {
        Self { last: Instant::now(), wait }
    }

    /// Returns whether a checkpoint is due.
    pub fn is_due(&self) -> bool {
        self.last.elapsed() >= self.wait
    }

    /// Notes that a checkpoint was written. Large ones take long, so they are written less often: a tenth of the time at most.
    pub fn saved(&mut self, started: Instant) {
        if !self.wait.is_zero() {
            self.wait = self.wait.max(10 * started.elapsed());
        }
        self.last = Instant::now();
    }
}
