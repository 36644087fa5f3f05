//! Positions and moves as the side to move sees them, in games whose board can be rotated.

use bits::Symmetry;
use game::{Side, Symmetric};

/// The position as the side to move sees it. In the result, the first side is to move.
#[inline]
pub(crate) fn seen_by_mover<P: Symmetric<Symmetry = Symmetry>>(position: &P) -> P {
    match position.turn() {
        Side::First => position.clone(),
        Side::Second => position.image(Symmetry::Rotate),
    }
}

/// A move of a position as the side to move sees it. Rotating twice changes nothing, so the function is its own inverse.
#[inline]
pub(crate) fn move_seen_by_mover<P: Symmetric<Symmetry = Symmetry>>(position: &P, m: P::Move) -> P::Move {
    match position.turn() {
        Side::First => m,
        Side::Second => P::move_image(m, Symmetry::Rotate),
    }
}
