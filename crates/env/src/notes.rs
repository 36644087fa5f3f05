//! Notes of an environment about a whole move.

use serde::Serialize;

/// Notes about a move, in addition to its text.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub enum MoveNotes {
    /// A move that changes the board.
    Played(PlayedNotes),
    /// A pass: nothing can be moved.
    Pass {
        /// The number of the action that passes.
        action: u16,
    },
}

/// The actions of a move, and the board after it.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Debug, Serialize)]
pub struct PlayedNotes {
    /// The numbers of the actions, in order. They are counted as users of the game count them.
    pub actions: Vec<u16>,
    /// The board after the move, as the next player sees it.
    pub after: String,
}
