//! What is wrong with a game's text, and where.

use super::Game;
use crate::fen::PositionError;
use crate::san::SanError;
use game::quoted;
use std::io;

/// What is wrong with a game, and where it stands.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
#[error("game {game}, line {line}: {kind}")]
pub struct PgnError {
    /// The number of the game in its text, from 1.
    pub game: usize,
    /// The line, from 1.
    pub line: usize,
    /// What is wrong.
    #[source]
    pub kind: PgnErrorKind,
    /// The game up to there: its tags, the moves before, and the result if it was found.
    pub read: Box<Game>,
}

/// What is wrong with a game.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
pub enum PgnErrorKind {
    /// There is none.
    #[error("there is no game in the text")]
    NoGame,
    /// A tag that is not written as one.
    #[error("{} is not a tag, such as `[White \"Morphy\"]`", quoted(found))]
    Tag {
        /// The line.
        found: String,
    },
    /// The position that the game begins with.
    #[error("FEN: {0}")]
    Fen(#[from] PositionError),
    /// A game of another kind.
    #[error("variant {} is not one of `Standard` and `Chess960`", quoted(found))]
    Variant {
        /// Its name.
        found: String,
    },
    /// A move.
    #[error("{place}: {source}")]
    Move {
        /// Which one.
        place: String,
        /// What is wrong with it.
        source: SanError,
    },
    /// Nobody may ignore a check, not even in analysis.
    #[error("a king in check cannot pass")]
    PassInCheck,
    /// More after the end.
    #[error("{} stands behind the result; the next game begins on a line of its own", quoted(found))]
    AfterResult {
        /// What was found.
        found: String,
    },
    /// A mark.
    #[error("{} is not a mark from `$0` to `$65535`", quoted(found))]
    Nag {
        /// What was found.
        found: String,
    },
    /// A mark that belongs to no move.
    #[error("a mark that belongs to no move")]
    NagWithoutMove,
    /// A comment without its end.
    #[error("the comment {} has no `}}` at its end", quoted(found))]
    UnclosedComment {
        /// Its first line.
        found: String,
    },
    /// A variation without its end.
    #[error("a variation has no `)` at its end")]
    UnclosedVariation,
    /// An end without a variation.
    #[error("`)` without a variation that it ends")]
    NoVariation,
    /// A variation before the first move.
    #[error("a variation must follow the move that it replaces")]
    VariationWithoutMove,
    /// Variations within variations within variations.
    #[error("variations are nested more than {} deep", super::DEEPEST)]
    TooDeep,
    /// No game is as long.
    #[error("the text of a game is longer than {} MiB", super::LONGEST >> 20)]
    TooLong,
    /// The file cannot be read on.
    #[error("the source cannot be read: {0}")]
    Source(io::ErrorKind),
}
