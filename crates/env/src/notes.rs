//! What an environment says about a whole move.

use serde::Serialize;

/// What there is to say about a move beside its text.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub enum MoveNotes {
    /// A move that changes something.
    Played(PlayedNotes),
    /// Nothing can be moved, and this action says so.
    Pass {
        /// Its number.
        action: u16,
    },
}

/// The actions of a move, and what they lead to.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Debug, Serialize)]
pub struct PlayedNotes {
    /// The numbers of its actions, in order, as the users of the game count them.
    pub actions: Vec<u16>,
    /// The board after it, as the next player sees it.
    pub after: String,
}
