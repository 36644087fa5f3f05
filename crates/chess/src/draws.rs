//! Draws that a position knows of although it has moves left: they end a game, not the position.

use crate::position::Position;

/// Plies without a pawn's move or a capture after which a player may claim a draw: 50 moves of each side.
const TO_CLAIM: u16 = 100;
/// And after which the game is drawn, unless the last move was mate: 75 moves.
const TO_END: u16 = 150;

impl Position {
    /// May the side to move claim a draw by the fifty-move rule?
    #[inline]
    pub fn is_claimable_by_fifty_moves(&self) -> bool {
        self.clock().quiet_plies >= TO_CLAIM
    }

    /// Is the game drawn by the seventy-five-move rule? Mate goes before it: ask for the outcome first.
    #[inline]
    pub fn is_drawn_by_seventy_five_moves(&self) -> bool {
        self.clock().quiet_plies >= TO_END
    }
}
