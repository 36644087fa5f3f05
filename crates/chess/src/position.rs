//! A legal position: the board with the side to move, rights, clocks and a key.

use crate::board::Board;
use crate::grid::{Square, SquareSet};
use crate::key;
use crate::legality::Legality;
use crate::moves::{Move, Step};
use crate::pieces::Kind;
use crate::state::{State, side};
use game::perft::{Count, Walk, count_by_sides, play_by_sides};
use game::{Key, NoChance, Outcome, Side};
use std::fmt;
use std::hash::{Hash, Hasher};
use std::ops::ControlFlow;

/// A legal position: each side has one king, no pawn is on the first or last rank, and the side that has just moved is not
/// in check.
///
/// Two positions are equal if the same moves lead to the same games. The clocks are not compared, and an en-passant square
/// counts only if a pawn can legally capture there. This is the equality that the repetition rule needs.
#[derive(Clone, Copy)]
pub struct Position {
    pub(crate) state: State,
    pub(crate) turn: Side,
    pub(crate) clock: Clock,
    pub(crate) key: Key,
}

/// The counters of a position, for the rules that count moves and for notation.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct Clock {
    /// Plies since the last pawn move or capture.
    pub quiet_plies: u16,
    /// The move number. It starts at 1 and grows by one after each move of Black.
    pub move_number: u16,
}

impl Default for Clock {
    fn default() -> Self {
        Self { quiet_plies: 0, move_number: 1 }
    }
}

impl PartialEq for Position {
    fn eq(&self, other: &Self) -> bool {
        self.key == other.key && self.turn == other.turn && self.state == other.state
    }
}

impl Eq for Position {}

/// Writes the position as FEN.
impl fmt::Debug for Position {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Position({self})")
    }
}

impl Hash for Position {
    fn hash<H: Hasher>(&self, hasher: &mut H) {
        self.key.hash(hasher);
    }
}

impl Position {
    /// The board.
    #[inline]
    pub fn board(&self) -> &Board {
        &self.state.board
    }

    /// The rooks that may still castle, of both sides.
    #[inline]
    pub fn castling_rooks(&self) -> SquareSet {
        self.state.castling
    }

    /// The square on which a pawn can legally capture en passant.
    #[inline]
    pub fn en_passant(&self) -> Option<Square> {
        self.state.en_passant.first()
    }

    /// The clocks.
    #[inline]
    pub fn clock(&self) -> Clock {
        self.clock
    }

    /// The king's square.
    #[inline]
    pub fn king(&self, side: Side) -> Square {
        match side {
            Side::First => self.state.king::<true>(),
            Side::Second => self.state.king::<false>(),
        }
    }

    /// The pieces that give check to the side to move.
    #[inline]
    pub fn checkers(&self) -> SquareSet {
        self.state.board.attackers(self.king(self.turn), self.turn.other())
    }

    /// The pieces of the side to move that cannot leave a line without exposing their king.
    pub fn pinned(&self) -> SquareSet {
        let legality = match self.turn {
            Side::First => Legality::of::<true>(&self.state),
            Side::Second => Legality::of::<false>(&self.state),
        };
        (legality.pinned_straight | legality.pinned_diagonal) & self.state.board.of_side(self.turn)
    }

    /// Returns whether the side to move is in check.
    #[inline]
    pub fn is_check(&self) -> bool {
        self.state.board.is_attacked(self.king(self.turn), self.turn.other())
    }

    /// Returns whether the move captures a piece.
    #[inline]
    pub fn is_capture(&self, m: Move) -> bool {
        m.is(Step::EnPassant)
            || (!m.is_castling() && self.state.board.of_side(self.turn.other()).contains(m.to()))
    }

    /// Calls `visit` with every legal move that captures or promotes, in the order of
    /// [`visit_moves`](game::Position::visit_moves). It is faster than to leave the others out.
    #[inline]
    pub fn visit_tactical<B>(&self, visit: impl FnMut(Move) -> ControlFlow<B>) -> ControlFlow<B> {
        match self.turn {
            Side::First => self.state.visit_some::<true, true, B>(visit),
            Side::Second => self.state.visit_some::<false, true, B>(visit),
        }
    }

    /// Returns whether the move captures a piece or moves a pawn. Such a move sets the clock of the fifty-move rule to zero.
    #[inline]
    pub fn is_zeroing(&self, m: Move) -> bool {
        m.kind() == Kind::Pawn || self.is_capture(m)
    }

    /// Returns the position after the side to move passes. Returns `None` in check, because the king could then be
    /// captured. A pass is not a legal move; it is used in analysis.
    pub fn pass(&self) -> Option<Self> {
        (!self.is_check()).then(|| self.passed())
    }

    /// Returns the position after a pass that is known to be possible.
    pub(crate) fn passed(&self) -> Self {
        let mut next = *self;
        next.state.en_passant = SquareSet::EMPTY;
        next.turn = self.turn.other();
        next.clock = self.clock.after(self.turn, true);
        key::toggle_rights(&mut next.key, SquareSet::EMPTY, self.state.en_passant);
        next.key ^= key::second_to_move();
        next
    }

    #[cold]
    fn castled<const WHITE: bool>(&self, m: Move) -> Self {
        let us = side::<WHITE>();
        let state = self.state.castle::<WHITE>(m);
        Self { state, turn: us.other(), clock: self.clock.after(us, true), key: key::of(&state, us.other()) }
    }
}

impl Clock {
    /// Returns the clock after a move of this side.
    #[inline]
    fn after(self, side: Side, is_quiet: bool) -> Self {
        Self {
            quiet_plies: if is_quiet { self.quiet_plies.saturating_add(1) } else { 0 },
            move_number: self.move_number.saturating_add(u16::from(side == Side::Second)),
        }
    }
}

/// Takes the moves from the state. Playing a move also updates the side to move, the clock and the key.
impl Walk for Position {
    type Move = Move;

    #[inline(always)]
    fn visit<const WHITE: bool, B>(&self, visit: impl FnMut(Move) -> ControlFlow<B>) -> ControlFlow<B> {
        self.state.visit::<WHITE, B>(visit)
    }

    #[inline(always)]
    fn played<const WHITE: bool>(&self, m: Move) -> Self {
        if m.is_castling() {
            return self.castled::<WHITE>(m);
        }
        let us = const { side::<WHITE>() };
        let them = const { side::<WHITE>().other() };
        let state = self.state.step::<WHITE>(m);
        let mut key = self.key ^ key::second_to_move();
        key ^= key::piece(us, m.kind(), m.from()) ^ key::piece(us, m.arriving(), m.to());
        let is_capture = self.state.board.of_side(them).contains(m.to());
        if is_capture {
            key ^= key::piece(them, self.state.board.kind_at(m.to()).unwrap_or(Kind::Pawn), m.to());
        } else if m.is(Step::EnPassant) {
            key ^= key::piece(them, Kind::Pawn, Square::at(m.to().file(), m.from().rank()));
        }
        let en_passant = self.state.en_passant ^ state.en_passant;
        key::toggle_rights(&mut key, self.state.castling ^ state.castling, en_passant);
        let is_quiet = !is_capture && m.kind() != Kind::Pawn;
        Self { state, turn: them, clock: self.clock.after(us, is_quiet), key }
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

    fn outcome(&self) -> Option<Outcome> {
        match self.count_moves() {
            0 if self.is_check() => Some(Outcome::win(self.turn.other(), "checkmate")),
            0 => Some(Outcome::draw("stalemate")),
            _ => None,
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
