//! The eight symmetries of the square board.

use crate::grid::{Square, SquareSet};

/// A symmetry of the board: exchanges left and right, then near and far, then files and ranks, each or not.
///
/// ```
/// use endspiel_chess::{Square, Symmetry};
///
/// let corners = Symmetry::ALL.map(|symmetry| symmetry.square(Square::at(1, 0)).to_string());
/// assert_eq!(corners, ["b1", "g1", "b8", "g8", "a2", "a7", "h2", "h7"]);
/// ```
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct Symmetry(u8);

impl Symmetry {
    /// All symmetries. The first leaves everything in its place.
    pub const ALL: [Self; 8] = [Self(0), Self(1), Self(2), Self(3), Self(4), Self(5), Self(6), Self(7)];
    /// Leaves everything in its place.
    pub const IDENTITY: Self = Self(0);
    /// Exchanges left and right: the a-file and the h-file.
    pub const MIRROR: Self = Self(1);
    /// Exchanges near and far: the first and the last rank.
    pub const FLIP: Self = Self(2);
    /// Exchanges files and ranks: b1 and a2. The diagonal from a1 to h8 stays.
    pub const TRANSPOSE: Self = Self(4);

    /// The number of the symmetry in [`ALL`](Self::ALL).
    #[inline]
    pub const fn index(self) -> usize {
        self.0 as usize
    }

    /// The symmetry that takes everything back.
    #[inline]
    #[must_use]
    pub const fn inverse(self) -> Self {
        if self.0 & Self::TRANSPOSE.0 == 0 { self } else { Self(exchanged_mirrors(self.0)) }
    }

    /// This symmetry, and then another.
    #[inline]
    #[must_use]
    pub const fn then(self, next: Self) -> Self {
        let next = if self.0 & Self::TRANSPOSE.0 == 0 { next.0 } else { exchanged_mirrors(next.0) };
        Self(self.0 ^ next)
    }

    /// The image of a square.
    #[inline]
    pub const fn square(self, square: Square) -> Square {
        let file = if self.0 & 1 == 0 { square.file() } else { 7 - square.file() };
        let rank = if self.0 & 2 == 0 { square.rank() } else { 7 - square.rank() };
        if self.0 & 4 == 0 { Square::at(file, rank) } else { Square::at(rank, file) }
    }

    /// The image of a set with few squares. It looks them up one by one, so it does not branch on the symmetry, which is hard to
    /// predict.
    #[inline]
    pub fn few(self, set: SquareSet) -> SquareSet {
        let images = &IMAGES[self.index()];
        set.iter().fold(SquareSet::EMPTY, |all, square| all | images[square.index()])
    }

    /// The image of a set.
    #[inline]
    pub const fn set(self, set: SquareSet) -> SquareSet {
        let mut word = set.word();
        if self.0 & 1 != 0 {
            word = mirrored(word);
        }
        if self.0 & 2 != 0 {
            word = word.swap_bytes();
        }
        SquareSet::from_word(if self.0 & 4 == 0 { word } else { transposed(word) })
    }
}

/// By symmetry and square: the image of the square.
static IMAGES: [[SquareSet; 64]; 8] = {
    let mut images = [[SquareSet::EMPTY; 64]; 8];
    let mut i = 0;
    while i < 8 * 64 {
        images[i / 64][i % 64] = Symmetry::ALL[i / 64].set(SquareSet::from_word(1 << (i % 64)));
        i += 1;
    }
    images
};

impl Default for Symmetry {
    fn default() -> Self {
        Self::IDENTITY
    }
}

/// Left and right before the exchange of files and ranks are near and far after it.
#[inline(always)]
const fn exchanged_mirrors(symmetry: u8) -> u8 {
    symmetry & 4 | (symmetry & 1) << 1 | (symmetry & 2) >> 1
}

#[inline(always)]
const fn mirrored(word: u64) -> u64 {
    let word = word >> 1 & 0x5555_5555_5555_5555 | (word & 0x5555_5555_5555_5555) << 1;
    let word = word >> 2 & 0x3333_3333_3333_3333 | (word & 0x3333_3333_3333_3333) << 2;
    word >> 4 & 0x0f0f_0f0f_0f0f_0f0f | (word & 0x0f0f_0f0f_0f0f_0f0f) << 4
}

#[inline(always)]
const fn transposed(word: u64) -> u64 {
    const fn exchanged(word: u64, mask: u64, distance: u32) -> u64 {
        let changed = (word ^ word >> distance) & mask;
        word ^ changed ^ changed << distance
    }
    let word = exchanged(word, 0x00aa_00aa_00aa_00aa, 7);
    let word = exchanged(word, 0x0000_cccc_0000_cccc, 14);
    exchanged(word, 0x0000_0000_f0f0_f0f0, 28)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn sets_move_as_their_squares() {
        for symmetry in Symmetry::ALL {
            assert_eq!(Symmetry::ALL[symmetry.index()], symmetry);
            assert_eq!(symmetry.then(symmetry.inverse()), Symmetry::IDENTITY);
            for square in Square::all() {
                assert_eq!(symmetry.set(SquareSet::from(square)), SquareSet::from(symmetry.square(square)));
                let two = SquareSet::from(square) | SquareSet::from(Square::at(2, 6));
                assert_eq!(symmetry.few(two), symmetry.set(two));
                for next in Symmetry::ALL {
                    let both = symmetry.then(next).square(square);
                    assert_eq!(both, next.square(symmetry.square(square)));
                }
            }
        }
    }
}
