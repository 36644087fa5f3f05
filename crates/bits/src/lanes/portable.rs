//! The portable version, word by word, for machines without AVX2.

use std::ops::{BitAnd, BitOr, BitXor};

/// The lowest bit of each of a word's four ranks.
const LOWEST_OF_RANKS: u64 = 0x0001_0001_0001_0001;

/// Four words of 64 bits.
#[derive(Clone, Copy, Debug)]
pub struct Lanes([u64; 4]);

impl Lanes {
    /// Creates lanes from four words.
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

    /// Shifts each word left by its own distance. A distance of 64 or more gives zero.
    #[inline]
    #[must_use]
    pub fn shifted_left(self, by: Self) -> Self {
        self.zip(by, |word, by| if by < 64 { word << by } else { 0 })
    }

    /// Shifts each word right by its own distance. A distance of 64 or more gives zero.
    #[inline]
    #[must_use]
    pub fn shifted_right(self, by: Self) -> Self {
        self.zip(by, |word, by| if by < 64 { word >> by } else { 0 })
    }

    /// Creates lanes from sixteen ranks, lowest first.
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

    /// The sixteen ranks, lowest first.
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

    /// Moves every rank up by one. The highest rank is lost; the lowest becomes empty.
    #[inline]
    #[must_use]
    pub fn rank_up(self) -> Self {
        let [a, b, c, d] = self.0;
        Self([a << 16, b << 16 | a >> 48, c << 16 | b >> 48, d << 16 | c >> 48])
    }

    /// Moves every rank down by one. The lowest rank is lost; the highest becomes empty.
    #[inline]
    #[must_use]
    pub fn rank_down(self) -> Self {
        let [a, b, c, d] = self.0;
        Self([a >> 16 | b << 48, b >> 16 | c << 48, c >> 16 | d << 48, d >> 16])
    }

    /// Shifts each rank left by one bit. No bit moves into another rank.
    #[inline]
    #[must_use]
    pub fn file_up(self) -> Self {
        Self(self.0.map(|word| word << 1 & !LOWEST_OF_RANKS))
    }

    /// Shifts each rank right by one bit. No bit moves into another rank.
    #[inline]
    #[must_use]
    pub fn file_down(self) -> Self {
        Self(self.0.map(|word| (word & !LOWEST_OF_RANKS) >> 1))
    }

    /// The number of empty ranks below the lowest non-empty rank; 16 if all ranks are empty.
    #[inline]
    pub fn empty_ranks_below(self) -> u32 {
        let lowest = self.0.into_iter().position(|word| word != 0);
        lowest.map_or(16, |i| 4 * i as u32 + self.0[i].trailing_zeros() / 16)
    }

    /// The number of empty ranks above the highest non-empty rank; 16 if all ranks are empty.
    #[inline]
    pub fn empty_ranks_above(self) -> u32 {
        let highest = self.0.into_iter().rposition(|word| word != 0);
        highest.map_or(16, |i| 4 * (3 - i as u32) + self.0[i].leading_zeros() / 16)
    }

    /// The bits of `self` that are not in `other`.
    #[inline]
    #[must_use]
    pub fn without(self, other: Self) -> Self {
        self.zip(other, |a, b| a & !b)
    }

    /// True if the two have no bit in common.
    #[inline]
    pub fn is_disjoint(self, other: Self) -> bool {
        self.zip(other, |a, b| a & b).union() == 0
    }

    /// The bitwise *or* of the four words.
    #[inline]
    pub fn union(self) -> u64 {
        self.0.into_iter().fold(0, |all, word| all | word)
    }

    /// The number of set bits in all four words.
    #[inline]
    pub fn count(self) -> u32 {
        self.0.into_iter().map(u64::count_ones).sum()
    }

    /// The number of set bits in `self` plus those in `other`.
    #[inline]
    pub fn count_with(self, other: Self) -> u32 {
        self.count() + other.count()
    }

    /// The total number of set bits over all items. `lanes` returns the bits of an item.
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
