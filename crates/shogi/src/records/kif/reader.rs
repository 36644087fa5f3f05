//! Reading KIF.

use super::moves;
use super::start::Start;
use crate::records::draft::{Draft, TextLines};
use crate::records::error::{RecordError, RecordErrorKind};
use crate::records::headers::{HANDICAP, VARIATION, hand_of, side_named};
use crate::records::stream::{Format, Stream};
use crate::records::{Ending, Game};
use std::io::BufRead;

/// Reads a game.
///
/// The reader is tolerant: headers may be missing. The numbers of moves, the totals of time, bookmarks (`&`), notes
/// of programs (`#`) and the sentence about the winner are ignored. But every move must be legal.
///
/// ```
/// use endspiel_shogi::records::kif;
///
/// let game = kif::read("
/// 手合割：香落ち
/// 手数----指手---------消費時間--
///    1 ３四歩(33)   ( 0:05/00:00:05)
/// *White begins
///    2 ７六歩(77)   ( 1:02/00:01:02)
///    3 中断
///
/// 変化：2手
///    2 ２六歩(27)
/// ")?;
/// let turns = game.line.turns();
/// assert_eq!(turns[0].comments[0].text(), "White begins");
/// assert_eq!(turns[1].seconds, Some(62));
/// assert_eq!(game.line.variations(1)[0].turns()[0].played().to_string(), "2g2f");
/// # Ok::<(), endspiel_shogi::records::RecordError>(())
/// ```
///
/// # Errors
/// Returns an error if something cannot be read or a move is not legal. The error holds the game up to there.
pub fn read(text: &str) -> Result<Game, RecordError> {
    let mut reader = Reader { draft: Draft::new(), start: Start::default() };
    let mut last = 1;
    for (number, line) in TextLines::of(text) {
        last = number;
        if let Err(kind) = reader.read_line(line) {
            return Err(reader.draft.fail(1, number, kind));
        }
    }
    let end = if reader.draft.is_empty { Err(RecordErrorKind::NoGame) } else { reader.begin() };
    match end {
        Ok(()) => Ok(reader.draft.finish()),
        Err(kind) => Err(reader.draft.fail(1, last, kind)),
    }
}

/// Reads the games of a file one at a time, in bounded memory. The format has no mark between two games: a game begins with
/// the headers that follow the moves of the one before. Each game is [decoded](crate::records::decode) by itself.
///
/// ```
/// use endspiel_shogi::records::kif;
///
/// let games = kif::stream("   1 ７六歩(77)\n手合割：平手\n   1 ２六歩(27)\n".as_bytes()).collect::<Result<Vec<_>, _>>()?;
/// assert_eq!(games[1].line.turns()[0].played().to_string(), "2g2f");
/// # Ok::<(), endspiel_shogi::records::RecordError>(())
/// ```
pub fn stream<R: BufRead>(source: R) -> Stream<R> {
    Stream::new(source, Format::Kif)
}

struct Reader {
    draft: Draft,
    start: Start,
}

const MOVE: &str = "７六歩(77)";
const TIME: &str = "( 0:16/00:00:16)";

impl Reader {
    fn read_line(&mut self, line: &str) -> Result<(), RecordErrorKind> {
        self.draft.measure(line)?;
        let line = line.trim_start();
        let Some(first) = line.chars().next() else { return Ok(()) };
        self.draft.is_empty = false;
        let text = line.trim_end();
        match first {
            '*' => self.draft.say(&line[1..]),
            '#' | '&' => {}
            '|' => self.before_moves(text)?.add_rank(text)?,
            '0'..='9' => self.read_move(text)?,
            _ => match text.split_once('：') {
                Some((name, value)) => self.read_header(name.trim(), value.trim())?,
                None => self.read_words(text)?,
            },
        }
        Ok(())
    }

    /// Reads a line of words. Most of these lines are for people only and are ignored.
    fn read_words(&mut self, text: &str) -> Result<(), RecordErrorKind> {
        const SKIPPED: [&str; 4] = ["手数＝", "まで", "+-", "９"]; // the last two begin the lines around a diagram
        if text.starts_with("手数-") {
            return self.begin();
        }
        match text.strip_suffix('番').and_then(side_named) {
            Some(side) => self.before_moves(text)?.set_turn(side),
            None if SKIPPED.iter().any(|skipped| text.starts_with(skipped)) => {}
            None => return Err(RecordErrorKind::Line { found: text.to_owned() }),
        }
        Ok(())
    }

    /// Returns the start position, to add to it. Returns an error if the moves have begun.
    fn before_moves(&mut self, text: &str) -> Result<&mut Start, RecordErrorKind> {
        match self.draft.has_begun {
            false => Ok(&mut self.start),
            true => Err(RecordErrorKind::LateStart { found: text.to_owned() }),
        }
    }

    /// Begins the moves, unless they have begun.
    fn begin(&mut self) -> Result<(), RecordErrorKind> {
        if !self.draft.has_begun {
            self.draft.begin(self.start.position()?);
        }
        Ok(())
    }

    fn read_header(&mut self, name: &str, value: &str) -> Result<(), RecordErrorKind> {
        match name {
            HANDICAP => self.before_moves(name)?.set_handicap(value),
            VARIATION => {
                self.begin()?;
                let number = value.strip_suffix('手').unwrap_or(value).trim().parse::<usize>().ok();
                let played = number.and_then(|number| number.checked_sub(1));
                let wrong = || RecordErrorKind::VariationNumber { found: value.to_owned() };
                self.draft.branch(played.ok_or_else(wrong)?)?;
            }
            _ => match hand_of(name) {
                Some(side) => self.before_moves(name)?.set_hand(side, value)?,
                None => self.draft.headers.set(name, value)?,
            },
        }
        Ok(())
    }

    /// Reads a line such as `12 ７六歩(77) ( 0:16/00:00:16)`. It may have an end in place of the move.
    fn read_move(&mut self, text: &str) -> Result<(), RecordErrorKind> {
        self.begin()?;
        let text = text.trim_start_matches(|c: char| c.is_ascii_digit()).trim_start();
        let word = text.split(|c: char| c.is_whitespace() || c == '(').next().unwrap_or_default();
        let rest = if let Some(ending) = Ending::from_kif(word) {
            self.draft.end(ending, word)?;
            &text[word.len()..]
        } else {
            let line = self.draft.line();
            let parsed = moves::parse(text, line.previous(line.turns().len()));
            let (m, rest) = parsed.unzip();
            let rest = rest.unwrap_or_default();
            self.draft.play(m, text[..text.len() - rest.len()].trim_end(), MOVE)?;
            rest
        };
        // A `+` follows a move that has variations.
        let time = rest.trim().trim_end_matches('+').trim_end();
        if time.is_empty() {
            return Ok(());
        }
        let seconds =
            seconds(time).ok_or_else(|| RecordErrorKind::Time { found: time.to_owned(), example: TIME })?;
        self.draft.spend(seconds)
    }
}

/// Reads a time such as `( 0:16/00:00:16)`: minutes and seconds. Hours may come before them, and the total time after
/// them.
fn seconds(text: &str) -> Option<u32> {
    let inside = text.strip_prefix('(')?.strip_suffix(')')?;
    let spent = inside.split_once('/').map_or(inside, |(spent, _)| spent).trim();
    spent.split(':').try_fold(0u32, |sum, part| {
        let part = part.bytes().all(|byte| byte.is_ascii_digit()).then(|| part.parse::<u32>().ok())??;
        sum.checked_mul(60)?.checked_add(part)
    })
}
