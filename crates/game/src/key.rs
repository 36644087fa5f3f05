//! A number for each position.

use crate::Rng;
use std::ops::{BitXor, BitXorAssign};

/// The key of a position: equal positions have equal keys, and others hardly ever.
///
/// Games that keep it up to date while they move do so by Zobrist's method: a random key for each thing that can stand
/// somewhere, all of them joined by `^`, which is its own inverse. Clocks are not in it, as they are not in `Eq`.
///
/// ```
/// use endspiel_game::{Key, Rng};
///
/// let [rook, king] = Key::table(&mut Rng::new(1));
/// let mut key = rook ^ king;
/// key ^= rook; // the rook is taken
/// assert_eq!(key, king);
/// ```
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug, Default)]
pub struct Key(pub u64);

impl Key {
    /// The key of nothing.
    pub const EMPTY: Self = Self(0);

    /// The next random key.
    pub const fn random(rng: &mut Rng) -> Self {
        Self(rng.next_u64())
    }

    /// So many random keys, for a constant table.
    pub const fn table<const N: usize>(rng: &mut Rng) -> [Self; N] {
        let mut keys = [Self::EMPTY; N];
        let mut i = 0;
        while i < N {
            keys[i] = Self::random(rng);
            i += 1;
        }
        keys
    }
}

impl BitXor for Key {
    type Output = Self;

    #[inline]
    fn bitxor(self, other: Self) -> Self {
        Self(self.0 ^ other.0)
    }
}

impl BitXorAssign for Key {
    #[inline]
    fn bitxor_assign(&mut self, other: Self) {
        *self = *self ^ other;
    }
}
