//! Notes of an environment about a whole move.

use serde::Serialize;

/// Notes about a move, in addition to its text.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub enum MoveNotes {
    /// A move that changes the board.
    Played(PlayedNotes),
    /// A pass: nothing can be moved.
    Pass(PassNotes),
}

/// The actions of a move, and the board after it.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Debug, Serialize)]
pub struct PlayedNotes {
    /// The numbers of the actions, in order. They are counted as users of the game count them.
    pub actions: Vec<u16>,
    /// The position after the move.
    pub after: String,
}

/// The action of a pass, and the position after it.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Debug, Serialize)]
pub struct PassNotes {
    /// The number of the action that passes.
    pub pass: u16,
    /// The position after the pass.
    pub after: String,
}
