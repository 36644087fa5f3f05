//! What is wrong with a game's text, and where.

use crate::fen::PositionError;
use crate::san::SanError;
use game::quoted;

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
    #[error(transparent)]
    Move(#[from] SanError),
    /// A mark.
    #[error("{} is not a mark from `$0` to `$255`, nor one of `! ? !! ?? !? ?!`", quoted(found))]
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
}
