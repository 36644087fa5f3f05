//! The unsigned words that hold a set of squares.

use std::fmt::Debug;
use std::hash::Hash;
use std::ops::{BitAnd, BitOr, BitXor, Not, Shl, Shr};

/// An unsigned word whose bits stand for squares, with the operations that [`SquareSet`](crate::SquareSet) needs.
///
/// A game chooses the smallest word that holds its board. The largest has 128 bits. For larger boards use
/// [`PointSet`](crate::PointSet), which is made for vector registers. Your own word type with these operators works as
/// well, but no compiler makes it fast. `tests/wide.rs` has a simple one, which shows that nothing else is needed.
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
    /// An array with one `T` for each bit. [`BySquare`](crate::BySquare) stores its values in it.
    type PerBit<T>: AsRef<[T]> + AsMut<[T]>;

    /// Number of bits. It must be a power of two.
    const BITS: u32;
    /// The word with no bit set.
    const ZERO: Self;
    /// The word with only the lowest bit set.
    const ONE: Self;

    /// Number of set bits.
    fn count(self) -> u32;
    /// Index of the lowest set bit; `BITS` if no bit is set.
    fn lowest(self) -> u32;
    /// The word without its lowest set bit. Zero stays zero.
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
