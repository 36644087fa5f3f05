//! Random numbers that are the same on every machine and in every version.

/// The SplitMix64 generator. A seed always gives the same sequence. It is good enough to choose moves, but not for
/// cryptography.
///
/// We do not use a library, because samples and golden files must not change with the next version of that library.
#[derive(Clone, Debug)]
pub struct Rng(u64);

impl Rng {
    /// Starts the sequence of this seed.
    pub const fn new(seed: u64) -> Self {
        Self(seed)
    }

    /// Returns the next 64 random bits.
    #[inline]
    pub const fn next_u64(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut z = self.0;
        z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        z ^ (z >> 31)
    }

    /// Returns a random number below `bound`. The probabilities are equal up to a difference of 2⁻⁶⁴.
    ///
    /// # Panics
    /// Panics if `bound` is 0.
    #[inline]
    pub fn below(&mut self, bound: u64) -> u64 {
        assert!(bound > 0, "no number is below 0");
        ((u128::from(self.next_u64()) * u128::from(bound)) >> 64) as u64
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The published test vector of SplitMix64 for seed 1234567.
    #[test]
    fn equals_the_reference() {
        let mut rng = Rng::new(1_234_567);
        let expected = [6_457_827_717_110_365_317, 3_203_168_211_198_807_973, 9_817_491_932_198_370_423];
        assert_eq!([(); 3].map(|()| rng.next_u64()), expected);
    }

    #[test]
    fn stays_below_and_reaches_all() {
        let mut rng = Rng::new(0);
        let mut seen = [0; 7];
        (0..7_000).for_each(|_| seen[rng.below(7) as usize] += 1);
        assert!(seen.iter().all(|&count| count > 800), "{seen:?}");
    }
}
