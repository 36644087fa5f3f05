//! Tables with one value for each square.

use crate::{Geometry, Square, Word};
use std::fmt;
use std::ops::{Index, IndexMut};

/// One `T` for each square of the board `G`. Indexing needs no bounds check, because a square is always on the board.
///
/// The table has one entry for each bit of the board's word. So the compiler can prove that every index is within the
/// table. The entries beyond the board are never used.
///
/// ```
/// use endspiel_bits::{BySquare, Geometry, Square};
///
/// #[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug, Default)]
/// struct TicTacToe;
/// impl Geometry for TicTacToe {
///     type Word = u16;
///     const FILES: u8 = 3;
///     const RANKS: u8 = 3;
/// }
///
/// static LINES: BySquare<TicTacToe, u8> = BySquare::new([3, 2, 3, 2, 4, 2, 3, 2, 3, 0, 0, 0, 0, 0, 0, 0]);
/// assert_eq!(LINES[Square::at(1, 1)], 4);
/// ```
pub struct BySquare<G: Geometry, T>(pub <G::Word as Word>::PerBit<T>);

impl<G: Geometry, T> BySquare<G, T> {
    /// Creates a table from values in the order of the square numbers. It is a `const fn`, so it also works in
    /// constants.
    #[inline]
    pub const fn new(values: <G::Word as Word>::PerBit<T>) -> Self {
        Self(values)
    }

    /// The index of a square in the table: its number. The mask shows the compiler that the index is within bounds.
    #[inline]
    const fn place(square: Square<G>) -> usize {
        const { assert!(G::Word::BITS.is_power_of_two(), "the bits of a word are a power of two") };
        square.index() & (G::Word::BITS as usize - 1)
    }
}

impl<G: Geometry, T> Index<Square<G>> for BySquare<G, T> {
    type Output = T;

    #[inline]
    fn index(&self, square: Square<G>) -> &T {
        &self.0.as_ref()[Self::place(square)]
    }
}

impl<G: Geometry, T> IndexMut<Square<G>> for BySquare<G, T> {
    #[inline]
    fn index_mut(&mut self, square: Square<G>) -> &mut T {
        &mut self.0.as_mut()[Self::place(square)]
    }
}

impl<G: Geometry, T> Clone for BySquare<G, T>
where
    <G::Word as Word>::PerBit<T>: Clone,
{
    fn clone(&self) -> Self {
        Self(self.0.clone())
    }
}

impl<G: Geometry, T> Copy for BySquare<G, T> where <G::Word as Word>::PerBit<T>: Copy {}

/// A map from each square to its value.
impl<G: Geometry, T: fmt::Debug> fmt::Debug for BySquare<G, T> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_map().entries(Square::all().map(|square| (square, &self[square]))).finish()
    }
}
