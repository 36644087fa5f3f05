//! The board: 3 files, 4 ranks, and the two ways to look at it.

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

const SQUARES: u32 = 12;
const LEFT_FILE: u16 = 0b001_001_001_001;
const MIDDLE_FILE: u16 = LEFT_FILE << 1;
const RIGHT_FILE: u16 = LEFT_FILE << 2;

/// The row a side starts on; the opponent's lion tries to reach it.
#[inline]
pub(crate) const fn home_row(side: Side) -> SquareSet {
    SquareSet::from_word(match side {
        Side::First => 0b000_000_000_111,
        Side::Second => 0b111_000_000_000,
    })
}

/// The row where a side's chicks become hens and its lion wins by a try: the opponent's home.
#[inline]
pub(crate) const fn far_row(side: Side) -> SquareSet {
    home_row(side.other())
}

/// The set as the other player sees it: square i becomes 11 - i, so that is the bits reversed.
#[inline]
pub(crate) const fn rotated(set: SquareSet) -> SquareSet {
    SquareSet::from_word(set.word().reverse_bits() >> (u16::BITS - SQUARES))
}

/// The set in the mirror: the outer files change places.
#[inline]
pub(crate) const fn mirrored(set: SquareSet) -> SquareSet {
    let word = set.word();
    SquareSet::from_word((word & LEFT_FILE) << 2 | (word & MIDDLE_FILE) | (word & RIGHT_FILE) >> 2)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The two tricks with words against the slow way, square by square, over every set.
    #[test]
    fn turning_sets_turns_their_squares() {
        for word in 0..1 << SQUARES {
            let set = SquareSet::from_word(word);
            assert_eq!(rotated(set), set.iter().map(Square::rotate).collect());
            assert_eq!(mirrored(set), set.iter().map(Square::mirror).collect());
        }
    }

    #[test]
    fn rows_lie_where_they_should() {
        for side in Side::ALL {
            let rank = if side == Side::First { 0 } else { 3 };
            assert_eq!(home_row(side), (0..3).map(|file| Square::at(file, rank)).collect());
            assert_eq!(far_row(side), rotated(home_row(side)));
        }
    }
}
