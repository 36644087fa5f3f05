//! What is wrong with a game's text, and where.

use super::Game;
use super::headers::HeaderError;
use super::line::VariationError;
use crate::setup::SetupError;
use game::quoted;

/// What is wrong with a game, and where it stands.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
#[error("game {game}, line {line}: {kind}")]
pub struct RecordError {
    /// The number of the game in its text, from 1.
    pub game: usize,
    /// The line, from 1.
    pub line: usize,
    /// What is wrong.
    #[source]
    pub kind: RecordErrorKind,
    /// The game up to there.
    pub read: Box<Game>,
}

/// What is wrong with a game.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
pub enum RecordErrorKind {
    /// There is none.
    #[error("there is no game in the text")]
    NoGame,
    /// Something else.
    #[error("{} is nothing that stands in a game's text", quoted(found))]
    Line {
        /// What was found.
        found: String,
    },
    /// A header that cannot be.
    #[error(transparent)]
    Header(#[from] HeaderError),
    /// A handicap that nobody knows.
    #[error("{} is not a handicap, such as `平手` or `二枚落ち`, and there is no diagram", quoted(found))]
    Handicap {
        /// Its name.
        found: String,
    },
    /// Part of a start that cannot be read.
    #[error("{} tells nothing of the position at the start", quoted(found))]
    Start {
        /// What was found.
        found: String,
    },
    /// A diagram of another size.
    #[error("a diagram has 9 ranks, not {found}")]
    Ranks {
        /// Their number.
        found: usize,
    },
    /// A start that no game has.
    #[error("the position at the start: {0}")]
    Setup(#[from] SetupError),
    /// The start is told too late.
    #[error("{} tells of the start, but the moves have begun", quoted(found))]
    LateStart {
        /// What was found.
        found: String,
    },
    /// Not a move.
    #[error("move {number}: {} is not written as a move, such as `{example}`", quoted(found))]
    MoveText {
        /// Its number in the game.
        number: usize,
        /// What was found.
        found: String,
        /// How moves are written.
        example: &'static str,
    },
    /// A move against the rules.
    #[error("move {number}: {} is not a legal move here", quoted(found))]
    IllegalMove {
        /// Its number in the game.
        number: usize,
        /// What was found.
        found: String,
    },
    /// A move of the wrong side.
    #[error("move {number}: {} is the move of a side whose turn it is not", quoted(found))]
    Turn {
        /// Its number in the game.
        number: usize,
        /// What was found.
        found: String,
    },
    /// No such end.
    #[error("{} is not an end of a game, such as `%TORYO`", quoted(found))]
    Ending {
        /// What was found.
        found: String,
    },
    /// More after the end.
    #[error("{} stands behind the end of the game", quoted(found))]
    AfterEnd {
        /// What was found.
        found: String,
    },
    /// A time that cannot be read.
    #[error("{} is not the time that a move took, such as `{example}`", quoted(found))]
    Time {
        /// What was found.
        found: String,
        /// How times are written.
        example: &'static str,
    },
    /// A time that belongs to no move.
    #[error("a time that belongs to no move")]
    TimeWithoutMove,
    /// A variation that does not say where it begins.
    #[error("{} is not the number of a move, such as `12手`", quoted(found))]
    VariationNumber {
        /// What was found.
        found: String,
    },
    /// A variation that cannot be.
    #[error(transparent)]
    Variation(#[from] VariationError),
    /// No game is as long.
    #[error("the text of a game is longer than {} MiB", super::LONGEST >> 20)]
    TooLong,
}
