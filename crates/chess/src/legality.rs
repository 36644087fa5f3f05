//! Legal moves as sets. The facts on which legality depends are computed once per position. Masks made from them then keep
//! only the legal moves.

use crate::castling;
use crate::fills::Rays;
use crate::grid::{Square, SquareSet, ahead, ahead_east, ahead_west, home_rank, lowest, rank, square};
use crate::moves::{Move, Step};
use crate::pieces::Kind;
use crate::state::{State, side};
use crate::{sliders, steps};
use game::perft::{Count, Walk};
use std::ops::ControlFlow;

/// The facts on which the legality of moves depends.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Legality {
    pub king: Square,
    /// The pieces that give check.
    pub checkers: SquareSet,
    /// The squares to which a piece other than the king may move: all squares, or those that end a single check.
    pub answers: SquareSet,
    /// The lines from the king over one own piece to an enemy rook or queen, including the enemy's square. A piece on such a
    /// line must stay on it.
    pub pinned_straight: SquareSet,
    /// The diagonals from the king over one own piece to an enemy bishop or queen, including the enemy's square.
    pub pinned_diagonal: SquareSet,
}

impl Legality {
    #[inline(always)]
    pub fn of<const WHITE: bool>(state: &State) -> Self {
        let (us, them) = const { (side::<WHITE>(), side::<WHITE>().other()) };
        let board = &state.board;
        let (king, occupied) = (state.king::<WHITE>(), board.occupied());
        let mut checkers = steps::knight(king) & board.of(them, Kind::Knight)
            | steps::pawn(us, king) & board.of(them, Kind::Pawn);
        let mut pins = [SquareSet::EMPTY; 2];
        let snipers = [
            sliders::rook_rays(king) & board.straight_sliders(them),
            sliders::bishop_rays(king) & board.diagonal_sliders(them),
        ];
        for (pinned, snipers) in pins.iter_mut().zip(snipers) {
            for sniper in snipers {
                let line = steps::between(king, sniper);
                let blockers = line & occupied;
                if blockers.is_empty() {
                    checkers |= SquareSet::from(sniper);
                } else if !blockers.is_several() && blockers.intersects(board.of_side(us)) {
                    *pinned |= line | SquareSet::from(sniper);
                }
            }
        }
        let answers = match checkers.is_empty() {
            true => SquareSet::full(),
            false => steps::between(king, lowest(checkers)) | checkers,
        };
        let [pinned_straight, pinned_diagonal] = pins;
        Self { king, checkers, answers, pinned_straight, pinned_diagonal }
    }
}

/// Visits the moves of a piece from a square to each target.
#[inline(always)]
fn from_square<B>(
    step: Step,
    from: Square,
    targets: SquareSet,
    visit: &mut impl FnMut(Move) -> ControlFlow<B>,
) -> ControlFlow<B> {
    for to in targets {
        visit(Move::new(from, to, step))?;
    }
    ControlFlow::Continue(())
}

/// Visits a pawn move to each target. The pawn comes from the square `distance` below the target (modulo 64).
#[inline(always)]
fn from_below<B>(
    step: Step,
    distance: u32,
    targets: SquareSet,
    visit: &mut impl FnMut(Move) -> ControlFlow<B>,
) -> ControlFlow<B> {
    for to in targets {
        visit(Move::new(square((to.index() as u32).wrapping_sub(distance)), to, step))?;
    }
    ControlFlow::Continue(())
}

impl Walk for State {
    type Move = Move;

    #[inline(always)]
    fn visit<const WHITE: bool, B>(&self, visit: impl FnMut(Move) -> ControlFlow<B>) -> ControlFlow<B> {
        self.visit_some::<WHITE, false, B>(visit)
    }

    #[inline(always)]
    fn played<const WHITE: bool>(&self, m: Move) -> Self {
        if m.is_castling() { self.castle::<WHITE>(m) } else { self.step::<WHITE>(m) }
    }
}

