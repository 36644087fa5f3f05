//! The estimate of a chess position: the sum of its features, between middlegame and endgame.

use super::features::{CASTLING, PLACEMENT, TEMPO};
use super::terms::{self, MOST_PHASE, PHASE};
use super::view::{View, distance};
use super::weights::WEIGHTS;
use crate::features::{Tally, Tapered};
use crate::score::Score;
use crate::searchable::Evaluator;
use chess::{Board, Kind, Move, Position, Step};
use game::{Position as _, Side};

/// Estimates chess positions. It remembers pawn structures.
pub struct ChessEvaluator {
    structures: Box<[Structure; STRUCTURES]>,
}

const STRUCTURES: usize = 1 << 13;

/// The pawns of a position, and what they are worth.
#[derive(Clone, Copy, Default)]
struct Structure {
    /// The pawns of the two sides.
    pawns: [u64; 2],
    value: Tapered,
    /// The passed pawns, as their sides see them.
    passed: [u64; 2],
}

/// The worth of the men on their squares, from the view of the first side, and the phase. They are updated with each move.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Sums {
    placement: Tapered,
    phase: i32,
}

/// Adds up the weights of features.
#[derive(Default)]
struct Total(Tapered);

impl Tally for Total {
    #[inline]
    fn count(&mut self, feature: usize, times: i32) {
        self.0 += WEIGHTS[feature] * times;
    }
}

impl Sums {
    #[inline]
    fn add(&mut self, side: Side, kind: Kind, square: usize) {
        self.placement += of_man(side, kind, square);
        self.phase += PHASE[kind as usize];
    }

    #[inline]
    fn remove(&mut self, side: Side, kind: Kind, square: usize) {
        self.placement -= of_man(side, kind, square);
        self.phase -= PHASE[kind as usize];
    }
}

/// The worth of a man on a square, from the view of the first side.
#[inline]
fn of_man(side: Side, kind: Kind, square: usize) -> Tapered {
    match side {
        Side::First => WEIGHTS[PLACEMENT + 64 * kind as usize + square],
        // Turned upside down.
        Side::Second => -WEIGHTS[PLACEMENT + 64 * kind as usize + (square ^ 56)],
    }
}

impl Default for ChessEvaluator {
    fn default() -> Self {
        let structures = vec![Structure::default(); STRUCTURES].into_boxed_slice();
        Self { structures: structures.try_into().unwrap_or_else(|_| unreachable!("of this length")) }
    }
}

impl ChessEvaluator {
    /// The structure of the pawns, computed or remembered.
    #[inline]
    fn structure(&mut self, board: &Board, views: &[View; 2]) -> Structure {
        let pawns = Side::ALL.map(|side| board.of(side, Kind::Pawn).word());
        let place = &mut self.structures[(mixed(pawns) >> 32) as usize % STRUCTURES];
        // Without pawns, the value is nothing, as in an empty place.
        if place.pawns != pawns {
            *place = computed(pawns, views);
        }
        *place
    }
}

/// A hash of the pawns of both sides. Its upper bits are the best.
#[inline]
pub(super) fn mixed([white, black]: [u64; 2]) -> u64 {
    let hash = white.wrapping_mul(0x9e37_79b9_7f4a_7c15) ^ black.wrapping_mul(0xc2b2_ae3d_27d4_eb4f);
    (hash ^ hash >> 32).wrapping_mul(0xd6e8_feb8_6659_fd93)
}

fn computed(pawns: [u64; 2], views: &[View; 2]) -> Structure {
    let mut totals = [Total::default(), Total::default()];
    let mut passed = [0; 2];
    for side in 0..2 {
        passed[side] = terms::pawns(&views[side], &mut totals[side]);
    }
    Structure { pawns, value: totals[0].0 - totals[1].0, passed }
}

impl Evaluator<Position> for ChessEvaluator {
    type Sums = Sums;

    fn sums(&self, position: &Position) -> Sums {
        let mut sums = Sums::default();
        position
            .board()
            .pieces()
            .for_each(|(square, piece)| sums.add(piece.side, piece.kind, square.index()));
        sums
    }

    #[inline]
    fn sums_after(&self, mut sums: Sums, before: &Position, m: Move, after: &Position) -> Sums {
        if m.is_castling() {
            return self.sums(after);
        }
        let (us, them) = (before.turn(), after.turn());
        let (from, to) = (m.from().index(), m.to().index());
        if before.board().of_side(them).contains(m.to()) {
            let taken = before.board().kind_at(m.to()).unwrap_or(Kind::Pawn);
            sums.remove(them, taken, to);
        } else if m.is(Step::EnPassant) {
            sums.remove(them, Kind::Pawn, to ^ 8);
        }
        sums.remove(us, m.kind(), from);
        sums.add(us, m.arriving(), to);
        sums
    }

    #[inline]
    fn sums_after_pass(&self, sums: Sums, _: &Position, _: &Position) -> Sums {
        sums
    }

