//! Errors in the text of a game, with their lines.

use super::Game;
use super::encoding::EncodingError;
use super::headers::HeaderError;
use super::line::VariationError;
use crate::setup::SetupError;
use game::quoted;
use std::io;

/// An error in the text of a game, and its line.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
#[error("game {game}, line {line}: {kind}")]
pub struct RecordError {
    /// The number of the game in the text, counted from 1.
    pub game: usize,
    /// The line, counted from 1.
    pub line: usize,
    /// The kind of the error.
    #[source]
    pub kind: RecordErrorKind,
    /// The game up to the error.
    pub read: Box<Game>,
}

/// The kinds of errors in the text of a game.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
pub enum RecordErrorKind {
    /// The text has no game.
    #[error("there is no game in the text")]
    NoGame,
    /// A line cannot be read as part of a game.
    #[error("{} is nothing that stands in a game's text", quoted(found))]
    Line {
        /// The text that was found.
        found: String,
    },
    /// A header is not allowed.
    #[error(transparent)]
    Header(#[from] HeaderError),
    /// The handicap is unknown, and there is no diagram.
    #[error("{} is not a handicap, such as `平手` or `二枚落ち`, and there is no diagram", quoted(found))]
    Handicap {
        /// The name of the handicap.
        found: String,
    },
    /// A part of the start position cannot be read.
    #[error("{} cannot be read as part of the start position", quoted(found))]
    Start {
        /// The text that was found.
        found: String,
    },
    /// A diagram does not have nine ranks.
    #[error("a diagram has 9 ranks, not {found}")]
    Ranks {
        /// The number of ranks.
        found: usize,
    },
    /// The start position is not legal.
    #[error("the position at the start: {0}")]
    Setup(#[from] SetupError),
    /// A part of the start position comes after the moves have begun.
    #[error("{} belongs to the start position, but the moves have begun", quoted(found))]
    LateStart {
        /// The text that was found.
        found: String,
    },
    /// A text is not a move.
    #[error("move {number}: {} is not written as a move, such as `{example}`", quoted(found))]
    MoveText {
        /// The number of the move in the game.
        number: usize,
        /// The text that was found.
        found: String,
        /// A move in the right format.
        example: &'static str,
    },
    /// A move is not legal.
    #[error("move {number}: {} is not a legal move here", quoted(found))]
    IllegalMove {
        /// The number of the move in the game.
        number: usize,
        /// The text that was found.
        found: String,
    },
    /// A move belongs to the side that is not to move.
    #[error("move {number}: {} is a move of the wrong side: the other side is to move", quoted(found))]
    Turn {
        /// The number of the move in the game.
        number: usize,
        /// The text that was found.
        found: String,
    },
    /// A word is not the end of a game.
    #[error("{} is not an end of a game, such as `%TORYO`", quoted(found))]
    Ending {
        /// The text that was found.
        found: String,
    },
    /// A move or another end comes after the end of the game.
    #[error("{} comes after the end of the game", quoted(found))]
    AfterEnd {
        /// The text that was found.
        found: String,
    },
    /// A time cannot be read.
    #[error("{} is not the time that a move took, such as `{example}`", quoted(found))]
    Time {
        /// The text that was found.
        found: String,
        /// A time in the right format.
        example: &'static str,
    },
    /// A time belongs to no move.
    #[error("a time that belongs to no move")]
    TimeWithoutMove,
    /// A variation does not give the number of its first move.
    #[error("{} is not the number of a move, such as `12手`", quoted(found))]
    VariationNumber {
        /// The text that was found.
        found: String,
    },
    /// A variation is not possible.
    #[error(transparent)]
    Variation(#[from] VariationError),
    /// The text of the game is too long.
    #[error("the text of a game is longer than {} MiB", super::LONGEST >> 20)]
    TooLong,
    /// The text is in no known encoding.
    #[error(transparent)]
    Encoding(#[from] EncodingError),
    /// Reading the source failed with an I/O error.
    #[error("the source cannot be read: {0}")]
    Source(io::ErrorKind),
}

impl RecordErrorKind {
    /// The number of the move that is wrong, and its text.
    pub fn wrong_move(&self) -> Option<(usize, &str)> {
        match self {
            Self::MoveText { number, found, .. }
            | Self::IllegalMove { number, found }
            | Self::Turn { number, found } => Some((*number, found)),
            _ => None,
        }
    }
}
