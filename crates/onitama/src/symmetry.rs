//! The symmetries of the rules: the board turned with the colours exchanged, the board and the cards mirrored, and both.

use crate::moves::Move;
use crate::position::Position;
use bits::Symmetry;

impl game::Symmetric for Position {
    type Symmetry = Symmetry;

    const SYMMETRIES: &'static [Symmetry] = &Symmetry::ALL;

    fn swaps_sides(symmetry: Symmetry) -> bool {
        symmetry.swaps_sides()
    }

    #[inline]
    fn image(&self, symmetry: Symmetry) -> Self {
        symmetry.apply(*self, |position| position.rotate(), |position| position.mirror())
    }

    #[inline]
    fn move_image(m: Move, symmetry: Symmetry) -> Move {
        symmetry.apply(m, Move::rotate, Move::mirror)
    }
}
