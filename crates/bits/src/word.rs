//! The machine words that hold a set of squares.

use std::fmt::Debug;
use std::hash::Hash;
use std::ops::{BitAnd, BitOr, BitXor, Not, Shl, Shr};

/// An unsigned word whose bits stand for squares: what [`SquareSet`](crate::SquareSet) needs of it.
///
/// A game picks the smallest word that holds its board: up to 128 squares there is one. Larger boards take
/// [`PointSet`](crate::PointSet), which is made for vector registers; a word of one's own with these operators is a set
/// as well, but no compiler makes it fast (`tests/wide.rs` has a plain one, to show that nothing else is needed).
pub trait Word:
    Copy
    + Eq
    + Ord
    + Hash
    + Debug
    + Default
    + Send
    + Sync
    + 'static
    + BitAnd<Output = Self>
    + BitOr<Output = Self>
    + BitXor<Output = Self>
    + Not<Output = Self>
    + Shl<u32, Output = Self>
    + Shr<u32, Output = Self>
{
    /// Something for each bit: an array. A [`BySquare`](crate::BySquare) is made of it.
    type PerBit<T>: AsRef<[T]> + AsMut<[T]>;

    /// Number of bits, a power of two.
    const BITS: u32;
    /// No bit set.
    const ZERO: Self;
    /// Only the lowest bit set.
    const ONE: Self;

    /// Number of bits set.
    fn count(self) -> u32;
    /// Index of the lowest bit set; `BITS` when there is none.
    fn lowest(self) -> u32;
    /// The word without its lowest bit; zero stays zero.
    fn without_lowest(self) -> Self;
    /// The word with its bits in the opposite order.
    fn reversed(self) -> Self;
}

macro_rules! impl_word {
    ($($word:ty),*) => {$(
        impl Word for $word {
            type PerBit<T> = [T; <$word>::BITS as usize];

            const BITS: u32 = <$word>::BITS;
            const ZERO: Self = 0;
            const ONE: Self = 1;

            #[inline]
            fn count(self) -> u32 {
                self.count_ones()
            }

            #[inline]
            fn lowest(self) -> u32 {
                self.trailing_zeros()
            }

            #[inline]
            fn without_lowest(self) -> Self {
                self & self.wrapping_sub(1)
            }

            #[inline]
            fn reversed(self) -> Self {
                self.reverse_bits()
            }
        }
    )*};
}

impl_word!(u16, u32, u64, u128);
