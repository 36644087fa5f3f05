//! A legal position: board, hands, side to move, move number and key.

use crate::board::Board;
use crate::grid::{Square, SquareSet, side};
use crate::key;
use crate::legality::Legality;
use crate::moves::Move;
use crate::pieces::Hand;
use crate::state::State;
use game::perft::{Count, Walk, count_by_sides, play_by_sides};
use game::{Key, NoChance, Outcome, Side};
use std::fmt;
use std::hash::{Hash, Hasher};
use std::ops::ControlFlow;

/// A legal position: each side has one king, no man stands where it could never move, no side has two unpromoted
/// pawns on a file, and the side that has just moved is not in check.
///
/// Two positions are equal if board, hands and side to move are equal. The move number is not compared.
#[derive(Clone, Copy)]
pub struct Position {
    pub(crate) state: State,
    pub(crate) turn: Side,
    pub(crate) move_number: u16,
    pub(crate) key: Key,
}

impl PartialEq for Position {
    fn eq(&self, other: &Self) -> bool {
        self.key == other.key && self.turn == other.turn && self.state == other.state
    }
}

impl Eq for Position {}

impl Hash for Position {
    fn hash<H: Hasher>(&self, hasher: &mut H) {
        self.key.hash(hasher);
    }
}

/// Writes the SFEN, which holds the whole position.
impl fmt::Debug for Position {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Position({self})")
    }
}

impl Position {
    /// The board.
    #[inline]
    pub fn board(&self) -> &Board {
        &self.state.board
    }

    /// The hand of a side.
    #[inline]
    pub fn hand(&self, side: Side) -> Hand {
        self.state.hand(side)
    }

    /// The move number. It begins with 1 and grows by 1 with each move of either side.
    #[inline]
    pub fn move_number(&self) -> u16 {
        self.move_number
    }

    /// The square of a side's king.
    #[inline]
    pub fn king(&self, side: Side) -> Square {
        match side {
            Side::First => self.state.king::<true>(),
            Side::Second => self.state.king::<false>(),
        }
    }

    /// The men that give check to the side to move.
    #[inline]
    pub fn checkers(&self) -> SquareSet {
        self.state.board.attackers(self.king(self.turn), self.turn.other())
    }

    /// The men of the side to move that cannot leave a line without exposing their king.
    pub fn pinned(&self) -> SquareSet {
        match self.turn {
            Side::First => Legality::of::<true>(&self.state).pinned,
            Side::Second => Legality::of::<false>(&self.state).pinned,
        }
    }

    /// Returns whether the side to move is in check.
    #[inline]
    pub fn is_check(&self) -> bool {
        self.state.board.is_attacked(self.king(self.turn), self.turn.other())
    }

    /// Calls `visit` with every legal move that captures, or that promotes a pawn, bishop or rook. `visit` can stop the iteration.
    #[inline]
    pub fn visit_tactical<B>(&self, visit: impl FnMut(Move) -> ControlFlow<B>) -> ControlFlow<B> {
        match self.turn {
            Side::First => self.state.visit_tactical::<true, B>(visit),
            Side::Second => self.state.visit_tactical::<false, B>(visit),
        }
    }

    /// Returns whether [`visit_tactical`](Self::visit_tactical) visits a legal move.
    #[inline]
    pub fn is_tactical(&self, m: Move) -> bool {
        match m {
            Move::Step { kind, to, promotes, .. } => {
                promotes && kind.gains_by_promotion() || self.board().of_side(self.turn.other()).contains(to)
            }
            Move::Drop { .. } => false,
        }
    }

    /// Returns the position after the side to move passes. Returns `None` in check, because the king could then be captured. A pass is
    /// not a legal move; it is used in analysis.
    pub fn pass(&self) -> Option<Self> {
        let passed = Self { turn: self.turn.other(), key: self.key ^ key::second_to_move(), ..*self };
        (!self.is_check()).then_some(passed)
    }

    /// Returns whether the side to move has a legal move.
    pub(crate) fn has_moves(&self) -> bool {
        match self.turn {
            Side::First => self.state.has_moves::<true>(),
            Side::Second => self.state.has_moves::<false>(),
        }
    }
}

/// The moves are those of the state. Playing one also updates side to move, move number and key.
impl Walk for Position {
    type Move = Move;

    #[inline(always)]
    fn visit<const BLACK: bool, B>(&self, visit: impl FnMut(Move) -> ControlFlow<B>) -> ControlFlow<B> {
        self.state.visit::<BLACK, B>(visit)
    }

    #[inline(always)]
    fn played<const BLACK: bool>(&self, m: Move) -> Self {
        let (us, them) = const { (side::<BLACK>(), side::<BLACK>().other()) };
        let state = self.state.after::<BLACK>(m);
        let mut key = self.key ^ key::second_to_move();
        match m {
            Move::Step { kind, from, to, .. } => {
                key ^= key::man(us, kind, from);
                key ^= key::man(us, m.arriving(), to);
                if let Some(taken) = self.board().piece_at(to) {
                    key ^= key::man(them, taken.kind, to);
                    let original = taken.kind.original();
                    let held = self.hand(us).count(original);
                    key ^= key::held(us, original, held) ^ key::held(us, original, held + 1);
                }
            }
            Move::Drop { kind, to } => {
                key ^= key::man(us, kind, to);
                let held = self.hand(us).count(kind);
                key ^= key::held(us, kind, held) ^ key::held(us, kind, held.wrapping_sub(1));
            }
        }
        Self { state, turn: them, move_number: self.move_number.saturating_add(1), key }
    }
}

impl game::Position for Position {
    type Move = Move;
    type Chance = NoChance;

    #[inline]
    fn turn(&self) -> Side {
        self.turn
    }

    #[inline]
    fn key(&self) -> Key {
        self.key
    }

    /// A side to move without a legal move has lost, in check or not.
    fn outcome(&self) -> Option<Outcome> {
        match self.has_moves() {
            true => None,
            false if self.is_check() => Some(Outcome::win(self.turn.other(), "checkmate")),
            false => Some(Outcome::win(self.turn.other(), "no legal move")),
        }
    }

    #[inline]
    fn visit_moves<B>(&self, visit: impl FnMut(Move) -> ControlFlow<B>) -> ControlFlow<B> {
        match self.turn {
            Side::First => self.state.visit::<true, B>(visit),
            Side::Second => self.state.visit::<false, B>(visit),
        }
    }

    #[inline]
    fn play_unchecked(&self, m: Move) -> Self {
        match self.turn {
            Side::First => self.played::<true>(m),
            Side::Second => self.played::<false>(m),
        }
    }

    #[inline]
    fn count_moves(&self) -> u64 {
        match self.turn {
            Side::First => self.state.count::<true>(),
            Side::Second => self.state.count::<false>(),
        }
    }

    fn count_sequences(&self, depth: u32) -> u64 {
        count_by_sides(&self.state, self.turn, depth)
    }

    fn play_sequences(&self, depth: u32) -> u64 {
        play_by_sides(self, self.turn, depth)
    }
}

#[cfg(test)]
mod tests {
    use crate::Shogi;
    use game::{Game as _, laws};

    /// Men of shogi capture what stands in their way, so no position is known in which all moves are forced for long.
    #[test]
    fn the_stack_suffices_by_sides() {
        let start = Shogi::default().start();
        laws::stack_suffices_by_sides(start.state, start, start.turn);
    }
}
