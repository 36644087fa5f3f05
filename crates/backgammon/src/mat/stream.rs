//! The games of match files, read one at a time.

use super::error::{MatError, MatErrorKind};
use super::read::{Reader, Stage};
use super::{Game, LONGEST, Tag};
use game::{BySide, Event, TextLines};
use std::io::BufRead;

/// Reads the games of match files one at a time, in bounded memory. A file may have several matches. After a game with an error,
/// reading goes on with the next game.
///
/// ```
/// use endspiel_backgammon::mat;
///
/// let file = " 3 point match\n\n Game 1\n Anna : 0 otto : 0\n  1) 31: 8/5 6/4\n\n Game 2\n Anna : 0 otto : 1\n  1) 31: 8/5 6/5\n";
/// let games: Vec<_> = mat::stream(file.as_bytes()).collect();
/// assert_eq!(games[0].as_ref().unwrap_err().ply, Some(1));
/// assert_eq!(games[1].as_ref().unwrap().game.before().second, 1);
/// ```
pub fn stream<R: BufRead>(source: R) -> Stream<R> {
    Stream {
        lines: TextLines::new(source, LONGEST),
        line: 0,
        part: Part::default(),
        held: Part::default(),
        current: Reader::new(false),
        number: 0,
        tags_of_head: None,
        is_at_end: false,
    }
}

/// A game of a match, and what the file says about the match.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct MatchGame {
    /// The tags of the match.
    pub tags: Vec<Tag>,
    /// The points that win the match, or `None` for money.
    pub length: Option<u16>,
    /// Whether the Jacoby rule holds.
    pub jacoby: bool,
    /// The names of the players.
    pub players: BySide<String>,
    /// The number of the game in its match, from 1.
    pub number: usize,
    /// The game.
    pub game: Game,
}

/// An error in a game of a match file.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
#[error("{error}")]
pub struct MatchGameError {
    /// The number of the ply that comes next there, from 1. `None` before the moves.
    pub ply: Option<usize>,
    /// The error.
    #[source]
    pub error: MatError,
}

impl From<MatError> for MatchGameError {
    fn from(error: MatError) -> Self {
        Self { ply: None, error }
    }
}

/// An iterator over games, created by [`stream`].
#[derive(Debug)]
pub struct Stream<R> {
    lines: TextLines<R>,
    /// The number of the last line.
    line: usize,
    /// The text of the game that comes next, with the head of its match if it is the first.
    part: Part,
    /// Comments that may belong to the next match.
    held: Part,
    /// The current match without its games.
    current: Reader,
    /// The number of the last game in its match.
    number: usize,
    /// The number of tags in the head of the match. Later ones are not kept, so that the memory stays bounded.
    tags_of_head: Option<usize>,
    is_at_end: bool,
}

/// Lines of a text, each with its number.
#[derive(Debug, Default)]
struct Part {
    lines: Vec<(usize, String)>,
    length: usize,
    has_head: bool,
    has_game: bool,
    /// The number of the line with which it became too long.
    too_long_at: Option<usize>,
}

/// What a line begins.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Beginning {
    Match,
    Game,
    Comment,
    Nothing,
}

impl Beginning {
    fn of(line: &str) -> Self {
        let line = line.trim_start();
        if line.starts_with(';') {
            return Self::Comment;
        }
        let mut words = line.split_ascii_whitespace();
        match (words.next(), words.next(), words.next()) {
            (Some(_), Some("point" | "points"), Some("match")) => Self::Match,
            (Some("Game"), Some(number), None) if number.bytes().all(|byte| byte.is_ascii_digit()) => {
                Self::Game
            }
            _ => Self::Nothing,
        }
    }
}

impl Part {
    fn add(&mut self, number: usize, line: String) {
        self.length += line.len() + 1;
        if self.length > LONGEST {
            self.too_long_at.get_or_insert(number);
        }
        if self.too_long_at.is_none() {
            self.lines.push((number, line));
        }
    }

    /// Adds the lines of a part that came before.
    fn take(&mut self, held: &mut Self) {
        let held = std::mem::take(held);
        held.lines.into_iter().for_each(|(number, line)| self.add(number, line));
        if let Some(line) = held.too_long_at {
            self.too_long_at.get_or_insert(line);
        }
    }
}

impl<R: BufRead> Iterator for Stream<R> {
    type Item = Result<MatchGame, MatchGameError>;

