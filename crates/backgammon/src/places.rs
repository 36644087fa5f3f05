//! Three ways to number the places of the board, three types: who confuses them is told by the compiler.
//!
//! | numbering | bar | points | off | used by |
//! |---|---|---|---|---|
//! | [`Physical`] | | 1–24, the first side goes up and the second down | | the [`Board`](crate::Board) |
//! | [`Canonical`] | 0 | 1–24, whoever moves goes up | 25 | turns, actions, observations |
//! | [`Human`] | 25 | 24–1, whoever moves goes down | 0 | move texts, position IDs, drawings |
//!
//! `human = 25 − canonical`, always; for the first side `physical = canonical`, for the second `25 − canonical`.

use game::Side;
use std::fmt;

/// Points on the board.
pub(crate) const POINTS: u8 = 24;

/// A point as it lies on the table, whoever looks: 1 to 24.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct Physical(u8);

/// A place as the mover numbers it on his way: the bar is 0, the points are 1 to 24, off the board is 25.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct Canonical(u8);

/// A place as people write it: the bar is 25, the points are 24 to 1, off the board is 0.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct Human(u8);

impl Physical {
    /// The point of this number, if there is one.
    pub fn new(number: u8) -> Option<Self> {
        (1..=POINTS).contains(&number).then_some(Self(number))
    }

    /// Its number.
    pub const fn number(self) -> u8 {
        self.0
    }

    /// As this side numbers it.
    pub fn seen_by(self, side: Side) -> Canonical {
        match side {
            Side::First => Canonical(self.0),
            Side::Second => Canonical(POINTS + 1 - self.0),
        }
    }
}

impl Canonical {
    /// Where hit checkers wait.
    pub const BAR: Self = Self(0);
    /// Where checkers are when they are home.
    pub const OFF: Self = Self(POINTS + 1);

    /// The place of this number, if there is one.
    pub fn new(number: u8) -> Option<Self> {
        (number <= Self::OFF.0).then_some(Self(number))
    }

    /// The 24 points, on the way.
    pub fn points() -> impl DoubleEndedIterator<Item = Self> + Clone {
        (1..=POINTS).map(Self)
    }

    /// The bar and the points: where a checker can be moved from.
    pub fn sources() -> impl DoubleEndedIterator<Item = Self> + Clone {
        (0..=POINTS).map(Self)
    }

    /// From a number that is known to be one.
    #[inline]
    pub(crate) const fn at(number: u8) -> Self {
        debug_assert!(number <= Self::OFF.0);
        Self(number)
    }

    /// Its number.
    #[inline]
    pub const fn number(self) -> u8 {
        self.0
    }

    /// Where a die leads from here; past the last point, off.
    #[inline]
    pub const fn after(self, die: u8) -> Self {
        let to = self.0 + die;
        if to < Self::OFF.0 { Self(to) } else { Self::OFF }
    }

    /// As people write it.
    pub const fn human(self) -> Human {
        Human(Self::OFF.0 - self.0)
    }

    /// Where it lies on the table, if it is a point.
    pub fn physical(self, mover: Side) -> Option<Physical> {
        Physical::new(match mover {
            Side::First => self.0,
            Side::Second => Self::OFF.0 - self.0,
        })
    }

    /// The same point as the opponent numbers it.
    pub const fn seen_by_opponent(self) -> Self {
        Self(Self::OFF.0 - self.0)
    }
}

impl Human {
    /// The place of this number, if there is one.
    pub fn new(number: u8) -> Option<Self> {
        Canonical::new(number).map(|_| Self(number))
    }

    /// Its number.
    pub const fn number(self) -> u8 {
        self.0
    }

    /// As the mover numbers it on his way.
    pub const fn canonical(self) -> Canonical {
        Canonical(Canonical::OFF.0 - self.0)
    }
}

impl fmt::Display for Human {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.canonical() {
            Canonical::BAR => f.write_str("bar"),
            Canonical::OFF => f.write_str("off"),
            _ => self.0.fmt(f),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_numbering_leads_back() {
        for place in (0..=25).map(|number| Canonical::new(number).expect("a place")) {
            assert_eq!(place.human().canonical(), place);
            assert_eq!(place.human().number() + place.number(), 25);
            for side in Side::ALL {
                let returned = place.physical(side).map(|point| point.seen_by(side));
                assert_eq!(returned, (1..=24).contains(&place.number()).then_some(place));
            }
        }
        assert_eq!((Physical::new(0), Physical::new(25), Canonical::new(26)), (None, None, None));
        assert_eq!(Canonical::at(20).after(6), Canonical::OFF);
    }
}