impl Count for State {
    /// The number of legal moves of this side. It uses the same sets as `visit`, but counts moves together where possible.
    #[inline(always)]
    fn count<const WHITE: bool>(&self) -> u64 {
        let us = const { side::<WHITE>() };
        let board = &self.board;
        let (own, occupied) = (board.of_side(us), board.occupied());
        let legality = Legality::of::<WHITE>(self);
        let Legality { checkers, answers, pinned_straight, pinned_diagonal, .. } = legality;

        let (near, rooks) = self.king_targets::<WHITE>(&legality);
        let mut count = near.len() + rooks.len();
        if checkers.is_several() {
            return u64::from(count);
        }

        let targets = !own & answers;
        let pinned = pinned_straight | pinned_diagonal;
        for from in board.of(us, Kind::Knight) & !pinned {
            count += (steps::knight(from) & targets).len();
        }
        let straight = board.straight_sliders(us);
        let diagonal = board.diagonal_sliders(us);
        count += Rays::of(straight & !pinned, diagonal & !pinned, !occupied).count(targets);
        if !(own & pinned).is_empty() {
            for from in straight & pinned_straight {
                count += (sliders::rook(from, occupied) & pinned_straight & targets).len();
            }
            for from in diagonal & pinned_diagonal {
                count += (sliders::bishop(from, occupied) & pinned_diagonal & targets).len();
            }
        }

        let pawns = self.pawns::<WHITE>(&legality);
        let last = const { rank(home_rank(side::<WHITE>().other())) };
        count += pawns.ahead.len() + pawns.west.len() + pawns.east.len() + pawns.double.len();
        if (pawns.ahead | pawns.west | pawns.east).intersects(last) {
            let promotions =
                (pawns.ahead & last).len() + (pawns.west & last).len() + (pawns.east & last).len();
            count += 3 * promotions;
        }
        if !self.en_passant.is_empty() {
            count += self.en_passant_takers::<WHITE>().len();
        }
        u64::from(count)
    }
}

impl State {
    /// Visits the legal moves of this side, or with `TACTICAL` only captures and promotions.
    #[inline(always)]
    pub fn visit_some<const WHITE: bool, const TACTICAL: bool, B>(
        &self,
        mut visit: impl FnMut(Move) -> ControlFlow<B>,
    ) -> ControlFlow<B> {
        let us = const { side::<WHITE>() };
        let board = &self.board;
        let (own, occupied) = (board.of_side(us), board.occupied());
        let legality = Legality::of::<WHITE>(self);
        let Legality { king, checkers, answers, pinned_straight, pinned_diagonal } = legality;

        let wanted = if TACTICAL { board.of_side(us.other()) } else { !own };
        if !TACTICAL || steps::king(king).intersects(wanted) {
            let (near, rooks) = self.king_targets::<WHITE>(&legality);
            from_square(Step::King, king, near & wanted, &mut visit)?;
            if !TACTICAL {
                for rook in rooks {
                    visit(Move::new(king, rook, Step::Castle))?;
                }
            }
        }
        if checkers.is_several() {
            return ControlFlow::Continue(());
        }

        let targets = wanted & answers;
        let pinned = pinned_straight | pinned_diagonal;
        for from in board.of(us, Kind::Knight) & !pinned {
            from_square(Step::Knight, from, steps::knight(from) & targets, &mut visit)?;
        }
        for from in board.of(us, Kind::Bishop) & !pinned_straight {
            let line = if pinned_diagonal.contains(from) { pinned_diagonal } else { targets };
            from_square(Step::Bishop, from, sliders::bishop(from, occupied) & targets & line, &mut visit)?;
        }
        for from in board.of(us, Kind::Rook) & !pinned_diagonal {
            let line = if pinned_straight.contains(from) { pinned_straight } else { targets };
            from_square(Step::Rook, from, sliders::rook(from, occupied) & targets & line, &mut visit)?;
        }
        for from in board.of(us, Kind::Queen) {
            let reach = queen(from, occupied, &legality);
            from_square(Step::Queen, from, reach & targets, &mut visit)?;
        }
        self.visit_pawns::<WHITE, TACTICAL, B>(&legality, &mut visit)
    }

    #[inline(always)]
    fn visit_pawns<const WHITE: bool, const TACTICAL: bool, B>(
        &self,
        legality: &Legality,
        visit: &mut impl FnMut(Move) -> ControlFlow<B>,
    ) -> ControlFlow<B> {
        let pawns = self.pawns::<WHITE>(legality);
        let last = const { rank(home_rank(side::<WHITE>().other())) };
        let (ahead_by, west_by, east_by) = if WHITE {
            (8u32, 7u32, 9u32)
        } else {
            (8u32.wrapping_neg(), 9u32.wrapping_neg(), 7u32.wrapping_neg())
        };
        let steps = [(ahead_by, pawns.ahead), (west_by, pawns.west), (east_by, pawns.east)];
        for (distance, targets) in if TACTICAL { &steps[1..] } else { &steps[..] } {
            from_below(Step::Pawn, *distance, *targets & !last, visit)?;
        }
        if !TACTICAL {
            from_below(Step::DoublePush, ahead_by.wrapping_mul(2), pawns.double, visit)?;
        }
        if (pawns.ahead | pawns.west | pawns.east).intersects(last) {
            for (distance, targets) in steps {
                for step in Step::PROMOTIONS {
                    from_below(step, distance, targets & last, visit)?;
                }
            }
        }
        if !self.en_passant.is_empty() {
            for from in self.en_passant_takers::<WHITE>() {
                visit(Move::new(from, lowest(self.en_passant), Step::EnPassant))?;
            }
        }
        ControlFlow::Continue(())
    }

