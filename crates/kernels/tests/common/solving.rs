//! How the tests of kernels solve.

use game::{Endgame, Metric};
use solve::{Error, Job, Kernel, Progress, Run, Unmoves, Unwatched, Watch};
use std::path::Path;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering::Relaxed};
use std::time::Duration;
use table::{Library, describe};

/// How slices are solved.
pub struct Way<'a, G: Endgame> {
    pub kernel: Option<&'a dyn Kernel<G>>,
    pub memory: u64,
    pub checkpoint_every: Duration,
    pub watch: &'a dyn Watch,
    pub interrupt: &'a AtomicBool,
}

static NEVER: AtomicBool = AtomicBool::new(false);

impl<'a, G: Endgame> Way<'a, G> {
    /// By a kernel, or by the generic solver, without checkpoints.
    pub const fn by(kernel: Option<&'a dyn Kernel<G>>) -> Self {
        Self {
            kernel,
            memory: 8 << 30,
            checkpoint_every: Duration::MAX,
            watch: &Unwatched,
            interrupt: &NEVER,
        }
    }

    /// The job of solving into a library.
    pub fn job(&self, game: &'a G, library: &'a Library, metric: Metric) -> Job<'a, G> {
        Job {
            kernel: self.kernel,
            game,
            library,
            metric,
            memory: self.memory,
            checkpoint_every: self.checkpoint_every,
            packs: false,
            run: Run { unmoves: Unmoves::FromGame, watch: self.watch, interrupt: self.interrupt },
        }
    }

    /// Solves slices, and all that they need, into a folder.
    pub fn solve(&self, game: &G, slices: &[G::Slice], metric: Metric, folder: &Path) -> Result<(), Error> {
        let library = Library::new(folder, 0);
        let way = Way { ..*self };
        let job = way.job(game, &library, metric);
        job.solve(&job.plan(slices)?)
    }
}

/// The bytes of a table in a folder.
pub fn bytes_of<G: Endgame>(game: &G, folder: &Path, slice: G::Slice, metric: Metric) -> Vec<u8> {
    std::fs::read(describe(game, slice, metric).path(folder)).expect("a table")
}

/// Stops the run after a number of rounds.
pub struct StopAfter<'a> {
    pub rounds: AtomicU64,
    pub interrupt: &'a AtomicBool,
}

impl Watch for StopAfter<'_> {
    fn progress(&self, _: Progress) {
        if self.rounds.fetch_sub(1, Relaxed) == 1 {
            self.interrupt.store(true, Relaxed);
        }
    }
}
