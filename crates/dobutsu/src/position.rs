//! A position: where the pieces are, what the hands hold, whose turn it is.

use crate::{ByKind, Hand, Kind, Piece, Square, SquareSet};
use game::{BySide, Side};

/// A position, legal by construction: 18 bytes, copied rather than undone.
///
/// Every piece stands in two sets, that of its kind and that of its side; all questions about the board are
/// intersections of such sets. Two positions are equal when nothing on the table tells them apart; what happened
/// before (for the repetition rule) belongs to a [`Record`](game::Record).
///
/// Untrusted input becomes a [`Setup`](crate::Setup) first, and a position once that has been checked.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct Position {
    /// The squares of each kind, of both sides.
    pub(crate) kinds: ByKind<SquareSet>,
    /// The squares of each side, of all kinds.
    pub(crate) sides: BySide<SquareSet>,
    /// What each side may drop.
    pub(crate) hands: BySide<Hand>,
    /// Who moves.
    pub(crate) turn: Side,
}

impl Position {
    /// The squares of a kind, of both sides.
    #[inline]
    pub fn of_kind(&self, kind: Kind) -> SquareSet {
        self.kinds[kind]
    }

    /// The squares of a side.
    #[inline]
    pub fn of_side(&self, side: Side) -> SquareSet {
        self.sides[side]
    }

    /// A side's lion, unless it has been caught.
    #[inline]
    pub fn lion(&self, side: Side) -> Option<Square> {
        (self.kinds[Kind::Lion] & self.sides[side]).first()
    }

    /// What a side holds in hand.
    #[inline]
    pub fn hand(&self, side: Side) -> Hand {
        self.hands[side]
    }

    /// The squares without a piece.
    #[inline]
    pub fn empty(&self) -> SquareSet {
        !(self.sides.first | self.sides.second)
    }

    /// The piece on a square, if there is one.
    pub fn piece_at(&self, square: Square) -> Option<Piece> {
        let kind = Kind::ALL.into_iter().find(|&kind| self.kinds[kind].contains(square))?;
        let side = if self.sides.first.contains(square) { Side::First } else { Side::Second };
        Some(Piece { side, kind })
    }

    /// The board turned and the colours exchanged: the same position as the other player sees it.
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

    /// Left and right exchanged.
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
