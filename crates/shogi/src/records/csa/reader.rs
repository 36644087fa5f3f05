//! Reading CSA.

use super::pieces::{Place, kind, place};
use super::start::Start;
use crate::moves::Move;
use crate::pieces::Kind;
use crate::position::Position;
use crate::records::draft::{Draft, TextLines};
use crate::records::error::{RecordError, RecordErrorKind};
use crate::records::headers::{BLACK, WHITE};
use crate::records::stream::{Format, Stream};
use crate::records::{Ending, Game};
use game::{Position as _, Side};
use std::io::BufRead;

/// Reads the games of a text, which have a line with `/` between them. After a game with an error, reading goes on
/// with the next game.
///
/// The reader is tolerant: it reads all versions of the format, headers and start position may be missing, and
/// fractions of a second are cut off. But every move must be legal.
///
/// ```
/// use endspiel_shogi::records::csa;
///
/// let games = csa::read("V2.2\nPI\n+\n+7776FU,T12\n-3334FU\n'good\n%CHUDAN\n/\nPI82HI22KA\n-\n-5142OU\n");
/// let games = games.collect::<Result<Vec<_>, _>>()?;
/// assert_eq!(games[0].line.turns()[0].seconds, Some(12));
/// assert_eq!(games[1].line.start().to_string(), "lnsgkgsnl/9/ppppppppp/9/9/9/PPPPPPPPP/1B5R1/LNSGKGSNL w - 1");
/// # Ok::<(), endspiel_shogi::records::RecordError>(())
/// ```
pub fn read(text: &str) -> Games<'_> {
    Games { lines: TextLines::of(text), game: 1 }
}

/// The games of a text, read one by one. See [`read`].
#[derive(Clone, Debug)]
pub struct Games<'a> {
    lines: TextLines<'a>,
    /// The number of the next game.
    game: usize,
}

impl Iterator for Games<'_> {
    type Item = Result<Game, RecordError>;

    fn next(&mut self) -> Option<Self::Item> {
        let mut reader = Reader::new();
        let (mut last, mut fault) = (0, None);
        loop {
            let line = self.lines.next();
            match line {
                // The first line may name the encoding. It has no meaning here, because the text is already decoded.
                Some((1, line)) if line.starts_with("'CSA encoding=") => {}
                Some((number, line)) if line.trim() != "/" => {
                    last = number;
                    if fault.is_none() {
                        fault = reader.read_line(line).err().map(|kind| (number, kind));
                    }
                }
                _ => {
                    if !reader.draft.is_empty || fault.is_some() {
                        return Some(reader.finish(self.take_number(), last, fault));
                    }
                    line?;
                    reader = Reader::new();
                }
            }
        }
    }
}

impl Games<'_> {
    fn take_number(&mut self) -> usize {
        self.game += 1;
        self.game - 1
    }
}

/// Reads the games of a file one at a time, in bounded memory. They have a line with `/` between them. Each game is [decoded](crate::records::decode) by itself.
///
/// ```
/// use endspiel_shogi::records::csa;
///
/// let games = csa::stream("+7776FU\n/\n+2726FU\n".as_bytes()).collect::<Result<Vec<_>, _>>()?;
/// assert_eq!(games[1].line.turns()[0].played().to_string(), "2g2f");
/// # Ok::<(), endspiel_shogi::records::RecordError>(())
/// ```
pub fn stream<R: BufRead>(source: R) -> Stream<R> {
    Stream::new(source, Format::Csa)
}

struct Reader {
    draft: Draft,
    start: Start,
}

const MOVE: &str = "+7776FU";
const TIME: &str = "T16";

impl Reader {
    fn new() -> Self {
        Self { draft: Draft::new(), start: Start::default() }
    }

    fn read_line(&mut self, line: &str) -> Result<(), RecordErrorKind> {
        let mut rest = line.trim_start();
        let is_version = rest.starts_with('V') && !rest.contains(',');
        self.draft.is_empty &= rest.is_empty() || is_version;
        self.draft.measure(line)?;
        // A comma in a header is part of its text.
        if rest.starts_with(['N', '$']) {
            return self.read_header(rest);
        }
        while !rest.is_empty() {
            if let Some(comment) = rest.strip_prefix('\'') {
                self.draft.say(comment);
                break;
            }
            let (statement, behind) = rest.split_once(',').unwrap_or((rest, ""));
            self.read_statement(statement.trim_end())?;
            rest = behind.trim_start();
        }
        Ok(())
    }

