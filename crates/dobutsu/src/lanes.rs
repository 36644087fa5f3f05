//! The small pieces in one machine word, so that a solver can process billions of positions quickly.

use crate::grid::BySquare;
use crate::moves::TARGETS;
use crate::{Kind, Position, Square, SquareSet};
use game::{BySide, Side};
use std::ops::{BitAnd, BitOr};

/// The squares of the giraffes, elephants, chicks and hens of both sides, in four lanes of 16 bits.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct Lanes(u64);

const LANE_BITS: u32 = 16;

/// The word with this set of squares in each of its four lanes.
const fn in_every_lane(word: u16) -> u64 {
    word as u64 * 0x0001_0001_0001_0001
}

impl Lanes {
    /// The lanes without a piece.
    pub(crate) const EMPTY: Self = Self(0);

    #[inline]
    pub(crate) fn of(position: &Position) -> Self {
        Kind::SMALL
            .into_iter()
            .fold(Self::EMPTY, |lanes, kind| lanes | Self::only(kind, position.kinds[kind]))
    }

    /// The lanes with this set in the lane of a small kind. The other lanes are empty.
    #[inline]
    pub(crate) const fn only(kind: Kind, set: SquareSet) -> Self {
        Self((set.word() as u64) << (kind as u32 * LANE_BITS))
    }

    /// The lanes with this set in every lane.
    #[inline]
    pub(crate) const fn every(set: SquareSet) -> Self {
        Self(in_every_lane(set.word()))
    }

    /// The squares of a small kind.
    #[inline]
    pub(crate) const fn get(self, kind: Kind) -> SquareSet {
        SquareSet::from_word((self.0 >> (kind as u32 * LANE_BITS)) as u16)
    }

    /// The lanes with every square in the lane of a small kind. The other lanes are empty.
    pub(crate) const fn every_of(kind: Kind) -> Self {
        Self::only(kind, SquareSet::from_word(0xfff))
    }

    /// The number of pieces of a kind. It must be a kind that a hand can hold. Hens count as chicks.
    #[inline]
    pub(crate) fn count(self, kind: Kind) -> u8 {
        let hens = if kind == Kind::Chick { self.get(Kind::Hen) } else { SquareSet::EMPTY };
        (self.get(kind) | hens).len() as u8
    }

    /// The squares of all pieces.
    #[inline]
    pub(crate) const fn squares(self) -> SquareSet {
        let halves = self.0 | self.0 >> (2 * LANE_BITS);
        SquareSet::from_word((halves | halves >> LANE_BITS) as u16)
    }

    #[inline]
    pub(crate) const fn is_empty(self) -> bool {
        self.0 == 0
    }

    /// The number of pieces.
    #[inline]
    pub(crate) const fn len(self) -> u32 {
        self.0.count_ones()
    }

    /// The lanes without the pieces on these squares.
    #[inline]
    pub(crate) const fn without(self, set: SquareSet) -> Self {
        Self(self.0 & !in_every_lane(set.word()))
    }

    /// Mirrors all lanes, as [`SquareSet::mirrored`] mirrors one set.
    #[inline]
    pub(crate) const fn mirror(self) -> Self {
        let (left, middle) = (in_every_lane(0b001_001_001_001), in_every_lane(0b010_010_010_010));
        Self((self.0 & left) << 2 | self.0 & middle | self.0 >> 2 & left)
    }

    /// Rotates all lanes, as [`SquareSet::rotated`] rotates one set.
    #[inline]
    pub(crate) const fn rotate(self) -> Self {
        let reversed = self.0.reverse_bits().rotate_left(2 * LANE_BITS);
        let even = 0x0000_ffff_0000_ffff;
        let in_order = (reversed & even) << LANE_BITS | reversed >> LANE_BITS & even;
        Self(in_order >> 4)
    }
}

impl BitAnd for Lanes {
    type Output = Self;

    #[inline]
    fn bitand(self, other: Self) -> Self {
        Self(self.0 & other.0)
    }
}

impl BitOr for Lanes {
    type Output = Self;

    #[inline]
    fn bitor(self, other: Self) -> Self {
        Self(self.0 | other.0)
    }
}

/// Iterates over the pieces.
impl Iterator for Lanes {
    type Item = (Kind, Square);

    #[inline]
    fn next(&mut self) -> Option<(Kind, Square)> {
        if self.0 == 0 {
            return None;
        }
        let bit = self.0.trailing_zeros();
        self.0 &= self.0 - 1;
        let square = Square::from_index((bit % LANE_BITS) as u8).expect("a lane holds squares");
        Some((Kind::SMALL[(bit / LANE_BITS) as usize], square))
    }
}

/// `REACHING[side][square]`: for each small kind, the squares from which a piece of the side steps onto the square.
pub(crate) static REACHING: BySide<BySquare<Lanes>> =
    BySide { first: reaching(Side::First), second: reaching(Side::Second) };

/// A step taken back is a step of the other side's piece of the same kind.
const fn reaching(side: Side) -> BySquare<Lanes> {
    let backwards = match side {
        Side::First => &TARGETS.second,
        Side::Second => &TARGETS.first,
    };
    let mut table = [Lanes::EMPTY; 16];
    let mut square = 0;
    while square < table.len() {
        let mut i = 0;
        while i < Kind::SMALL.len() {
            let kind = Kind::SMALL[i];
            table[square].0 |= Lanes::only(kind, backwards.0[kind as usize].0[square]).0;
            i += 1;
        }
        square += 1;
    }
    BySquare::new(table)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lanes_turn_like_sets() {
        for word in 0..1 << 12 {
            let set = SquareSet::from_word(word);
            for kind in Kind::SMALL {
                let lanes = Lanes::only(kind, set) | Lanes::only(Kind::Hen, SquareSet::from_word(0xa51));
                for other in Kind::SMALL {
                    assert_eq!(lanes.mirror().get(other), lanes.get(other).mirrored());
                    assert_eq!(lanes.rotate().get(other), lanes.get(other).rotated());
                }
            }
        }
    }
}
