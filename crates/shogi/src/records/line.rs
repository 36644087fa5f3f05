//! A line of moves, each with what is said about it, and what might have been played instead.

use super::DEEPEST;
use super::ending::Ending;
use super::headers::clean;
use crate::moves::Move;
use crate::position::Position;
use game::{IllegalMove, Position as _};
use std::collections::BTreeMap;

/// Moves one after the other. Every one is legal where it stands.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Line {
    pub(super) start: Position,
    /// The move before its first, which a variation has.
    previous: Option<Move>,
    /// How many moves of the game were played before its first.
    pub(super) first: usize,
    /// How many lines are around it.
    depth: usize,
    /// What is said before the first move.
    pub comments: Vec<Comment>,
    turns: Vec<Turn>,
    /// How it ended, if that is known.
    pub end: Option<End>,
    /// Other moves, by the place of the move they replace. The place after the last is that of the end.
    pub(super) variations: BTreeMap<usize, Vec<Line>>,
}

/// A move.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Turn {
    before: Position,
    played: Move,
    /// How long it took.
    pub seconds: Option<u32>,
    /// What is said after it.
    pub comments: Vec<Comment>,
}

/// The end of a line.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct End {
    /// What happened.
    pub ending: Ending,
    /// How long that took.
    pub seconds: Option<u32>,
    /// What is said after it.
    pub comments: Vec<Comment>,
}

/// A line of a comment.
#[derive(Clone, PartialEq, Eq, Hash, Debug, Default)]
pub struct Comment(String);

/// Why there can be no variation.
#[derive(Clone, Copy, PartialEq, Eq, Debug, thiserror::Error)]
pub enum VariationError {
    /// There is no such place.
    #[error("a variation must replace a move, or what follows the last")]
    NoMove,
    /// What replaces the first move of a variation is another variation of the line around it.
    #[error("a variation cannot replace the first move of another")]
    FirstMove,
    /// Variations within variations within variations.
    #[error("variations are nested more than {DEEPEST} deep")]
    TooDeep,
}

impl Line {
    /// No moves yet.
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

    /// Where it begins.
    pub fn start(&self) -> &Position {
        &self.start
    }

    /// Where it leads.
    pub fn last(&self) -> Position {
        self.turns.last().map_or(self.start, Turn::after)
    }

    /// The moves.
    pub fn turns(&self) -> &[Turn] {
        &self.turns
    }

    /// The moves, to say something about them.
    pub fn turns_mut(&mut self) -> &mut [Turn] {
        &mut self.turns
    }

    /// Plays a move after the last.
    ///
    /// # Errors
    /// If it is not legal there; nothing changes then.
    pub fn push(&mut self, m: Move) -> Result<&mut Turn, IllegalMove> {
        let before = self.last();
        if !before.is_legal(m) {
            return Err(IllegalMove);
        }
        let at = self.turns.len();
        self.turns.push(Turn { before, played: m, seconds: None, comments: Vec::new() });
        Ok(&mut self.turns[at])
    }

    /// What might have been played instead of a move, or of the end.
    pub fn variations(&self, at: usize) -> &[Self] {
        self.variations.get(&at).map_or(&[], Vec::as_slice)
    }

    /// Begins another variation in place of a move or of the end, without moves yet.
    ///
    /// # Errors
    /// If none is possible there.
    pub fn add_variation(&mut self, at: usize) -> Result<&mut Self, VariationError> {
        let variation = self.variation(at)?;
        let variations = self.variations.entry(at).or_default();
        let last = variations.len();
        variations.push(variation);
        Ok(&mut variations[last])
    }

    /// A variation that is not yet one of its own.
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

    /// The move before this one.
    pub(super) fn previous(&self, at: usize) -> Option<Move> {
        match at.checked_sub(1) {
            Some(before) => self.turns.get(before).map(|turn| turn.played),
            None => self.previous,
        }
    }

    /// Says something after all that is there.
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

    /// The position after it.
    pub fn after(&self) -> Position {
        self.before.play_unchecked(self.played)
    }

    /// The move.
    pub fn played(&self) -> Move {
        self.played
    }
}

impl End {
    /// An end of which nothing else is known.
    pub const fn new(ending: Ending) -> Self {
        Self { ending, seconds: None, comments: Vec::new() }
    }
}

impl Comment {
    /// A comment; control characters, of which line ends are some, become spaces.
    pub fn new(text: &str) -> Self {
        Self(clean(text))
    }

    /// What it says.
    pub fn text(&self) -> &str {
        &self.0
    }
}
