//! A turn: which checkers the dice move.

use crate::dice::Roll;
use crate::places::Canonical;

/// All that a player does with a roll: where each die takes a checker from.
///
/// Of two different dice, the first entry belongs to the higher. Of a double, the entries ascend. What no die could move
/// is the place off the board, from where nothing moves. Turns of one position and roll that are different lead to
/// different boards.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct Turn([Canonical; 4]);

impl Turn {
    /// Nothing can be moved.
    pub const DANCE: Self = Self([Canonical::OFF; 4]);

    /// Two different dice, either of which may have nothing to move.
    #[inline]
    pub const fn of_two(high: Canonical, low: Canonical) -> Self {
        Self([high, low, Canonical::OFF, Canonical::OFF])
    }

    /// A double.
    #[inline]
    pub(crate) const fn of_double(sources: [Canonical; 4]) -> Self {
        Self(sources)
    }

    /// Where checkers are taken from, [`Canonical::OFF`] where none is.
    #[inline]
    pub const fn sources(self) -> [Canonical; 4] {
        self.0
    }

    /// Is nothing moved?
    pub fn is_dance(self) -> bool {
        self == Self::DANCE
    }

    /// Shows every step, the checker's place and the die, in an order in which they can be played one by one if there is
    /// nothing in the way of the higher die; the board that they lead to is the same in any order.
    #[inline]
    pub fn for_each_step(self, roll: Roll, mut visit: impl FnMut(Canonical, u8)) {
        let [first, second, third, fourth] = self.0;
        for (from, die) in
            [(first, roll.high()), (second, roll.low()), (third, roll.low()), (fourth, roll.low())]
        {
            if from != Canonical::OFF {
                visit(from, die);
            }
        }
    }
}