    fn next(&mut self) -> Option<Self::Item> {
        while !self.is_at_end {
            self.line += 1;
            let line = match self.lines.read() {
                Ok(Some(line)) => String::from_utf8_lossy(line).into_owned(),
                Ok(None) => {
                    self.is_at_end = true;
                    self.part.take(&mut self.held);
                    return self.finish();
                }
                Err(error) => {
                    self.is_at_end = true;
                    let kind = MatErrorKind::Source(error.kind());
                    return Some(Err(MatError { line: self.line, kind }.into()));
                }
            };
            // Some editors write a byte order mark at the start of a file.
            let line = match line.strip_prefix('\u{feff}') {
                Some(line) if self.line == 1 => line.to_owned(),
                _ => line,
            };
            if line.trim().is_empty() {
                continue;
            }
            let mut finished = None;
            match Beginning::of(&line) {
                Beginning::Comment => {
                    self.held.add(self.line, line);
                    continue;
                }
                Beginning::Match => {
                    if self.part.has_head || self.part.has_game || self.current.length.is_some() {
                        finished = self.finish();
                        self.begin_match();
                    }
                    self.part.has_head = true;
                }
                Beginning::Game => {
                    if self.part.has_game {
                        finished = self.finish();
                    }
                    self.part.has_game = true;
                }
                Beginning::Nothing => {}
            }
            self.part.take(&mut self.held);
            self.part.add(self.line, line);
            if finished.is_some() {
                return finished;
            }
        }
        None
    }
}

impl<R> Stream<R> {
    fn begin_match(&mut self) {
        self.current = Reader::new(false);
        self.number = 0;
        self.tags_of_head = None;
    }

    /// Reads the game in the part. Returns `None` if the part has no game.
    fn finish(&mut self) -> Option<Result<MatchGame, MatchGameError>> {
        let part = std::mem::take(&mut self.part);
        if part.lines.is_empty() && part.too_long_at.is_none() {
            return None;
        }
        self.number += usize::from(part.has_game);
        let mut reader = self.current.clone();
        let mut read = read_part(&mut reader, &part);
        // A file does not always say whether the Jacoby rule holds. It is assumed if the points are right only with it.
        if matches!(&read, Err(MatError { kind: MatErrorKind::Result { points: Some(_), .. }, .. }))
            && !reader.jacoby
        {
            let mut with_rule = self.current.clone();
            with_rule.jacoby = true;
            if let Some(current) = &mut with_rule.read {
                current.jacoby = current.length.is_none();
            }
            if let Ok(game) = read_part(&mut with_rule, &part) {
                (reader, read) = (with_rule, Ok(game));
            }
        }
        self.keep(reader);
        if let Some(line) = part.too_long_at {
            read = Err(MatError { line, kind: MatErrorKind::TooLong });
        }
        match read {
            Ok(game) => Some(Ok(self.game(game?))),
            Err(error) => {
                let last = self.current.read.as_ref().and_then(|read| read.games.last());
                let is_move = |event: &Event<_, _>| matches!(event, Event::Move(_));
                let ply = last.map(|game| game.events().iter().filter(|event| is_move(event)).count() + 1);
                if let Some(read) = &mut self.current.read {
                    read.games.clear();
                }
                self.current.expected = None;
                Some(Err(MatchGameError { ply, error }))
            }
        }
    }

    /// Keeps what a reader knows of the match.
    fn keep(&mut self, reader: Reader) {
        self.current = reader;
        self.current.stage = Stage::Between;
        let tags = *self.tags_of_head.get_or_insert(self.current.tags.len());
        self.current.tags.truncate(tags);
    }

    fn game(&mut self, game: Game) -> MatchGame {
        self.current.expected = game.result().map(|_| game.score_after());
        let players = self.current.read.as_ref().map(|read| read.players.clone()).unwrap_or_default();
        MatchGame {
            tags: self.current.tags.clone(),
            length: self.current.length.filter(|&length| length > 0),
            jacoby: self.current.jacoby && self.current.length == Some(0),
            players,
            number: self.number,
            game,
        }
    }
}

/// Reads a part that has at most one game.
fn read_part(reader: &mut Reader, part: &Part) -> Result<Option<Game>, MatError> {
    for (number, line) in &part.lines {
        reader.read_line(line).map_err(|kind| MatError { line: *number, kind })?;
    }
    let last = part.lines.last().map_or(1, |(number, _)| *number);
    reader.begin_silently().map_err(|kind| MatError { line: last, kind })?;
    if reader.length.is_none() {
        return Err(MatError { line: last, kind: MatErrorKind::NoLength });
    }
    Ok(reader.read.as_mut().and_then(|read| read.games.pop()))
}
