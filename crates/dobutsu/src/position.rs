//! A position: the pieces on the board, the hands, and the side to move.

use crate::{ByKind, Hand, Kind, Piece, Square, SquareSet};
use game::{BySide, Side};

/// A position. It is legal by construction and has 18 bytes, so a move makes a copy, and there is no undo.
///
/// Every piece is in two sets of squares: that of its kind and that of its side. All queries about the board are
/// intersections of such sets. Two positions are equal if board, hands and side to move are equal. The moves before, which
/// the repetition rule needs, belong to a [`Record`](game::Record).
///
/// Untrusted input becomes a [`Setup`](crate::Setup) first. A checked setup becomes a position.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct Position {
    /// The squares of each kind, for both sides together.
    pub(crate) kinds: ByKind<SquareSet>,
    /// The squares of each side, for all kinds together.
    pub(crate) sides: BySide<SquareSet>,
    /// The pieces that each side may drop.
    pub(crate) hands: BySide<Hand>,
    /// The side to move.
    pub(crate) turn: Side,
}

impl Position {
    /// The squares of a kind, for both sides together.
    #[inline]
    pub fn of_kind(&self, kind: Kind) -> SquareSet {
        self.kinds[kind]
    }

    /// The squares of a side.
    #[inline]
    pub fn of_side(&self, side: Side) -> SquareSet {
        self.sides[side]
    }

    /// The square of a side's lion. Returns `None` if it has been caught.
    #[inline]
    pub fn lion(&self, side: Side) -> Option<Square> {
        (self.kinds[Kind::Lion] & self.sides[side]).first()
    }

    /// The pieces that a side has in hand.
    #[inline]
    pub fn hand(&self, side: Side) -> Hand {
        self.hands[side]
    }

    /// The squares without a piece.
    #[inline]
    pub fn empty(&self) -> SquareSet {
        !(self.sides.first | self.sides.second)
    }

    /// The piece on a square. Returns `None` if the square is empty.
    pub fn piece_at(&self, square: Square) -> Option<Piece> {
        let kind = Kind::ALL.into_iter().find(|&kind| self.kinds[kind].contains(square))?;
        let side = if self.sides.first.contains(square) { Side::First } else { Side::Second };
        Some(Piece { side, kind })
    }

    /// The position with the board turned and the colours exchanged, as the other player sees it.
    #[inline]
    #[must_use]
    pub fn rotate(&self) -> Self {
        Self {
            kinds: self.kinds.map(SquareSet::rotated),
            sides: self.sides.swap().map(SquareSet::rotated),
            hands: self.hands.swap(),
            turn: self.turn.other(),
        }
    }

    /// The position with left and right exchanged.
    #[inline]
    #[must_use]
    pub fn mirror(&self) -> Self {
        Self {
            kinds: self.kinds.map(SquareSet::mirrored),
            sides: self.sides.map(SquareSet::mirrored),
            ..*self
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_position_is_small() {
        assert_eq!(size_of::<Position>(), 18);
        assert_eq!(size_of::<crate::Move>(), 3);
    }
}
