//! A set of squares in one word.

use crate::{Drawable, Geometry, Square, Word, drawing};
use std::fmt;
use std::iter::FusedIterator;
use std::ops::{BitAnd, BitAndAssign, BitOr, BitOrAssign, BitXor, BitXorAssign, Not};

/// A set of squares of the board `G`. Bits beyond the board are never set.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Default)]
#[repr(transparent)]
pub struct SquareSet<G: Geometry>(G::Word);

impl<G: Geometry> SquareSet<G> {
    /// The empty set.
    pub const EMPTY: Self = Self(G::Word::ZERO);

    /// Creates a set from its bits, for constant tables and for words that came from a set.
    ///
    /// No bit beyond the board may be set. A `const fn` cannot check this for a generic word. Debug builds check it
    /// when the set is counted or iterated. For words from other sources use [`try_from_word`](Self::try_from_word).
    #[inline]
    pub const fn from_word(word: G::Word) -> Self {
        Self(word)
    }

    /// Returns the set with these bits, or `None` if a bit stands for no square of the board.
    #[inline]
    pub fn try_from_word(word: G::Word) -> Option<Self> {
        let set = Self(word);
        set.is_on_board().then_some(set)
    }

    /// True if no bit beyond the board is set. It is false only for a set made by misuse of
    /// [`from_word`](Self::from_word).
    #[inline]
    pub fn is_on_board(self) -> bool {
        self & Self::full() == self
    }

    /// The bits of the set.
    #[inline]
    pub const fn word(self) -> G::Word {
        self.0
    }

    /// The set of all squares of the board.
    #[inline]
    pub fn full() -> Self {
        Self(!G::Word::ZERO >> (G::Word::BITS - u32::from(G::SQUARES)))
    }

    /// Number of squares.
    #[inline]
    #[allow(clippy::len_without_is_empty)] // it has one, clippy does not see it through the generics
    pub fn len(self) -> u32 {
        debug_assert!(self.is_on_board(), "bits beyond the board: {:?}", self.0);
        self.0.count()
    }

    /// True if the set has no squares.
    #[inline]
    pub fn is_empty(self) -> bool {
        self.0 == G::Word::ZERO
    }

    /// True if the set has more than one square.
    #[inline]
    pub fn is_several(self) -> bool {
        self.0.without_lowest() != G::Word::ZERO
    }

    /// True if the set contains the square.
    #[inline]
    pub fn contains(self, square: Square<G>) -> bool {
        self.intersects(Self::from(square))
    }

    /// True if the two sets have a square in common.
    #[inline]
    pub fn intersects(self, other: Self) -> bool {
        !(self & other).is_empty()
    }

    /// The square with the lowest number, or `None` if the set is empty.
    #[inline]
    pub fn first(self) -> Option<Square<G>> {
        if self.is_empty() { None } else { Some(Square::of_bit(self.0.lowest())) }
    }

    /// Moves every square by `dx` files and `dy` ranks. Squares that leave the board are dropped; they never wrap
    /// around.
    pub fn shift(self, dx: i8, dy: i8) -> Self {
        if dx.unsigned_abs() >= G::FILES || dy.unsigned_abs() >= G::RANKS {
            return Self::EMPTY;
        }
        let staying = Self((0..G::RANKS).fold(G::Word::ZERO, |word, rank| {
            let rank_start = u32::from(rank * G::FILES);
            word | Self::files_that_stay(dx) << rank_start
        }));
        let distance = i32::from(dy) * i32::from(G::FILES) + i32::from(dx);
        let kept = (self & staying).0;
        let moved =
            if distance >= 0 { kept << distance.unsigned_abs() } else { kept >> distance.unsigned_abs() };
        Self(moved) & Self::full()
    }

    /// The set as the other side of the table sees it: every square is [rotated](Square::rotate). Square i goes to
    /// `SQUARES - 1 - i`, so the bits of the word are reversed and then shifted down by the bits beyond the board.
    #[inline]
    #[must_use]
    pub fn rotated(self) -> Self {
        Self(self.0.reversed() >> (G::Word::BITS - u32::from(G::SQUARES)))
    }

    /// The mirror image of the set: every square is [mirrored](Square::mirror), so each file goes to its counterpart.
    #[inline]
    #[must_use]
    pub fn mirrored(self) -> Self {
        let counterpart = |file: u8| {
            let (kept, target) = ((self & Self::file(file)).0, G::FILES - 1 - file);
            if target >= file { kept << u32::from(target - file) } else { kept >> u32::from(file - target) }
        };
        Self((0..G::FILES).fold(G::Word::ZERO, |word, file| word | counterpart(file)))
    }

