//! The doubling cube.

use game::Side;

/// What is at stake, and who may raise it.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Default)]
pub struct Cube {
    /// How often it has been doubled.
    doublings: Doublings,
    owner: Option<Side>,
}

/// A power of two, up to 2¹⁵: as much as a match ID can say.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug, Default)]
pub struct Doublings(u8);

impl Doublings {
    /// As far as a cube is usually turned: 1024.
    pub const USUAL_LIMIT: Self = Self(10);
    /// As far as any is: 32768.
    pub const MOST: Self = Self(15);

    /// So many doublings, if no more than are possible.
    pub fn new(number: u8) -> Option<Self> {
        (number <= Self::MOST.0).then_some(Self(number))
    }

    /// The doublings that lead to this value, if it is a power of two within the possible.
    pub fn to(value: u32) -> Option<Self> {
        if value.is_power_of_two() { Self::new(value.trailing_zeros() as u8) } else { None }
    }

    /// How many.
    pub const fn number(self) -> u8 {
        self.0
    }

    /// What a single game is worth after so many.
    pub const fn value(self) -> u32 {
        1 << self.0
    }
}

impl Cube {
    /// In the middle, at 1: how every game begins.
    pub const CENTRED: Self = Self { doublings: Doublings(0), owner: None };

    /// A cube at a value, in somebody's hands or in the middle.
    pub const fn new(doublings: Doublings, owner: Option<Side>) -> Self {
        Self { doublings, owner }
    }

    /// How often it was doubled.
    pub const fn doublings(self) -> Doublings {
        self.doublings
    }

    /// What a single game is worth.
    pub const fn value(self) -> u32 {
        self.doublings.value()
    }

    /// Who alone may double; before the first double both may.
    pub const fn owner(self) -> Option<Side> {
        self.owner
    }

    /// Would the cube allow this side to double?
    pub(crate) fn is_available_to(self, side: Side, limit: Doublings) -> bool {
        self.doublings < limit && self.owner.is_none_or(|owner| owner == side)
    }

    /// Doubled, and given to who took it.
    #[must_use]
    pub(crate) const fn taken_by(self, side: Side) -> Self {
        Self { doublings: Doublings(self.doublings.0 + 1), owner: Some(side) }
    }
}
