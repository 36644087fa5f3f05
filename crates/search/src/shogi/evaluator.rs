//! The estimate of a shogi position: the sum of its features, between opening and endgame.

use super::features::{
    FIRST_HELD, HELD, KING, MATERIAL, PLACEMENT, RELATIONS, TEMPO, TO_ENEMY_KING, TO_OWN_KING,
};
use super::places::{RELATION, SHAPE, SQUARES, folded, seen_by};
use super::terms::{self, MOST_PHASE};
use super::weights::WEIGHTS;
use crate::features::{Tally, Tapered};
use crate::score::Score;
use crate::searchable::Evaluator;
use game::{Position as _, Side};
use shogi::{Kind, Move, Position, Square};

/// Estimates shogi positions.
#[derive(Clone, Copy, Debug, Default)]
pub struct ShogiEvaluator;

/// The worth of the men on the board and in the hands, from Black's view. It is updated with each move.
pub type Sums = Tapered;

/// Adds up the weights of features.
#[derive(Default)]
struct Total(Tapered);

impl Tally for Total {
    #[inline]
    fn count(&mut self, feature: usize, times: i32) {
        self.0 += WEIGHTS[feature] * times;
    }
}

/// By kind and square, as its side sees it: what a man is worth there, without regard to the kings.
static ON_SQUARE: [[Tapered; SQUARES]; 15] = {
    let mut table = [[Tapered::new(0, 0); SQUARES]; 15];
    let mut at = 0;
    while at < Kind::ALL.len() {
        let (kind, mut square) = (Kind::ALL[at], 0);
        while square < SQUARES {
            table[kind as usize][square] = match kind {
                Kind::King => WEIGHTS[KING + folded(square)],
                _ => WEIGHTS[MATERIAL + kind as usize]
                    .plus(WEIGHTS[PLACEMENT + RELATIONS * SHAPE[kind as usize] + folded(square)]),
            };
            square += 1;
        }
        at += 1;
    }
    table
};

/// The kings as each side sees them: its own, and the enemy's.
type Kings = [[usize; 2]; 2];

#[inline]
fn kings_of(position: &Position) -> Kings {
    Side::ALL.map(|side| terms::kings_seen_by(position, side))
}

/// The worth of a man, from Black's view.
#[inline]
fn of_man(kings: &Kings, side: Side, kind: Kind, square: usize) -> Tapered {
    let [own, enemy] = kings[side as usize];
    let mut worth = ON_SQUARE[kind as usize][square];
    if kind != Kind::King {
        let shape = RELATIONS * SHAPE[kind as usize];
        worth += WEIGHTS[TO_OWN_KING + shape + usize::from(RELATION[own][square])];
        worth += WEIGHTS[TO_ENEMY_KING + shape + usize::from(RELATION[enemy][square])];
    }
    signed(side, worth)
}

#[inline]
fn signed(side: Side, worth: Tapered) -> Tapered {
    if side == Side::First { worth } else { -worth }
}

/// The worth of the last of so many men of a kind in hand.
#[inline]
fn of_held(kind: Kind, count: u32) -> Tapered {
    match count {
        1 => WEIGHTS[HELD + kind as usize] + WEIGHTS[FIRST_HELD + kind as usize],
        _ => WEIGHTS[HELD + kind as usize],
    }
}

impl Evaluator<Position> for ShogiEvaluator {
    type Sums = Sums;

    fn sums(&self, position: &Position) -> Sums {
        let kings = kings_of(position);
        let mut sums = Tapered::default();
        terms::for_each_man(position.board(), |side, kind, square| {
            sums += of_man(&kings, side, kind, square);
        });
        for side in Side::ALL {
            for (kind, count) in position.hand(side).iter() {
                for number in 1..=count {
                    sums += signed(side, of_held(kind, number));
                }
            }
        }
        sums
    }

    #[inline]
    fn sums_after(&self, mut sums: Sums, before: &Position, m: Move, after: &Position) -> Sums {
        let kind = m.kind();
        if kind == Kind::King {
            // Every man stands otherwise to it.
            return self.sums(after);
        }
        let us = before.turn();
        let kings = kings_of(before);
        let place = |kind, square: Square, side| of_man(&kings, side, kind, seen_by(side, square));
        match m {
            Move::Step { from, to, .. } => {
                sums -= place(kind, from, us);
                if let Some(taken) = before.board().kind_at(to) {
                    sums -= place(taken, to, us.other());
                    let original = taken.original();
                    sums += signed(us, of_held(original, after.hand(us).count(original)));
                }
            }
            Move::Drop { .. } => sums -= signed(us, of_held(kind, before.hand(us).count(kind))),
        }
        sums + place(m.arriving(), m.to(), us)
    }

    #[inline]
    fn sums_after_pass(&self, sums: Sums, _: &Position, _: &Position) -> Sums {
        sums
    }

    fn estimate(&mut self, position: &Position, sums: Sums) -> Score {
        let mut totals = [Total::default(), Total::default()];
        let [first, second] = &mut totals;
        let attacks =
            [terms::attacks(position, Side::First, first), terms::attacks(position, Side::Second, second)];
        terms::relations(position, Side::First, &attacks[0], &attacks[1], first);
        terms::relations(position, Side::Second, &attacks[1], &attacks[0], second);
        let sum = sums + totals[0].0 - totals[1].0;
        let sum = signed(position.turn(), sum) + WEIGHTS[TEMPO];
        let phase = terms::phase(position);
        Score::estimate((sum.middle() * phase + sum.end() * (MOST_PHASE - phase)) / MOST_PHASE)
    }
}

#[cfg(test)]
mod tests {
    use super::super::features_of;
    use super::*;
    use game::{Game, Rng};
    use shogi::Shogi;

    /// The estimate is the weighted sum of the features, and sums that are carried along are those computed anew.
    #[test]
    fn estimates_are_sums_of_features() {
        let mut rng = Rng::new(5);
        let mut evaluator = ShogiEvaluator;
        for _ in 0..60 {
            let mut position = Shogi::default().start();
            let mut sums = evaluator.sums(&position);
            for _ in 0..rng.below(200) {
                let Some(m) = game::random_move(&position, &mut rng) else { break };
                let after = position.play_unchecked(m);
                sums = evaluator.sums_after(sums, &position, m, &after);
                position = after;
                assert_eq!(sums, evaluator.sums(&position), "{position} after {m}");
            }
            let (features, phase) = features_of(&position);
            let mut sum = Tapered::default();
            for (feature, count) in features {
                sum += WEIGHTS[feature] * count;
            }
            let sum = signed(position.turn(), sum);
            let expected = (sum.middle() * phase + sum.end() * (MOST_PHASE - phase)) / MOST_PHASE;
            assert_eq!(evaluator.estimate(&position, sums).hundredths(), expected, "{position}");
        }
    }
}
