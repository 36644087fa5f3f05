//! The games of a file of any length, read one at a time.

use super::error::{RecordError, RecordErrorKind};
use super::headers::VARIATION;
use super::{Game, LONGEST, decode};
use crate::records::draft::usual_start;
use game::TextLines;
use std::io::BufRead;

/// The games of a file, read one by one in bounded memory. [`kif::stream`](super::kif::stream) and
/// [`csa::stream`](super::csa::stream) create it. After a game with an error, reading goes on with the next game.
#[derive(Debug)]
pub struct Stream<R> {
    lines: TextLines<R>,
    format: Format,
    /// The number of the next game.
    game: usize,
    /// The number of the last line.
    line: usize,
    part: Part,
    is_at_end: bool,
}

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Format {
    Kif,
    Csa,
}

/// The text of one game.
#[derive(Debug, Default)]
struct Part {
    bytes: Vec<u8>,
    /// The number of its first line; 0 if it has none.
    first: usize,
    has_moves: bool,
    /// The number of the line with which it became too long.
    too_long_at: Option<usize>,
}

/// What a line is for the division of a file into games.
#[derive(PartialEq, Eq)]
enum Division {
    /// The line lies between two games.
    Between,
    /// The line begins a game, if the one before it has moves.
    Beginning,
    /// The line is the one above the moves. It begins a game as well, if the one before it has moves.
    AboveMoves,
    /// The line has a move, or an end.
    Move,
    Other,
}

impl<R: BufRead> Stream<R> {
    pub(super) fn new(source: R, format: Format) -> Self {
        let lines = TextLines::new(source, LONGEST);
        Self { lines, format, game: 1, line: 0, part: Part::default(), is_at_end: false }
    }

    fn finish(&mut self) -> Option<Result<Game, RecordError>> {
        let part = std::mem::take(&mut self.part);
        let read = part.read(self.format)?;
        let game = self.game;
        self.game += 1;
        Some(read.map_err(|error| RecordError { game, line: part.first + error.line - 1, ..error }))
    }
}

impl<R: BufRead> Iterator for Stream<R> {
    type Item = Result<Game, RecordError>;

    fn next(&mut self) -> Option<Self::Item> {
        while !self.is_at_end {
            self.line += 1;
            let line = match self.lines.read() {
                Ok(Some(line)) => line,
                Ok(None) => {
                    self.is_at_end = true;
                    return self.finish();
                }
                Err(error) => {
                    self.is_at_end = true;
                    let kind = RecordErrorKind::Source(error.kind());
                    return Some(Err(failed(self.game, self.line, kind)));
                }
            };
            let division = self.format.division(line);
            let ends = match division {
                Division::Between => true,
                Division::Beginning | Division::AboveMoves => self.part.has_moves,
                Division::Move | Division::Other => false,
            };
            // The line is copied first, because the part before it is finished by a method of the whole.
            let line = line.to_vec();
            let finished = if ends { self.finish() } else { None };
            if division != Division::Between {
                let has_moves = matches!(division, Division::Move | Division::AboveMoves);
                self.part.add(&line, self.line, has_moves);
            }
            if finished.is_some() {
                return finished;
            }
        }
        None
    }
}

impl Format {
    fn division(self, line: &[u8]) -> Division {
        match self {
            Self::Csa if line.trim_ascii() == b"/" => Division::Between,
            Self::Csa => Division::Other,
            Self::Kif => match line.trim_ascii_start().first() {
                Some(b'0'..=b'9') => Division::Move,
                None | Some(b'*' | b'#' | b'&' | b'|' | b'+') => Division::Other,
                Some(_) => decode(line).map_or(Division::Other, |text| division_of_kif(text.trim_start())),
            },
        }
    }
}

fn division_of_kif(text: &str) -> Division {
    match text.split_once('：') {
        Some((name, _)) if name.trim() != VARIATION => Division::Beginning,
        None if text.starts_with("手数-") => Division::AboveMoves,
        _ => Division::Other,
    }
}

impl Part {
    fn add(&mut self, line: &[u8], number: usize, has_moves: bool) {
        if self.first == 0 {
            self.first = number;
        }
        self.has_moves |= has_moves;
        if self.bytes.len() + line.len() >= LONGEST {
            self.too_long_at.get_or_insert(number);
        }
        if self.too_long_at.is_none() {
            self.bytes.extend_from_slice(line);
            self.bytes.push(b'\n');
        }
    }

    /// Reads the game. Returns `None` if there is none in the text.
    fn read(&self, format: Format) -> Option<Result<Game, RecordError>> {
        if let Some(line) = self.too_long_at {
            return Some(Err(failed(1, line - self.first + 1, RecordErrorKind::TooLong)));
        }
        let text = match decode(&self.bytes) {
            Ok(text) => text,
            Err(error) => return Some(Err(failed(1, 1, error.into()))),
        };
        match format {
            Format::Kif if text.trim().is_empty() => None,
            Format::Kif => Some(super::kif::read(&text)),
            Format::Csa => super::csa::read(&text).next(),
        }
    }
}

fn failed(game: usize, line: usize, kind: RecordErrorKind) -> RecordError {
    RecordError { game, line, kind, read: Box::new(Game::new(usual_start())) }
}
