//! The twin for other machines, word by word.

use std::ops::{BitAnd, BitOr, BitXor};

/// The lowest bit of each of a word's four ranks.
const LOWEST_OF_RANKS: u64 = 0x0001_0001_0001_0001;

/// Four words of 64 bits.
#[derive(Clone, Copy, Debug)]
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

    /// These sixteen ranks, the lowest first.
    #[inline]
    pub const fn from_ranks(ranks: [u16; 16]) -> Self {
        let mut words = [0; 4];
        let mut i = 0;
        while i < 16 {
            words[i / 4] |= (ranks[i] as u64) << (i % 4 * 16);
            i += 1;
        }
        Self(words)
    }

    /// The sixteen ranks, the lowest first.
    #[inline]
    pub const fn to_ranks(self) -> [u16; 16] {
        let mut ranks = [0; 16];
        let mut i = 0;
        while i < 16 {
            ranks[i] = (self.0[i / 4] >> (i % 4 * 16)) as u16;
            i += 1;
        }
        ranks
    }

    /// The same rank sixteen times.
    #[inline]
    pub fn splat_rank(rank: u16) -> Self {
        Self::from_ranks([rank; 16])
    }

    /// Every rank in the place of the next higher one; the highest is lost, the lowest empty.
    #[inline]
    #[must_use]
    pub fn rank_up(self) -> Self {
        let [a, b, c, d] = self.0;
        Self([a << 16, b << 16 | a >> 48, c << 16 | b >> 48, d << 16 | c >> 48])
    }

    /// Every rank in the place of the next lower one; the lowest is lost, the highest empty.
    #[inline]
    #[must_use]
    pub fn rank_down(self) -> Self {
        let [a, b, c, d] = self.0;
        Self([a >> 16 | b << 48, b >> 16 | c << 48, c >> 16 | d << 48, d >> 16])
    }

    /// Each rank shifted up by one bit on its own.
    #[inline]
    #[must_use]
    pub fn file_up(self) -> Self {
        Self(self.0.map(|word| word << 1 & !LOWEST_OF_RANKS))
    }

    /// Each rank shifted down by one bit on its own.
    #[inline]
    #[must_use]
    pub fn file_down(self) -> Self {
        Self(self.0.map(|word| (word & !LOWEST_OF_RANKS) >> 1))
    }

    /// How many ranks are empty below the lowest that is not; 16 if all are.
    #[inline]
    pub fn empty_ranks_below(self) -> u32 {
        let lowest = self.0.into_iter().position(|word| word != 0);
        lowest.map_or(16, |i| 4 * i as u32 + self.0[i].trailing_zeros() / 16)
    }

    /// How many ranks are empty above the highest that is not; 16 if all are.
    #[inline]
    pub fn empty_ranks_above(self) -> u32 {
        let highest = self.0.into_iter().rposition(|word| word != 0);
        highest.map_or(16, |i| 4 * (3 - i as u32) + self.0[i].leading_zeros() / 16)
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

    /// The number of bits that all items have together, each giving its own.
    #[inline]
    pub fn total<T>(items: &[T], lanes: impl Fn(&T) -> Self) -> u32 {
        items.iter().map(|item| lanes(item).count()).sum()
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
