//! The placement of pieces on the board, legal or not.

use crate::grid::{Square, SquareSet};
use crate::pieces::{Kind, Piece};
use bits::Lanes;
use game::Side;

/// Pieces on squares: one set of squares for each kind and one for each side. The side to move is not part of it, and the
/// placement need not be legal. A [`Position`](crate::Position) has a board that was checked.
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
    /// The six kinds, then the two sides. They are in one array, so that a move applies the same operations to all eight.
    sets: [SquareSet; 8],
}

/// The index of the first side in the array of sets.
const SIDES: usize = 6;

/// Masks for a piece: all squares in the set of its kind and the set of its side, none in the others.
const fn sets_of(side: Side, kind: Kind) -> [SquareSet; 8] {
    let mut sets = [SquareSet::EMPTY; 8];
    sets[kind as usize] = SquareSet::from_word(!0);
    sets[SIDES + side as usize] = SquareSet::from_word(!0);
    sets
}

static SETS_OF: [[[SquareSet; 8]; 6]; 2] = {
    let mut table = [[[SquareSet::EMPTY; 8]; 6]; 2];
    let mut i = 0;
    while i < 12 {
        table[i / 6][i % 6] = sets_of(Side::ALL[i / 6], Kind::ALL[i % 6]);
        i += 1;
    }
    table
};

impl Board {
    /// The board without pieces.
    pub const EMPTY: Self = Self { sets: [SquareSet::EMPTY; 8] };

    /// The pieces of a kind, of both sides.
    #[inline]
    pub const fn of_kind(&self, kind: Kind) -> SquareSet {
        self.sets[kind as usize]
    }

    /// The pieces of a side.
    #[inline]
    pub const fn of_side(&self, side: Side) -> SquareSet {
        self.sets[SIDES + side as usize]
    }

    /// The pieces of a kind and side.
    #[inline]
    pub fn of(&self, side: Side, kind: Kind) -> SquareSet {
        self.of_kind(kind) & self.of_side(side)
    }

    /// All pieces.
    #[inline]
    pub fn occupied(&self) -> SquareSet {
        self.of_side(Side::First) | self.of_side(Side::Second)
    }

    /// Returns the board after a piece moved from one square to another. It captures a piece that stands there, and it may
    /// arrive as another kind. The same three operations apply to all sets, without a branch.
    #[inline(always)]
    pub(crate) fn moved(
        &self,
        side: Side,
        (left, from): (Kind, SquareSet),
        (came, to): (Kind, SquareSet),
    ) -> Self {
        let leaving = &SETS_OF[side as usize][left as usize];
        let coming = &SETS_OF[side as usize][came as usize];
        let mut sets = self.sets;
        for i in 0..8 {
            sets[i] = (sets[i] & !to) ^ (leaving[i] & from) ^ (coming[i] & to);
        }
        Self { sets }
    }

    /// Removes the pieces from these squares.
    #[inline]
    pub(crate) fn clear(&mut self, squares: SquareSet) {
        self.sets.iter_mut().for_each(|set| *set &= !squares);
    }

    /// All sets in vectors: pawns, knights, bishops and rooks; queens, kings, White and Black.
    #[inline]
    pub(crate) const fn lanes(&self) -> [Lanes; 2] {
        let [pawns, knights, bishops, rooks, queens, kings, white, black] = self.sets;
        [
            Lanes::new([pawns.word(), knights.word(), bishops.word(), rooks.word()]),
            Lanes::new([queens.word(), kings.word(), white.word(), black.word()]),
        ]
    }

    /// Rooks and queens of a side.
    #[inline]
    pub(crate) fn straight_sliders(&self, side: Side) -> SquareSet {
        (self.of_kind(Kind::Rook) | self.of_kind(Kind::Queen)) & self.of_side(side)
    }

    /// Bishops and queens of a side.
    #[inline]
    pub(crate) fn diagonal_sliders(&self, side: Side) -> SquareSet {
        (self.of_kind(Kind::Bishop) | self.of_kind(Kind::Queen)) & self.of_side(side)
    }

    /// The piece on a square.
    pub fn piece_at(&self, square: Square) -> Option<Piece> {
        let side = if self.of_side(Side::First).contains(square) { Side::First } else { Side::Second };
        self.kind_at(square).map(|kind| Piece { side, kind })
    }

    /// The kind of the piece on a square.
    #[inline]
    pub fn kind_at(&self, square: Square) -> Option<Kind> {
        Kind::ALL.into_iter().find(|&kind| self.of_kind(kind).contains(square))
    }

    /// Puts a piece on a square, or clears the square.
    pub fn set(&mut self, square: Square, piece: Option<Piece>) {
        self.clear(SquareSet::from(square));
        if let Some(Piece { side, kind }) = piece {
            self.sets[kind as usize] |= SquareSet::from(square);
            self.sets[SIDES + side as usize] |= SquareSet::from(square);
        }
    }

    /// Every piece with its square, from a1 along the ranks.
    pub fn pieces(&self) -> impl Iterator<Item = (Square, Piece)> {
        self.occupied().iter().filter_map(|square| Some((square, self.piece_at(square)?)))
    }
}
