//! Four words side by side, each treated alike: one instruction for all of them where the machine has AVX2.
//!
//! Compilers take loops over `[u64; 4]` apart before they put them together again, and get half of them; so the
//! instructions are named here. [`portable`] does the same everywhere else, under the same names; the tests compare both.
#![allow(unsafe_code)]

#[cfg(all(target_arch = "x86_64", target_feature = "avx2"))]
pub use avx2::Lanes;
#[cfg(not(all(target_arch = "x86_64", target_feature = "avx2")))]
pub use portable::Lanes;

/// With vector instructions.
#[cfg(all(target_arch = "x86_64", target_feature = "avx2"))]
mod avx2 {
    use core::arch::x86_64::*;
    use std::ops::{BitAnd, BitOr, BitXor};

    /// Four words of 64 bits.
    ///
    /// ```
    /// use endspiel_bits::Lanes;
    ///
    /// let shifted = Lanes::splat(0b11).shifted_left(Lanes::new([0, 1, 2, 64]));
    /// assert_eq!(shifted.to_array(), [0b11, 0b110, 0b1100, 0]);
    /// assert_eq!((shifted.union(), shifted.count()), (0b1111, 6));
    /// ```
    #[derive(Clone, Copy, Debug)]
    pub struct Lanes(__m256i);

    // SAFETY of every block below: the module exists only where the build's target has AVX2, which is all that these
    // instructions ask for; the two transmutes are between types of 32 bytes for which every bit pattern is a value.
    impl Lanes {
        /// These four words.
        #[inline]
        pub const fn new(words: [u64; 4]) -> Self {
            // SAFETY: as above.
            Self(unsafe { std::mem::transmute::<[u64; 4], __m256i>(words) })
        }

        /// The four words.
        #[inline]
        pub const fn to_array(self) -> [u64; 4] {
            // SAFETY: as above.
            unsafe { std::mem::transmute::<__m256i, [u64; 4]>(self.0) }
        }

        /// The same word four times.
        #[inline]
        pub fn splat(word: u64) -> Self {
            // SAFETY: as above.
            Self(unsafe { _mm256_set1_epi64x(word.cast_signed()) })
        }

        /// Each word shifted up by its own distance; nothing is left from 64 on.
        #[inline]
        #[must_use]
        pub fn shifted_left(self, by: Self) -> Self {
            // SAFETY: as above.
            Self(unsafe { _mm256_sllv_epi64(self.0, by.0) })
        }

        /// Each word shifted down by its own distance; nothing is left from 64 on.
        #[inline]
        #[must_use]
        pub fn shifted_right(self, by: Self) -> Self {
            // SAFETY: as above.
            Self(unsafe { _mm256_srlv_epi64(self.0, by.0) })
        }

        /// All 256 bits shifted up as one number, by 1 to 63.
        #[inline]
        #[must_use]
        pub fn raised<const BITS: i32>(self) -> Self {
            // What leaves each word at its top enters the next one; the lowest gets zeros.
            // SAFETY: as above.
            Self(unsafe {
                let below = _mm256_permute4x64_epi64::<0b10_01_00_00>(self.0);
                let below = _mm256_blend_epi32::<0b0000_0011>(below, _mm256_setzero_si256());
                _mm256_or_si256(
                    _mm256_slli_epi64::<BITS>(self.0),
                    _mm256_srl_epi64(below, _mm_cvtsi32_si128(64 - BITS)),
                )
            })
        }

        /// All 256 bits shifted down as one number, by 1 to 63.
        #[inline]
        #[must_use]
        pub fn lowered<const BITS: i32>(self) -> Self {
            // SAFETY: as above.
            Self(unsafe {
                let above = _mm256_permute4x64_epi64::<0b11_11_10_01>(self.0);
                let above = _mm256_blend_epi32::<0b1100_0000>(above, _mm256_setzero_si256());
                _mm256_or_si256(
                    _mm256_srli_epi64::<BITS>(self.0),
                    _mm256_sll_epi64(above, _mm_cvtsi32_si128(64 - BITS)),
                )
            })
        }

        /// The bits that the other has not.
        #[inline]
        #[must_use]
        pub fn without(self, other: Self) -> Self {
            // SAFETY: as above.
            Self(unsafe { _mm256_andnot_si256(other.0, self.0) })
        }

        /// Have the two no bit in common?
        #[inline]
        pub fn is_disjoint(self, other: Self) -> bool {
            // SAFETY: as above.
            unsafe { _mm256_testz_si256(self.0, other.0) == 1 }
        }

        /// The bits that any of the words has.
        #[inline]
        pub fn union(self) -> u64 {
            // SAFETY: as above.
            unsafe {
                let halves =
                    _mm_or_si128(_mm256_castsi256_si128(self.0), _mm256_extracti128_si256::<1>(self.0));
                let both = _mm_or_si128(halves, _mm_unpackhi_epi64(halves, halves));
                _mm_cvtsi128_si64(both).cast_unsigned()
            }
        }

        /// The number of bits in all words together.
        #[inline]
        pub fn count(self) -> u32 {
            self.counts().sum()
        }

        /// The number of bits in both together.
        #[inline]
        pub fn count_with(self, other: Self) -> u32 {
            // A byte has at most 8 bits, so two counts fit well.
            // SAFETY: as above.
            Self(unsafe { _mm256_add_epi8(self.counts().0, other.counts().0) }).sum()
        }

