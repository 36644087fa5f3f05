//! The board turned round with the sides exchanged: the rules do not notice.

use crate::moves::Move;
use crate::position::Position;
use game::Symmetric;

/// The only symmetry that backgammon has: the board turned round, with the sides exchanged.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Turned;

impl Symmetric for Position {
    type Symmetry = Turned;
    const SYMMETRIES: &'static [Turned] = &[Turned];

    fn swaps_sides(_: Turned) -> bool {
        true
    }

    fn image(&self, _: Turned) -> Self {
        self.turned()
    }

    /// Places are numbered on the mover's way, so a turn is its own image.
    fn move_image(m: Move, _: Turned) -> Move {
        m
    }
}
