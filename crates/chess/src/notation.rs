//! Positions and moves as text, for the house and for engines: FEN and UCI, and SAN for those who type.

use crate::draw;
use crate::epd::Epd;
use crate::fen::PositionError;
use crate::grid::Square;
use crate::moves::Move;
use crate::pieces::Kind;
use crate::position::Position;
use crate::rules::{Chess, Variant};
use crate::san::{San, SanError};
use crate::uci::{Uci, king_arrival};
use game::{Game, MoveError, MoveFault, Notation, Position as _, Style};
use std::fmt::Write;

/// The names of the squares, one after the other. Moves are written by the million; so their parts are kept ready.
const SQUARE_NAMES: &str = "a1b1c1d1e1f1g1h1a2b2c2d2e2f2g2h2a3b3c3d3e3f3g3h3a4b4c4d4e4f4g4h4\
                            a5b5c5d5e5f5g5h5a6b6c6d6e6f6g6h6a7b7c7d7e7f7g7h7a8b8c8d8e8f8g8h8";

#[inline]
fn square_name(square: Square) -> &'static str {
    &SQUARE_NAMES[2 * square.index()..][..2]
}

impl Notation for Chess {
    type PositionError = PositionError;

    /// FEN, X-FEN and Shredder-FEN in either variant: a position knows with which rooks it castles. `startpos`, as in UCI.
    /// EPD and the lines of perft suites, whose operations (`bm e4;`, `;D1 20`) are passed over.
    fn parse_position(&self, text: &str) -> Result<Position, PositionError> {
        let fen = text.split_once(';').map_or(text, |(fen, _)| fen);
        if fen.trim() == "startpos" {
            return Ok(self.start());
        }
        fen.parse().or_else(|error| match text.parse::<Epd>() {
            // A semicolon tells that it is meant as one.
            Ok(epd) if text.contains(';') => Ok(epd.position),
            _ => Err(error),
        })
    }

    fn write_position(&self, position: &Position, out: &mut String) {
        let _ = write!(out, "{position}"); // a String takes everything
    }

    #[inline]
    fn write_move(&self, position: &Position, m: Move, out: &mut String) {
        let to = if m.is_castling() && self.castles_by_steps(position) { king_arrival(m) } else { m.to() };
        out.push_str(square_name(m.from()));
        out.push_str(square_name(to));
        match m.promotion() {
            None => {}
            Some(Kind::Queen) => out.push('q'),
            Some(Kind::Rook) => out.push('r'),
            Some(Kind::Bishop) => out.push('b'),
            Some(_) => out.push('n'),
        }
    }

    /// UCI in either variant's way to castle, upper and lower case alike, or SAN. Where two readings are possible (in
    /// Chess960, `f1g1` may be a step of the king or castling), the move that is written so is meant.
    fn parse_move(&self, position: &Position, text: &str) -> Result<Move, MoveError> {
        match Uci::parse(text) {
            Some(uci) => uci
                .find(position)
                .ok_or_else(|| self.error(text, MoveFault::Illegal, self.related_to_uci(position, &uci))),
            None => position
                .parse_san(text)
                .map_err(|error| self.error(text, fault(&error), self.related_to_san(position, text, error))),
        }
    }

    fn draw(&self, position: &Position, style: Style) -> String {
        draw::draw(position, style)
    }
}

impl Chess {
    /// Is castling written as the king's two steps? Only if it can be in all that the position allows: an engine that
    /// reads one move of a position in the way of Chess960 reads all so.
    fn castles_by_steps(&self, position: &Position) -> bool {
        self.variant() == Variant::Standard && !position.castles_as_in_chess960()
    }

    fn error(&self, text: &str, fault: MoveFault, mut related: Vec<String>) -> MoveError {
        related.sort();
        MoveError { text: text.to_owned(), fault, related }
    }

    /// What was perhaps meant: the moves that an ambiguous text could be, or all of the same piece.
    fn related_to_san(&self, position: &Position, text: &str, error: SanError) -> Vec<String> {
        match error {
            SanError::Ambiguous { moves, .. } => moves,
            SanError::Illegal { .. } => text.parse().map_or(Vec::new(), |san| alike(position, san)),
            // The first half of a move, perhaps.
            SanError::Syntax { .. } => {
                let start = text.get(..2).map(str::to_ascii_lowercase);
                let from = start.and_then(|start| start.parse().ok());
                from.map_or(Vec::new(), |from| self.moves_from(position, from))
            }
        }
    }

    /// The legal moves to the same square, if only the promotion is wrong; else all from where it begins.
    fn related_to_uci(&self, position: &Position, uci: &Uci) -> Vec<String> {
        let mut related = self.moves_from(position, uci.from);
        let name = square_name(uci.to);
        if related.iter().any(|text| &text[2..4] == name) {
            related.retain(|text| &text[2..4] == name);
        }
        related
    }

    fn moves_from(&self, position: &Position, from: Square) -> Vec<String> {
        let mut texts = Vec::new();
        position.for_each_move(|m| texts.extend((m.from() == from).then(|| self.move_text(position, m))));
        texts
    }
}

fn fault(error: &SanError) -> MoveFault {
    match error {
        SanError::Ambiguous { .. } => MoveFault::Ambiguous,
        SanError::Illegal { .. } => MoveFault::Illegal,
        SanError::Syntax { .. } => MoveFault::NotFound { format: Chess::INFO.move_format },
    }
}

/// The legal moves of such a piece; of pawns, those to the same file.
fn alike(position: &Position, san: San) -> Vec<String> {
    let mut texts = Vec::new();
    position.for_each_move(|m| {
        let is_near = san.kind() != Kind::Pawn || san.to().is_some_and(|to| to.file() == m.to().file());
        texts.extend((m.kind() == san.kind() && is_near).then(|| position.san(m).to_string()));
    });
    texts
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn square_names_equal_their_slow_twin() {
        for square in Square::all() {
            assert_eq!(square_name(square), square.to_string());
        }
    }
}
