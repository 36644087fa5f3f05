//! A line of moves with comments and variations.

use super::DEEPEST;
use super::ending::Ending;
use super::headers::clean;
use crate::moves::Move;
use crate::position::Position;
use game::{IllegalMove, Position as _};
use std::collections::BTreeMap;

/// Moves that follow each other. Every move is legal in its position.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Line {
    pub(super) start: Position,
    /// The move before the first one. Only a variation can have it.
    previous: Option<Move>,
    /// The number of moves of the game before the first one.
    pub(super) first: usize,
    /// The number of lines around this one; 0 for the main line.
    depth: usize,
    /// The comments before the first move.
    pub comments: Vec<Comment>,
    turns: Vec<Turn>,
    /// The end, if it is known.
    pub end: Option<End>,
    /// The variations, by the index of the move that they replace. The index after the last move stands for the end.
    pub(super) variations: BTreeMap<usize, Vec<Line>>,
}

/// A move of a line.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Turn {
    before: Position,
    played: Move,
    /// The time of the move, in seconds.
    pub seconds: Option<u32>,
    /// The comments after it.
    pub comments: Vec<Comment>,
}

/// The end of a line.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct End {
    /// How the line ended.
    pub ending: Ending,
    /// The time before the end, in seconds.
    pub seconds: Option<u32>,
    /// The comments after it.
    pub comments: Vec<Comment>,
}

/// One line of a comment.
#[derive(Clone, PartialEq, Eq, Hash, Debug, Default)]
pub struct Comment(String);

/// Why a variation is not possible.
#[derive(Clone, Copy, PartialEq, Eq, Debug, thiserror::Error)]
pub enum VariationError {
    /// The line has no such move.
    #[error("a variation must replace a move, or follow the last move")]
    NoMove,
    /// The variation would replace the first move of another variation. It belongs to the line around that one
    /// instead.
    #[error("a variation cannot replace the first move of another")]
    FirstMove,
    /// The variations are nested too deep.
    #[error("variations are nested more than {DEEPEST} deep")]
    TooDeep,
}

impl Line {
    /// Creates a line without moves.
    pub fn new(start: Position) -> Self {
        Self {
            start,
            previous: None,
            first: 0,
            depth: 0,
            comments: Vec::new(),
            turns: Vec::new(),
            end: None,
            variations: BTreeMap::new(),
        }
    }

    /// The position before the first move.
    pub fn start(&self) -> &Position {
        &self.start
    }

    /// The position after the last move.
    pub fn last(&self) -> Position {
        self.turns.last().map_or(self.start, Turn::after)
    }

    /// The moves.
    pub fn turns(&self) -> &[Turn] {
        &self.turns
    }

    /// The moves, to change their times and comments.
    pub fn turns_mut(&mut self) -> &mut [Turn] {
        &mut self.turns
    }

    /// Adds a move at the end of the line.
    ///
    /// # Errors
    /// Returns an error if the move is not legal. The line does not change then.
    pub fn push(&mut self, m: Move) -> Result<&mut Turn, IllegalMove> {
        let before = self.last();
        if !before.is_legal(m) {
            return Err(IllegalMove);
        }
        let at = self.turns.len();
        self.turns.push(Turn { before, played: m, seconds: None, comments: Vec::new() });
        Ok(&mut self.turns[at])
    }

    /// The variations that replace the move with this index. The index after the last move stands for the end.
    pub fn variations(&self, at: usize) -> &[Self] {
        self.variations.get(&at).map_or(&[], Vec::as_slice)
    }

    /// Adds a variation without moves that replaces the move with this index. The index after the last move stands
    /// for the end.
    ///
    /// # Errors
    /// Returns an error if there is no such move, if the variation would replace the first move of another variation,
    /// or if variations are nested too deep.
    pub fn add_variation(&mut self, at: usize) -> Result<&mut Self, VariationError> {
        let variation = self.variation(at)?;
        let variations = self.variations.entry(at).or_default();
        let last = variations.len();
        variations.push(variation);
        Ok(&mut variations[last])
    }

    /// Creates a variation without adding it to this line.
    pub(super) fn variation(&self, at: usize) -> Result<Self, VariationError> {
        let start = match self.turns.get(at) {
            Some(turn) => turn.before,
            None if at == self.turns.len() => self.last(),
            None => return Err(VariationError::NoMove),
        };
        match self.depth {
            DEEPEST => Err(VariationError::TooDeep),
            1.. if at == 0 => Err(VariationError::FirstMove),
            depth => Ok(Self {
                previous: self.previous(at),
                first: self.first + at,
                depth: depth + 1,
                ..Self::new(start)
            }),
        }
    }

    /// The move before the move with this index.
    pub(super) fn previous(&self, at: usize) -> Option<Move> {
        match at.checked_sub(1) {
            Some(before) => self.turns.get(before).map(|turn| turn.played),
            None => self.previous,
        }
    }

    /// Adds a comment at the end of the line.
    pub(super) fn say(&mut self, text: &str) {
        let comments = match (&mut self.end, self.turns.last_mut()) {
            (Some(end), _) => &mut end.comments,
            (None, Some(turn)) => &mut turn.comments,
            (None, None) => &mut self.comments,
        };
        comments.push(Comment::new(text));
    }
}

impl Turn {
    /// The position before the move.
    pub fn before(&self) -> &Position {
        &self.before
    }

    /// The position after the move.
    pub fn after(&self) -> Position {
        self.before.play_unchecked(self.played)
    }

    /// The move.
    pub fn played(&self) -> Move {
        self.played
    }
}

impl End {
    /// Creates an end without time and comments.
    pub const fn new(ending: Ending) -> Self {
        Self { ending, seconds: None, comments: Vec::new() }
    }
}

impl Comment {
    /// Creates a comment. Control characters become spaces, and so do line ends.
    pub fn new(text: &str) -> Self {
        Self(clean(text))
    }

    /// The text of the comment.
    pub fn text(&self) -> &str {
        &self.0
    }
}
