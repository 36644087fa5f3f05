//! A move: a decision about the cube, or a turn that says which checkers the dice move.

use crate::dice::Roll;
use crate::places::Canonical;
use std::fmt;

/// A decision about the cube, or a turn.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum Move {
    /// Roll without doubling.
    Roll,
    /// Offer a double.
    Double,
    /// Take the double.
    Take,
    /// Decline the double.
    Drop,
    /// Play the roll.
    Turn(Turn),
}

/// What a player does with a roll: the place from which each die moves a checker.
///
/// Of two different dice, the first entry belongs to the higher one. The entries of a double ascend. A die that
/// cannot be played has the entry [`Canonical::OFF`], from where nothing moves. Different turns of the same position
/// and roll lead to different boards.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Turn(u32);

/// Bits per entry. A turn is one word of four entries, which are set one after another.
const ENTRY: u32 = 8;

impl Turn {
    /// The turn in which no checker can move.
    pub const DANCE: Self = Self(u32::from_le_bytes([Canonical::OFF.number(); 4]));

    /// The turn of two different dice. Either place may be [`Canonical::OFF`] if its die moves nothing.
    #[inline]
    pub const fn of_two(high: Canonical, low: Canonical) -> Self {
        Self::DANCE.with(0, high.number() as u32).with(1, low.number() as u32)
    }

    /// Sets an entry that was empty so far.
    #[inline]
    pub(crate) const fn with(self, entry: u32, place: u32) -> Self {
        Self(self.0 - ((Canonical::OFF.number() as u32 - place) << (entry * ENTRY)))
    }

    /// The places that checkers are moved from; [`Canonical::OFF`] in an entry without a step.
    #[inline]
    pub fn sources(self) -> [Canonical; 4] {
        self.0.to_le_bytes().map(Canonical::at)
    }

    /// Returns whether no checker moves.
    pub fn is_dance(self) -> bool {
        self == Self::DANCE
    }

    /// Calls `visit` with the source place and the die of every step. The step of the higher die comes first. The
    /// steps of a double begin with the rearmost checker. The lower die may have to be played first, but the
    /// resulting board is the same.
    #[inline]
    pub fn for_each_step(self, roll: Roll, mut visit: impl FnMut(Canonical, u8)) {
        let [first, second, third, fourth] = self.sources();
        if first != Canonical::OFF {
            visit(first, roll.high());
        }
        for from in [second, third, fourth] {
            // Only doubles have more than two steps. After the first entry, no step follows an empty one.
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
