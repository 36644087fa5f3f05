//! The doubling cube.

use crate::terms::Terms;
use game::Side;

/// The doubling cube: its value, and who may double.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Default)]
pub struct Cube {
    /// How often the cube has been doubled.
    doublings: Doublings,
    owner: Option<Side>,
}

/// A number of doublings, which stands for a power of two up to 2¹⁵. A match ID cannot hold more.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug, Default)]
pub struct Doublings(u8);

impl Doublings {
    /// The usual limit of a cube: 1024.
    pub const USUAL_LIMIT: Self = Self(10);
    /// The highest possible limit: 32768.
    pub const MOST: Self = Self(15);

    /// Returns this number of doublings, or `None` if it is above [`Doublings::MOST`].
    pub fn new(number: u8) -> Option<Self> {
        (number <= Self::MOST.0).then_some(Self(number))
    }

    /// Returns the doublings that lead to this value, or `None` if it is not a possible power of two.
    pub fn to(value: u32) -> Option<Self> {
        if value.is_power_of_two() { Self::new(value.trailing_zeros() as u8) } else { None }
    }

    /// The number of doublings.
    pub const fn number(self) -> u8 {
        self.0
    }

    /// The value of a single game after these doublings.
    pub const fn value(self) -> u32 {
        1 << self.0
    }
}

impl Cube {
    /// The cube in the middle at 1, as at the start of every game.
    pub const CENTRED: Self = Self { doublings: Doublings(0), owner: None };

    /// A cube with a value and an owner. Without an owner it is in the middle.
    pub const fn new(doublings: Doublings, owner: Option<Side>) -> Self {
        Self { doublings, owner }
    }

    /// How often the cube was doubled.
    pub const fn doublings(self) -> Doublings {
        self.doublings
    }

    /// The value of a single game.
    pub const fn value(self) -> u32 {
        self.doublings.value()
    }

    /// The only side that may double, or `None` before the first double, when both sides may.
    pub const fn owner(self) -> Option<Side> {
        self.owner
    }

    /// Returns whether the cube and the terms allow this side to double.
    #[inline]
    pub(crate) fn may_be_doubled_by(self, side: Side, terms: &Terms) -> bool {
        terms.with_cube
            && terms.stakes.score().is_none_or(|score| score.allows_cube())
            && self.doublings < terms.cube_limit
            && self.owner.is_none_or(|owner| owner == side)
    }

    /// The cube after a double that this side took: twice the value, owned by this side.
    #[must_use]
    pub(crate) const fn taken_by(self, side: Side) -> Self {
        Self { doublings: Doublings(self.doublings.0 + 1), owner: Some(side) }
    }
}
