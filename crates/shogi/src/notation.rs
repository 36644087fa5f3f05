//! Positions and moves as text: SFEN and USI.

use crate::draw;
use crate::game::Shogi;
use crate::moves::{Move, name};
use crate::position::Position;
use crate::sfen::PositionError;
use game::{Notation, Style};
use std::fmt::Write;

impl Notation for Shogi {
    type PositionError = PositionError;

    fn parse_position(&self, text: &str) -> Result<Position, PositionError> {
        text.parse()
    }

    fn write_position(&self, position: &Position, out: &mut String) {
        let _ = write!(out, "{position}"); // a String takes everything
    }

    #[inline]
    fn write_move(&self, _: &Position, m: Move, out: &mut String) {
        let mut push = |bytes: [u8; 2]| bytes.into_iter().for_each(|byte| out.push(char::from(byte)));
        match m {
            Move::Step { from, to, promotes, .. } => {
                push(name(from));
                push(name(to));
                if promotes {
                    out.push('+');
                }
            }
            Move::Drop { kind, to } => {
                push([kind.letter() as u8, b'*']);
                push(name(to));
            }
        }
    }

    fn draw(&self, position: &Position, style: Style) -> String {
        draw::draw(position, self.script, style)
    }
}
