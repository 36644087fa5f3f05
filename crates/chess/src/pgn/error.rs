//! Errors in the text of a game, and their places.

use super::Game;
use crate::fen::PositionError;
use crate::san::SanError;
use game::quoted;
use std::io;

/// An error in the text of a game, and its place.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
#[error("game {game}, line {line}: {kind}")]
pub struct PgnError {
    /// The number of the game in its text, from 1.
    pub game: usize,
    /// The number of the line, from 1.
    pub line: usize,
    /// The number of the ply that comes next there, from 1. `None` before the moves.
    pub ply: Option<usize>,
    /// The kind of the error.
    #[source]
    pub kind: PgnErrorKind,
    /// The game up to the error: its tags, the moves before the error, and the result if it was found.
    pub read: Box<Game>,
}

/// The kinds of errors in the text of a game.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
pub enum PgnErrorKind {
    /// There is no game.
    #[error("there is no game in the text")]
    NoGame,
    /// A tag is not written correctly.
    #[error("{} is not a tag, such as `[White \"Morphy\"]`", quoted(found))]
    Tag {
        /// The line.
        found: String,
    },
    /// There are too many tags.
    #[error("a game has more than {} tags", super::MOST_TAGS)]
    TooManyTags,
    /// The start position is wrong.
    #[error("FEN: {0}")]
    Fen(#[from] PositionError),
    /// The variant is not chess.
    #[error("variant {} is not one of `Standard` and `Chess960`", quoted(found))]
    Variant {
        /// The name of the variant.
        found: String,
    },
    /// A move is wrong.
    #[error("{place}: {source}")]
    Move {
        /// The side and the number of the move.
        place: String,
        /// The error in the move.
        source: SanError,
    },
    /// A side in check passes. This is not possible, not even in analysis.
    #[error("a king in check cannot pass")]
    PassInCheck,
    /// There is more text after the result.
    #[error("{} comes after the result; the next game must begin on a new line", quoted(found))]
    AfterResult {
        /// The text that was found.
        found: String,
    },
    /// A mark is not written correctly.
    #[error("{} is not a mark from `$0` to `$65535`", quoted(found))]
    Nag {
        /// The text that was found.
        found: String,
    },
    /// A mark belongs to no move.
    #[error("a mark that belongs to no move")]
    NagWithoutMove,
    /// A comment has no closing brace.
    #[error("the comment {} has no `}}` at its end", quoted(found))]
    UnclosedComment {
        /// The first line of the comment.
        found: String,
    },
    /// A variation has no closing parenthesis.
    #[error("a variation has no `)` at its end")]
    UnclosedVariation,
    /// A closing parenthesis belongs to no variation.
    #[error("`)` has no matching `(`")]
    NoVariation,
    /// A variation stands before the first move.
    #[error("a variation must follow the move that it replaces")]
    VariationWithoutMove,
    /// Variations are nested too deeply.
    #[error("variations are nested more than {} deep", super::DEEPEST)]
    TooDeep,
    /// The text of the game is too long.
    #[error("the text of a game is longer than {} MiB", super::LONGEST >> 20)]
    TooLong,
    /// Reading the source failed with an I/O error.
    #[error("the source cannot be read: {0}")]
    Source(io::ErrorKind),
}
