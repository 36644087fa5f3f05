//! The 5 × 5 board: Blue (the first side) at the bottom, Red at the top.

use bits::Geometry;
use game::Side;

/// The shape of the board.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug, Default)]
pub struct Grid;

impl Geometry for Grid {
    type Word = u32;
    const FILES: u8 = 5;
    const RANKS: u8 = 5;
}

/// A square, a1 to e5.
pub type Square = bits::Square<Grid>;
/// A set of squares.
pub type SquareSet = bits::SquareSet<Grid>;
/// One `T` for each square.
pub(crate) type BySquare<T> = bits::BySquare<Grid, T>;

/// The temple of a side: c1 for Blue, c5 for Red. The side's master starts there, and the opponent's master wins there.
pub(crate) const fn temple(side: Side) -> Square {
    match side {
        Side::First => Square::at(2, 0),
        Side::Second => Square::at(2, 4),
    }
}

/// The rank on which a side's men start.
pub(crate) const fn home_rank(side: Side) -> u8 {
    temple(side).rank()
}
