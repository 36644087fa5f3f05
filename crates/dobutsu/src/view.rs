//! A position taken apart, as the numbering needs it.

use crate::lanes::{Lanes, REACHING};
use crate::moves::TARGETS;
use crate::numbers::Lions;
use crate::{Hand, Kind, Position, SquareSet};
use game::Side;

/// A position with two lions as one of the players sees it: he is Black and plays up the board.
///
/// It holds what a number says and nothing twice, in 16 bytes. Numbers are relative to the mover, so a position is
/// ranked through the mover's eyes. Who has many positions to rank looks at the board once and changes the view.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct View {
    /// The small pieces.
    pub(crate) lanes: Lanes,
    /// All of Black's pieces.
    pub(crate) own: SquareSet,
    /// Black's lion is the own one.
    pub(crate) lions: Lions,
    /// What Black holds in hand.
    pub(crate) held: Hand,
}

impl View {
    /// What this side sees; nothing if a lion has been caught.
    #[inline]
    pub(crate) fn of(position: &Position, side: Side) -> Option<Self> {
        let lions = Lions { own: position.lion(side)?, other: position.lion(side.other())? };
        let (lanes, own, held) = (Lanes::of(position), position.sides[side], position.hands[side]);
        Some(match side {
            Side::First => Self { lanes, own, lions, held },
            Side::Second => {
                Self { lanes: lanes.rotate(), own: own.rotated(), lions: lions.rotate_squares(), held }
            }
        })
    }

    /// Left and right exchanged.
    #[inline]
    #[must_use]
    pub(crate) fn mirror(self) -> Self {
        Self {
            lanes: self.lanes.mirror(),
            own: self.own.mirrored(),
            lions: self.lions.mirror(),
            held: self.held,
        }
    }

    /// All pieces.
    #[inline]
    pub(crate) fn occupied(&self) -> SquareSet {
        self.lanes.squares() | self.lions.squares()
    }

    /// All of White's pieces.
    #[inline]
    pub(crate) fn others(&self) -> SquareSet {
        self.occupied() & !self.own
    }

    /// The small pieces of a side that attack the other lion.
    #[inline]
    pub(crate) fn attackers(&self, side: Side) -> Lanes {
        let (target, of_side) = match side {
            Side::First => (self.lions.other, self.own),
            Side::Second => (self.lions.own, !self.own),
        };
        self.lanes & REACHING[side][target] & Lanes::every(of_side)
    }

    /// Could this side take the other lion, if it were its turn?
    #[inline]
    pub(crate) fn can_catch(&self, side: Side) -> bool {
        !self.attackers(side).is_empty()
            || TARGETS[side][Kind::Lion][self.lions.own].contains(self.lions.other)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_view_is_small() {
        assert_eq!(size_of::<View>(), 16);
    }
}
