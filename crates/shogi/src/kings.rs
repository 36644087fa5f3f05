//! The squares of the two kings in an endgame, and the numbering of the pairs.
//!
//! Left and right are exchanged if needed, so that the opponent's king is on one of the five files at the left, and if
//! it is on the middle file, the own king is on one of these files. Kings are never next to each other. 2,996 pairs
//! remain. In 56 of them both kings are on the middle file; such a pair is its own mirror image.

use crate::grid::Square;

/// The squares of the two kings, as the side to move sees them. It plays up the board.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct Kings {
    /// The king of the side to move.
    pub own: Square,
    /// The king of the opponent.
    pub other: Square,
}

const SQUARES: usize = 81;
const MIDDLE: u8 = 4;
const NONE: u16 = u16::MAX;

/// The number of each pair, by the other king and the own king; `NONE` for a pair that has no number.
static NUMBERS: [[u16; SQUARES]; SQUARES] = {
    let mut numbers = [[NONE; SQUARES]; SQUARES];
    let mut number = 0;
    let mut pair = 0;
    while pair < SQUARES * SQUARES {
        let (other, own) = (pair / SQUARES, pair % SQUARES);
        let files = ((own % 9) as u8, (other % 9) as u8);
        let is_folded = files.1 < MIDDLE || (files.1 == MIDDLE && files.0 <= MIDDLE);
        let apart = files.0.abs_diff(files.1) > 1 || (own / 9).abs_diff(other / 9) > 1;
        if is_folded && apart {
            numbers[other][own] = number;
            number += 1;
        }
        pair += 1;
    }
    assert!(number as usize == Kings::COUNT);
    numbers
};

/// The pair with each number, as `81 * other + own`.
static PAIRS: [u16; Kings::COUNT] = {
    let mut pairs = [0; Kings::COUNT];
    let mut pair = 0;
    while pair < SQUARES * SQUARES {
        let number = NUMBERS[pair / SQUARES][pair % SQUARES];
        if number != NONE {
            pairs[number as usize] = pair as u16;
        }
        pair += 1;
    }
    pairs
};

impl Kings {
    /// The number of pairs.
    pub const COUNT: usize = 2996;

    /// The number of the pair. Returns `None` if the kings are next to each other, or if the mirror image has the
    /// number.
    #[inline]
    pub fn number(self) -> Option<u16> {
        let number = NUMBERS[self.other.index()][self.own.index()];
        (number != NONE).then_some(number)
    }

    /// The pair with this number. Returns `None` if there is none.
    pub fn numbered(number: u16) -> Option<Self> {
        let pair = usize::from(*PAIRS.get(usize::from(number))?);
        let square = |index: usize| Square::from_index(index as u8);
        Some(Self { own: square(pair % SQUARES)?, other: square(pair / SQUARES)? })
    }

    /// Returns whether both kings are on the middle file, so that the pair is its own mirror image.
    #[inline]
    pub fn are_in_the_middle(self) -> bool {
        self.own.file() == MIDDLE && self.other.file() == MIDDLE
    }

    /// Returns whether the mirror image has the number, and not this pair.
    #[inline]
    pub fn are_folded_away(self) -> bool {
        self.other.file() > MIDDLE || (self.other.file() == MIDDLE && self.own.file() > MIDDLE)
    }

    /// The mirror image: left and right are exchanged.
    #[inline]
    #[must_use]
    pub fn mirrored(self) -> Self {
        Self { own: self.own.mirror(), other: self.other.mirror() }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_pair_or_its_image_has_a_number() {
        let mut numbers = Vec::new();
        for own in Square::all() {
            for other in Square::all() {
                let kings = Kings { own, other };
                let apart = own.file().abs_diff(other.file()) > 1 || own.rank().abs_diff(other.rank()) > 1;
                let number = kings.number();
                assert_eq!(kings.number().or(kings.mirrored().number()).is_some(), apart, "{kings:?}");
                assert_eq!(number.is_some(), apart && !kings.are_folded_away(), "{kings:?}");
                let both = number.is_some() && kings.mirrored().number().is_some();
                assert_eq!(both, apart && kings.are_in_the_middle());
                if let Some(number) = number {
                    assert_eq!(Kings::numbered(number), Some(kings));
                    numbers.push(number);
                }
            }
        }
        numbers.sort();
        assert!(numbers.into_iter().eq(0..Kings::COUNT as u16));
        assert_eq!(Kings::numbered(Kings::COUNT as u16), None);
        let middle = |number: &u16| Kings::numbered(*number).is_some_and(Kings::are_in_the_middle);
        assert_eq!((0..Kings::COUNT as u16).filter(middle).count(), 56);
    }
}
