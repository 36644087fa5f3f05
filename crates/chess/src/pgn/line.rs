//! A line of moves, each with what is said about it and what might have been played instead.

use crate::moves::Move;
use crate::position::Position;
use game::{IllegalMove, Position as _};

/// Moves one after the other. Every one is legal where it stands; but analysts let a side pass, to show what threatens.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Line {
    start: Position,
    /// What is said before the first move.
    pub comments: Vec<Comment>,
    pub(super) turns: Vec<Turn>,
}

/// A move, marks and comments on it, and other moves in its place.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Turn {
    before: Position,
    played: Option<Move>,
    /// Marks.
    pub nags: Vec<Nag>,
    /// What is said after it.
    pub comments: Vec<Comment>,
    pub(super) variations: Vec<Line>,
}

/// A mark by its number: 1 for `!`, 2 for `?` and so on; the PGN standard lists them.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct Nag(pub u16);

/// A comment. Lines are broken anew when it is written, so its words are separated by single spaces.
#[derive(Clone, PartialEq, Eq, Hash, Debug, Default)]
pub struct Comment(String);

impl Line {
    /// No moves yet.
    pub fn new(start: Position) -> Self {
        Self { start, comments: Vec::new(), turns: Vec::new() }
    }

    /// Where it begins.
    pub fn start(&self) -> &Position {
        &self.start
    }

    /// Where it ends.
    pub fn end(&self) -> Position {
        self.turns.last().map_or(self.start, Turn::after)
    }

    /// The moves.
    pub fn turns(&self) -> &[Turn] {
        &self.turns
    }

    /// The moves, to say something about them or to add a variation.
    pub fn turns_mut(&mut self) -> &mut [Turn] {
        &mut self.turns
    }

    /// Plays a move at the end.
    ///
    /// # Errors
    /// If it is not legal there; nothing changes then.
    pub fn push(&mut self, m: Move) -> Result<&mut Turn, IllegalMove> {
        let end = self.end();
        if end.is_legal(m) { Ok(self.push_legal(end, Some(m))) } else { Err(IllegalMove) }
    }

    /// Passes at the end.
    ///
    /// # Errors
    /// If the side to move is in check; nothing changes then.
    pub fn push_pass(&mut self) -> Result<&mut Turn, IllegalMove> {
        let end = self.end();
        if end.pass().is_some() { Ok(self.push_legal(end, None)) } else { Err(IllegalMove) }
    }

    /// Plays a move that is known to be legal at the end, or passes.
    pub(super) fn push_legal(&mut self, end: Position, played: Option<Move>) -> &mut Turn {
        let turn =
            Turn { before: end, played, nags: Vec::new(), comments: Vec::new(), variations: Vec::new() };
        push(&mut self.turns, turn)
    }

    /// Says something at the end.
    pub(super) fn comment(&mut self, comment: Comment) {
        match self.turns.last_mut() {
            Some(turn) => turn.comments.push(comment),
            None => self.comments.push(comment),
        }
    }
}

impl Turn {
    /// The position before the move.
    pub fn before(&self) -> &Position {
        &self.before
    }

    /// The position after it.
    pub fn after(&self) -> Position {
        match self.played {
            Some(m) => self.before.play_unchecked(m),
            None => self.before.passed(),
        }
    }

    /// The move; none where the side passes.
    pub fn played(&self) -> Option<Move> {
        self.played
    }

    /// What might have been played instead.
    pub fn variations(&self) -> &[Line] {
        &self.variations
    }

    /// Begins another variation, which is empty yet. They can be read again up to [`DEEPEST`](super::DEEPEST).
    pub fn add_variation(&mut self) -> &mut Line {
        push(&mut self.variations, Line::new(self.before))
    }
}

/// Appends, and gives what was appended.
fn push<T>(list: &mut Vec<T>, item: T) -> &mut T {
    let at = list.len();
    list.push(item);
    &mut list[at]
}

impl Nag {
    /// The mark with this text: `$5`, or the sign that means the same, alone or behind a move. Of three and more
    /// exclamation and question marks, two count.
    pub(super) fn from_text(text: &str) -> Option<Self> {
        let number = match text {
            "!" => 1,
            "?" => 2,
            "=" => 10,
            "∞" => 13,
            "+=" | "+/=" | "⩲" => 14,
            "=+" | "=/+" | "⩱" => 15,
            "+/-" | "±" => 16,
            "-/+" | "∓" => 17,
            "+-" => 18,
            "-+" => 19,
            "N" => 146,
            "D" => 220,
            _ => match text.as_bytes() {
                [b'$', digits @ ..] if digits.iter().all(u8::is_ascii_digit) => text[1..].parse().ok()?,
                [b'!', b'!', rest @ ..] if is_judgement(rest) => 3,
                [b'?', b'?', rest @ ..] if is_judgement(rest) => 4,
                [b'!', b'?', rest @ ..] if is_judgement(rest) => 5,
                [b'?', b'!', rest @ ..] if is_judgement(rest) => 6,
                _ => return None,
            },
        };
        Some(Self(number))
    }
}

fn is_judgement(marks: &[u8]) -> bool {
    marks.iter().all(|mark| matches!(mark, b'!' | b'?'))
}

impl Comment {
    /// A comment; any white space in it becomes a single space.
    pub fn new(text: &str) -> Self {
        Self(text.split_whitespace().collect::<Vec<_>>().join(" "))
    }

    /// What it says.
    pub fn text(&self) -> &str {
        &self.0
    }
}
