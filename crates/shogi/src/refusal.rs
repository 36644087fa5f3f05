//! Explains to users why a move is not legal: two pawns on a file and dropped pawns that mate are easily overlooked.

use crate::grid::{SquareSet, dead_end, files_of, zone};
use crate::legality::reach;
use crate::moves::Move;
use crate::pieces::Kind;
use crate::position::Position;
use game::{Position as _, Side};

impl Position {
    /// Returns the rule that forbids a move that is not legal. Returns `None` if the man does not move in this way at
    /// all.
    pub(crate) fn why_not(&self, m: Move) -> Option<&'static str> {
        let (board, us) = (self.board(), self.turn());
        let (camp, stuck) = match us {
            Side::First => (zone::<true>(), dead_end::<true>(m.kind())),
            Side::Second => (zone::<false>(), dead_end::<false>(m.kind())),
        };
        let leaves_check = || {
            let next = self.play_unchecked(m);
            next.board().is_attacked(next.king(us), us.other())
        };
        match m {
            Move::Drop { kind, to } => {
                let pawns = board.of(us, Kind::Pawn);
                if !self.hand(us).has(kind) {
                    Some("there is none in hand")
                } else if board.occupied().contains(to) {
                    Some("the square is not empty")
                } else if stuck.contains(to) {
                    Some("it could never move again")
                } else if kind == Kind::Pawn && files_of(pawns).contains(to) {
                    Some("there is a pawn on the file already")
                } else if leaves_check() {
                    Some("the king would be in check")
                } else {
                    Some("a dropped pawn must not mate")
                }
            }
            Move::Step { kind, from, to, promotes } => {
                if !board.of_side(us).contains(from) {
                    return Some("that man is not of the side to move");
                }
                if !(reach(us, kind, from, board.occupied()) & !board.of_side(us)).contains(to) {
                    return None;
                }
                let touches_camp = camp.intersects(SquareSet::from(from) | SquareSet::from(to));
                if promotes && (kind.promoted().is_none() || !touches_camp) {
                    Some("it does not promote there")
                } else if !promotes && stuck.contains(to) {
                    Some("it must promote there")
                } else {
                    leaves_check().then_some("the king would be in check")
                }
            }
        }
    }
}
