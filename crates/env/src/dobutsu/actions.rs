//! The moves of Dobutsu shogi, numbered from 0 to 179.
//!
//! | index | what |
//! |---|---|
//! | 0–143 | `12 a + b`: the piece on square a moves to square b |
//! | 144–179 | `144 + 12 k + b`: a giraffe (k = 0), an elephant (1) or a chick (2) is dropped on square b |
//!
//! Squares are numbered from 0 as the side to move sees the board: along its own first rank from left to right, then along
//! the next rank.

use crate::mover::move_seen_by_mover;
use crate::numbered::Numbered;
use dobutsu::{Kind, Move, Position, Square};
use game::Position as _;
use std::fmt;

/// An action, by its index. Every legal move is exactly one action.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct Action(u8);

/// The number of squares of the board.
const SQUARES: u8 = 12;
/// The index of the first action that drops a piece.
const DROPS: u8 = SQUARES * SQUARES;
const COUNT: usize = DROPS as usize + Kind::IN_HAND.len() * SQUARES as usize;

impl Action {
    /// The action of a move of this position.
    pub fn of(position: &Position, m: Move) -> Self {
        Self::seen(move_seen_by_mover(position, m))
    }

    /// The action of a move that is seen by the side to move.
    #[inline]
    const fn seen(m: Move) -> Self {
        Self(match m {
            Move::Step { from, to } => from.index() as u8 * SQUARES + to.index() as u8,
            Move::Drop { kind, to } => DROPS + kind as u8 * SQUARES + to.index() as u8,
        })
    }

    /// The move of this action in a position. The move may be illegal.
    #[inline]
    pub fn as_move(self, position: &Position) -> Move {
        move_seen_by_mover(position, self.as_seen())
    }

    /// The move of this action as the side to move sees it.
    #[inline]
    pub fn as_seen(self) -> Move {
        let square = |number: u8| Square::from_index(number % SQUARES).expect("below 12");
        let to = square(self.0);
        match self.0.checked_sub(DROPS) {
            None => Move::Step { from: square(self.0 / SQUARES), to },
            Some(drop) => Move::Drop { kind: Kind::IN_HAND[usize::from(drop / SQUARES)], to },
        }
    }
}

/// Calls `visit` with the legal actions of a position in which the first side is to move, in ascending order.
#[inline]
pub(super) fn visit(position: &Position, mut visit: impl FnMut(Action)) {
    // The move generator orders moves by the kind of piece. A bit set sorts them by index.
    let mut set = [0u64; COUNT.div_ceil(64)];
    position.for_each_move(|m| {
        let index = Action::seen(m).0;
        set[usize::from(index) / 64] |= 1 << (index % 64);
    });
    for (at, mut word) in set.into_iter().enumerate() {
        while word != 0 {
            visit(Action(at as u8 * 64 + word.trailing_zeros() as u8));
            word &= word - 1;
        }
    }
}

impl Numbered for Action {
    const COUNT: usize = COUNT;

    #[inline]
    fn index(self) -> usize {
        self.0.into()
    }

    #[inline]
    fn from_index(index: usize) -> Option<Self> {
        (index < Self::COUNT).then_some(Self(index as u8))
    }

    fn text(self) -> String {
        self.to_string()
    }
}

/// Writes the action as the side to move sees it, with a1 at its left: `a1a2`, or `C*b2` for a drop.
impl fmt::Display for Action {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.as_seen() {
            Move::Step { from, to } => write!(f, "{from}{to}"),
            Move::Drop { kind, to } => write!(f, "{}*{to}", kind.text()),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn indices_are_as_documented() {
        for (index, text) in [(0, "a1a1"), (16, "b1b2"), (143, "c4c4"), (144, "G*a1"), (179, "C*c4")] {
            assert_eq!(Action::from_index(index).map(|action| action.to_string()), Some(text.to_owned()));
        }
        assert_eq!(Action::all().map(Numbered::index).collect::<Vec<_>>(), (0..180).collect::<Vec<_>>());
        assert_eq!(Action::from_index(180), None);
    }
}
