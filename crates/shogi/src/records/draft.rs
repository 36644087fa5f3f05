//! A game that is being read.

use super::encoding::without_mark;
use super::error::{RecordError, RecordErrorKind};
use super::headers::Headers;
use super::line::{End, Line, VariationError};
use super::{Ending, Game, LONGEST};
use crate::moves::Move;
use crate::position::Position;
use crate::sfen::START;

/// The part of a game that has been read so far.
#[derive(Debug)]
pub(super) struct Draft {
    pub(super) headers: Headers,
    main: Line,
    /// The open variations, each within the one before it.
    open: Vec<Line>,
    /// Whether the start position is known, so that moves may follow.
    pub(super) has_begun: bool,
    /// Whether nothing has been read yet.
    pub(super) is_empty: bool,
    /// The length of the text that has been read.
    length: usize,
}

/// The start position of games that give no other.
pub(super) fn usual_start() -> Position {
    START.parse().expect("the start is a position")
}

/// The lines of a text with their numbers, counted from 1. They end in `\n`, `\r\n` or `\r`.
#[derive(Clone, Debug)]
pub(super) struct TextLines<'a> {
    rest: Option<&'a str>,
    number: usize,
}

impl<'a> TextLines<'a> {
    pub(super) fn of(text: &'a str) -> Self {
        Self { rest: Some(without_mark(text)), number: 0 }
    }
}

impl<'a> Iterator for TextLines<'a> {
    type Item = (usize, &'a str);

    fn next(&mut self) -> Option<Self::Item> {
        let text = self.rest?;
        let end = text.find(['\n', '\r']);
        self.rest = end.map(|end| {
            let behind = &text[end..];
            behind.strip_prefix("\r\n").unwrap_or(&behind[1..])
        });
        self.number += 1;
        Some((self.number, &text[..end.unwrap_or(text.len())]))
    }
}

impl Draft {
    pub(super) fn new() -> Self {
        Self {
            headers: Headers::default(),
            main: Line::new(usual_start()),
            open: Vec::new(),
            has_begun: false,
            is_empty: true,
            length: 0,
        }
    }

    /// Adds a line to the length of the text. Returns an error if the text becomes too long.
    pub(super) fn measure(&mut self, line: &str) -> Result<(), RecordErrorKind> {
        self.length += line.len() + 1;
        if self.length > LONGEST { Err(RecordErrorKind::TooLong) } else { Ok(()) }
    }

    /// Sets the start position. From here on moves follow.
    pub(super) fn begin(&mut self, start: Position) {
        self.main.start = start;
        self.has_begun = true;
    }

    /// The line that the next move belongs to.
    pub(super) fn line(&mut self) -> &mut Line {
        self.open.last_mut().unwrap_or(&mut self.main)
    }

    /// The number of the next move.
    pub(super) fn number(&mut self) -> usize {
        let line = self.line();
        line.first + line.turns().len() + 1
    }

    pub(super) fn say(&mut self, text: &str) {
        self.line().say(text);
    }

    /// Plays a move. `m` is `None` if the text could not be read as a move.
    pub(super) fn play(
        &mut self,
        m: Option<Move>,
        text: &str,
        example: &'static str,
    ) -> Result<(), RecordErrorKind> {
        let number = self.number();
        let line = self.line();
        let found = || text.to_owned();
        if line.end.is_some() {
            return Err(RecordErrorKind::AfterEnd { found: found() });
        }
        let m = m.ok_or_else(|| RecordErrorKind::MoveText { number, found: found(), example })?;
        line.push(m).map_err(|_| RecordErrorKind::IllegalMove { number, found: found() })?;
        Ok(())
    }

    pub(super) fn end(&mut self, ending: Ending, text: &str) -> Result<(), RecordErrorKind> {
        let line = self.line();
        if line.end.is_some() {
            return Err(RecordErrorKind::AfterEnd { found: text.to_owned() });
        }
        line.end = Some(End::new(ending));
        Ok(())
    }

    /// Sets the time of the last move, or of the end.
    pub(super) fn spend(&mut self, seconds: u32) -> Result<(), RecordErrorKind> {
        let line = self.line();
        let last = match &mut line.end {
            Some(end) => Some(&mut end.seconds),
            None => line.turns_mut().last_mut().map(|turn| &mut turn.seconds),
        };
        *last.ok_or(RecordErrorKind::TimeWithoutMove)? = Some(seconds);
        Ok(())
    }

    /// Begins a variation after the first `played` moves of the game.
    pub(super) fn branch(&mut self, played: usize) -> Result<(), VariationError> {
        // The variation belongs to the innermost line that began before it and is long enough.
        while let Some(inner) = self.open.last() {
            if inner.first < played && played <= inner.first + inner.turns().len() {
                break;
            }
            self.close();
        }
        let line = self.line();
        let variation = line.variation(played - line.first)?;
        self.open.push(variation);
        Ok(())
    }

    /// Closes the innermost line: it becomes a variation of the line around it.
    fn close(&mut self) {
        let Some(inner) = self.open.pop() else { return };
        let around = self.line();
        around.variations.entry(inner.first - around.first).or_default().push(inner);
    }

    /// Closes all variations and returns the game.
    pub(super) fn finish(mut self) -> Game {
        while !self.open.is_empty() {
            self.close();
        }
        Game { headers: self.headers, line: self.main }
    }

    /// Stops reading because of an error in this line. The error holds the game up to there.
    pub(super) fn fail(self, game: usize, line: usize, kind: RecordErrorKind) -> RecordError {
        RecordError { game, line, kind, read: Box::new(self.finish()) }
    }
}
