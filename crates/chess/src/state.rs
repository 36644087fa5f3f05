//! The part of a position that decides the legal moves, without the side to move: the board, castling rights and en
//! passant. It can play a move.

use crate::board::Board;
use crate::castling;
use crate::grid::{
    FILE_A, FILE_H, Square, SquareSet, ahead, ahead_east, ahead_west, home_rank, lowest, rank,
};
use crate::moves::{Move, Step};
use crate::pieces::{Kind, Piece};
use crate::{sliders, steps};
use game::Side;

/// A position without the side to move, clocks and key. This is all that counting moves needs, and a copy fits in three
/// vector registers. The side to move is a const parameter of the functions, so the compiler knows it.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct State {
    pub board: Board,
    /// The rooks of both sides that may castle. Their squares define the rights, in Chess960 too.
    pub castling: SquareSet,
    /// The square behind a pawn that has just moved two squares, if a legal move can capture the pawn en passant.
    pub en_passant: SquareSet,
}

/// The side as a value, from the const parameter.
#[inline]
pub(crate) const fn side<const WHITE: bool>() -> Side {
    if WHITE { Side::First } else { Side::Second }
}

/// Moves every square of a set one step back, as seen by the side.
#[inline]
fn behind<const WHITE: bool>(set: SquareSet) -> SquareSet {
    if WHITE { ahead::<false>(set) } else { ahead::<true>(set) }
}

impl State {
    /// The square of this side's king.
    #[inline]
    pub fn king<const WHITE: bool>(&self) -> Square {
        lowest(self.board.of(side::<WHITE>(), Kind::King))
    }

    /// Returns the state after a legal move that is not castling.
    #[inline(always)]
    pub fn step<const WHITE: bool>(&self, m: Move) -> Self {
        let us = const { side::<WHITE>() };
        let (from, to) = (SquareSet::from(m.from()), SquareSet::from(m.to()));
        let mut board = self.board.moved(us, (m.kind(), from), (m.arriving(), to));
        let mut en_passant = SquareSet::EMPTY;
        if m.is(Step::DoublePush) {
            en_passant = Self::opened_en_passant::<WHITE>(&board, to);
        } else if m.is(Step::EnPassant) {
            board.clear(behind::<WHITE>(to));
        }
        // A rook that moves or is captured loses its castling right. A king's move ends the rights of all its rooks.
        let home = const { rank(home_rank(side::<WHITE>())) };
        let lost = if m.is(Step::King) { home | to } else { from | to };
        Self { board, castling: self.castling & !lost, en_passant }
    }

    /// Returns the state after castling. In Chess960 king and rook may exchange squares, so both are removed before they
    /// are placed.
    #[cold]
    pub fn castle<const WHITE: bool>(&self, m: Move) -> Self {
        let us = side::<WHITE>();
        let (king_to, rook_to) = castling::arrival(us, m.is_short_castling());
        let mut board = self.board;
        board.set(m.from(), None);
        board.set(m.to(), None);
        board.set(king_to, Some(Piece { side: us, kind: Kind::King }));
        board.set(rook_to, Some(Piece { side: us, kind: Kind::Rook }));
        let castling = self.castling & !rank(home_rank(us));
        Self { board, castling, en_passant: SquareSet::EMPTY }
    }

    /// The square behind a pawn of this side that moved two squares, if an enemy pawn can legally capture there. Other
    /// en-passant squares are not kept, because otherwise equal positions would not compare equal.
    #[inline(always)]
    fn opened_en_passant<const WHITE: bool>(board: &Board, pawn: SquareSet) -> SquareSet {
        let beside = (pawn.word() & !FILE_A) >> 1 | (pawn.word() & !FILE_H) << 1;
        match SquareSet::from_word(beside).intersects(board.of(side::<WHITE>().other(), Kind::Pawn)) {
            true => Self::confirmed_en_passant::<WHITE>(*board, behind::<WHITE>(pawn)),
            false => SquareSet::EMPTY,
        }
    }

    #[cold]
    fn confirmed_en_passant<const WHITE: bool>(board: Board, en_passant: SquareSet) -> SquareSet {
        let state = Self { board, castling: SquareSet::EMPTY, en_passant };
        let takers = match WHITE {
            true => state.en_passant_takers::<false>(),
            false => state.en_passant_takers::<true>(),
        };
        if takers.is_empty() { takers } else { en_passant }
    }

    /// The pawns of the side to move that can legally capture en passant.
    #[inline]
    pub fn en_passant_takers<const WHITE: bool>(&self) -> SquareSet {
        // A pawn can capture on the square if it stands where an enemy pawn on the square would attack.
        let near = match WHITE {
            true => ahead_west::<false>(self.en_passant) | ahead_east::<false>(self.en_passant),
            false => ahead_west::<true>(self.en_passant) | ahead_east::<true>(self.en_passant),
        };
        let near = near & self.board.of(side::<WHITE>(), Kind::Pawn);
        if near.is_empty() {
            near
        } else {
            near.iter().filter(|&from| self.en_passant_is_safe::<WHITE>(from)).collect()
        }
    }

    /// Returns whether the king is safe after the pawn on `from` captures en passant. Two pawns leave their squares at once,
    /// so the attacks on the king are computed anew. A check by the double step, direct or discovered, must end as well.
    #[cold]
    fn en_passant_is_safe<const WHITE: bool>(&self, from: Square) -> bool {
        let (us, them) = (side::<WHITE>(), side::<WHITE>().other());
        let taken = behind::<WHITE>(self.en_passant);
        let occupied = (self.board.occupied() ^ SquareSet::from(from) ^ taken) | self.en_passant;
        let king = self.king::<WHITE>();
        let pawns = self.board.of(them, Kind::Pawn) & !taken;
        !(sliders::rook(king, occupied).intersects(self.board.straight_sliders(them))
            || sliders::bishop(king, occupied).intersects(self.board.diagonal_sliders(them))
            || steps::knight(king).intersects(self.board.of(them, Kind::Knight))
            || steps::pawn(us, king).intersects(pawns))
    }
}
