//! Positions and moves as the mover sees them, in games whose board can be turned.

use bits::Symmetry;
use game::{Side, Symmetric};

/// The position as the side to move sees it. In it, the first side is to move.
#[inline]
pub(crate) fn seen_by_mover<P: Symmetric<Symmetry = Symmetry>>(position: &P) -> P {
    match position.turn() {
        Side::First => position.clone(),
        Side::Second => position.image(Symmetry::Rotate),
    }
}

/// A move of a position as the side to move sees it. Turning twice changes nothing, so this is also the way back.
#[inline]
pub(crate) fn move_seen_by_mover<P: Symmetric<Symmetry = Symmetry>>(position: &P, m: P::Move) -> P::Move {
    match position.turn() {
        Side::First => m,
        Side::Second => P::move_image(m, Symmetry::Rotate),
    }
}
