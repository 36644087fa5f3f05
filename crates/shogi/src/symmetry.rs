//! The board turned with the colours exchanged, the board in the mirror, and both: the rules notice none of it.

use crate::board::Board;
use crate::grid::{Square, SquareSet};
use crate::key::Key;
use crate::moves::Move;
use crate::position::Position;
use crate::state::State;
use game::Symmetric;

/// A way to look at a position that the rules do not notice.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Symmetry {
    /// From the other side of the table, with the colours exchanged.
    Rotate,
    /// In a mirror.
    Mirror,
    /// Both.
    RotateMirror,
}

impl Symmetry {
    fn of_square(self, square: Square) -> Square {
        match self {
            Self::Rotate => square.rotate(),
            Self::Mirror => square.mirror(),
            Self::RotateMirror => square.rotate().mirror(),
        }
    }

    fn of_set(self, set: SquareSet) -> SquareSet {
        match self {
            Self::Rotate => set.rotated(),
            Self::Mirror => set.mirrored(),
            Self::RotateMirror => set.rotated().mirrored(),
        }
    }

    fn of_board(self, board: &Board) -> Board {
        board.image(|set| self.of_set(set), Position::swaps_sides(self))
    }
}

impl Symmetric for Position {
    type Symmetry = Symmetry;

    const SYMMETRIES: &'static [Symmetry] = &[Symmetry::Rotate, Symmetry::Mirror, Symmetry::RotateMirror];

    fn swaps_sides(symmetry: Symmetry) -> bool {
        symmetry != Symmetry::Mirror
    }

    fn image(&self, symmetry: Symmetry) -> Self {
        let (hands, turn) = match Self::swaps_sides(symmetry) {
            true => (self.state.hands.swap(), self.turn.other()),
            false => (self.state.hands, self.turn),
        };
        let state = State { board: symmetry.of_board(self.board()), hands };
        Self { state, turn, move_number: self.move_number, key: Key::of(&state, turn) }
    }

    fn move_image(m: Move, symmetry: Symmetry) -> Move {
        let image = |square| symmetry.of_square(square);
        match m {
            Move::Step { kind, from, to, promotes } => {
                Move::Step { kind, from: image(from), to: image(to), promotes }
            }
            Move::Drop { kind, to } => Move::Drop { kind, to: image(to) },
        }
    }
}
