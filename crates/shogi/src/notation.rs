//! Positions and moves as text: SFEN and USI.

use crate::draw;
use crate::moves::{Move, square};
use crate::pieces::Kind;
use crate::position::Position;
use crate::rules::Shogi;
use crate::sfen::PositionError;
use crate::spelling;
use game::{Game, MoveError, MoveFault, Notation, Position as _, Side, Style};
use std::fmt::Write;

impl Notation for Shogi {
    type PositionError = PositionError;

    fn parse_position(&self, text: &str) -> Result<Position, PositionError> {
        text.parse()
    }

    fn write_position(&self, position: &Position, out: &mut String) {
        let _ = write!(out, "{position}"); // writing to a String cannot fail
    }

    #[inline]
    fn write_move(&self, _: &Position, m: Move, out: &mut String) {
        m.write_usi(|byte| out.push(char::from(byte)));
    }

    /// Reads USI in upper or lower case. Some programs write `2b3c=` for a move without promotion; this is read, too, and so are
    /// the ways in which players write moves.
    fn parse_move(&self, position: &Position, text: &str) -> Result<Move, MoveError> {
        self.parse_reply(position, None, text)
    }

    /// Reads a move as [`parse_move`](Self::parse_move) does, and also one to the square of the move before: `同　歩`.
    fn parse_reply(
        &self,
        position: &Position,
        previous: Option<Move>,
        text: &str,
    ) -> Result<Move, MoveError> {
        let parsed = parse(position, text);
        let found = parsed.filter(|&m| position.is_legal(m));
        if let Some(m) = found {
            return Ok(m);
        }
        let spelt = spelling::find(position, previous, text);
        if let &[m] = &spelt[..] {
            return Ok(m);
        }
        Err(if spelt.is_empty() {
            let why = parsed.and_then(|m| position.why_not(m));
            let fault = match why {
                Some(why) => MoveFault::Forbidden { why },
                None => MoveFault::NotFound { format: Self::INFO.move_format },
            };
            MoveError { text: text.to_owned(), fault, related: self.moves_beginning_as(position, text) }
        } else {
            let related = spelt.into_iter().map(|m| self.move_text(position, m)).collect();
            MoveError { text: text.to_owned(), fault: MoveFault::Ambiguous, related }
        })
    }

    /// A space may stand behind `同`.
    fn words_of_move(&self, words: &[&str]) -> usize {
        if words[0].ends_with('同') { 2 } else { 1 }
    }

    fn draw_from(&self, position: &Position, view: Side, style: Style) -> String {
        draw::draw(position, view, self.script, style)
    }
}

impl Shogi {
    /// Returns the legal moves that may have been meant. For a drop these are drops of the same kind on the same
    /// file, or else all drops of the kind. For a step these are all moves of the same man.
    fn moves_beginning_as(&self, position: &Position, text: &str) -> Vec<String> {
        let beginning_alike = |letters: usize| {
            let mut related = Vec::new();
            position.for_each_move(|m| {
                let written = self.move_text(position, m);
                let mut shared = written.bytes().zip(text.bytes()).take(letters);
                let is_alike = text.len() >= letters && shared.all(|(a, b)| a.eq_ignore_ascii_case(&b));
                related.extend(is_alike.then_some(written));
            });
            related.sort();
            related
        };
        let closest = if text.contains('*') { beginning_alike(3) } else { Vec::new() };
        if closest.is_empty() { beginning_alike(2) } else { closest }
    }
}

/// Parses a move in USI, legal or not.
fn parse(position: &Position, text: &str) -> Option<Move> {
    let lower = text.to_ascii_lowercase();
    let (text, promotes) = match lower.strip_suffix('+') {
        Some(text) => (text, true),
        None => (lower.strip_suffix('=').unwrap_or(&lower), false),
    };
    match *text.as_bytes() {
        [letter, b'*', file, rank] if !promotes => {
            let kind = Kind::from_letter(char::from(letter.to_ascii_uppercase()))?;
            Some(Move::Drop { kind, to: square(file, rank)? })
        }
        [from_file, from_rank, file, rank] => {
            let (from, to) = (square(from_file, from_rank)?, square(file, rank)?);
            Some(Move::Step { kind: position.board().piece_at(from)?.kind, from, to, promotes })
        }
        _ => None,
    }
}
