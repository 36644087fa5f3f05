//! The board: 3 files, 4 ranks.

use game::Side;

/// The shape of the board. Squares are numbered along the ranks from Black's left corner, 0 to 11.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug, Default)]
pub struct Grid;

impl bits::Geometry for Grid {
    type Word = u16;
    const FILES: u8 = 3;
    const RANKS: u8 = 4;
}

/// A square of the board.
pub type Square = bits::Square<Grid>;

/// A set of squares: one bit each in a 16-bit word.
pub type SquareSet = bits::SquareSet<Grid>;

/// One `T` for each square.
pub(crate) type BySquare<T> = bits::BySquare<Grid, T>;

/// The row on which a side starts. The opponent's lion tries to reach it.
#[inline]
pub(crate) const fn home_row(side: Side) -> SquareSet {
    SquareSet::from_word(match side {
        Side::First => 0b000_000_000_111,
        Side::Second => 0b111_000_000_000,
    })
}

/// The row on which a side's chicks become hens and its lion wins by a try: the opponent's home row.
#[inline]
pub(crate) const fn far_row(side: Side) -> SquareSet {
    home_row(side.other())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn rows_lie_where_they_should() {
        for side in Side::ALL {
            let rank = if side == Side::First { 0 } else { 3 };
            assert_eq!(home_row(side), (0..3).map(|file| Square::at(file, rank)).collect());
            assert_eq!(far_row(side), home_row(side).rotated());
        }
    }
}