    fn estimate(&mut self, position: &Position, sums: Sums) -> Score {
        let board = position.board();
        let views = Side::ALL.map(|side| View::of(board, side));
        let structure = self.structure(board, &views);
        let [first, second] = &views;
        let [passed, enemy_passed] = structure.passed;
        let mut totals = [Total::default(), Total::default()];
        let attacks = [
            terms::pieces(first, passed, &mut totals[0]),
            terms::pieces(second, enemy_passed, &mut totals[1]),
        ];
        terms::relations(first, passed, &attacks[0], &attacks[1], &mut totals[0]);
        terms::relations(second, enemy_passed, &attacks[1], &attacks[0], &mut totals[1]);
        for (total, side) in totals.iter_mut().zip(Side::ALL) {
            let rights = position.castling_rooks();
            if !rights.is_empty() {
                total.count(CASTLING, (rights & board.of_side(side)).len() as i32);
            }
        }
        let sum = sums.placement + structure.value + totals[0].0 - totals[1].0;
        let (middle, end) = (sum.middle(), sum.end());
        let phase = sums.phase.min(MOST_PHASE);
        let end = end * winnable_for(board, end) / 64;
        let mut value = (middle * phase + end * (MOST_PHASE - phase)) / MOST_PHASE;
        if phase <= BARE_PHASE {
            value += towards_mate(board);
        }
        let tempo = WEIGHTS[TEMPO];
        let tempo = (tempo.middle() * phase + tempo.end() * (MOST_PHASE - phase)) / MOST_PHASE;
        let value = if position.turn() == Side::First { value } else { -value };
        Score::estimate(value + tempo)
    }
}

/// The part of the endgame's value that counts, in 64ths, where neither side is known to be better.
pub(super) fn winnable(board: &Board) -> i32 {
    Side::ALL.map(|side| winnable_by(board, side)).into_iter().max().unwrap_or(64)
}

#[inline]
fn winnable_for(board: &Board, end: i32) -> i32 {
    winnable_by(board, if end > 0 { Side::First } else { Side::Second })
}

/// How well a side can win an endgame in which it is better, in 64ths.
#[inline]
fn winnable_by(board: &Board, side: Side) -> i32 {
    const DARK: u64 = 0xaa55_aa55_aa55_aa55;
    let pawns = board.of(side, Kind::Pawn).len() as i32;
    if pawns == 0 {
        let material = |side| {
            let of = |kind: Kind| kind.value().0 * board.of(side, kind).len() as i32;
            [Kind::Knight, Kind::Bishop, Kind::Rook, Kind::Queen].into_iter().map(of).sum::<i32>()
        };
        // A minor piece more does not win without pawns.
        if material(side) - material(side.other()) <= Kind::Bishop.value().0 {
            return if material(side) <= Kind::Bishop.value().0 { 0 } else { 12 };
        }
        return 64;
    }
    let bishops = Side::ALL.map(|side| board.of(side, Kind::Bishop).word());
    let is_opposite = bishops.iter().all(|bishops| bishops.is_power_of_two())
        && (bishops[0] & DARK != 0) != (bishops[1] & DARK != 0);
    let others = board.of_kind(Kind::Knight) | board.of_kind(Kind::Rook) | board.of_kind(Kind::Queen);
    match (is_opposite, others.is_empty()) {
        (true, true) => 32,
        (true, false) => 52,
        (false, _) => (50 + 4 * pawns).min(64),
    }
}

/// Up to this phase, a side may have a bare king.
const BARE_PHASE: i32 = 8;

/// Drives a bare king to the edge, and the other king towards it. From the view of the first side.
#[cold]
fn towards_mate(board: &Board) -> i32 {
    let king = |side| board.of(side, Kind::King).first().map_or(0, |square| square.index());
    let mut value = 0;
    for (side, sign) in [(Side::First, 1), (Side::Second, -1)] {
        let (bare, men) = (board.of_side(side.other()), board.of_side(side));
        let has_mating_material = !(men & (board.of_kind(Kind::Queen) | board.of_kind(Kind::Rook)))
            .is_empty()
            || (men & !board.of_kind(Kind::Pawn)).len() > 2;
        if bare.is_several() || !has_mating_material {
            continue;
        }
        let (hunter, hunted) = (king(side), king(side.other()));
        let from_centre = |coordinate: usize| (2 * coordinate as i32 - 7).abs();
        let edge = from_centre(hunted % 8) + from_centre(hunted / 8);
        let mut drive = 10 * edge - 6 * distance(hunter, hunted) as i32 + 120;
        // Bishop and knight mate only in the corner of the bishop's colour.
        if men.len() == 3 && !(men & board.of_kind(Kind::Knight)).is_empty() {
            let bishops = (men & board.of_kind(Kind::Bishop)).word();
            let is_dark = bishops & 0xaa55_aa55_aa55_aa55 == 0;
            let corners = if is_dark { [0, 63] } else { [7, 56] };
            drive -=
                25 * corners.map(|corner| distance(corner, hunted)).into_iter().min().unwrap_or(0) as i32;
        }
        value += sign * drive;
    }
    value
}
