//! Errors in lists of moves, with their places.

use super::{LONGEST, MOST_TAGS};
use crate::{ChanceError, MoveError, quoted};
use std::error::Error;
use std::io;

/// An error in a game, and its place.
#[derive(Debug, thiserror::Error)]
#[error("line {line}: {kind}")]
pub struct MoveListError {
    /// The number of the line, from 1.
    pub line: usize,
    /// The number of the ply that comes next there, from 1. `None` before the moves.
    pub ply: Option<usize>,
    /// What is wrong.
    #[source]
    pub kind: MoveListErrorKind,
}

/// What is wrong in a game.
#[derive(Debug, thiserror::Error)]
pub enum MoveListErrorKind {
    /// The game is another one.
    #[error("this is a game of {}, not of {game}", quoted(found))]
    OtherGame {
        /// The name that was found.
        found: String,
        /// The name of the game that is read.
        game: &'static str,
    },
    /// The game has no such option.
    #[error("there is no option {} of {game}", quoted(found))]
    UnknownOption {
        /// The text that was found.
        found: String,
        /// The name of the game.
        game: &'static str,
    },
    /// An option has an invalid value.
    #[error(transparent)]
    Option(Box<dyn Error + Send + Sync>),
    /// The text is not a position.
    #[error("{} is not a position: {source}", quoted(text))]
    Start {
        /// The text.
        text: String,
        /// The reason.
        source: Box<dyn Error + Send + Sync>,
    },
    /// A header that decides the start comes after it.
    #[error("{} comes after the start of the game", quoted(found))]
    LateHeader {
        /// The text that was found.
        found: String,
    },
    /// The result cannot be read.
    #[error("{} is not a result, such as `{first}`, `{first} by resignation` or `draw`", quoted(found))]
    Result {
        /// The text that was found.
        found: String,
        /// The name of the first side.
        first: &'static str,
    },
    /// A move is not legal.
    #[error(transparent)]
    Move(#[from] MoveError),
    /// An outcome of chance is not possible.
    #[error(transparent)]
    Chance(#[from] ChanceError),
    /// There are too many tags or options.
    #[error("a game has more than {MOST_TAGS} tags or options")]
    TooManyTags,
    /// The text of the game is too long.
    #[error("the text of a game is longer than {} MiB", LONGEST >> 20)]
    TooLong,
    /// Reading the source failed with an I/O error.
    #[error("the source cannot be read: {0}")]
    Source(io::ErrorKind),
}

impl MoveListErrorKind {
    /// The text of the move or of the outcome of chance that is wrong.
    pub fn wrong_move(&self) -> Option<&str> {
        match self {
            Self::Move(error) => Some(&error.text),
            Self::Chance(error) => Some(&error.text),
            _ => None,
        }
    }
}
