//! Castling: the target squares of king and rook, and the squares that must be empty or safe.

use crate::grid::{Square, SquareSet, home_rank};
use crate::steps;
use game::Side;

/// Target files of king and rook, counted from 0: g and f when castling short, c and d when castling long.
const SHORT: (u8, u8) = (6, 5);
const LONG: (u8, u8) = (2, 3);

/// Returns whether king and rook on a home rank stand on the files of the usual start position.
pub(crate) const fn is_standard(king: Square, rook: Square) -> bool {
    king.file() == 4 && matches!(rook.file(), 0 | 7)
}

/// The target squares of king and rook.
#[inline]
pub(crate) const fn arrival(side: Side, short: bool) -> (Square, Square) {
    let (king, rook) = if short { SHORT } else { LONG };
    (Square::at(king, home_rank(side)), Square::at(rook, home_rank(side)))
}

/// The conditions of a castling move.
pub(crate) struct Path {
    /// Squares on which no piece except this king and rook may stand.
    pub empty: SquareSet,
    /// Squares that must not be attacked: those that the king crosses, and its target square.
    pub safe: SquareSet,
}

/// Returns the conditions for castling with this king and rook.
#[inline]
pub(crate) fn path(side: Side, king: Square, rook: Square) -> Path {
    let (king_to, rook_to) = arrival(side, rook.index() > king.index());
    let crossed = steps::between(king, king_to) | SquareSet::from(king_to);
    let by_rook = steps::between(rook, rook_to) | SquareSet::from(rook_to);
    let both = SquareSet::from(king) | SquareSet::from(rook);
    Path { empty: (crossed | by_rook | steps::between(king, rook)) & !both, safe: crossed }
}
