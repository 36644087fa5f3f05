//! The symmetries of the rules: the board turned with the colours exchanged, the board mirrored, and both together.

use crate::grid::Square;
use crate::key;
use crate::moves::Move;
use crate::position::Position;
use crate::state::State;
use bits::Symmetry;
use game::Symmetric;

impl Symmetric for Position {
    type Symmetry = Symmetry;

    const SYMMETRIES: &'static [Symmetry] = &Symmetry::ALL;

    fn swaps_sides(symmetry: Symmetry) -> bool {
        symmetry.swaps_sides()
    }

    fn image(&self, symmetry: Symmetry) -> Self {
        let (hands, turn) = match symmetry.swaps_sides() {
            true => (self.state.hands.swap(), self.turn.other()),
            false => (self.state.hands, self.turn),
        };
        let board = self.board().image(|set| set.image(symmetry), symmetry.swaps_sides());
        let state = State { board, hands };
        Self { state, turn, move_number: self.move_number, key: key::of(&state, turn) }
    }

    fn move_image(m: Move, symmetry: Symmetry) -> Move {
        let image = |square: Square| square.image(symmetry);
        match m {
            Move::Step { kind, from, to, promotes } => {
                Move::Step { kind, from: image(from), to: image(to), promotes }
            }
            Move::Drop { kind, to } => Move::Drop { kind, to: image(to) },
        }
    }
}
