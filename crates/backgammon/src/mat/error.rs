//! What is wrong with a match file, and where.

use super::LONGEST;
use crate::terms::ScoreError;
use game::{BySide, MoveError, quoted};

/// What is wrong, and in which line.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
#[error("line {line}: {kind}")]
pub struct MatError {
    /// The line, from 1.
    pub line: usize,
    /// What is wrong.
    #[source]
    pub kind: MatErrorKind,
}

/// What is wrong with a match file.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
pub enum MatErrorKind {
    /// No match is as long.
    #[error("the text of a match is longer than {} MiB", LONGEST >> 20)]
    TooLong,
    /// It does not say what is played.
    #[error("there is no line such as ` 7 point match`, or it stands behind the first game")]
    NoLength,
    /// Something else.
    #[error("{} is nothing that stands in a match file", quoted(found))]
    Line {
        /// What was found.
        found: String,
    },
    /// Not two players with their points.
    #[error("{} does not name two players with their points, such as `Anna : 0  otto : 0`", quoted(found))]
    Players {
        /// What was found.
        found: String,
    },
    /// Somebody else than before.
    #[error("{} are not the players of the games before", quoted(found))]
    OtherPlayers {
        /// What was found.
        found: String,
    },
    /// The games before came to something else.
    #[error("the score is {} : {}, but the games before make it {} : {}", found.first, found.second, expected.first, expected.second)]
    Points {
        /// What is said.
        found: BySide<u32>,
        /// What was played.
        expected: BySide<u32>,
    },
    /// No such score.
    #[error(transparent)]
    Score(#[from] ScoreError),
    /// Neither a roll nor a word of the cube.
    #[error(
        "{} is neither a roll with a move, such as `31: 8/5 6/5`, nor Doubles, Takes or Drops",
        quoted(found)
    )]
    Cell {
        /// What was found.
        found: String,
    },
    /// In the wrong column.
    #[error("{} stands in the column of the player whose turn it is not", quoted(found))]
    Turn {
        /// What was found.
        found: String,
    },
    /// Against the rules.
    #[error("{0}")]
    Move(#[from] MoveError),
    /// Nothing of the kind can be done now.
    #[error("{} cannot be done here", quoted(found))]
    Action {
        /// What was found.
        found: String,
    },
    /// The cube is at something else.
    #[error("{} would double to {expected}", quoted(found))]
    CubeValue {
        /// What was found.
        found: String,
        /// What the cube goes to.
        expected: u32,
    },
    /// The game was over.
    #[error("{} stands behind the end of the game", quoted(found))]
    AfterEnd {
        /// What was found.
        found: String,
    },
    /// No result, or not that of the game.
    #[error("{} is not how this game ended{}", quoted(found), expected(*.points))]
    Result {
        /// What was found.
        found: String,
        /// The points that it was won with, if it was played to its end.
        points: Option<u32>,
    },
}

fn expected(points: Option<u32>) -> String {
    points.map_or(String::new(), |points| format!(": it was won with {points}"))
}