    fn read_header(&mut self, text: &str) -> Result<(), RecordErrorKind> {
        let header = match text.split_at_checked(2) {
            Some(("N+", name)) => Some((BLACK, name)),
            Some(("N-", name)) => Some((WHITE, name)),
            _ => text.strip_prefix('$').and_then(|text| text.split_once(':')),
        };
        let (name, value) = header.ok_or_else(|| RecordErrorKind::Line { found: text.to_owned() })?;
        Ok(self.draft.headers.set(name, value)?)
    }

    fn read_statement(&mut self, text: &str) -> Result<(), RecordErrorKind> {
        let found = || text.to_owned();
        let is_start = text.starts_with('P') || text == "+" || text == "-";
        if is_start && self.draft.has_begun {
            return Err(RecordErrorKind::LateStart { found: found() });
        }
        let Some(first) = text.chars().next() else { return Ok(()) };
        match first {
            'V' => Ok(()),
            'P' => self.start.read(text),
            '+' => self.read_move(Side::First, text),
            '-' => self.read_move(Side::Second, text),
            'T' => {
                let wrong = || RecordErrorKind::Time { found: found(), example: TIME };
                self.draft.spend(seconds(text).ok_or_else(wrong)?)
            }
            '%' => {
                self.begin(Side::First)?;
                let ending = Ending::from_csa(text, self.draft.line().last().turn());
                self.draft.end(ending.ok_or_else(|| RecordErrorKind::Ending { found: found() })?, text)
            }
            _ => Err(RecordErrorKind::Line { found: found() }),
        }
    }

    /// Reads a move, or only the sign of the side that moves first.
    fn read_move(&mut self, side: Side, text: &str) -> Result<(), RecordErrorKind> {
        self.begin(side)?;
        if text.len() == 1 {
            return Ok(());
        }
        let before = self.draft.line().last();
        if before.turn() != side {
            let number = self.draft.number();
            return Err(RecordErrorKind::Turn { number, found: text.to_owned() });
        }
        self.draft.play(parse(&before, text), text, MOVE)
    }

    /// Begins the moves, unless they have begun. `turn` is the side that moves first.
    fn begin(&mut self, turn: Side) -> Result<(), RecordErrorKind> {
        if !self.draft.has_begun {
            self.draft.begin(self.start.position(turn)?);
        }
        Ok(())
    }

    fn finish(
        mut self,
        game: usize,
        last: usize,
        fault: Option<(usize, RecordErrorKind)>,
    ) -> Result<Game, RecordError> {
        let fault = fault.or_else(|| Some((last, self.begin(Side::First).err()?)));
        match fault {
            None => Ok(self.draft.finish()),
            Some((line, kind)) => Err(self.draft.fail(game, line, kind)),
        }
    }
}

/// Reads a move such as `+7776FU`, legal or not. It gives the kind after the move, so that the board must show
/// whether the man promotes.
fn parse(before: &Position, text: &str) -> Option<Move> {
    let (_, rest) = text.split_at_checked(1)?;
    let (from, rest) = rest.split_at_checked(2)?;
    let (to, code) = rest.split_at_checked(2)?;
    let (Place::On(to), kind) = (place(to)?, kind(code)?) else { return None };
    match place(from)? {
        Place::Hand => Some(Move::Drop { kind, to }),
        Place::On(from) => {
            let before = before.board().piece_at(from).map(|man| man.kind);
            let promotes = before.and_then(Kind::promoted) == Some(kind);
            Some(Move::Step { kind: if promotes { kind.original() } else { kind }, from, to, promotes })
        }
    }
}

/// Reads a time such as `T16` or `T16.5`, in whole seconds.
fn seconds(text: &str) -> Option<u32> {
    let text = text.strip_prefix('T')?;
    let (whole, part) = text.split_once('.').unwrap_or((text, ""));
    let are_digits = |text: &str| text.bytes().all(|byte| byte.is_ascii_digit());
    if are_digits(whole) && are_digits(part) { whole.parse().ok() } else { None }
}
