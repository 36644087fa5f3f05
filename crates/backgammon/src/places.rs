//! Three numberings of the places on the board. Each has its own type, so that the compiler finds a mix-up.
//!
//! | numbering | bar | points | off | used by |
//! |---|---|---|---|---|
//! | [`Physical`] | | 1–24, the first side goes up and the second down | | the [`Board`](crate::Board) |
//! | [`Canonical`] | 0 | 1–24, the side to move goes up | 25 | turns, actions, observations |
//! | [`Human`] | 25 | 24–1, the side to move goes down | 0 | move texts, position IDs, drawings |
//!
//! `human = 25 − canonical` for both sides. For the first side `physical = canonical`;
//! for the second side `physical = 25 − canonical`.

use game::Side;
use std::fmt;

/// The number of points on the board.
pub(crate) const POINTS: u8 = 24;

/// A point of the board with the same number for both sides: 1 to 24.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct Physical(u8);

/// A place in the direction of play of the side to move: the bar is 0, the points are 1 to 24, off the board is 25.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct Canonical(u8);

/// A place as players write it: the bar is 25, the points are 24 to 1, off the board is 0.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct Human(u8);

impl Physical {
    /// Returns the point with this number, or `None` if there is none.
    pub fn new(number: u8) -> Option<Self> {
        (1..=POINTS).contains(&number).then_some(Self(number))
    }

    /// The number of the point.
    pub const fn number(self) -> u8 {
        self.0
    }

    /// The point in the numbering of this side.
    pub fn seen_by(self, side: Side) -> Canonical {
        match side {
            Side::First => Canonical(self.0),
            Side::Second => Canonical(POINTS + 1 - self.0),
        }
    }
}

impl Canonical {
    /// The bar, where hit checkers wait.
    pub const BAR: Self = Self(0);
    /// Off the board, where the checkers go that are borne off.
    pub const OFF: Self = Self(POINTS + 1);

    /// Returns the place with this number, or `None` if there is none.
    pub fn new(number: u8) -> Option<Self> {
        (number <= Self::OFF.0).then_some(Self(number))
    }

    /// The 24 points in the direction of play.
    pub fn points() -> impl DoubleEndedIterator<Item = Self> + Clone {
        (1..=POINTS).map(Self)
    }

    /// The bar and the points: all places that a checker can be moved from.
    pub fn sources() -> impl DoubleEndedIterator<Item = Self> + Clone {
        (0..=POINTS).map(Self)
    }

    /// The place with this number, which is known to be valid.
    #[inline]
    pub(crate) const fn at(number: u8) -> Self {
        debug_assert!(number <= Self::OFF.0);
        Self(number)
    }

    /// The number of the place.
    #[inline]
    pub const fn number(self) -> u8 {
        self.0
    }

    /// The place that a die leads to from here; [`Canonical::OFF`] past the last point.
    #[inline]
    pub const fn after(self, die: u8) -> Self {
        let to = self.0 + die;
        if to < Self::OFF.0 { Self(to) } else { Self::OFF }
    }

    /// The place as players write it.
    pub const fn human(self) -> Human {
        Human(Self::OFF.0 - self.0)
    }

    /// The point in the numbering of the board, or `None` if the place is not a point.
    pub fn physical(self, mover: Side) -> Option<Physical> {
        Physical::new(match mover {
            Side::First => self.0,
            Side::Second => Self::OFF.0 - self.0,
        })
    }

    /// The same point in the numbering of the opponent.
    pub const fn seen_by_opponent(self) -> Self {
        Self(Self::OFF.0 - self.0)
    }
}

impl Human {
    /// Returns the place with this number, or `None` if there is none.
    pub fn new(number: u8) -> Option<Self> {
        Canonical::new(number).map(|_| Self(number))
    }

    /// The number of the place.
    pub const fn number(self) -> u8 {
        self.0
    }

    /// The place in the direction of play of the side to move.
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
