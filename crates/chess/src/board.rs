//! What stands where: any arrangement of pieces, legal or not.

use crate::grid::{Square, SquareSet};
use crate::pieces::{Kind, Piece};
use game::Side;

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
    /// The six kinds, then the two sides. One array, so that a move is the same step on all eight sets at once.
    sets: [SquareSet; 8],
}

/// Where the sides' sets begin.
const SIDES: usize = 6;

/// All squares in the two sets that a piece is in, none in the others.
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
    /// No piece at all.
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

    /// The board after a piece went from a square to another, where it takes what stands there and may be of another kind:
    /// the same three steps on all sets, without a question asked.
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

    /// Takes away what stands on these squares.
    #[inline]
    pub(crate) fn clear(&mut self, squares: SquareSet) {
        self.sets.iter_mut().for_each(|set| *set &= !squares);
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

    /// What stands on a square.
    pub fn piece_at(&self, square: Square) -> Option<Piece> {
        let side = if self.of_side(Side::First).contains(square) { Side::First } else { Side::Second };
        self.kind_at(square).map(|kind| Piece { side, kind })
    }

    /// The kind of what stands on a square.
    #[inline]
    pub fn kind_at(&self, square: Square) -> Option<Kind> {
        Kind::ALL.into_iter().find(|&kind| self.of_kind(kind).contains(square))
    }

    /// Puts a piece on a square, or clears it.
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
