//! Formats in which a line of moves can be written, for other programs to read.

use game::{Game, Position};

/// A format for a line of moves, such as KIF.
#[derive(Clone, Copy, Debug)]
pub struct LineFormat<G: Game> {
    /// The name, as in `--line=kif`.
    pub name: &'static str,
    /// Writes the moves that are played from a position.
    pub write: WriteLine<G>,
}

/// Writes the moves that are played from a position.
pub type WriteLine<G> = fn(&<G as Game>::Position, &[<<G as Game>::Position as Position>::Move]) -> String;
