//! What stands where: any arrangement of pieces, legal or not.

use crate::grid::{Square, SquareSet};
use crate::pieces::{ByKind, Kind, Piece};
use game::{BySide, Side};

/// Pieces on squares: a set for each kind and one for each side, and nothing about whose turn it is or whether a game
/// could have such a board. [`Position`](crate::Position) is one that was checked.
///
/// ```
/// use endspiel_chess::{Board, Square};
/// use game::Side;
///
/// // Both kings are in check; no game has that, but threats can be asked for all the same.
/// let queens: Board = "Q3k3/3Q1Q2/8/8/8/8/2q1q3/3K4".parse()?;
/// assert!(queens.is_attacked(Square::at(4, 7), Side::First));
/// assert!(queens.is_attacked(Square::at(3, 0), Side::Second));
/// # Ok::<(), endspiel_chess::FenError>(())
/// ```
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Default)]
pub struct Board {
    pub(crate) kinds: ByKind<SquareSet>,
    pub(crate) sides: BySide<SquareSet>,
}

impl Board {
    /// No piece at all.
    pub const EMPTY: Self = Self {
        kinds: ByKind([SquareSet::EMPTY; 6]),
        sides: BySide { first: SquareSet::EMPTY, second: SquareSet::EMPTY },
    };

    /// The pieces of a kind, of both sides.
    #[inline]
    pub fn of_kind(&self, kind: Kind) -> SquareSet {
        self.kinds[kind]
    }

    /// The pieces of a side.
    #[inline]
    pub fn of_side(&self, side: Side) -> SquareSet {
        self.sides[side]
    }

    /// The pieces of a kind and side.
    #[inline]
    pub fn of(&self, side: Side, kind: Kind) -> SquareSet {
        self.kinds[kind] & self.sides[side]
    }

    /// All pieces.
    #[inline]
    pub fn occupied(&self) -> SquareSet {
        self.sides.first | self.sides.second
    }

    /// Rooks and queens of a side.
    #[inline]
    pub(crate) fn straight_sliders(&self, side: Side) -> SquareSet {
        (self.kinds[Kind::Rook] | self.kinds[Kind::Queen]) & self.sides[side]
    }

    /// Bishops and queens of a side.
    #[inline]
    pub(crate) fn diagonal_sliders(&self, side: Side) -> SquareSet {
        (self.kinds[Kind::Bishop] | self.kinds[Kind::Queen]) & self.sides[side]
    }

    /// What stands on a square.
    pub fn piece_at(&self, square: Square) -> Option<Piece> {
        let side = if self.sides.first.contains(square) { Side::First } else { Side::Second };
        self.kind_at(square).map(|kind| Piece { side, kind })
    }

    /// The kind of what stands on a square.
    #[inline]
    pub fn kind_at(&self, square: Square) -> Option<Kind> {
        Kind::ALL.into_iter().find(|&kind| self.kinds[kind].contains(square))
    }

    /// Puts a piece on a square, or clears it.
    pub fn set(&mut self, square: Square, piece: Option<Piece>) {
        let (here, others) = (SquareSet::from(square), !SquareSet::from(square));
        self.kinds.0.iter_mut().for_each(|kind| *kind &= others);
        self.sides = self.sides.map(|side| side & others);
        if let Some(Piece { side, kind }) = piece {
            self.kinds[kind] |= here;
            self.sides[side] |= here;
        }
    }

    /// Every piece with its square, from a1 along the ranks.
    pub fn pieces(&self) -> impl Iterator<Item = (Square, Piece)> {
        self.occupied().iter().filter_map(|square| Some((square, self.piece_at(square)?)))
    }
}
