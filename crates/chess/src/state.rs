//! What decides the legal moves, whose turn it is apart: the board, castling rights, en passant. Playing a move on it.

use crate::board::Board;
use crate::castling;
use crate::grid::{Square, SquareSet, ahead, ahead_east, ahead_west, home_rank, lowest, rank};
use crate::moves::{Move, Step};
use crate::pieces::Kind;
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

impl State {
    /// The king of the side to move.
    #[inline]
    pub fn king<const WHITE: bool>(&self) -> Square {
        lowest(self.board.of(side::<WHITE>(), Kind::King))
    }

    /// The state after a legal move of this side.
    #[inline(always)]
    pub fn play<const WHITE: bool>(&self, m: Move) -> Self {
        let (us, them) = const { (side::<WHITE>(), side::<WHITE>().other()) };
        let (from, to) = (SquareSet::from(m.from()), SquareSet::from(m.to()));
        let mut next = *self;
        next.en_passant = SquareSet::EMPTY;
        if m.step() == Step::Castle {
            let (king_to, rook_to) = castling::arrival(us, m.is_short_castling());
            let (king_to, rook_to) = (SquareSet::from(king_to), SquareSet::from(rook_to));
            next.board.kinds[Kind::King] ^= from;
            next.board.kinds[Kind::Rook] ^= to;
            next.board.sides[us] ^= from | to;
            next.board.kinds[Kind::King] |= king_to;
            next.board.kinds[Kind::Rook] |= rook_to;
            next.board.sides[us] |= king_to | rook_to;
            next.castling &= !const { rank(home_rank(side::<WHITE>())) };
            return next;
        }
        // Whatever stood there is gone; which kind it was does not matter.
        let others = !to;
        next.board.kinds.0.iter_mut().for_each(|kind| *kind &= others);
        next.board.sides[them] &= others;
        next.board.sides[us] ^= from | to;
        next.castling &= others;
        match m.promotion() {
            None => next.board.kinds[m.kind()] ^= from | to,
            Some(kind) => {
                next.board.kinds[Kind::Pawn] ^= from;
                next.board.kinds[kind] |= to;
            }
        }
        match m.step() {
            Step::King => next.castling &= !const { rank(home_rank(side::<WHITE>())) },
            Step::Rook => next.castling &= !from,
            Step::EnPassant => {
                let taken = !if WHITE { ahead::<false>(to) } else { ahead::<true>(to) };
                next.board.kinds[Kind::Pawn] &= taken;
                next.board.sides[them] &= taken;
            }
            Step::DoublePush => next.open_en_passant::<WHITE>(to),
            _ => {}
        }
        next
    }

    /// After a pawn of this side went two squares: notes the square behind it, if a pawn can really take it there. Whether
    /// it can is part of the position, or else equal positions would not compare equal.
    #[inline]
    fn open_en_passant<const WHITE: bool>(&mut self, pawn: SquareSet) {
        let behind = if WHITE { ahead::<false>(pawn) } else { ahead::<true>(pawn) };
        self.en_passant = behind;
        let takers = match WHITE {
            true => self.en_passant_takers::<false>(),
            false => self.en_passant_takers::<true>(),
        };
        if takers.is_empty() {
            self.en_passant = SquareSet::EMPTY;
        }
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
        let taken = if WHITE { ahead::<false>(self.en_passant) } else { ahead::<true>(self.en_passant) };
        let occupied = (self.board.occupied() ^ SquareSet::from(from) ^ taken) | self.en_passant;
        let king = self.king::<WHITE>();
        let pawns = self.board.of(them, Kind::Pawn) & !taken;
        !(sliders::rook(king, occupied).intersects(self.board.straight_sliders(them))
            || sliders::bishop(king, occupied).intersects(self.board.diagonal_sliders(them))
            || steps::knight(king).intersects(self.board.of(them, Kind::Knight))
            || steps::pawn(us, king).intersects(pawns))
    }
}
