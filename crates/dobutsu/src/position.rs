//! A position: where the pieces are, what the hands hold, whose turn it is.

use crate::grid::{mirrored, rotated};
use crate::{ByKind, Hand, Kind, Move, Piece, Square, SquareSet};
use game::{BySide, Side, Symmetric};

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
            kinds: self.kinds.map(rotated),
            sides: self.sides.swap().map(rotated),
            hands: self.hands.swap(),
            turn: self.turn.other(),
        }
    }

    /// Left and right exchanged.
    #[inline]
    #[must_use]
    pub fn mirror(&self) -> Self {
        Self { kinds: self.kinds.map(mirrored), sides: self.sides.map(mirrored), ..*self }
    }
}

/// The ways to look at a position that the rules do not notice.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Symmetry {
    /// The board turned by 180 degrees, the colours exchanged.
    Rotate,
    /// Left and right exchanged.
    Mirror,
    /// Both of them: up and down exchanged, and the colours.
    RotateMirror,
}

impl Symmetric for Position {
    type Symmetry = Symmetry;

    const SYMMETRIES: &'static [Symmetry] = &[Symmetry::Rotate, Symmetry::Mirror, Symmetry::RotateMirror];

    fn swaps_sides(symmetry: Symmetry) -> bool {
        symmetry != Symmetry::Mirror
    }

    fn image(&self, symmetry: Symmetry) -> Self {
        match symmetry {
            Symmetry::Rotate => self.rotate(),
            Symmetry::Mirror => self.mirror(),
            Symmetry::RotateMirror => self.rotate().mirror(),
        }
    }

    fn move_image(m: Move, symmetry: Symmetry) -> Move {
        let image = |square: Square| match symmetry {
            Symmetry::Rotate => square.rotate(),
            Symmetry::Mirror => square.mirror(),
            Symmetry::RotateMirror => square.rotate().mirror(),
        };
        match m {
            Move::Step { from, to } => Move::Step { from: image(from), to: image(to) },
            Move::Drop { kind, to } => Move::Drop { kind, to: image(to) },
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_position_is_small() {
        assert_eq!(size_of::<Position>(), 18);
        assert_eq!(size_of::<Move>(), 3);
    }
}