        /// Each byte replaced by the number of its bits, looked up by half bytes.
        #[inline]
        fn counts(self) -> Self {
            // SAFETY: as above.
            Self(unsafe {
                let of_half = _mm256_broadcastsi128_si256(_mm_setr_epi8(
                    0, 1, 1, 2, 1, 2, 2, 3, 1, 2, 2, 3, 2, 3, 3, 4,
                ));
                let low = _mm256_set1_epi8(0x0f);
                let high_halves = _mm256_and_si256(_mm256_srli_epi16::<4>(self.0), low);
                let of_low = _mm256_shuffle_epi8(of_half, _mm256_and_si256(self.0, low));
                _mm256_add_epi8(of_low, _mm256_shuffle_epi8(of_half, high_halves))
            })
        }

        /// The sum of all bytes.
        #[inline]
        fn sum(self) -> u32 {
            // SAFETY: as above.
            unsafe {
                let sums = _mm256_sad_epu8(self.0, _mm256_setzero_si256());
                let halves = _mm_add_epi64(_mm256_castsi256_si128(sums), _mm256_extracti128_si256::<1>(sums));
                let both = _mm_add_epi64(halves, _mm_unpackhi_epi64(halves, halves));
                _mm_cvtsi128_si64(both) as u32
            }
        }
    }

    impl BitAnd for Lanes {
        type Output = Self;
        #[inline]
        fn bitand(self, other: Self) -> Self {
            // SAFETY: as above.
            Self(unsafe { _mm256_and_si256(self.0, other.0) })
        }
    }

    impl BitOr for Lanes {
        type Output = Self;
        #[inline]
        fn bitor(self, other: Self) -> Self {
            // SAFETY: as above.
            Self(unsafe { _mm256_or_si256(self.0, other.0) })
        }
    }

    impl BitXor for Lanes {
        type Output = Self;
        #[inline]
        fn bitxor(self, other: Self) -> Self {
            // SAFETY: as above.
            Self(unsafe { _mm256_xor_si256(self.0, other.0) })
        }
    }
}

/// The twin for other machines, word by word.
pub mod portable {
    use std::ops::{BitAnd, BitOr, BitXor};

    /// Four words of 64 bits.
    #[derive(Clone, Copy, PartialEq, Eq, Debug)]
    pub struct Lanes([u64; 4]);

    impl Lanes {
        /// These four words.
        #[inline]
        pub const fn new(words: [u64; 4]) -> Self {
            Self(words)
        }

        /// The four words.
        #[inline]
        pub const fn to_array(self) -> [u64; 4] {
            self.0
        }

        /// The same word four times.
        #[inline]
        pub const fn splat(word: u64) -> Self {
            Self([word; 4])
        }

        /// Each word shifted up by its own distance; nothing is left from 64 on.
        #[inline]
        #[must_use]
        pub fn shifted_left(self, by: Self) -> Self {
            self.zip(by, |word, by| if by < 64 { word << by } else { 0 })
        }

        /// Each word shifted down by its own distance; nothing is left from 64 on.
        #[inline]
        #[must_use]
        pub fn shifted_right(self, by: Self) -> Self {
            self.zip(by, |word, by| if by < 64 { word >> by } else { 0 })
        }

        /// All 256 bits shifted up as one number, by 1 to 63.
        #[inline]
        #[must_use]
        pub fn raised<const BITS: i32>(self) -> Self {
            let [a, b, c, d] = self.0;
            let raise = |word: u64, below: u64| word << BITS | below >> (64 - BITS);
            Self([a << BITS, raise(b, a), raise(c, b), raise(d, c)])
        }

        /// All 256 bits shifted down as one number, by 1 to 63.
        #[inline]
        #[must_use]
        pub fn lowered<const BITS: i32>(self) -> Self {
            let [a, b, c, d] = self.0;
            let lower = |word: u64, above: u64| word >> BITS | above << (64 - BITS);
            Self([lower(a, b), lower(b, c), lower(c, d), d >> BITS])
        }

        /// The bits that the other has not.
        #[inline]
        #[must_use]
        pub fn without(self, other: Self) -> Self {
            self.zip(other, |a, b| a & !b)
        }

        /// Have the two no bit in common?
        #[inline]
        pub fn is_disjoint(self, other: Self) -> bool {
            self.zip(other, |a, b| a & b).union() == 0
        }

        /// The bits that any of the words has.
        #[inline]
        pub fn union(self) -> u64 {
            self.0.into_iter().fold(0, |all, word| all | word)
        }

        /// The number of bits in all words together.
        #[inline]
        pub fn count(self) -> u32 {
            self.0.into_iter().map(u64::count_ones).sum()
        }

        /// The number of bits in both together.
        #[inline]
        pub fn count_with(self, other: Self) -> u32 {
            self.count() + other.count()
        }

        #[inline]
        fn zip(self, other: Self, f: impl Fn(u64, u64) -> u64) -> Self {
            Self(std::array::from_fn(|i| f(self.0[i], other.0[i])))
        }
    }

    impl BitAnd for Lanes {
        type Output = Self;
        #[inline]
        fn bitand(self, other: Self) -> Self {
            self.zip(other, |a, b| a & b)
        }
    }

    impl BitOr for Lanes {
        type Output = Self;
        #[inline]
        fn bitor(self, other: Self) -> Self {
            self.zip(other, |a, b| a | b)
        }
    }

    impl BitXor for Lanes {
        type Output = Self;
        #[inline]
        fn bitxor(self, other: Self) -> Self {
            self.zip(other, |a, b| a ^ b)
        }
    }
}
