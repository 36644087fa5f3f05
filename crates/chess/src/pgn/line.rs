//! A line of moves, each with its comments, marks and variations.

use crate::moves::Move;
use crate::position::Position;
use game::{IllegalMove, Position as _};

/// A line of moves. Every move is legal where it is played. A side may also pass: analysts use a pass to show a threat.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Line {
    start: Position,
    /// The comments before the first move.
    pub comments: Vec<Comment>,
    pub(super) turns: Vec<Turn>,
}

/// A move with its marks, comments and variations.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Turn {
    before: Position,
    played: Option<Move>,
    /// The marks of the move.
    pub nags: Vec<Nag>,
    /// The comments after the move.
    pub comments: Vec<Comment>,
    pub(super) variations: Vec<Line>,
}

/// A mark by its number: 1 for `!`, 2 for `?` and so on. The PGN standard lists the numbers.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct Nag(pub u16);

/// A comment. Its words are separated by single spaces, because its lines are broken anew when it is written.
#[derive(Clone, PartialEq, Eq, Hash, Debug, Default)]
pub struct Comment(String);

impl Line {
    /// Creates a line without moves.
    pub fn new(start: Position) -> Self {
        Self { start, comments: Vec::new(), turns: Vec::new() }
    }

    /// The position at the start of the line.
    pub fn start(&self) -> &Position {
        &self.start
    }

    /// The position at the end of the line.
    pub fn end(&self) -> Position {
        self.turns.last().map_or(self.start, Turn::after)
    }

    /// The moves.
    pub fn turns(&self) -> &[Turn] {
        &self.turns
    }

    /// The moves, so that comments, marks and variations can be added.
    pub fn turns_mut(&mut self) -> &mut [Turn] {
        &mut self.turns
    }

    /// Plays a move at the end of the line.
    ///
    /// # Errors
    /// Returns an error if the move is not legal there. The line is then unchanged.
    pub fn push(&mut self, m: Move) -> Result<&mut Turn, IllegalMove> {
        let end = self.end();
        if end.is_legal(m) { Ok(self.push_legal(end, Some(m))) } else { Err(IllegalMove) }
    }

    /// Passes at the end of the line.
    ///
    /// # Errors
    /// Returns an error if the side to move is in check. The line is then unchanged.
    pub fn push_pass(&mut self) -> Result<&mut Turn, IllegalMove> {
        let end = self.end();
        if end.pass().is_some() { Ok(self.push_legal(end, None)) } else { Err(IllegalMove) }
    }

    /// Plays a move that is known to be legal at the end of the line, or passes if `played` is `None`.
    pub(super) fn push_legal(&mut self, end: Position, played: Option<Move>) -> &mut Turn {
        let turn =
            Turn { before: end, played, nags: Vec::new(), comments: Vec::new(), variations: Vec::new() };
        push(&mut self.turns, turn)
    }

    /// Adds a comment at the end of the line.
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

    /// The position after the move.
    pub fn after(&self) -> Position {
        match self.played {
            Some(m) => self.before.play_unchecked(m),
            None => self.before.passed(),
        }
    }

    /// The move; `None` if the side passes.
    pub fn played(&self) -> Option<Move> {
        self.played
    }

    /// The variations: lines that begin with another move instead of this one.
    pub fn variations(&self) -> &[Line] {
        &self.variations
    }

    /// Adds an empty variation. Nested variations can be read back up to a depth of [`DEEPEST`](super::DEEPEST).
    pub fn add_variation(&mut self) -> &mut Line {
        push(&mut self.variations, Line::new(self.before))
    }
}

/// Appends an item and returns a reference to it.
fn push<T>(list: &mut Vec<T>, item: T) -> &mut T {
    let at = list.len();
    list.push(item);
    &mut list[at]
}

impl Nag {
    /// Reads a mark: `$5`, or the sign that means the same, alone or after a move. Of three or more exclamation and question
    /// marks, the first two count.
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
    /// Creates a comment. Any white space in it becomes a single space.
    pub fn new(text: &str) -> Self {
        Self(text.split_whitespace().collect::<Vec<_>>().join(" "))
    }

    /// The text of the comment.
    pub fn text(&self) -> &str {
        &self.0
    }
}
