//! A position: board, side to move and clocks.

use crate::board::Board;
use crate::key;
use crate::moves::{self, Step, Turn};
use game::{Key, NoChance, Outcome, Position as _, Side};
use std::fmt;
use std::hash::{Hash, Hasher};
use std::ops::ControlFlow;

/// A position. Two positions are equal if board and side to move are equal. The clocks are not compared.
#[derive(Clone, Copy)]
pub struct Position {
    pub(crate) board: Board,
    pub(crate) turn: Side,
    pub(crate) quiet_turns: u16,
    pub(crate) number: u16,
}

impl PartialEq for Position {
    fn eq(&self, other: &Self) -> bool {
        self.turn == other.turn && self.board == other.board
    }
}

impl Eq for Position {}

impl Hash for Position {
    fn hash<H: Hasher>(&self, hasher: &mut H) {
        self.key().hash(hasher);
    }
}

/// Writes the FEN, which holds the whole position.
impl fmt::Debug for Position {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Position({self})")
    }
}

impl Position {
    /// Creates a position from a board and the side to move, with the clocks at their start.
    pub(crate) fn new(board: Board, turn: Side) -> Self {
        Self { board, turn, quiet_turns: 0, number: 1 }
    }

    /// The board.
    pub fn board(&self) -> &Board {
        &self.board
    }

    /// The number of turns without a capture.
    pub fn quiet_turns(&self) -> u16 {
        self.quiet_turns
    }

    /// The number of the turn. It begins with 1 and grows by 1 after each turn of Blue.
    pub fn number(&self) -> u16 {
        self.number
    }

    /// Returns whether the commander of the side to move is attacked.
    pub fn is_check(&self) -> bool {
        self.board.is_attacked(self.turn)
    }

    /// Returns the position with the colours exchanged and the board turned upside down.
    #[must_use]
    pub fn flipped(&self) -> Self {
        let mut board = Board::EMPTY;
        for side in Side::ALL {
            self.board.stacks(side).for_each(|(point, stack)| board.set(side.other(), point.flip(), stack));
        }
        Self { board, turn: self.turn.other(), ..*self }
    }

    fn after(&self, turn: Turn, board: Board) -> Self {
        Self {
            board,
            turn: self.turn.other(),
            quiet_turns: if turn.takes() { 0 } else { self.quiet_turns.saturating_add(1) },
            number: self.number.saturating_add(u16::from(self.turn == Side::Second)),
        }
    }
}

impl game::Position for Position {
    type Move = Turn;
    type Chance = NoChance;

    fn turn(&self) -> Side {
        self.turn
    }

    #[inline]
    fn key(&self) -> Key {
        match self.turn {
            Side::First => self.board.key(),
            Side::Second => self.board.key() ^ key::second_to_move(),
        }
    }

    fn outcome(&self) -> Option<Outcome> {
        for side in Side::ALL {
            if self.board.commander(side).is_none() {
                return Some(Outcome::win(side.other(), "capture of the commander"));
            }
        }
        match self.visit_moves(|_| ControlFlow::Break(())) {
            ControlFlow::Break(()) => None,
            _ if self.is_check() => Some(Outcome::win(self.turn.other(), "checkmate")),
            _ => Some(Outcome::draw("stalemate")),
        }
    }

    fn visit_moves<B>(&self, mut visit: impl FnMut(Turn) -> ControlFlow<B>) -> ControlFlow<B> {
        moves::visit(&self.board, self.turn, &mut visit)
    }

    fn visit_successors<B>(&self, mut visit: impl FnMut(Turn, Self) -> ControlFlow<B>) -> ControlFlow<B> {
        moves::visit_boards(&self.board, self.turn, &mut |turn, board| visit(turn, self.after(turn, *board)))
    }

    fn count_moves(&self) -> u64 {
        moves::count(&self.board, self.turn)
    }

    fn play_unchecked(&self, turn: Turn) -> Self {
        let mut board = self.board;
        let kinds = board.stacks[turn.from()].kinds();
        for Step { group, sign, to } in turn.steps() {
            board.act(self.turn, turn.from(), kinds.at(group), sign, to);
        }
        self.after(turn, board)
    }
}
