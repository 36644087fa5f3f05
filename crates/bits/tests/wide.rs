//! Tests sets with a word type that is not built in. Any type with the operators of [`Word`] works; this one has 256
//! bits and is simple and very slow.
//!
//! Games with boards this large use [`PointSet`](endspiel_bits::PointSet), whose 256 bits are a vector register.

use endspiel_bits::{Geometry, SquareSet, Word};
use proptest::prelude::*;
use std::ops::{BitAnd, BitOr, BitXor, Not, Shl, Shr};
use twin::behaves_like_a_set_of_squares;

mod twin;

/// 256 bits. The highest of the four parts comes first, so that the derived order is the order of the numbers.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug, Default)]
struct Wide([u64; 4]);

impl Wide {
    fn bit(self, index: u32) -> bool {
        index < 256 && self.0[3 - index as usize / 64] >> (index % 64) & 1 == 1
    }

    /// Builds a word bit by bit. This is slow, but simple.
    fn from_bits(bit: impl Fn(u32) -> bool) -> Self {
        let part = |part: u32| (0..64).fold(0, |word, i| word | u64::from(bit(64 * part + i)) << i);
        Self([part(3), part(2), part(1), part(0)])
    }
}

impl BitAnd for Wide {
    type Output = Self;
    fn bitand(self, other: Self) -> Self {
        Self::from_bits(|i| self.bit(i) & other.bit(i))
    }
}

impl BitOr for Wide {
    type Output = Self;
    fn bitor(self, other: Self) -> Self {
        Self::from_bits(|i| self.bit(i) | other.bit(i))
    }
}

impl BitXor for Wide {
    type Output = Self;
    fn bitxor(self, other: Self) -> Self {
        Self::from_bits(|i| self.bit(i) ^ other.bit(i))
    }
}

impl Not for Wide {
    type Output = Self;
    fn not(self) -> Self {
        Self::from_bits(|i| !self.bit(i))
    }
}

impl Shl<u32> for Wide {
    type Output = Self;
    fn shl(self, distance: u32) -> Self {
        Self::from_bits(|i| i.checked_sub(distance).is_some_and(|i| self.bit(i)))
    }
}

impl Shr<u32> for Wide {
    type Output = Self;
    fn shr(self, distance: u32) -> Self {
        Self::from_bits(|i| self.bit(i + distance))
    }
}

impl Word for Wide {
    type PerBit<T> = [T; 256];

    const BITS: u32 = 256;
    const ZERO: Self = Self([0; 4]);
    const ONE: Self = Self([0, 0, 0, 1]);

    fn count(self) -> u32 {
        (0..256).filter(|&i| self.bit(i)).count() as u32
    }

    fn lowest(self) -> u32 {
        (0..256).find(|&i| self.bit(i)).unwrap_or(256)
    }

    fn without_lowest(self) -> Self {
        let lowest = self.lowest();
        Self::from_bits(|i| self.bit(i) && i != lowest)
    }

    fn reversed(self) -> Self {
        Self::from_bits(|i| self.bit(255 - i))
    }
}

#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug, Default)]
struct ElevenByTwelve;
impl Geometry for ElevenByTwelve {
    type Word = Wide;
    const FILES: u8 = 11;
    const RANKS: u8 = 12;
}

fn any_set() -> impl Strategy<Value = SquareSet<ElevenByTwelve>> {
    any::<[u64; 4]>()
        .prop_map(|word| SquareSet::from_word(Wide(word) & SquareSet::<ElevenByTwelve>::full().word()))
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(32))]
    #[test]
    fn sets_behave_like_sets(a in any_set(), b in any_set(), dx in -12i8..=12, dy in -13i8..=13) {
        behaves_like_a_set_of_squares(a, b, dx, dy);
    }
}

/// `lowest` of an empty word returns 256. Stored in a byte, that would become 0, which is a1.
#[test]
fn the_empty_set_has_no_square() {
    let empty = SquareSet::<ElevenByTwelve>::EMPTY;
    assert_eq!(empty.first(), None);
    assert_eq!(empty.iter().count(), 0);
    assert_eq!(SquareSet::<ElevenByTwelve>::full().len(), 132);
    behaves_like_a_set_of_squares(empty, !empty, 1, 1);
}
