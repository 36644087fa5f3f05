//! Where king and rook arrive, and what must be empty and safe on the way.

use crate::grid::{Square, SquareSet, home_rank};
use crate::steps;
use game::Side;

/// Files on which king and rook arrive, from 0: g and f to the h-side, c and d to the a-side.
const SHORT: (u8, u8) = (6, 5);
const LONG: (u8, u8) = (2, 3);

/// Are these the squares of king and rook in the usual array, on whichever home rank?
pub(crate) const fn is_standard(king: Square, rook: Square) -> bool {
    king.file() == 4 && matches!(rook.file(), 0 | 7)
}

/// Where king and rook arrive.
#[inline]
pub(crate) const fn arrival(side: Side, short: bool) -> (Square, Square) {
    let (king, rook) = if short { SHORT } else { LONG };
    (Square::at(king, home_rank(side)), Square::at(rook, home_rank(side)))
}

/// What one castling asks for.
pub(crate) struct Path {
    /// Squares on which nothing but this king and rook may stand.
    pub empty: SquareSet,
    /// Squares that must not be attacked: those the king crosses, and where it arrives.
    pub safe: SquareSet,
}

/// The way of a king and its rook.
#[inline]
pub(crate) fn path(side: Side, king: Square, rook: Square) -> Path {
    let (king_to, rook_to) = arrival(side, rook.index() > king.index());
    let crossed = steps::between(king, king_to) | SquareSet::from(king_to);
    let by_rook = steps::between(rook, rook_to) | SquareSet::from(rook_to);
    let both = SquareSet::from(king) | SquareSet::from(rook);
    Path { empty: (crossed | by_rook | steps::between(king, rook)) & !both, safe: crossed }
}
