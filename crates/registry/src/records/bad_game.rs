//! A game that cannot be read or written, and why.

use std::error::Error;
use std::fmt;

/// A game that was passed over, with the place of the error.
#[derive(Debug)]
pub struct BadGame {
    /// The number of the game in its file, from 1.
    pub game: u64,
    /// The number of the ply, from 1. `None` if the error is not about the moves.
    pub ply: Option<usize>,
    /// The number of the line, from 1. `None` if the game was read but cannot be written.
    pub line: Option<usize>,
    /// The text of the wrong move, if a move is wrong.
    pub wrong_move: Option<String>,
    /// What is wrong.
    pub why: Box<dyn Error + Send + Sync>,
}

impl BadGame {
    /// A game with an error somewhere. The reader of all games adds its number.
    pub(crate) fn new(why: impl Into<Box<dyn Error + Send + Sync>>) -> Self {
        Self { game: 0, ply: None, line: None, wrong_move: None, why: why.into() }
    }
}

impl Error for BadGame {}

impl fmt::Display for BadGame {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "game {}", self.game)?;
        if let Some(ply) = self.ply {
            write!(f, ", ply {ply}")?;
        }
        if let Some(line) = self.line {
            write!(f, ", line {line}")?;
        }
        write!(f, ": {}", self.why)
    }
}
