//! Errors in match files, with their lines.

use super::LONGEST;
use crate::terms::ScoreError;
use game::{BySide, MoveError, quoted};
use std::io;

/// An error in a match file, and its line.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
#[error("line {line}: {kind}")]
pub struct MatError {
    /// The line, counted from 1.
    pub line: usize,
    /// What is wrong.
    #[source]
    pub kind: MatErrorKind,
}

/// The kinds of errors in a match file.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
pub enum MatErrorKind {
    /// The text is too long for a match.
    #[error("the text of a match is longer than {} MiB", LONGEST >> 20)]
    TooLong,
    /// The file does not say how long the match is.
    #[error("there is no line such as ` 7 point match`, or it comes after the first game")]
    NoLength,
    /// A line or a cell does not belong there.
    #[error("{} does not belong here in a match file", quoted(found))]
    Line {
        /// The text that was found.
        found: String,
    },
    /// A line does not name two players with their points.
    #[error("{} does not name two players with their points, such as `Anna : 0  otto : 0`", quoted(found))]
    Players {
        /// The text that was found.
        found: String,
    },
    /// The players are not those of the earlier games.
    #[error("{} are not the players of the earlier games", quoted(found))]
    OtherPlayers {
        /// The text that was found.
        found: String,
    },
    /// The score does not follow from the earlier games.
    #[error("the score is {} : {}, but the earlier games make it {} : {}", found.first, found.second, expected.first, expected.second)]
    Points {
        /// The score in the file.
        found: BySide<u32>,
        /// The score after the earlier games.
        expected: BySide<u32>,
    },
    /// The score is not possible.
    #[error(transparent)]
    Score(#[from] ScoreError),
    /// A cell is neither a roll nor an action with the cube.
    #[error(
        "{} is neither a roll with a move, such as `31: 8/5 6/5`, nor Doubles, Takes or Drops",
        quoted(found)
    )]
    Cell {
        /// The text that was found.
        found: String,
    },
    /// A cell is in the wrong column.
    #[error("{} is in the wrong column: it is the turn of the other player", quoted(found))]
    Turn {
        /// The text that was found.
        found: String,
    },
    /// A move is not legal.
    #[error("{0}")]
    Move(#[from] MoveError),
    /// An action is not possible now.
    #[error("{} cannot be done here", quoted(found))]
    Action {
        /// The text that was found.
        found: String,
    },
    /// A double gives the wrong value of the cube.
    #[error("{} has the wrong value: the cube doubles to {expected} here", quoted(found))]
    CubeValue {
        /// The text that was found.
        found: String,
        /// The value of the cube after the double.
        expected: u32,
    },
    /// A cell follows the end of the game.
    #[error("{} comes after the end of the game", quoted(found))]
    AfterEnd {
        /// The text that was found.
        found: String,
    },
    /// The result is not readable, or not that of the game.
    #[error("{} is not how this game ended{}", quoted(found), expected(*.points))]
    Result {
        /// The text that was found.
        found: String,
        /// The points of the winner, if the game was played to its end.
        points: Option<u32>,
    },
    /// Reading the source failed with an I/O error.
    #[error("the source cannot be read: {0}")]
    Source(io::ErrorKind),
}

impl MatErrorKind {
    /// The text of the move or the action that is wrong.
    pub fn wrong_move(&self) -> Option<&str> {
        match self {
            Self::Move(error) => Some(&error.text),
            Self::Cell { found }
            | Self::Turn { found }
            | Self::Action { found }
            | Self::CubeValue { found, .. } => Some(found),
            _ => None,
        }
    }
}

fn expected(points: Option<u32>) -> String {
    points.map_or(String::new(), |points| format!(": it was won with {points}"))
}
