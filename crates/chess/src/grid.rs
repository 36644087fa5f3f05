//! The 64 squares: their types and the directions.

use game::Side;

/// The shape of the board: eight by eight.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug, Default)]
pub struct Grid;

impl bits::Geometry for Grid {
    type Word = u64;
    const FILES: u8 = 8;
    const RANKS: u8 = 8;
}

/// A square of the chess board.
pub type Square = bits::Square<Grid>;
/// A set of squares of the chess board.
pub type SquareSet = bits::SquareSet<Grid>;
/// One `T` for each square.
pub(crate) type BySquare<T> = bits::BySquare<Grid, T>;

pub(crate) const FILE_A: u64 = 0x0101_0101_0101_0101;
pub(crate) const FILE_H: u64 = FILE_A << 7;
const RANK_1: u64 = 0xff;

/// The squares of a rank, counted from 0.
pub(crate) const fn rank(rank: u8) -> SquareSet {
    SquareSet::from_word(RANK_1 << (8 * rank))
}

/// The rank of this side's king and rooks at the start, counted from 0.
pub(crate) const fn home_rank(side: Side) -> u8 {
    match side {
        Side::First => 0,
        Side::Second => 7,
    }
}

/// The square with this number. Numbers from 64 on wrap around.
#[inline]
pub(crate) const fn square(number: u32) -> Square {
    match Square::from_index((number & 63) as u8) {
        Some(square) => square,
        None => unreachable!(),
    }
}

/// The lowest square of a set. The set should not be empty: for an empty set the result is a1.
#[inline]
pub(crate) const fn lowest(set: SquareSet) -> Square {
    square(set.word().trailing_zeros())
}

/// Moves every square of a set one step ahead, as seen by the side.
#[inline]
pub(crate) const fn ahead<const WHITE: bool>(set: SquareSet) -> SquareSet {
    SquareSet::from_word(if WHITE { set.word() << 8 } else { set.word() >> 8 })
}

/// Moves every square of a set one step ahead and one towards the a-file. Squares that leave the board are dropped.
#[inline]
pub(crate) const fn ahead_west<const WHITE: bool>(set: SquareSet) -> SquareSet {
    let kept = set.word() & !FILE_A;
    SquareSet::from_word(if WHITE { kept << 7 } else { kept >> 9 })
}

/// Moves every square of a set one step ahead and one towards the h-file. Squares that leave the board are dropped.
#[inline]
pub(crate) const fn ahead_east<const WHITE: bool>(set: SquareSet) -> SquareSet {
    let kept = set.word() & !FILE_H;
    SquareSet::from_word(if WHITE { kept << 9 } else { kept >> 7 })
}
