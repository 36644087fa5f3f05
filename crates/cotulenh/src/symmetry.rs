//! The symmetry of the rules: the board turned upside down with the colours exchanged.

use crate::moves::Turn;
use crate::position::Position;

/// The one symmetry of the rules: the colours exchanged, and the board turned upside down. Left and right differ, since
/// the sea is on one side.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Flip;

impl game::Symmetric for Position {
    type Symmetry = Flip;

    const SYMMETRIES: &'static [Flip] = &[Flip];

    fn swaps_sides(_: Flip) -> bool {
        true
    }

    fn image(&self, _: Flip) -> Self {
        self.flipped()
    }

    fn move_image(turn: Turn, _: Flip) -> Turn {
        turn.flipped()
    }
}
