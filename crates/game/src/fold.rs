//! A fast hash for positions.

use std::hash::{BuildHasherDefault, Hasher};

/// Creates [`FoldHasher`]s for the collections of the standard library.
pub type BuildFold = BuildHasherDefault<FoldHasher>;

/// Hashes by folded multiplication: two words are multiplied to a product of twice the width, and its halves are
/// combined with *xor*.
///
/// The SipHash of the standard library protects against keys that an attacker chose to collide, but it costs more time
/// than many a move. Nobody chooses positions that way. Hash tables also compare the positions, so a collision costs
/// time but never gives a wrong result. The hash is the same on every machine.
#[derive(Clone, Debug)]
pub struct FoldHasher {
    state: u64,
    /// Collects small numbers until they fill a word. So a position that consists of bytes needs few multiplications.
    waiting: u64,
    bits: u32,
}

/// The first digits of π. It is not zero, so that zeros do not hash to zero.
const START: u64 = 0x243f_6a88_85a3_08d3;
/// The golden ratio. It is odd, and its bits have no pattern.
const FACTOR: u64 = 0x9e37_79b9_7f4a_7c15;

impl Default for FoldHasher {
    fn default() -> Self {
        Self { state: START, waiting: 0, bits: 0 }
    }
}

#[inline]
fn fold(state: u64, word: u64) -> u64 {
    let product = u128::from(state ^ word) * u128::from(FACTOR);
    product as u64 ^ (product >> 64) as u64
}

impl FoldHasher {
    #[inline]
    fn push(&mut self, number: u64, bits: u32) {
        if self.bits + bits > u64::BITS {
            self.state = fold(self.state, self.waiting);
            (self.waiting, self.bits) = (0, 0);
        }
        self.waiting |= number << self.bits;
        self.bits += bits;
    }
}

impl Hasher for FoldHasher {
    #[inline]
    fn write(&mut self, bytes: &[u8]) {
        for chunk in bytes.chunks(8) {
            let mut word = [0; 8];
            word[..chunk.len()].copy_from_slice(chunk);
            self.push(u64::from_le_bytes(word), chunk.len() as u32 * u8::BITS);
        }
    }

    #[inline]
    fn write_u8(&mut self, number: u8) {
        self.push(number.into(), u8::BITS);
    }

    #[inline]
    fn write_u16(&mut self, number: u16) {
        self.push(number.into(), u16::BITS);
    }

    #[inline]
    fn write_u32(&mut self, number: u32) {
        self.push(number.into(), u32::BITS);
    }

    #[inline]
    fn write_u64(&mut self, number: u64) {
        self.push(number, u64::BITS);
    }

    #[inline]
    fn write_u128(&mut self, number: u128) {
        self.push(number as u64, u64::BITS);
        self.push((number >> 64) as u64, u64::BITS);
    }

    #[inline]
    fn write_usize(&mut self, number: usize) {
        self.push(number as u64, u64::BITS);
    }

    /// Folds twice, so that the last collected numbers affect all bits.
    #[inline]
    fn finish(&self) -> u64 {
        fold(fold(self.state, self.waiting), self.bits.into())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::collections::HashSet;
    use std::hash::{BuildHasher, Hash};

    fn hash(value: impl Hash) -> u64 {
        BuildFold::default().hash_one(value)
    }

    /// A chi-squared test: takes 12 bits of each hash as the number of one of 4,096 buckets, and compares how full the
    /// buckets are with random hashes. Returns the worst deviation over several choices of the 12 bits, in standard
    /// deviations. Random hashes stay below five.
    fn worst_spread(hashes: &[u64]) -> f64 {
        const PLACES: usize = 1 << 12;
        let expected = hashes.len() as f64 / PLACES as f64;
        let spread = |shift: u32| {
            let mut places = [0u32; PLACES];
            hashes.iter().for_each(|hash| places[(hash >> shift) as usize % PLACES] += 1);
            // For random hashes the sum of squares has the mean PLACES and a variance of twice that.
            let squares: f64 =
                places.iter().map(|&count| (f64::from(count) - expected).powi(2) / expected).sum();
            (squares - PLACES as f64) / (2.0 * PLACES as f64).sqrt()
        };
        (0..=52).step_by(4).map(spread).fold(0.0, f64::max)
    }

    #[test]
    fn what_is_alike_is_spread() {
        let counted: Vec<u64> = (0..1u64 << 16).map(hash).collect();
        let high: Vec<u64> = (0..1u64 << 16).map(|n| hash(n << 48)).collect();
        let small: Vec<u64> = (0..1u32 << 16).map(|n| hash((n as u8, (n >> 8) as u8))).collect();
        // Two pieces on a board: two bits of a word each, with the side to move.
        let squares = |n: u32| (1u64 << (n % 64), 1u64 << (n / 64 % 64), n >= 4096);
        let boards: Vec<u64> = (0..8192).map(|n| hash(squares(n))).collect();
        for (name, hashes) in [("counted", counted), ("high", high), ("small", small), ("boards", boards)] {
            let spread = worst_spread(&hashes);
            assert!(spread < 6.0, "{name}: {spread}");
        }
    }

    #[test]
    fn every_bit_and_the_length_matter() {
        let bits: Vec<u64> = (0..128).map(|bit| hash(1u128 << bit)).collect();
        let zeros: Vec<u64> = (0..40).map(|length| hash(vec![0u8; length])).collect();
        let texts: Vec<u64> = (0..40).map(|length| hash("x".repeat(length))).collect();
        for hashes in [bits, zeros, texts] {
            assert_eq!(hashes.iter().collect::<HashSet<_>>().len(), hashes.len());
        }
    }
}
