//! Shogi: what its search needs.

mod bench;
mod evaluator;
mod features;
mod places;
mod tables;
mod terms;
mod weights;

pub use bench::bench_shogi;
pub use evaluator::ShogiEvaluator;
pub use features::{COUNT as FEATURES, GROUPS};
pub use tables::Tables;
pub use terms::{MOST_PHASE, features_of};
pub use weights::WEIGHTS;

use crate::searchable::Searchable;
use game::{Position as _, Rulebook, Value};
use places::{SHAPE, SQUARES};
use shogi::{Centipawns, Kind, Move, Position, Shogi};
use std::ops::ControlFlow;

/// Repetitions of positions that are farther back are not looked for: hardly any cycle is as long.
const LONGEST_CYCLE: usize = 32;

impl Searchable for Shogi {
    type Evaluator = ShogiEvaluator;
    type Oracle = Tables;

    const SELECTIVE: bool = true;
    /// The way the man moves and its target square; steps of kings; drops by kind.
    const SLOTS: usize = (features::SHAPES + 1 + Kind::IN_HAND.len()) * SQUARES;

    /// The end by entering kings, if there is such a rule. Positions without moves are found when the moves are listed.
    #[inline]
    fn over(&self, position: &Position, rules: &Rulebook<Position>) -> Option<Value> {
        if self.impasse == shogi::Impasse::None {
            return None;
        }
        let outcome = (rules.ends)(position).or_else(|| (rules.claims)(position));
        outcome.map(|outcome| outcome.value(position.turn()))
    }

    #[inline]
    fn is_check(&self, position: &Position) -> bool {
        position.is_check()
    }

    #[inline]
    fn reversible_plies(&self, _: &Position) -> usize {
        LONGEST_CYCLE
    }

    #[inline]
    fn pass(&self, position: &Position) -> Option<Position> {
        position.pass()
    }

    #[inline]
    fn is_tactical(&self, position: &Position, m: Move) -> bool {
        position.is_tactical(m)
    }

    #[inline]
    fn for_each_tactical(&self, position: &Position, mut visit: impl FnMut(Move)) {
        let _ = position.visit_tactical(|m| {
            visit(m);
            ControlFlow::<()>::Continue(())
        });
    }

    #[inline]
    fn gain(&self, position: &Position, m: Move) -> i32 {
        position.first_gain(m).0 - SHAPE[m.kind() as usize] as i32
    }

    #[inline]
    fn exchange_gains(&self, position: &Position, m: Move, at_least: i32) -> bool {
        position.see_at_least(m, Centipawns(at_least))
    }

    #[inline]
    fn slot(&self, _: &Position, m: Move) -> usize {
        let row = match m {
            Move::Step { kind: Kind::King, .. } => features::SHAPES,
            Move::Step { kind, .. } => SHAPE[kind as usize],
            Move::Drop { kind, .. } => features::SHAPES + 1 + kind as usize,
        };
        row * SQUARES + m.to().index()
    }

    /// Seven bits for the target, seven for the square or the kind in hand, and one for a promotion.
    #[inline]
    fn move_code(m: Move) -> u16 {
        let (from, promotes) = match m {
            Move::Step { from, promotes, .. } => (from.index(), promotes),
            Move::Drop { kind, .. } => (SQUARES + kind as usize, false),
        };
        // From and to differ, so the number is not 0.
        (from << 8 | m.to().index() << 1 | usize::from(promotes)) as u16
    }
}
