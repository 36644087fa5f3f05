//! Positions and turns as text.

use crate::draw;
use crate::fen::FenError;
use crate::game::CoTuLenh;
use crate::position::Position;
use crate::turns::Turn;
use game::{Notation, Style};
use std::fmt::Write;

impl Notation for CoTuLenh {
    type PositionError = FenError;

    fn parse_position(&self, text: &str) -> Result<Position, FenError> {
        text.parse()
    }

    fn write_position(&self, position: &Position, out: &mut String) {
        let _ = write!(out, "{position}"); // a String takes everything
    }

    fn write_move(&self, _: &Position, turn: Turn, out: &mut String) {
        let _ = write!(out, "{turn}");
    }

    fn draw(&self, position: &Position, style: Style) -> String {
        draw::draw(position, style)
    }
}
