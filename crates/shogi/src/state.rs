//! Board and hands, and how a move changes them. This is all that legality needs: side to move, move number and key
//! are left out.

use crate::board::Board;
use crate::grid::{Square, SquareSet, lowest, side};
use crate::moves::Move;
use crate::pieces::{Hand, Kind};
use game::{BySide, Side};

#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub(crate) struct State {
    pub board: Board,
    pub hands: BySide<Hand>,
}

impl State {
    /// The square of this side's king.
    #[inline]
    pub fn king<const BLACK: bool>(&self) -> Square {
        lowest(self.board.of_original(Kind::King) & self.board.of_side(side::<BLACK>()))
    }

    /// The hand of a side.
    #[inline]
    pub fn hand(&self, side: Side) -> Hand {
        self.hands[side]
    }

    /// The state after a legal move of this side.
    #[inline(always)]
    pub fn after<const BLACK: bool>(&self, m: Move) -> Self {
        let (us, them) = const { (side::<BLACK>(), side::<BLACK>().other()) };
        let mut next = *self;
        match m {
            Move::Step { kind, from, to, promotes } => {
                let (from, there) = (SquareSet::from(from), SquareSet::from(to));
                if self.board.of_side(them).intersects(there) {
                    let taken = self.board.original_at(to).unwrap_or(Kind::Pawn);
                    next.board.take(them, taken, there);
                    next.hands[us] = self.hand(us).with(taken);
                }
                next.board.step(us, kind, from, there, promotes);
            }
            Move::Drop { kind, to } => {
                next.board.put(us, kind, SquareSet::from(to));
                next.hands[us] = self.hand(us).without(kind);
            }
        }
        next
    }
}
