//! Draws by material and by the clock. They end a game, but the position still has legal moves.

use crate::grid::SquareSet;
use crate::pieces::Kind;
use crate::position::Position;
use game::{Outcome, Plies};

/// Plies without a pawn move or a capture after which the side to move may claim a draw: 50 moves of each side.
pub const FIFTY_MOVES: Plies = Plies(100);
/// Plies without a pawn move or a capture after which the game is drawn, unless the last move was mate: 75 moves of each
/// side.
const TO_END: u16 = 150;

impl Position {
    /// Returns whether neither side can ever mate: bare kings, one minor piece, or bishops that all stand on squares of one
    /// colour.
    pub fn is_dead_material(&self) -> bool {
        const DARK: SquareSet = SquareSet::from_word(0xaa55_aa55_aa55_aa55);
        let board = &self.state.board;
        let bishops = board.of_kind(Kind::Bishop);
        let others = board.occupied() & !board.of_kind(Kind::King) & !bishops;
        match (others.len(), bishops.is_empty()) {
            (0, _) => !bishops.intersects(DARK) || !bishops.intersects(!DARK),
            (1, true) => others == board.of_kind(Kind::Knight),
            _ => false,
        }
    }

    /// Returns whether the side to move may claim a draw by the fifty-move rule.
    #[inline]
    pub fn is_claimable_by_fifty_moves(&self) -> bool {
        self.clock().quiet_plies >= FIFTY_MOVES.0
    }

    /// Returns whether the game is drawn by the seventy-five-move rule. Mate comes before this rule: test the outcome first.
    #[inline]
    pub fn is_drawn_by_seventy_five_moves(&self) -> bool {
        self.clock().quiet_plies >= TO_END
    }

    /// The draw that ends a game here without a claim.
    pub(crate) fn declared_draw(&self) -> Option<Outcome> {
        if self.is_dead_material() {
            Some(Outcome::draw("insufficient material"))
        } else {
            self.is_drawn_by_seventy_five_moves().then(|| Outcome::draw("the seventy-five-move rule"))
        }
    }

    /// The draw that the side to move may claim here.
    pub(crate) fn claimable_draw(&self) -> Option<Outcome> {
        self.is_claimable_by_fifty_moves().then(|| Outcome::draw("the fifty-move rule"))
    }
}
