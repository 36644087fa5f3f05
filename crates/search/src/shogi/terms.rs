//! The terms of an estimate: finds the features of a position.

use super::features::*;
use super::places::{RELATION, SHAPE, folded, seen_by};
use crate::features::{Counts, Tally};
use game::{Position as _, Side};
use shogi::{Board, Hand, Kind, Piece, Position, Square, SquareSet, sliders, steps};

/// The phase of a position in which no men are exchanged and none has entered a camp.
pub const MOST_PHASE: i32 = 24;

/// The phase: men in hand and men in the camps of the other side make it less.
#[inline]
pub(super) fn phase(position: &Position) -> i32 {
    const CAMP: u128 = (1 << 27) - 1;
    let camps = [SquareSet::from_word(CAMP << 54), SquareSet::from_word(CAMP)];
    let advanced = |side: Side| position.board().of_side(side) & camps[side as usize];
    let gone: u32 = Side::ALL.map(|side| advanced(side).len() + position.hand(side).len()).iter().sum();
    (MOST_PHASE - gone as i32).max(0)
}

/// What the men of a side attack.
#[derive(Clone, Copy, Default)]
pub(super) struct Attacks {
    /// What others than the king attack.
    by_others: SquareSet,
    all: SquareSet,
    /// What is attacked more than once. Two men that step there count as one.
    twice: SquareSet,
}

impl Attacks {
    #[inline]
    fn add(&mut self, attacked: SquareSet) {
        self.twice |= self.by_others & attacked;
        self.by_others |= attacked;
    }
}

/// Calls `visit` with the features of a man: material, and placement by itself and by the kings. Kings are given as the side of the man
/// sees them.
#[inline]
pub(super) fn man(kind: Kind, square: usize, own_king: usize, enemy_king: usize, tally: &mut impl Tally) {
    if kind == Kind::King {
        return tally.add(KING + folded(square));
    }
    let shape = RELATIONS * SHAPE[kind as usize];
    tally.add(MATERIAL + kind as usize);
    tally.add(PLACEMENT + shape + folded(square));
    tally.add(TO_OWN_KING + shape + usize::from(RELATION[own_king][square]));
    tally.add(TO_ENEMY_KING + shape + usize::from(RELATION[enemy_king][square]));
}

/// The men in hand.
fn held(hand: Hand, tally: &mut impl Tally) {
    for (kind, count) in hand.iter() {
        tally.count(HELD + kind as usize, count as i32);
        tally.add(FIRST_HELD + kind as usize);
    }
}

/// The long-range men of a side, and what its men attack.
#[inline]
pub(super) fn attacks(position: &Position, side: Side, tally: &mut impl Tally) -> Attacks {
    let board = position.board();
    let (own, occupied) = (board.of_side(side), board.occupied());
    let mut attacks = Attacks { by_others: board.step_attacks(side), ..Attacks::default() };
    for from in board.of_kind(Kind::Lance) & own {
        let attacked = sliders::lance(side, from, occupied);
        tally.add(LANCE_MOBILITY + (attacked & !own).len() as usize);
        attacks.add(attacked);
    }
    for from in board.of_original(Kind::Bishop) & own {
        let attacked = sliders::bishop(from, occupied);
        let is_horse = board.promoted().contains(from);
        tally.add(if is_horse { HORSE_MOBILITY } else { BISHOP_MOBILITY } + (attacked & !own).len() as usize);
        attacks.add(attacked);
    }
    for from in board.of_original(Kind::Rook) & own {
        let attacked = sliders::rook(from, occupied);
        let is_dragon = board.promoted().contains(from);
        tally.add(if is_dragon { DRAGON_MOBILITY } else { ROOK_MOBILITY } + (attacked & !own).len() as usize);
        attacks.add(attacked);
    }
    let near_king = steps::king(position.king(side));
    attacks.twice |= attacks.by_others & near_king;
    attacks.all = attacks.by_others | near_king;
    attacks
}

/// The class of a hand for attacks on a king: the number of its strong men.
#[inline]
fn class_of(hand: Hand) -> usize {
    let strong = [Kind::Silver, Kind::Gold, Kind::Bishop, Kind::Rook];
    strong.into_iter().map(|kind| hand.count(kind) as usize).sum::<usize>().min(HANDS - 1)
}

/// What a side does to the other.
#[inline]
pub(super) fn relations(
    position: &Position,
    side: Side,
    own: &Attacks,
    enemy: &Attacks,
    tally: &mut impl Tally,
) {
    let board = position.board();
    let them = side.other();
    let (theirs, enemy_king, hand) = (board.of_side(them), position.king(them), position.hand(side));
    let ring = steps::king(enemy_king);
    let class = 9 * class_of(hand);
    let attacked = ring & own.by_others;
    let weak = attacked & !enemy.by_others;
    tally.add(ATTACKED_NEAR_KING + class + attacked.len() as usize);
    tally.add(WEAK_NEAR_KING + class + weak.len() as usize);
    tally.add(ESCAPES + class + (ring & !theirs & !own.all).len() as usize);
    if hand.has(Kind::Gold) {
        let drops = weak & steps::gold(them, enemy_king) & !board.occupied();
        tally.add(GOLD_DROPS + drops.len() as usize);
    }
    let by_pawns = board.pawn_attacks(side);
    let attacked = theirs & own.all;
    let pressed = own.twice & !enemy.twice;
    for kind in Kind::ALL {
        let men = board.of_kind(kind) & attacked;
        if men.is_empty() || kind == Kind::King {
            continue;
        }
        let (number, guarded) = (kind as usize, men & enemy.all);
        tally.count(ATTACKED + number, guarded.len() as i32);
        tally.count(PRESSED + number, (guarded & pressed).len() as i32);
        tally.count(HANGING + number, (men & !enemy.all).len() as i32);
        tally.count(THREAT_BY_PAWN + number, (men & by_pawns).len() as i32);
    }
}

/// Calls `visit` with every man on the board, as its side sees the square.
#[inline]
pub(super) fn for_each_man(board: &Board, mut visit: impl FnMut(Side, Kind, usize)) {
    let mut visit_at = |square: Square, Piece { side, kind }| visit(side, kind, seen_by(side, square));
    board.pieces().for_each(|(square, piece)| visit_at(square, piece));
}

/// The squares of both kings as a side sees them: its own, and the enemy's.
#[inline]
pub(super) fn kings_seen_by(position: &Position, side: Side) -> [usize; 2] {
    [side, side.other()].map(|whose| seen_by(side, position.king(whose)))
}

/// All features of a position with their counts, those of Black less those of White; and the phase. Weights are fitted with this.
pub fn features_of(position: &Position) -> (Vec<(usize, i32)>, i32) {
    let mut notes = Counts::new(COUNT);
    let sign = |side| if side == Side::First { 1 } else { -1 };
    let kings = Side::ALL.map(|side| kings_seen_by(position, side));
    for_each_man(position.board(), |side, kind, square| {
        let [own, enemy] = kings[side as usize];
        notes.sign = sign(side);
        man(kind, square, own, enemy, &mut notes);
    });
    let attacks = Side::ALL.map(|side| {
        notes.sign = sign(side);
        held(position.hand(side), &mut notes);
        attacks(position, side, &mut notes)
    });
    for side in Side::ALL {
        notes.sign = sign(side);
        relations(position, side, &attacks[side as usize], &attacks[side.other() as usize], &mut notes);
    }
    notes.sign = sign(position.turn());
    notes.add(TEMPO);
    (notes.into_list(), phase(position))
}
