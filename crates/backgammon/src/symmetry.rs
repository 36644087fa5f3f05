//! The symmetry of backgammon: the rules are the same if the board is turned round and the sides are exchanged.

use crate::moves::Move;
use crate::position::Position;
use game::Symmetric;

/// The only symmetry of backgammon: the board turned round, with the sides exchanged.
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

    /// Places are numbered in the direction of play of the side to move, so a turn is its own image.
    fn move_image(m: Move, _: Turned) -> Move {
        m
    }
}
