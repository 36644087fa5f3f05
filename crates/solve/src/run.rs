//! What a run of the solver is given besides the game: a budget, someone who watches, a way to stop it.

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
    /// Cells about which nothing is known yet. In the end, draws.
    pub open: u64,
    /// All cells.
    pub cells: u64,
}

/// A run of the solver.
pub struct Run<'a> {
    /// Where the moves back come from.
    pub moves_back: MovesBack,
    /// Hears how far it is, once a round.
    pub progress: &'a (dyn Fn(Progress) + Sync),
    /// Set by someone who wants it to stop at the next occasion.
    pub interrupt: &'a AtomicBool,
}

impl Run<'_> {
    pub(crate) fn inverts<G: Endgame>(&self) -> bool {
        self.moves_back == MovesBack::Inverted || !G::HAS_PREDECESSORS
    }

    pub(crate) fn is_interrupted(&self) -> bool {
        self.interrupt.load(Relaxed)
    }

    pub(crate) fn report(&self, progress: Progress) {
        (self.progress)(progress);
    }
}

/// Why a batch was left before its end.
#[derive(Debug, thiserror::Error)]
pub enum Stop {
    /// Someone asked for it.
    #[error("interrupted; the same command goes on from here")]
    Interrupted,
    /// A distance that the cells cannot hold.
    #[error("a distance is too long for the cells")]
    Overflow,
    /// Turning round the moves needs indices below 2³².
    #[error("{cells} cells are too many to turn their moves round; the game needs moves back of its own")]
    TooLargeToInvert {
        /// How many there are.
        cells: u64,
    },
    /// The checkpoint could not be written.
    #[error("the checkpoint could not be written: {0}")]
    Checkpoint(std::io::Error),
}
