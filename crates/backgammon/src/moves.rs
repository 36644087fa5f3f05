//! A move: what is done about the cube, or a turn, which says which checkers the dice move.

use crate::dice::Roll;
use crate::places::Canonical;
use std::fmt;

/// What a player may do.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum Move {
    /// Roll, without doubling.
    Roll,
    /// Double.
    Double,
    /// Take the double.
    Take,
    /// Decline it.
    Drop,
    /// Play the roll.
    Turn(Turn),
}

/// All that a player does with a roll: where each die takes a checker from.
///
/// Of two different dice, the first entry belongs to the higher. Of a double, the entries ascend. What no die could move
/// is the place off the board, from where nothing moves. Turns of one position and roll that are different lead to
/// different boards.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Turn(u32);

/// Bits of an entry: a word of four is made by adding them one by one.
const ENTRY: u32 = 8;

impl Turn {
    /// Nothing can be moved.
    pub const DANCE: Self = Self(u32::from_le_bytes([Canonical::OFF.number(); 4]));

    /// Two different dice, either of which may have nothing to move.
    #[inline]
    pub const fn of_two(high: Canonical, low: Canonical) -> Self {
        Self::DANCE.with(0, high.number() as u32).with(1, low.number() as u32)
    }

    /// With an entry that was none.
    #[inline]
    pub(crate) const fn with(self, entry: u32, place: u32) -> Self {
        Self(self.0 - ((Canonical::OFF.number() as u32 - place) << (entry * ENTRY)))
    }

    /// Where checkers are taken from, [`Canonical::OFF`] where none is.
    #[inline]
    pub fn sources(self) -> [Canonical; 4] {
        self.0.to_le_bytes().map(Canonical::at)
    }

    /// Is nothing moved?
    pub fn is_dance(self) -> bool {
        self == Self::DANCE
    }

    /// Shows every step, the checker's place and the die: those of the higher die first, those of a double from the rear.
    /// The lower die may have to be played first, but the board that they lead to is the same.
    #[inline]
    pub fn for_each_step(self, roll: Roll, mut visit: impl FnMut(Canonical, u8)) {
        let [first, second, third, fourth] = self.sources();
        if first != Canonical::OFF {
            visit(first, roll.high());
        }
        for from in [second, third, fourth] {
            // Only doubles have more than two, and theirs end with the last step.
            if from == Canonical::OFF {
                return;
            }
            visit(from, roll.low());
        }
    }
}

impl fmt::Debug for Turn {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_tuple("Turn").field(&self.sources().map(Canonical::number)).finish()
    }
}
