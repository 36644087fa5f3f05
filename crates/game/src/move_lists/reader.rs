//! Reads lists of moves, one game at a time, so that a file may be larger than the memory. After a game with an error, reading
//! goes on with the next game.

use super::error::{MoveListError, MoveListErrorKind};
use super::replay::{Given, ListedGame, Replay, option};
use super::{GAME, LONGEST, MOST_TAGS, OPTION, RESULT, START};
use crate::{GameResult, Notation, TextLines};
use std::io::BufRead;

/// Reads games of lists of moves.
pub fn read<G: Notation, R: BufRead>(rules: Given<'_, G>, source: R) -> Reader<'_, G, R> {
    Reader {
        rules,
        lines: TextLines::new(source, LONGEST),
        line: 0,
        draft: Draft::default(),
        is_at_end: false,
    }
}

/// An iterator over games, created by [`read`].
#[derive(Debug)]
pub struct Reader<'a, G: Notation, R> {
    rules: Given<'a, G>,
    lines: TextLines<R>,
    /// The number of the last line.
    line: usize,
    /// The game that is being read.
    draft: Draft<G>,
    is_at_end: bool,
}

impl<G: Notation, R: BufRead> Iterator for Reader<'_, G, R> {
    type Item = Result<ListedGame<G>, MoveListError>;

    fn next(&mut self) -> Option<Self::Item> {
        while !self.is_at_end {
            self.line += 1;
            let mut finished = None;
            match self.lines.read() {
                Ok(Some(bytes)) => {
                    let text = String::from_utf8_lossy(bytes);
                    let text = text.strip_prefix('\u{feff}').unwrap_or(&text);
                    let line = Line::of(text);
                    if matches!(line, Line::Header(GAME, _)) {
                        finished = std::mem::take(&mut self.draft).finish(self.rules, self.line - 1);
                    }
                    self.draft.read_line(self.rules, &line, text.len(), self.line);
                }
                Ok(None) => {
                    self.is_at_end = true;
                    finished = std::mem::take(&mut self.draft).finish(self.rules, self.line - 1);
                }
                Err(error) => {
                    self.is_at_end = true;
                    self.draft.fail(self.line, MoveListErrorKind::Source(error.kind()));
                    finished = std::mem::take(&mut self.draft).finish(self.rules, self.line);
                }
            }
            if finished.is_some() {
                return finished;
            }
        }
        None
    }
}

/// What a line says.
enum Line<'a> {
    /// Nothing, or a comment.
    Silent,
    /// A header: its name and its value.
    Header(&'a str, &'a str),
    /// A move, or an outcome of chance.
    Event(&'a str),
}

impl<'a> Line<'a> {
    fn of(text: &'a str) -> Self {
        let text = text.trim();
        if text.is_empty() || text.starts_with('#') {
            return Self::Silent;
        }
        // Moves may have a colon inside (`boar:a1a2`). Only that of a header is followed by a space, or ends the line.
        match text.split_once(':') {
            Some((name, value)) if value.is_empty() || value.starts_with(char::is_whitespace) => {
                Self::Header(name.trim_end(), value.trim_start())
            }
            _ => Self::Event(text),
        }
    }
}

/// The part of a game that has been read so far. An empty one is the default.
#[derive(Debug)]
struct Draft<G: Notation> {
    is_empty: bool,
    length: usize,
    tags: Vec<(String, String)>,
    options: Vec<(String, String)>,
    result: Option<GameResult>,
    /// The start and the moves. `None` before the start is known.
    moves: Option<Replay<G>>,
    /// No move is played after an error.
    error: Option<MoveListError>,
}

impl<G: Notation> Default for Draft<G> {
    fn default() -> Self {
        Self {
            is_empty: true,
            length: 0,
            tags: Vec::new(),
            options: Vec::new(),
            result: None,
            moves: None,
            error: None,
        }
    }
}

impl<G: Notation> Draft<G> {
    fn fail(&mut self, line: usize, kind: MoveListErrorKind) {
        let ply = self.moves.as_ref().map(|moves| moves.ply());
        self.error.get_or_insert(MoveListError { line, ply, kind });
    }

    fn read_line(&mut self, rules: Given<'_, G>, line: &Line<'_>, length: usize, number: usize) {
        self.length += length + 1;
        if self.length > LONGEST {
            self.fail(number, MoveListErrorKind::TooLong);
        }
        if matches!(line, Line::Silent) {
            return;
        }
        self.is_empty = false;
        if self.error.is_some() {
            return;
        }
        let done = match *line {
            Line::Header(name, value) => self.read_header(rules, name, value),
            Line::Event(text) => self.begin(rules).and_then(|moves| moves.play(rules, text)),
            Line::Silent => Ok(()),
        };
        if let Err(kind) = done {
            self.fail(number, kind);
        }
    }

    fn read_header(&mut self, rules: Given<'_, G>, name: &str, value: &str) -> Result<(), MoveListErrorKind> {
        if self.moves.is_some() && [START, OPTION].contains(&name) {
            return Err(MoveListErrorKind::LateHeader { found: format!("{name}: {value}") });
        }
        match name {
            GAME if value.eq_ignore_ascii_case(G::INFO.name) => {}
            GAME => {
                return Err(MoveListErrorKind::OtherGame { found: value.to_owned(), game: G::INFO.name });
            }
            START => self.moves = Some(Replay::begin(rules, &self.options, Some(value))?),
            RESULT => {
                let wrong =
                    || MoveListErrorKind::Result { found: value.to_owned(), first: G::INFO.sides.first };
                self.result = Some(GameResult::parse(value, G::INFO.sides).ok_or_else(wrong)?);
            }
            OPTION => {
                let (name, value) = value.split_once(char::is_whitespace).unwrap_or((value, ""));
                option::<G>(name)?;
                self.has_room(self.options.len())?;
                self.options.push((name.to_owned(), value.trim_start().to_owned()));
            }
            _ => {
                self.has_room(self.tags.len())?;
                self.tags.push((name.to_owned(), value.to_owned()));
            }
        }
        Ok(())
    }

    const fn has_room(&self, count: usize) -> Result<(), MoveListErrorKind> {
        if count < MOST_TAGS { Ok(()) } else { Err(MoveListErrorKind::TooManyTags) }
    }

    /// The game since its start. Without a header for it, it begins with the start of the rules.
    fn begin(&mut self, rules: Given<'_, G>) -> Result<&mut Replay<G>, MoveListErrorKind> {
        Ok(match self.moves.take() {
            Some(moves) => self.moves.insert(moves),
            None => self.moves.insert(Replay::begin(rules, &self.options, None)?),
        })
    }

    /// Ends the game. Returns `None` if no part of a game was read.
    fn finish(mut self, rules: Given<'_, G>, line: usize) -> Option<Result<ListedGame<G>, MoveListError>> {
        if self.is_empty && self.error.is_none() {
            return None;
        }
        if self.error.is_none()
            && let Err(kind) = self.begin(rules).map(drop)
        {
            self.fail(line, kind);
        }
        if let Some(error) = self.error {
            return Some(Err(error));
        }
        let Self { tags, options, result, .. } = self;
        Some(Ok(self.moves?.finish(tags, options, result)))
    }
}
