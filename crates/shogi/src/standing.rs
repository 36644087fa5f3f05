//! The standing of a man in an endgame: whose it is, in hand or on a square, promoted or not.
//!
//! The standings of a kind are numbered from 0. Squares from which a man could never move are left out. So a pawn or a
//! lance has 308 standings, a knight 290, a gold 164, and the other kinds have 326.

use crate::grid::{Square, dead_end};
use crate::pieces::Kind;
use game::Side;

/// The standing of a man, as the side to move sees it. [`Side::First`] is the side to move, and it plays up the board.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct Standing {
    /// The owner.
    pub side: Side,
    /// The place.
    pub place: Place,
}

/// The place of a man.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Place {
    /// In the hand of its owner.
    Hand,
    /// On a square, not promoted.
    Plain(Square),
    /// On a square, promoted.
    Promoted(Square),
}

impl Place {
    /// The square, or `None` for a man in hand.
    #[inline]
    pub const fn square(self) -> Option<Square> {
        match self {
            Self::Hand => None,
            Self::Plain(square) | Self::Promoted(square) => Some(square),
        }
    }

    fn map(self, square: impl FnOnce(Square) -> Square) -> Self {
        match self {
            Self::Hand => Self::Hand,
            Self::Plain(at) => Self::Plain(square(at)),
            Self::Promoted(at) => Self::Promoted(square(at)),
        }
    }
}

/// A side has one hand, 81 squares for a plain man and 81 for a promoted one.
const PLACES: usize = 1 + 2 * SQUARES;
const SQUARES: usize = 81;
const CODES: usize = 2 * PLACES;
const KINDS: usize = Kind::IN_HAND.len();

/// The number of each standing, by kind and code.
static NUMBERS: [[u16; CODES]; KINDS] = {
    let mut numbers = [[NONE; CODES]; KINDS];
    let mut kind = 0;
    while kind < KINDS {
        let (mut code, mut number) = (0, 0);
        while code < CODES {
            if exists(Kind::IN_HAND[kind], code) {
                numbers[kind][code] = number;
                number += 1;
            }
            code += 1;
        }
        kind += 1;
    }
    numbers
};
const NONE: u16 = u16::MAX;

/// The code of each number, by kind: the inverse of [`NUMBERS`].
static CODES_OF: [[u16; CODES]; KINDS] = {
    let mut codes = [[NONE; CODES]; KINDS];
    let mut kind = 0;
    while kind < KINDS {
        let mut code = 0;
        while code < CODES {
            if NUMBERS[kind][code] != NONE {
                codes[kind][NUMBERS[kind][code] as usize] = code as u16;
            }
            code += 1;
        }
        kind += 1;
    }
    codes
};

/// Returns whether a man of this kind can have the standing with this code.
const fn exists(kind: Kind, code: usize) -> bool {
    let (is_first, place) = (code < PLACES, code % PLACES);
    if place == 0 {
        true
    } else if place <= SQUARES {
        let dead_end = if is_first { dead_end::<true>(kind) } else { dead_end::<false>(kind) };
        dead_end.word() >> (place - 1) & 1 == 0
    } else {
        kind.promoted().is_some()
    }
}

impl Standing {
    /// The largest number of standings of a kind.
    pub const MOST: usize = CODES;

    /// The number of standings of a kind.
    pub const fn count(kind: Kind) -> u16 {
        let squares = match kind.original() {
            Kind::Gold => SQUARES,
            original if original.promoted().is_some() => {
                2 * SQUARES - dead_end::<true>(original).word().count_ones() as usize
            }
            _ => 0,
        };
        2 * (1 + squares as u16)
    }

    #[inline]
    const fn code(self) -> usize {
        let place = match self.place {
            Place::Hand => 0,
            Place::Plain(square) => 1 + square.index(),
            Place::Promoted(square) => 1 + SQUARES + square.index(),
        };
        match self.side {
            Side::First => place,
            Side::Second => PLACES + place,
        }
    }

    /// The number of the standing of a man of this kind. Returns `None` if it cannot stand so.
    #[inline]
    pub fn number(self, kind: Kind) -> Option<u16> {
        let number = *NUMBERS.get(kind.original() as usize)?.get(self.code())?;
        (number != NONE).then_some(number)
    }

    /// The standing with this number. Returns `None` if there is none.
    pub fn numbered(kind: Kind, number: u16) -> Option<Self> {
        let code = usize::from(*CODES_OF.get(kind.original() as usize)?.get(usize::from(number))?);
        let side = if code < PLACES { Side::First } else { Side::Second };
        let square = |number: usize| Square::from_index(number as u8);
        let place = match code % PLACES {
            _ if code >= CODES => return None,
            0 => Place::Hand,
            place if place <= SQUARES => Place::Plain(square(place - 1)?),
            place => Place::Promoted(square(place - 1 - SQUARES)?),
        };
        Some(Self { side, place })
    }

    /// The standing as the other side sees it.
    #[must_use]
    pub fn turned(self) -> Self {
        Self { side: self.side.other(), place: self.place.map(Square::rotate) }
    }

    /// The mirror image: left and right are exchanged.
    #[must_use]
    pub fn mirrored(self) -> Self {
        Self { side: self.side, place: self.place.map(Square::mirror) }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn standings_are_numbered_without_gaps() {
        for (kind, count) in Kind::IN_HAND.into_iter().zip([308, 308, 290, 326, 164, 326, 326]) {
            assert_eq!(Standing::count(kind), count);
            for number in 0..count {
                let standing = Standing::numbered(kind, number).expect("no gaps");
                assert_eq!(standing.number(kind), Some(number));
                assert_eq!(standing.turned().turned(), standing);
                assert!(standing.turned().number(kind).is_some());
                assert!(standing.mirrored().number(kind).is_some());
            }
            assert_eq!(Standing::numbered(kind, count), None);
            assert_eq!(Standing::numbered(kind, u16::MAX), None);
        }
        assert_eq!(Standing { side: Side::First, place: Place::Hand }.number(Kind::King), None);
    }
}
