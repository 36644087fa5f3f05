//! A position in the form that the numbering needs.

use crate::lanes::{Lanes, REACHING};
use crate::moves::TARGETS;
use crate::numbers::Lions;
use crate::{Hand, Kind, Position, SquareSet};
use game::Side;

/// A position with two lions as one of the players sees it. This player is Black and plays up the board.
///
/// A view holds the information of a number in 16 bytes, without redundancy. Numbers are relative to the side to move, so a
/// position is ranked from the view of that side. Code that ranks many similar positions makes one view and changes it.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct View {
    /// The small pieces.
    pub(crate) lanes: Lanes,
    /// The squares of all Black's pieces.
    pub(crate) own: SquareSet,
    /// The two lions. `own` is Black's lion.
    pub(crate) lions: Lions,
    /// The pieces that Black has in hand.
    pub(crate) held: Hand,
}

impl View {
    /// The view of this side. Returns `None` if a lion has been caught.
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

    /// The view with left and right exchanged.
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

    /// The squares of all pieces.
    #[inline]
    pub(crate) fn occupied(&self) -> SquareSet {
        self.lanes.squares() | self.lions.squares()
    }

    /// The squares of all White's pieces.
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

    /// Returns whether this side could capture the other lion if it were to move.
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
