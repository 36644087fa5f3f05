//! The 81 squares: their types and the directions.
//!
//! Black sits at the lower edge: file 9 is the leftmost, rank i the lowest, and square number 0 is 9i.

use game::Side;

/// The shape of the board: nine by nine.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug, Default)]
pub struct Grid;

impl bits::Geometry for Grid {
    type Word = u128;
    const FILES: u8 = 9;
    const RANKS: u8 = 9;
}

/// A square of the shogi board.
pub type Square = bits::Square<Grid>;
/// A set of squares of the shogi board.
pub type SquareSet = bits::SquareSet<Grid>;
/// One `T` for each square.
pub(crate) type BySquare<T> = bits::BySquare<Grid, T>;

const BOARD: u128 = (1 << 81) - 1;
const RANK: u128 = 0x1ff;
/// The leftmost file.
const LEFT: u128 = BOARD / RANK;
const RIGHT: u128 = LEFT << 8;

/// The side that `BLACK` stands for.
#[inline]
pub(crate) const fn side<const BLACK: bool>() -> Side {
    if BLACK { Side::First } else { Side::Second }
}

/// The given number of ranks, those farthest from this side.
#[inline]
pub(crate) const fn far<const BLACK: bool>(ranks: u32) -> SquareSet {
    let squares = 9 * ranks;
    SquareSet::from_word(if BLACK { BOARD & !(BOARD >> squares) } else { BOARD >> (81 - squares) })
}

/// The ranks in which men of this side promote.
#[inline]
pub(crate) const fn zone<const BLACK: bool>() -> SquareSet {
    far::<BLACK>(3)
}

/// The squares from which a man of this kind and side could never move.
pub(crate) const fn dead_end<const BLACK: bool>(kind: crate::Kind) -> SquareSet {
    match kind {
        crate::Kind::Pawn | crate::Kind::Lance => far::<BLACK>(1),
        crate::Kind::Knight => far::<BLACK>(2),
        _ => SquareSet::EMPTY,
    }
}

/// All squares of the files that have a square of this set.
#[inline]
pub(crate) fn files_of(set: SquareSet) -> SquareSet {
    // Fold the nine ranks into one. The table repeats this rank nine times.
    let word = set.word();
    let thirds = word | word >> 27 | word >> 54;
    let files = (thirds | thirds >> 9 | thirds >> 18) & RANK;
    SquareSet::from_word(FILES[files as usize])
}

/// The squares of a set of files. The index has one bit for each file.
static FILES: [u128; 512] = {
    let mut table = [0; 512];
    let mut files = 0;
    while files < 512 {
        table[files] = files as u128 * LEFT;
        files += 1;
    }
    table
};

/// Returns the lowest square of a set that is not empty. For an empty set it returns the first square of the board.
#[inline]
pub(crate) fn lowest(set: SquareSet) -> Square {
    set.first().unwrap_or_default()
}

/// Shifts a set one step ahead, as this side sees it. Squares that leave the board are dropped.
#[inline]
pub(crate) const fn ahead<const BLACK: bool>(set: SquareSet) -> SquareSet {
    SquareSet::from_word(if BLACK { set.word() << 9 & BOARD } else { set.word() >> 9 })
}

/// Shifts a set one step back, as this side sees it.
#[inline]
pub(crate) const fn behind<const BLACK: bool>(set: SquareSet) -> SquareSet {
    SquareSet::from_word(if BLACK { set.word() >> 9 } else { set.word() << 9 & BOARD })
}

/// Shifts a set one step towards the ninth file.
#[inline]
pub(crate) const fn left(set: SquareSet) -> SquareSet {
    SquareSet::from_word((set.word() & !LEFT) >> 1)
}

/// Shifts a set one step towards the first file.
#[inline]
pub(crate) const fn right(set: SquareSet) -> SquareSet {
    SquareSet::from_word((set.word() & !RIGHT) << 1)
}