    /// The squares to which the king may move, and the rooks with which it may castle.
    #[inline(always)]
    fn king_targets<const WHITE: bool>(&self, legality: &Legality) -> (SquareSet, SquareSet) {
        let us = const { side::<WHITE>() };
        let near = steps::king(legality.king) & !self.board.of_side(us);
        let mut rooks = self.unblocked_castling_rooks::<WHITE>(legality);
        // A king is often shut in by its own men. Then the attacked squares are not needed.
        if (near | rooks).is_empty() {
            return (near, rooks);
        }
        let danger = self.danger::<WHITE>(legality.king);
        for rook in rooks {
            if castling::path(us, legality.king, rook).safe.intersects(danger) {
                rooks ^= SquareSet::from(rook);
            }
        }
        (near & !danger, rooks)
    }

    /// The squares on which the king of this side would be attacked. The king does not shield the squares behind it.
    #[inline(always)]
    fn danger<const WHITE: bool>(&self, king: Square) -> SquareSet {
        let occupied = self.board.occupied() ^ SquareSet::from(king);
        match WHITE {
            true => self.board.men_attack_map::<false>(occupied) | steps::king(self.king::<false>()),
            false => self.board.men_attack_map::<true>(occupied) | steps::king(self.king::<true>()),
        }
    }

    /// The rooks with which this side may castle if the king's path is safe.
    #[inline(always)]
    fn unblocked_castling_rooks<const WHITE: bool>(&self, legality: &Legality) -> SquareSet {
        let us = const { side::<WHITE>() };
        let occupied = self.board.occupied();
        let mut able = SquareSet::EMPTY;
        if !legality.checkers.is_empty() {
            return able;
        }
        for rook in self.castling & const { rank(home_rank(side::<WHITE>())) } {
            if steps::between(legality.king, rook).intersects(occupied) {
                continue;
            }
            // In Chess960 the rook may shield the king from an attacker on the home rank.
            let is_shield = legality.pinned_straight.contains(rook);
            if !is_shield && !castling::path(us, legality.king, rook).empty.intersects(occupied) {
                able |= SquareSet::from(rook);
            }
        }
        able
    }

    /// The target squares of this side's pawns, without en passant.
    #[inline(always)]
    fn pawns<const WHITE: bool>(&self, legality: &Legality) -> PawnTargets {
        let us = const { side::<WHITE>() };
        let &Legality { answers, pinned_straight, pinned_diagonal, .. } = legality;
        let third = const { rank(if WHITE { 2 } else { 5 }) };
        let pawns = self.board.of(us, Kind::Pawn);
        let (empty, enemies) =
            (!self.board.occupied(), self.board.of_side(const { side::<WHITE>().other() }));
        // A pinned pawn stays on its line: it moves ahead on its file, or captures on its diagonal.
        let free = pawns & !(pinned_straight | pinned_diagonal);
        let (on_line, on_diagonal) = (pawns & pinned_straight, pawns & pinned_diagonal);
        let ahead_one = (ahead::<WHITE>(free) | ahead::<WHITE>(on_line) & pinned_straight) & empty;
        let west = ahead_west::<WHITE>(free) | ahead_west::<WHITE>(on_diagonal) & pinned_diagonal;
        let east = ahead_east::<WHITE>(free) | ahead_east::<WHITE>(on_diagonal) & pinned_diagonal;
        PawnTargets {
            ahead: ahead_one & answers,
            double: ahead::<WHITE>(ahead_one & third) & empty & answers,
            west: west & enemies & answers,
            east: east & enemies & answers,
        }
    }
}

/// The target squares of pawns, by direction.
struct PawnTargets {
    ahead: SquareSet,
    double: SquareSet,
    west: SquareSet,
    east: SquareSet,
}

/// The squares that a queen reaches. A pinned queen stays on its line.
#[inline(always)]
fn queen(from: Square, occupied: SquareSet, legality: &Legality) -> SquareSet {
    if legality.pinned_straight.contains(from) {
        sliders::rook(from, occupied) & legality.pinned_straight
    } else if legality.pinned_diagonal.contains(from) {
        sliders::bishop(from, occupied) & legality.pinned_diagonal
    } else {
        sliders::rook(from, occupied) | sliders::bishop(from, occupied)
    }
}
