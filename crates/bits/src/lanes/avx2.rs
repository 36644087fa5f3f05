//! The version with AVX2 instructions.
#![allow(unsafe_code)]

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

// SAFETY of every block below: the module is compiled only if the target has AVX2, and these instructions need nothing
// else. The transmutes are between types of 32 bytes for which every bit pattern is a valid value.
impl Lanes {
    /// Creates lanes from four words.
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

    /// Shifts each word left by its own distance. A distance of 64 or more gives zero.
    #[inline]
    #[must_use]
    pub fn shifted_left(self, by: Self) -> Self {
        // SAFETY: as above.
        Self(unsafe { _mm256_sllv_epi64(self.0, by.0) })
    }

    /// Shifts each word right by its own distance. A distance of 64 or more gives zero.
    #[inline]
    #[must_use]
    pub fn shifted_right(self, by: Self) -> Self {
        // SAFETY: as above.
        Self(unsafe { _mm256_srlv_epi64(self.0, by.0) })
    }

    /// Creates lanes from sixteen ranks, lowest first.
    #[inline]
    pub const fn from_ranks(ranks: [u16; 16]) -> Self {
        // SAFETY: as above.
        Self(unsafe { std::mem::transmute::<[u16; 16], __m256i>(ranks) })
    }

    /// The sixteen ranks, lowest first.
    #[inline]
    pub const fn to_ranks(self) -> [u16; 16] {
        // SAFETY: as above.
        unsafe { std::mem::transmute::<__m256i, [u16; 16]>(self.0) }
    }

    /// The same rank sixteen times.
    #[inline]
    pub fn splat_rank(rank: u16) -> Self {
        // SAFETY: as above.
        Self(unsafe { _mm256_set1_epi16(rank.cast_signed()) })
    }

    /// Moves every rank up by one. The highest rank is lost; the lowest becomes empty.
    #[inline]
    #[must_use]
    pub fn rank_up(self) -> Self {
        // The byte shift works on each half separately. `below` holds the bytes to shift in: for the upper half the
        // lower half, for the lower half zeros.
        // SAFETY: as above.
        Self(unsafe {
            let below = _mm256_permute2x128_si256::<0x08>(self.0, self.0);
            _mm256_alignr_epi8::<14>(self.0, below)
        })
    }

    /// Moves every rank down by one. The lowest rank is lost; the highest becomes empty.
    #[inline]
    #[must_use]
    pub fn rank_down(self) -> Self {
        // SAFETY: as above.
        Self(unsafe {
            let above = _mm256_permute2x128_si256::<0x81>(self.0, self.0);
            _mm256_alignr_epi8::<2>(above, self.0)
        })
    }

    /// Shifts each rank left by one bit. No bit moves into another rank.
    #[inline]
    #[must_use]
    pub fn file_up(self) -> Self {
        // SAFETY: as above.
        Self(unsafe { _mm256_slli_epi16::<1>(self.0) })
    }

    /// Shifts each rank right by one bit. No bit moves into another rank.
    #[inline]
    #[must_use]
    pub fn file_down(self) -> Self {
        // SAFETY: as above.
        Self(unsafe { _mm256_srli_epi16::<1>(self.0) })
    }

    /// The number of empty ranks below the lowest non-empty rank; 16 if all ranks are empty.
    #[inline]
    pub fn empty_ranks_below(self) -> u32 {
        self.two_bits_for_each_filled_rank().trailing_zeros() / 2
    }

    /// The number of empty ranks above the highest non-empty rank; 16 if all ranks are empty.
    #[inline]
    pub fn empty_ranks_above(self) -> u32 {
        self.two_bits_for_each_filled_rank().leading_zeros() / 2
    }

    #[inline]
    fn two_bits_for_each_filled_rank(self) -> u32 {
        // SAFETY: as above.
        let of_empty = unsafe { _mm256_movemask_epi8(_mm256_cmpeq_epi16(self.0, _mm256_setzero_si256())) };
        !of_empty.cast_unsigned()
    }

    /// The bits of `self` that are not in `other`.
    #[inline]
    #[must_use]
    pub fn without(self, other: Self) -> Self {
        // SAFETY: as above.
        Self(unsafe { _mm256_andnot_si256(other.0, self.0) })
    }

    /// True if the two have no bit in common.
    #[inline]
    pub fn is_disjoint(self, other: Self) -> bool {
        // SAFETY: as above.
        unsafe { _mm256_testz_si256(self.0, other.0) == 1 }
    }

    /// The bitwise *or* of the four words.
    #[inline]
    pub fn union(self) -> u64 {
        // SAFETY: as above.
        unsafe {
            let halves = _mm_or_si128(_mm256_castsi256_si128(self.0), _mm256_extracti128_si256::<1>(self.0));
            let both = _mm_or_si128(halves, _mm_unpackhi_epi64(halves, halves));
            _mm_cvtsi128_si64(both).cast_unsigned()
        }
    }

    /// The number of set bits in all four words.
    #[inline]
    pub fn count(self) -> u32 {
        self.counts().sum()
    }

    /// The number of set bits in `self` plus those in `other`.
    #[inline]
    pub fn count_with(self, other: Self) -> u32 {
        // A byte has at most 8 bits, so the sum of two counts fits into a byte.
        // SAFETY: as above.
        Self(unsafe { _mm256_add_epi8(self.counts().0, other.counts().0) }).sum()
    }

    /// The total number of set bits over all items. `lanes` returns the bits of an item.
    #[inline]
    pub fn total<T>(items: &[T], lanes: impl Fn(&T) -> Self) -> u32 {
        // A byte can hold the sum of 31 counts (at most 248). So the bytes are summed up only once per 31 items.
        // SAFETY: as above.
        let sums = unsafe {
            items.chunks(31).fold(_mm256_setzero_si256(), |sums, chunk| {
                let counts = chunk.iter().fold(_mm256_setzero_si256(), |counts, item| {
                    _mm256_add_epi8(counts, lanes(item).counts().0)
                });
                _mm256_add_epi64(sums, _mm256_sad_epu8(counts, _mm256_setzero_si256()))
            })
        };
        Self(sums).to_array().into_iter().sum::<u64>() as u32
    }

    /// Replaces each byte by the number of its set bits, with a table lookup for each half byte.
    #[inline]
    fn counts(self) -> Self {
        // SAFETY: as above.
        Self(unsafe {
            let of_half =
                _mm256_broadcastsi128_si256(_mm_setr_epi8(0, 1, 1, 2, 1, 2, 2, 3, 1, 2, 2, 3, 2, 3, 3, 4));
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
