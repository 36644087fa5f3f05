//! Moves as engines write them: UCI, `e2e4`, `e7e8q`.

use crate::castling;
use crate::grid::{Square, home_rank};
use crate::moves::Move;
use crate::pieces::Kind;
use crate::position::Position;
use game::{Position as _, Side};
use std::ops::ControlFlow;

/// A parsed UCI move, which may not be legal.
pub(crate) struct Uci {
    pub from: Square,
    pub to: Square,
    pub promotion: Option<Kind>,
}

impl Uci {
    pub(crate) fn parse(text: &str) -> Option<Self> {
        let (squares, promotion) = (text.get(..4)?, &text[4..]);
        // `B1c3` is a bishop's move in SAN; `b1c3` and `B1C3` are not.
        let is_shouted = squares.bytes().all(|byte| !byte.is_ascii_lowercase());
        let squares = if is_shouted { squares.to_ascii_lowercase() } else { squares.to_owned() };
        let promotion = match *promotion.as_bytes() {
            [] => None,
            [letter] => {
                Some(Kind::from_letter(letter.into()).filter(|kind| Kind::PROMOTIONS.contains(kind))?)
            }
            _ => return None,
        };
        let (from, to) = squares.split_at_checked(2)?;
        Some(Self { from: from.parse().ok()?, to: to.parse().ok()?, promotion })
    }

    /// Finds the legal move that the text means.
    pub(crate) fn find(&self, position: &Position) -> Option<Move> {
        let mut by_arrival = None;
        let written = position.visit_moves(|m| {
            if m.from() == self.from && m.promotion() == self.promotion {
                if m.to() == self.to {
                    return ControlFlow::Break(m);
                }
                if m.is_castling() && king_arrival(m) == self.to {
                    by_arrival = Some(m);
                }
            }
            ControlFlow::Continue(())
        });
        written.break_value().or(by_arrival)
    }
}

/// The square on which the king arrives by this castling move.
pub(crate) fn king_arrival(m: Move) -> Square {
    let side = if m.from().rank() == home_rank(Side::First) { Side::First } else { Side::Second };
    castling::arrival(side, m.is_short_castling()).0
}
