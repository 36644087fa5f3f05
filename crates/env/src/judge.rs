//! Judges: what a choice loses against perfect play.

use crate::agent::AgentError;
use game::Position;

/// What is decided.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Decision {
    /// A move.
    Move,
    /// Whether to double, or whether to take a double.
    Cube,
}

/// The judgement about a choice.
#[derive(Clone, Copy, PartialEq, Debug)]
pub enum Verdict {
    /// There was nothing to choose.
    Forced,
    /// The judge does not know what every choice is worth.
    Unknown,
    /// The choice loses expected points against the best one.
    Lost {
        /// What was decided.
        decision: Decision,
        /// The points, 0 or more.
        points: f64,
        /// As many can come from the rounding of the values alone. A larger loss is an error of the player.
        tolerance: f64,
    },
}

/// Knows what choices are worth in some positions of a game, such as those of solved endgames.
pub trait Judge<P: Position>: Send + Sync {
    /// Judges a legal move.
    ///
    /// # Errors
    /// Returns [`AgentError::Values`] if what the judge knows cannot be read.
    fn verdict(&self, position: &P, chosen: P::Move) -> Result<Verdict, AgentError>;
}
