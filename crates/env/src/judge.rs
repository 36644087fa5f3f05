//! Judges: what a choice loses against perfect play.

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
    /// The choice loses this many expected points against the best one; 0 or more.
    Lost(Decision, f64),
}

/// Knows what choices are worth in some positions of a game, such as those of solved endgames.
pub trait Judge<P: Position>: Send + Sync {
    /// Judges a legal move.
    fn verdict(&self, position: &P, chosen: P::Move) -> Verdict;

    /// The largest loss that can come from the rounding of the values alone. A larger loss is an error of the player.
    fn tolerance(&self) -> f64 {
        0.0
    }
}