    /// The squares of a file. Files are counted from 0.
    #[inline]
    fn file(file: u8) -> Self {
        let on_rank = |rank: u8| G::Word::ONE << u32::from(rank * G::FILES + file);
        Self((0..G::RANKS).fold(G::Word::ZERO, |word, rank| word | on_rank(rank)))
    }

    /// The squares of the first rank that stay on the board when they move `dx` files to the right.
    fn files_that_stay(dx: i8) -> G::Word {
        let rank = !G::Word::ZERO >> (G::Word::BITS - u32::from(G::FILES));
        let lost = u32::from(dx.unsigned_abs());
        if dx >= 0 { rank >> lost } else { (rank >> lost) << lost }
    }

    /// The names of the squares, separated by spaces.
    pub fn names(self) -> String {
        self.iter().map(|square| square.to_string()).collect::<Vec<_>>().join(" ")
    }

    /// Iterates over the squares, lowest number first.
    #[inline]
    pub fn iter(self) -> Squares<G> {
        debug_assert!(self.is_on_board(), "bits beyond the board: {:?}", self.0);
        Squares(self)
    }
}

impl<G: Geometry> From<Square<G>> for SquareSet<G> {
    #[inline]
    fn from(square: Square<G>) -> Self {
        Self(G::Word::ONE << square.index() as u32)
    }
}

impl<G: Geometry> FromIterator<Square<G>> for SquareSet<G> {
    fn from_iter<I: IntoIterator<Item = Square<G>>>(squares: I) -> Self {
        squares.into_iter().fold(Self::EMPTY, |set, square| set | Self::from(square))
    }
}

impl<G: Geometry> IntoIterator for SquareSet<G> {
    type Item = Square<G>;
    type IntoIter = Squares<G>;

    #[inline]
    fn into_iter(self) -> Squares<G> {
        self.iter()
    }
}

/// Iterator over the squares of a set, lowest number first.
#[derive(Clone, Debug)]
pub struct Squares<G: Geometry>(SquareSet<G>);

impl<G: Geometry> Iterator for Squares<G> {
    type Item = Square<G>;

    #[inline]
    fn next(&mut self) -> Option<Square<G>> {
        let first = self.0.first()?;
        self.0.0 = self.0.0.without_lowest();
        Some(first)
    }

    #[inline]
    fn size_hint(&self) -> (usize, Option<usize>) {
        let len = self.0.len() as usize;
        (len, Some(len))
    }
}

impl<G: Geometry> ExactSizeIterator for Squares<G> {}
impl<G: Geometry> FusedIterator for Squares<G> {}

macro_rules! impl_operator {
    ($trait:ident $method:ident, $assign_trait:ident $assign_method:ident) => {
        impl<G: Geometry> $trait for SquareSet<G> {
            type Output = Self;
            #[inline]
            fn $method(self, other: Self) -> Self {
                Self(self.0.$method(other.0))
            }
        }
        impl<G: Geometry> $assign_trait for SquareSet<G> {
            #[inline]
            fn $assign_method(&mut self, other: Self) {
                *self = self.$method(other);
            }
        }
    };
}

impl_operator!(BitAnd bitand, BitAndAssign bitand_assign);
impl_operator!(BitOr bitor, BitOrAssign bitor_assign);
impl_operator!(BitXor bitxor, BitXorAssign bitxor_assign);

/// The complement: all squares of the board that are not in the set.
impl<G: Geometry> Not for SquareSet<G> {
    type Output = Self;
    #[inline]
    fn not(self) -> Self {
        Self(!self.0) & Self::full()
    }
}

impl<G: Geometry> Drawable for SquareSet<G> {
    const FILES: u8 = G::FILES;
    const RANKS: u8 = G::RANKS;

    fn has(&self, file: u8, rank: u8) -> bool {
        self.contains(Square::at(file, rank))
    }
}

/// Draws the board, highest rank first. [`side_by_side`](crate::side_by_side) draws several sets.
impl<G: Geometry> fmt::Display for SquareSet<G> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        drawing::draw(*self, f)
    }
}

impl<G: Geometry> fmt::Debug for SquareSet<G> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_set().entries(Squares(*self)).finish()
    }
}
