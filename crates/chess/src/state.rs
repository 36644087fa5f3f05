//! What decides the legal moves, whose turn it is apart: the board, castling rights, en passant. Playing a move on it.

use crate::board::Board;
use crate::castling;
use crate::grid::{
    FILE_A, FILE_H, Square, SquareSet, ahead, ahead_east, ahead_west, home_rank, lowest, rank,
};
use crate::moves::{Move, Step};
use crate::pieces::{Kind, Piece};
use crate::{sliders, steps};
use game::Side;

/// A position without its turn, clocks and key: all that counting moves needs, and a copy of it is three vector
/// registers. The side to move is a parameter of the functions, known when they are compiled.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct State {
    pub board: Board,
    /// The rooks that may castle, of both sides. Their squares say all, in Chess960 too.
    pub castling: SquareSet,
    /// The square behind a pawn that has just gone two squares, if it can be taken there by a legal move.
    pub en_passant: SquareSet,
}

/// The side as a value, where it is a parameter.
#[inline]
pub(crate) const fn side<const WHITE: bool>() -> Side {
    if WHITE { Side::First } else { Side::Second }
}

/// Every square one step back, as this side sees it.
#[inline]
fn behind<const WHITE: bool>(set: SquareSet) -> SquareSet {
    if WHITE { ahead::<false>(set) } else { ahead::<true>(set) }
}

impl State {
    /// The king of this side.
    #[inline]
    pub fn king<const WHITE: bool>(&self) -> Square {
        lowest(self.board.of(side::<WHITE>(), Kind::King))
    }

    /// After a legal move that is not castling.
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
        // A rook that moves or is taken castles no more; nor does any, once the king has moved.
        let home = const { rank(home_rank(side::<WHITE>())) };
        let lost = if m.is(Step::King) { home | to } else { from | to };
        Self { board, castling: self.castling & !lost, en_passant }
    }

    /// After castling. In Chess960 king and rook may change places, so both leave before one arrives.
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

    /// The square behind a pawn of this side that went two squares, if another can really take it there. Whether it can
    /// is part of the position, or else equal positions would not compare equal.
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

    /// The pawns of the side to move that can legally take en passant.
    #[inline]
    pub fn en_passant_takers<const WHITE: bool>(&self) -> SquareSet {
        // From where a pawn of the mover would reach the square: where one of the opponent would go from there.
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

    /// Two pawns leave the board's lines at once; so the king is looked at afresh. A check that the double step gave or
    /// uncovered must be gone as well.
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
