//! The squares of the two kings in an endgame, and the numbering of the pairs.
//!
//! The board is turned and mirrored so that the king of the side that is not to move comes to one part of the board:
//!
//! - Without pawns, to the triangle a1–d1–d4. If it is on the diagonal, the other king comes on the diagonal or below
//!   it. 462 pairs remain. In 21 of them both kings are on the diagonal; such a pair is its own image.
//! - With pawns, to the files a to d. 1,806 pairs remain.

use crate::grid::Square;
use crate::symmetry::Symmetry;

/// The squares of the two kings.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct Kings {
    /// The king of the side to move.
    pub own: Square,
    /// The king of the opponent.
    pub other: Square,
}

/// The numbering of pairs of kings.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Fold {
    /// All eight symmetries keep the value of a position: there are no pawns.
    Eight,
    /// Only the mirror image has the same value: there are pawns.
    Two,
}

const SQUARES: usize = 64;
const NONE: u16 = u16::MAX;

/// By the other king and the own king: the number of the pair.
type Numbers = [[u16; SQUARES]; SQUARES];

static EIGHT: Numbers = numbers(Fold::Eight);
static TWO: Numbers = numbers(Fold::Two);
static PAIRS_OF_EIGHT: [u16; Fold::Eight.pairs()] = pairs(&EIGHT);
static PAIRS_OF_TWO: [u16; Fold::Two.pairs()] = pairs(&TWO);

const fn numbers(fold: Fold) -> Numbers {
    let mut numbers = [[NONE; SQUARES]; SQUARES];
    let mut number = 0;
    let mut pair = 0;
    while pair < SQUARES * SQUARES {
        let (other, own) = (at(pair / SQUARES), at(pair % SQUARES));
        let are_apart = own.file().abs_diff(other.file()) > 1 || own.rank().abs_diff(other.rank()) > 1;
        if are_apart && fold.keeps(Kings { own, other }) {
            numbers[other.index()][own.index()] = number;
            number += 1;
        }
        pair += 1;
    }
    assert!(number as usize == fold.pairs());
    numbers
}

const fn pairs<const N: usize>(numbers: &Numbers) -> [u16; N] {
    let mut pairs = [0; N];
    let mut pair = 0;
    while pair < SQUARES * SQUARES {
        let number = numbers[pair / SQUARES][pair % SQUARES];
        if number != NONE {
            pairs[number as usize] = pair as u16;
        }
        pair += 1;
    }
    pairs
}

const fn at(index: usize) -> Square {
    match Square::from_index(index as u8) {
        Some(square) => square,
        None => unreachable!(),
    }
}

impl Fold {
    /// The number of pairs.
    pub const fn pairs(self) -> usize {
        match self {
            Self::Eight => 462,
            Self::Two => 1806,
        }
    }

    /// The number of positions that share an index, unless a position is its own image.
    pub const fn images(self) -> u64 {
        match self {
            Self::Eight => 8,
            Self::Two => 2,
        }
    }

    /// Returns whether a pair of kings is one that has a number, if the kings are not next to each other.
    const fn keeps(self, kings: Kings) -> bool {
        let (own, other) = (kings.own, kings.other);
        match self {
            Self::Eight => {
                other.file() <= 3
                    && (other.rank() < other.file()
                        || (other.rank() == other.file() && own.rank() <= own.file()))
            }
            Self::Two => other.file() <= 3,
        }
    }

    /// The number of a pair. Returns `None` if the kings are next to each other, or if an image has the number.
    #[inline]
    pub fn number(self, kings: Kings) -> Option<u16> {
        let numbers = match self {
            Self::Eight => &EIGHT,
            Self::Two => &TWO,
        };
        let number = numbers[kings.other.index()][kings.own.index()];
        (number != NONE).then_some(number)
    }

    /// The pair with this number. Returns `None` if there is none.
    pub fn numbered(self, number: u16) -> Option<Kings> {
        let pairs: &[u16] = match self {
            Self::Eight => &PAIRS_OF_EIGHT,
            Self::Two => &PAIRS_OF_TWO,
        };
        let pair = usize::from(*pairs.get(usize::from(number))?);
        Some(Kings { own: at(pair % SQUARES), other: at(pair / SQUARES) })
    }

    /// The symmetry that takes a pair of kings to the one that has the number.
    #[inline]
    pub fn symmetry(self, kings: Kings) -> Symmetry {
        let mirrors = usize::from(kings.other.file() > 3);
        let Self::Eight = self else { return Symmetry::ALL[mirrors] };
        let flips = 2 * usize::from(kings.other.rank() > 3);
        let Kings { own, other } = kings.image(Symmetry::ALL[mirrors + flips]);
        let is_above = |square: Square| square.rank() > square.file();
        let transposes = is_above(other) || (other.rank() == other.file() && is_above(own));
        Symmetry::ALL[mirrors + flips + 4 * usize::from(transposes)]
    }

    /// Returns whether a pair with a number is its own image under [`Symmetry::TRANSPOSE`].
    #[inline]
    pub fn is_own_image(self, kings: Kings) -> bool {
        let is_on_diagonal = |square: Square| square.rank() == square.file();
        self == Self::Eight && is_on_diagonal(kings.own) && is_on_diagonal(kings.other)
    }
}

impl Kings {
    /// The image of both kings.
    #[inline]
    #[must_use]
    pub fn image(self, symmetry: Symmetry) -> Self {
        Self { own: symmetry.square(self.own), other: symmetry.square(self.other) }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_pair_has_one_number_among_its_images() {
        for (fold, symmetries) in [(Fold::Eight, &Symmetry::ALL[..]), (Fold::Two, &Symmetry::ALL[..2])] {
            let (mut numbers, mut own_images) = (Vec::new(), 0);
            for own in Square::all() {
                for other in Square::all() {
                    let kings = Kings { own, other };
                    let are_apart =
                        own.file().abs_diff(other.file()) > 1 || own.rank().abs_diff(other.rank()) > 1;
                    let image = kings.image(fold.symmetry(kings));
                    assert_eq!(fold.number(image).is_some(), are_apart, "{kings:?}");
                    let mut of_images: Vec<u16> = symmetries
                        .iter()
                        .filter_map(|&symmetry| fold.number(kings.image(symmetry)))
                        .collect();
                    of_images.dedup();
                    assert_eq!(of_images.len(), usize::from(are_apart), "{kings:?}");
                    if let Some(number) = fold.number(kings) {
                        assert_eq!(fold.symmetry(kings), Symmetry::IDENTITY);
                        assert_eq!(fold.numbered(number), Some(kings));
                        own_images += usize::from(fold.is_own_image(kings));
                        numbers.push(number);
                    }
                }
            }
            numbers.sort();
            assert!(numbers.into_iter().eq(0..fold.pairs() as u16));
            assert_eq!(fold.numbered(fold.pairs() as u16), None);
            assert_eq!(own_images, if fold == Fold::Eight { 21 } else { 0 });
        }
    }
}
