//! Hanging men: those that the enemy wins material by capturing.

use crate::grid::Square;
use crate::moves::{Move, Step};
use crate::position::Position;
use game::{Centipawns, Position as _, Side};

/// A man that the enemy wins material by capturing.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct Hanging {
    /// The square of the man.
    pub man: Square,
    /// The capture that wins most. Of equal captures, the first in the order of the moves.
    pub capture: Move,
    /// What the capture wins, by [`Position::see`].
    pub wins: Centipawns,
}

impl Position {
    /// The hanging men of this side, in the order of their squares. Each is judged alone: one capture may save another man.
    ///
    /// Men of the side that is not to move can be captured now. Men of the side to move could be captured if it passed; if it is
    /// in check, the check is ignored for this.
    ///
    /// ```
    /// use endspiel_chess::{Centipawns, Position};
    /// use game::Side;
    ///
    /// // The knight gives check, and attacks the rook.
    /// let fork: Position = "r3k3/2N5/8/8/8/8/8/4K3 b q - 0 1".parse()?;
    /// let [rook] = fork.hanging(Side::Second)[..] else { panic!("one man hangs") };
    /// assert_eq!((rook.man.to_string(), rook.wins), ("a8".to_owned(), Centipawns(500)));
    /// # Ok::<(), endspiel_chess::PositionError>(())
    /// ```
    pub fn hanging(&self, side: Side) -> Vec<Hanging> {
        let before = if self.turn == side { self.passed() } else { *self };
        let mut found: Vec<Hanging> = Vec::new();
        before.for_each_move(|capture| {
            let man = match capture.is(Step::EnPassant) {
                true => Square::at(capture.to().file(), capture.from().rank()),
                false => capture.to(),
            };
            let wins = before.see(capture);
            if !before.is_capture(capture) || man == self.king(side) || wins <= Centipawns(0) {
                return;
            }
            match found.iter_mut().find(|hanging| hanging.man == man) {
                None => found.push(Hanging { man, capture, wins }),
                Some(hanging) if hanging.wins < wins => *hanging = Hanging { man, capture, wins },
                Some(_) => {}
            }
        });
        found.sort_by_key(|hanging| hanging.man);
        found
    }
}
