//! The symmetries of the rules: the board turned with the colours exchanged, the board mirrored, and both.

use crate::{Move, Position, Square};
use bits::Symmetry;
use game::Symmetric;

impl Symmetric for Position {
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
        let image = |square: Square| square.image(symmetry);
        match m {
            Move::Step { from, to } => Move::Step { from: image(from), to: image(to) },
            Move::Drop { kind, to } => Move::Drop { kind, to: image(to) },
        }
    }
}
