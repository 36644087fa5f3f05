//! Positions and moves as text: FEN and UCI, and SAN for moves that people type.

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
use game::{Game, MoveError, MoveFault, Notation, Position as _, Side, Style};
use std::fmt::Write;

/// The names of all squares, one after the other. They are constant because millions of moves are written.
const SQUARE_NAMES: &str = "a1b1c1d1e1f1g1h1a2b2c2d2e2f2g2h2a3b3c3d3e3f3g3h3a4b4c4d4e4f4g4h4\
                            a5b5c5d5e5f5g5h5a6b6c6d6e6f6g6h6a7b7c7d7e7f7g7h7a8b8c8d8e8f8g8h8";

#[inline]
fn square_name(square: Square) -> &'static str {
    &SQUARE_NAMES[2 * square.index()..][..2]
}

impl Notation for Chess {
    type PositionError = PositionError;

    /// Reads FEN, X-FEN and Shredder-FEN in both variants, because a position knows the rooks that may castle. Also reads
    /// `startpos`, as in UCI, and EPD and the lines of perft suites. Their operations (`bm e4;`, `;D1 20`) are ignored.
    fn parse_position(&self, text: &str) -> Result<Position, PositionError> {
        let fen = text.split_once(';').map_or(text, |(fen, _)| fen);
        if fen.trim() == "startpos" {
            return Ok(self.start());
        }
        fen.parse().or_else(|error| match text.parse::<Epd>() {
            // Only a text with a semicolon is meant as EPD.
            Ok(epd) if text.contains(';') => Ok(epd.position),
            _ => Err(error),
        })
    }

    fn write_position(&self, position: &Position, out: &mut String) {
        let _ = write!(out, "{position}"); // writing to a String cannot fail
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

    /// Reads UCI in upper or lower case, with the castling notation of either variant, or SAN. If a text has two readings
    /// (in Chess960, `f1g1` may be a step of the king or castling), it means the move that goes exactly to this square.
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

    fn draw_from(&self, position: &Position, view: Side, style: Style) -> String {
        draw::draw(position, view, style)
    }
}

impl Chess {
    /// Returns whether castling is written as a king's move by two squares. This needs standard squares for all castling
    /// rights of the position: an engine that reads one move in the notation of Chess960 reads all moves in it.
    fn castles_by_steps(&self, position: &Position) -> bool {
        self.variant() == Variant::Standard && !position.castles_as_in_chess960()
    }

    fn error(&self, text: &str, fault: MoveFault, mut related: Vec<String>) -> MoveError {
        related.sort();
        MoveError { text: text.to_owned(), fault, related }
    }

    /// Suggests moves for a wrong SAN text: the moves that an ambiguous text fits, or all moves of the same kind of piece.
    fn related_to_san(&self, position: &Position, text: &str, error: SanError) -> Vec<String> {
        match error {
            SanError::Ambiguous { moves, .. } => moves,
            SanError::Illegal { .. } => text.parse().map_or(Vec::new(), |san| alike(position, san)),
            // The text may be the first half of a move.
            SanError::Syntax { .. } => {
                let start = text.get(..2).map(str::to_ascii_lowercase);
                let from = start.and_then(|start| start.parse().ok());
                from.map_or(Vec::new(), |from| self.moves_from(position, from))
            }
        }
    }

    /// Suggests moves for a wrong UCI text: the legal moves to the same square if only the promotion is wrong, otherwise
    /// all legal moves from the start square.
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

/// The legal moves of the same kind of piece. For pawns, only the moves to the same file.
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
