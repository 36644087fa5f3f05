//! What a run of the solver is given besides the game: someone who watches, and a way to stop it.

use game::{Endgame, Plies};
use std::sync::atomic::{AtomicBool, Ordering::Relaxed};

/// Where the moves back come from.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum MovesBack {
    /// From the game, if it has them; else the moves are turned round.
    #[default]
    FromGame,
    /// The moves are turned round, even where the game has its own: slower, but it rests on the moves alone.
    Inverted,
}

/// How far a batch is.
#[derive(Clone, Copy, Debug)]
pub struct Progress {
    /// Rounds done; none during the first look.
    pub round: Option<Plies>,
    /// Cells about which something is known.
    pub known: u64,
    /// All cells. Those that stay unknown are draws.
    pub cells: u64,
}

/// Hears what a run does. The defaults do nothing; methods may be called from any thread.
pub trait Watch: Sync {
    /// A batch begins, or goes on after a checkpoint.
    fn batch(&self, slices: &str, indices: u64, resumed: bool) {
        let _ = (slices, indices, resumed);
    }
    /// A batch got further.
    fn progress(&self, progress: Progress) {
        let _ = progress;
    }
    /// All cells are looked at once, before the rounds: so many of them so far.
    fn walk(&self, what: &str, done: u64, cells: u64) {
        let _ = (what, done, cells);
    }
    /// A special solver visits the rows of a slice again and again: so many of them in this sweep.
    fn sweep(&self, slice: &str, sweep: usize, done: usize, rows: usize) {
        let _ = (slice, sweep, done, rows);
    }
    /// The table of a slice is being written: so many entries of so many.
    fn writing(&self, slice: &str, done: u64, entries: u64) {
        let _ = (slice, done, entries);
    }
    /// The table of a slice is complete.
    fn written(&self, slice: &str, bytes: u64) {
        let _ = (slice, bytes);
    }
    /// Something that does not stop the run but should be known.
    fn warning(&self, text: &str) {
        let _ = text;
    }
}

/// Someone who does not listen.
pub struct Unwatched;

impl Watch for Unwatched {}

/// A run of the solver.
pub struct Run<'a> {
    /// Where the moves back come from.
    pub moves_back: MovesBack,
    /// Who watches.
    pub watch: &'a dyn Watch,
    /// Set by someone who wants it to stop at the next occasion.
    pub interrupt: &'a AtomicBool,
}

impl Run<'_> {
    pub(crate) fn inverts<G: Endgame>(&self, game: &G) -> bool {
        self.moves_back == MovesBack::Inverted || game.moves_back().is_none()
    }

    pub(crate) fn is_interrupted(&self) -> bool {
        self.interrupt.load(Relaxed)
    }
}

/// Why a batch was left before its end.
#[derive(Debug, thiserror::Error)]
pub enum Stop {
    /// Someone asked for it.
    #[error("interrupted; the same command goes on from the last checkpoint")]
    Interrupted,
    /// A distance that the cells cannot hold.
    #[error("a win is further away than 32,766 plies, which no table here can say")]
    Overflow,
    /// Turning round the moves needs indices below 2³².
    #[error("{cells} cells are too many to turn their moves round; the game needs moves back of its own")]
    TooLargeToInvert {
        /// How many there are.
        cells: u64,
    },
    /// A table that the batch leads into could not be read.
    #[error(transparent)]
    Table(#[from] table::Error),
    /// The checkpoint could not be written.
    #[error("the checkpoint could not be written: {0}")]
    Checkpoint(#[from] std::io::Error),
}
