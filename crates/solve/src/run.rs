//! Settings of a run: the source of unmoves, the progress callbacks and the interrupt flag.

use crate::checkpoint::{Checkpoint, Saving};
use game::{Endgame, Plies, quoted_path};
use std::io;
use std::path::Path;
use std::sync::atomic::{AtomicBool, Ordering::Relaxed};

/// The source of the unmoves.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum Unmoves {
    /// The unmoves of the game. If it has none, the solver inverts its moves.
    #[default]
    FromGame,
    /// Inverted moves, even if the game has unmoves. This is slower, but the result depends on the moves only.
    Inverted,
}

/// The progress of a group.
#[derive(Clone, Copy, Debug)]
pub struct Progress {
    /// The last round that is done; `None` during the first look.
    pub round: Option<Plies>,
    /// The number of cells of which something is known.
    pub known: u64,
    /// The number of all cells. Cells that stay unknown are draws.
    pub cells: u64,
}

/// Callbacks for the progress of a run. The default methods do nothing. They can be called from any thread.
pub trait Watch: Sync {
    /// A group begins. `resumed` is true if it continues from a checkpoint.
    fn group(&self, slices: &str, indices: u64, resumed: bool) {
        let _ = (slices, indices, resumed);
    }
    /// A group made progress.
    fn progress(&self, progress: Progress) {
        let _ = progress;
    }
    /// A walk over all cells, before the rounds, has done `done` of `cells` cells. `what` names the walk.
    fn walk(&self, what: &str, done: u64, cells: u64) {
        let _ = (what, done, cells);
    }
    /// A kernel visits the rows of a slice in several sweeps. In this sweep it has done `done` of `rows` rows.
    fn sweep(&self, slice: &str, sweep: usize, done: usize, rows: usize) {
        let _ = (slice, sweep, done, rows);
    }
    /// The table of a slice is being written. So far `done` of `entries` entries are written.
    fn writing(&self, slice: &str, done: u64, entries: u64) {
        let _ = (slice, done, entries);
    }
    /// The table of a slice is complete, with a file of `bytes` bytes.
    fn written(&self, slice: &str, bytes: u64) {
        let _ = (slice, bytes);
    }
    /// Another run solves in the same folder, and this one waits for it. `holder` is what the other says about itself.
    fn waiting(&self, folder: &Path, holder: Option<&str>) {
        let _ = (folder, holder);
    }
    /// A problem that does not stop the run, but that the user should know.
    fn warning(&self, text: &str) {
        let _ = text;
    }
}

/// Callbacks that do nothing.
pub struct Unwatched;

impl Watch for Unwatched {}

/// The settings of a run of the solver.
pub struct Run<'a> {
    /// The source of the unmoves.
    pub unmoves: Unmoves,
    /// The progress callbacks.
    pub watch: &'a dyn Watch,
    /// Stops the solver at the next check when it is set to true.
    pub interrupt: &'a AtomicBool,
}

/// Unmoves from the game, no callbacks, and no interruption.
impl Default for Run<'_> {
    fn default() -> Self {
        static NEVER: AtomicBool = AtomicBool::new(false);
        Self { unmoves: Unmoves::FromGame, watch: &Unwatched, interrupt: &NEVER }
    }
}

impl Run<'_> {
    pub(crate) fn inverts<G: Endgame>(&self, game: &G) -> bool {
        self.unmoves == Unmoves::Inverted || game.unmoves().is_none()
    }

    /// Saves a checkpoint. If it cannot be written, the run goes on, and the user is told once.
    ///
    /// # Errors
    /// Returns an error if the checkpoint cannot be written and the run is interrupted, because its work is lost then.
    pub fn save(
        &self,
        checkpoint: &Checkpoint,
        contents: impl FnOnce(&mut Saving) -> io::Result<()>,
    ) -> Result<(), Stop> {
        match checkpoint.save(contents) {
            Err(error) if self.is_interrupted() => return Err(Stop::Checkpoint(error)),
            Err(error) if checkpoint.note_failure() => self.watch.warning(&format!(
                "the checkpoint {} cannot be written: {error}; solving goes on, but it could not be resumed",
                quoted_path(checkpoint.path())
            )),
            _ => {}
        }
        Ok(())
    }

    /// Removes a checkpoint that is not needed any more. If it cannot be removed, the user is told: the tables are complete.
    pub fn discard(&self, checkpoint: &Checkpoint) {
        if let Err(error) = checkpoint.remove() {
            let path = quoted_path(checkpoint.path());
            self.watch.warning(&format!("the checkpoint {path} cannot be removed: {error}"));
        }
    }

    pub(crate) fn is_interrupted(&self) -> bool {
        self.interrupt.load(Relaxed)
    }
}

/// The reason why a group was stopped before its end.
#[derive(Debug, thiserror::Error)]
pub enum Stop {
    /// The interrupt flag was set.
    #[error("interrupted; run the same command to go on")]
    Interrupted,
    /// A cell cannot hold a distance.
    #[error("a win or loss takes more than 32,765 plies, which is more than the solver can count")]
    Overflow,
    /// The group has too many cells to invert its moves, which needs indices below 2³².
    #[error("{cells} cells are too many to invert their moves; the game needs its own unmoves")]
    TooLargeToInvert {
        /// The number of cells.
        cells: u64,
    },
    /// The slice has too many indices or moves for the solver over chance.
    #[error("{indices} indices, or their moves, are too many for the solver over chance")]
    TooManyForChance {
        /// The number of indices.
        indices: u64,
    },
    /// A table that the group leads into could not be read.
    #[error(transparent)]
    Table(#[from] table::Error),
    /// The interrupt flag was set, and the checkpoint could not be written.
    #[error("interrupted, and the checkpoint could not be written: {0}; the work since the last one is lost")]
    Checkpoint(io::Error),
}
