//! A position with a byte per square, and perft that plays every leaf and tests it for check with a stage.

use crate::men::{self, EMPTY, is_of, kind, man};
use crate::stages::Stage;
use crate::walks::{DIAGONALS, FILE, KNIGHT, RANK};
use endspiel_chess::{Board, Kind, Position, Square};
use game::{Position as _, Side};

/// A position with a byte per square, a1 first.
#[derive(Clone, Copy)]
pub struct Mailbox {
    pub squares: [u8; 64],
    kings: [u8; 2],
    /// The squares of the rooks that may castle, from their start squares.
    castling: u64,
    en_passant: Option<u8>,
    turn: Side,
}

/// A move that may leave the king in check.
#[derive(Clone, Copy)]
struct Step {
    from: u8,
    to: u8,
    arrives: u8,
}

/// The squares of a board.
pub fn squares_of(board: &Board) -> [u8; 64] {
    std::array::from_fn(|at| {
        men::byte(Square::from_index(at as u8).and_then(|square| board.piece_at(square)))
    })
}

impl Mailbox {
    /// A position of standard chess.
    pub fn new(position: &Position) -> Self {
        let index = |square: Square| square.index() as u8;
        Self {
            squares: squares_of(position.board()),
            kings: Side::ALL.map(|side| index(position.king(side))),
            castling: position.castling_rooks().word(),
            en_passant: position.en_passant().map(index),
            turn: position.turn(),
        }
    }

    /// The number of sequences of `depth` moves. Every move is played.
    pub fn perft<S: Stage>(&self, depth: u32) -> u64 {
        if depth == 0 {
            return 1;
        }
        let mut count = 0;
        self.visit::<S>(&mut |step| {
            let next = self.played(step);
            if !S::is_threatened(&next.squares, next.kings[self.turn as usize], next.turn) {
                count += next.perft::<S>(depth - 1);
            }
        });
        count
    }

    /// Visits all moves that are legal but for checks.
    fn visit<S: Stage>(&self, visit: &mut impl FnMut(Step)) {
        for from in 0..64 {
            let moved = self.squares[usize::from(from)];
            if !is_of(self.turn, moved) {
                continue;
            }
            match kind(moved) {
                Kind::Pawn => self.visit_pawn(from, visit),
                Kind::Knight => self.visit_lines(from, &KNIGHT, 1, visit),
                Kind::Bishop => self.visit_lines(from, &DIAGONALS, 7, visit),
                Kind::Rook => [FILE, RANK].iter().for_each(|lines| self.visit_lines(from, lines, 7, visit)),
                Kind::Queen => {
                    [FILE, RANK].iter().for_each(|lines| self.visit_lines(from, lines, 7, visit));
                    self.visit_lines(from, &DIAGONALS, 7, visit);
                }
                Kind::King => {
                    [FILE, RANK].iter().for_each(|lines| self.visit_lines(from, lines, 1, visit));
                    self.visit_lines(from, &DIAGONALS, 1, visit);
                    self.visit_castling::<S>(from, visit);
                }
            }
        }
    }

    #[inline]
    fn visit_lines(&self, from: u8, lines: &[(i8, i8)], reach: u8, visit: &mut impl FnMut(Step)) {
        let arrives = self.squares[usize::from(from)];
        for &(dx, dy) in lines {
            let (mut file, mut rank) = ((from & 7) as i8 + dx, (from >> 3) as i8 + dy);
            for _ in 0..reach {
                if !(0..8).contains(&file) || !(0..8).contains(&rank) {
                    break;
                }
                let to = (8 * rank + file) as u8;
                let found = self.squares[usize::from(to)];
                if !is_of(self.turn, found) {
                    visit(Step { from, to, arrives });
                }
                if found != EMPTY {
                    break;
                }
                (file, rank) = (file + dx, rank + dy);
            }
        }
    }

    fn visit_pawn(&self, from: u8, visit: &mut impl FnMut(Step)) {
        let (ahead, first, last): (i8, u8, u8) = match self.turn {
            Side::First => (8, 1, 7),
            Side::Second => (-8, 6, 0),
        };
        let mut visit_to = |to: u8| match to >> 3 == last {
            true => {
                for promoted in Kind::PROMOTIONS {
                    visit(Step { from, to, arrives: man(self.turn, promoted) });
                }
            }
            false => visit(Step { from, to, arrives: man(self.turn, Kind::Pawn) }),
        };
        let one = from.wrapping_add_signed(ahead);
        if self.squares[usize::from(one)] == EMPTY {
            visit_to(one);
            let two = one.wrapping_add_signed(ahead);
            if from >> 3 == first && self.squares[usize::from(two)] == EMPTY {
                visit_to(two);
            }
        }
        for (edge, side) in [(0, -1), (7, 1)] {
            let to = one.wrapping_add_signed(side);
            if from & 7 != edge
                && (is_of(self.turn.other(), self.squares[usize::from(to)]) || self.en_passant == Some(to))
            {
                visit_to(to);
            }
        }
    }

    fn visit_castling<S: Stage>(&self, king: u8, visit: &mut impl FnMut(Step)) {
        let arrives = self.squares[usize::from(king)];
        let is_safe = |square| !S::is_threatened(&self.squares, square, self.turn.other());
        for (rook, side) in [(king.wrapping_sub(4), -1i8), (king + 3, 1)] {
            let has_right = rook < 64 && rook >> 3 == king >> 3 && self.castling >> rook & 1 != 0;
            if !has_right {
                continue;
            }
            let mut between = king.min(rook) + 1..king.max(rook);
            let (passed, to) = (king.wrapping_add_signed(side), king.wrapping_add_signed(2 * side));
            if between.all(|square| self.squares[usize::from(square)] == EMPTY)
                && is_safe(king)
                && is_safe(passed)
            {
                visit(Step { from: king, to, arrives });
            }
        }
    }

    /// The position after a move.
    fn played(&self, Step { from, to, arrives }: Step) -> Self {
        let mut next = *self;
        let moved = kind(self.squares[usize::from(from)]);
        next.squares[usize::from(from)] = EMPTY;
        next.squares[usize::from(to)] = arrives;
        next.en_passant = None;
        if moved == Kind::Pawn {
            if self.en_passant == Some(to) {
                next.squares[usize::from(from & 56 | to & 7)] = EMPTY;
            } else if from.abs_diff(to) == 16 {
                next.en_passant = Some(from.midpoint(to));
            }
        } else if moved == Kind::King {
            next.kings[self.turn as usize] = to;
            next.castling &= !(0xff << (from & 56));
            if from.abs_diff(to) == 2 {
                let rook = if to > from { from + 3 } else { from - 4 };
                next.squares[usize::from(from.midpoint(to))] = self.squares[usize::from(rook)];
                next.squares[usize::from(rook)] = EMPTY;
            }
        }
        next.castling &= !(1 << from | 1 << to);
        next.turn = self.turn.other();
        next
    }
}
