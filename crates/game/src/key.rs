//! Hash keys of positions.

use crate::Rng;
use std::ops::{BitXor, BitXorAssign};

/// The key of a position, a 64-bit hash. Equal positions have equal keys; different positions almost never do.
///
/// Games that update the key with every move use Zobrist hashing: there is a random key for each piece on each square,
/// and all keys of a position are combined by `^`, which is its own inverse. Clocks are not part of the key, as they
/// are not part of `Eq`.
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
    /// The key of an empty position: zero.
    pub const EMPTY: Self = Self(0);

    /// Returns the next random key.
    pub const fn random(rng: &mut Rng) -> Self {
        Self(rng.next_u64())
    }

    /// Returns `N` random keys. It is a `const fn`, so it also works for constant tables.
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
