//! What can be wrong with what someone asked.

use game::MoveError;

/// The cause, in the words of the game.
type Source = Box<dyn std::error::Error + Send + Sync>;

/// One sentence for the person who asked; the game's own error is its source.
#[derive(Debug, thiserror::Error)]
pub enum Error {
    /// No such game.
    #[error("there is no game `{name}`; the games are {}", known.join(", "))]
    UnknownGame {
        /// What was asked for.
        name: String,
        /// What there is.
        known: Vec<&'static str>,
    },
    /// A game refuses one of its options.
    #[error("{game}: {source}")]
    Option {
        /// The game.
        game: &'static str,
        /// Why.
        source: Source,
    },
    /// A text that is no position.
    #[error("`{text}` is not a position of {game}: {source}")]
    Position {
        /// The game.
        game: &'static str,
        /// The text.
        text: String,
        /// Why.
        source: Source,
    },
    /// A text that is no legal move.
    #[error(transparent)]
    Move(#[from] MoveError),
    /// A move after the end.
    #[error("the game is over; `undo` takes the last move back")]
    Finished,
}
