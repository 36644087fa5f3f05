//! A row: the positions that differ only in the place of one man, as bits.

use std::fmt::Debug;

/// A row of bits.
pub trait Row: Copy + PartialEq + Debug + Send + Sync + 'static {
    /// The row without bits.
    const EMPTY: Self;
    /// The number of bits.
    const BITS: usize = 8 * size_of::<Self>();

    /// The words of the row, the low ones first.
    fn words(&self) -> &[u64];

    /// The bytes of some rows.
    fn to_bytes(rows: &[Self]) -> Vec<u8> {
        rows.iter().flat_map(Self::words).flat_map(|word| word.to_le_bytes()).collect()
    }

    /// The rows with these bytes; the inverse of [`to_bytes`](Self::to_bytes).
    fn from_bytes(bytes: &[u8]) -> Vec<Self>;

    /// Changes each word, which is given with its number.
    fn each_word(self, word: impl Fn(usize, u64) -> u64) -> Self;

    /// Combines two rows, word by word.
    fn zip(self, other: Self, word: impl Fn(u64, u64) -> u64) -> Self;

    /// Returns whether the row has no bits.
    #[inline(always)]
    fn is_empty(&self) -> bool {
        self.words().iter().fold(0, |any, word| any | word) == 0
    }

    /// The bits of both rows.
    #[inline(always)]
    #[must_use]
    fn and(self, other: Self) -> Self {
        self.zip(other, |a, b| a & b)
    }

    /// The bits of this row that the other has not.
    #[inline(always)]
    #[must_use]
    fn and_not(self, other: Self) -> Self {
        self.zip(other, |a, b| a & !b)
    }

    /// The bits of either row.
    #[inline(always)]
    #[must_use]
    fn or(self, other: Self) -> Self {
        self.zip(other, |a, b| a | b)
    }

    /// The number of bits.
    fn len(&self) -> u64 {
        self.words().iter().map(|word| u64::from(word.count_ones())).sum()
    }

    /// Returns whether the row has this bit. Bits are counted from the first plane.
    #[inline(always)]
    fn has(&self, bit: usize) -> bool {
        self.words()[bit / 64] >> (bit % 64) & 1 != 0
    }

    /// The row with only this bit.
    fn of_bit(bit: usize) -> Self;

    /// The number of the first bit.
    #[inline(always)]
    fn first(&self) -> Option<usize> {
        let word = self.words().iter().position(|&word| word != 0)?;
        Some(64 * word + self.words()[word].trailing_zeros() as usize)
    }

    /// The bits for which a condition holds. All bits of the type are asked, so that the compiler can use vectors.
    #[inline(always)]
    #[must_use]
    fn filter(self, holds: impl Fn(usize) -> bool) -> Self {
        self.each_word(|i, word| {
            word & (0..64).fold(0, |all, bit| all | u64::from(holds(64 * i + bit)) << bit)
        })
    }

    /// Visits the numbers of the bits.
    #[inline(always)]
    fn each(&self, mut visit: impl FnMut(usize)) {
        for (i, &word) in self.words().iter().enumerate() {
            let mut word = word;
            while word != 0 {
                visit(64 * i + word.trailing_zeros() as usize);
                word &= word - 1;
            }
        }
    }
}

/// A row of bits in planes of 128 bits. A plane has a bit for each square of a board.
pub trait Planes: Row {
    /// The number of planes.
    const PLANES: usize;

    /// Makes a row from its planes.
    fn from_planes(plane: impl FnMut(usize) -> u128) -> Self;

    /// One plane of the row.
    #[inline(always)]
    fn plane(&self, plane: usize) -> u128 {
        let words = self.words();
        u128::from(words[2 * plane]) | u128::from(words[2 * plane + 1]) << 64
    }
}

macro_rules! rows {
    ($($(#[$about:meta])* $name:ident: $words:literal words, aligned to $align:literal bytes;)*) => {$(
        $(#[$about])*
        #[derive(Clone, Copy, PartialEq, Eq, Debug)]
        #[repr(align($align))]
        pub struct $name([u64; $words]);

        impl Row for $name {
            const EMPTY: Self = Self([0; $words]);

            #[inline(always)]
            fn words(&self) -> &[u64] {
                &self.0
            }

            fn from_bytes(bytes: &[u8]) -> Vec<Self> {
                let (words, _) = bytes.as_chunks::<8>();
                let row = |words: &[[u8; 8]; $words]| Self(words.map(u64::from_le_bytes));
                words.as_chunks::<$words>().0.iter().map(row).collect()
            }

            fn of_bit(bit: usize) -> Self {
                Self(std::array::from_fn(|word| if word == bit / 64 { 1 << (bit % 64) } else { 0 }))
            }

            #[inline(always)]
            fn each_word(self, word: impl Fn(usize, u64) -> u64) -> Self {
                Self(std::array::from_fn(|i| word(i, self.0[i])))
            }

            #[inline(always)]
            fn zip(self, other: Self, word: impl Fn(u64, u64) -> u64) -> Self {
                Self(std::array::from_fn(|i| word(self.0[i], other.0[i])))
            }
        }
    )*};
}

macro_rules! planes {
    ($($name:ident: $words:literal words;)*) => {$(
        impl Planes for $name {
            const PLANES: usize = $words / 2;

            #[inline(always)]
            fn from_planes(mut plane: impl FnMut(usize) -> u128) -> Self {
                let mut words = [0; $words];
                for i in 0..Self::PLANES {
                    let plane = plane(i);
                    (words[2 * i], words[2 * i + 1]) = (plane as u64, (plane >> 64) as u64);
                }
                Self(words)
            }
        }
    )*};
}

// Aligned to their size, so that none lies in two cache lines.
rows! {
    /// A row of one word.
    Row1: 1 words, aligned to 8 bytes;
    /// A row of two planes.
    Row2: 4 words, aligned to 32 bytes;
    /// A row of four planes.
    Row4: 8 words, aligned to 64 bytes;
}

planes! {
    Row2: 4 words;
    Row4: 8 words;
}

impl Row1 {
    /// The row with these bits.
    #[inline(always)]
    pub const fn new(bits: u64) -> Self {
        Self([bits])
    }

    /// The bits.
    #[inline(always)]
    pub const fn bits(self) -> u64 {
        self.0[0]
    }
}
