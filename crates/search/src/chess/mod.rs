//! Chess: what its search needs.

mod bench;
mod evaluator;
mod features;
mod tables;
mod terms;
mod view;
mod weights;

pub use bench::bench_chess;
pub use evaluator::ChessEvaluator;
pub use features::{COUNT as FEATURES, GROUPS};
pub use tables::Tables;
pub use terms::{MOST_PHASE, features_of};
pub use weights::WEIGHTS;

use crate::searchable::Searchable;
use chess::{Centipawns, Chess, Kind, Move, Position};
use game::{Game, Plies, Position as _, Rulebook, Side, Value};
use std::ops::ControlFlow;

impl Searchable for Chess {
    type Evaluator = ChessEvaluator;
    type Oracle = Tables;

    const SELECTIVE: bool = true;
    /// The kind of the piece and its target square.
    const SLOTS: usize = 6 * 64;

    /// Draws for want of material, and by the fifty-move rule, which the side to move may claim unless it is mated. Positions
    /// without moves are found when the moves are listed.
    #[inline]
    fn over(&self, position: &Position, _: &Rulebook<Position>) -> Option<Value> {
        const FEW: u32 = 4;
        let is_drawn = position.is_claimable_by_fifty_moves() && !is_mate(position)
            || position.board().occupied().len() <= FEW && position.is_dead_material();
        is_drawn.then_some(Value::Draw)
    }

    #[inline]
    fn is_check(&self, position: &Position) -> bool {
        position.is_check()
    }

    #[inline]
    fn reversible_plies(&self, position: &Position) -> usize {
        position.clock().quiet_plies.into()
    }

    /// With pawns alone, zugzwang is common.
    #[inline]
    fn pass(&self, position: &Position) -> Option<Position> {
        let board = position.board();
        let men = board.of_side(position.turn());
        let weak = board.of_kind(Kind::Pawn) | board.of_kind(Kind::King);
        if (men & !weak).is_empty() { None } else { position.pass() }
    }

    #[inline]
    fn is_tactical(&self, position: &Position, m: Move) -> bool {
        position.is_capture(m) || m.promotion() == Some(Kind::Queen)
    }

    #[inline]
    fn for_each_tactical(&self, position: &Position, mut visit: impl FnMut(Move)) {
        let _ = position.visit_tactical(|m| {
            if m.promotion().is_none_or(|kind| kind == Kind::Queen) {
                visit(m);
            }
            ControlFlow::<()>::Continue(())
        });
    }

    #[inline]
    fn gain(&self, position: &Position, m: Move) -> i32 {
        let taken = match position.board().kind_at(m.to()) {
            Some(kind) if !m.is_castling() => kind.value(),
            _ if position.is_capture(m) => Kind::Pawn.value(),
            _ => Centipawns(0),
        };
        let promoted = m.promotion().map_or(0, |kind| kind.value().0 - Kind::Pawn.value().0);
        taken.0 + promoted - m.kind() as i32
    }

    #[inline]
    fn exchange_gains(&self, position: &Position, m: Move, at_least: i32) -> bool {
        position.see_at_least(m, Centipawns(at_least))
    }

    #[inline]
    fn slot(&self, _: &Position, m: Move) -> usize {
        m.kind() as usize * 64 + m.to().index()
    }

    /// The pawns.
    #[inline]
    fn structure(&self, position: &Position) -> u64 {
        let [white, black] = Side::ALL.map(|side| position.board().of(side, Kind::Pawn).word());
        evaluator::mixed([white, black]) >> 40
    }

    #[inline]
    fn move_code(m: Move) -> u16 {
        m.bits()
    }
}

#[cold]
fn is_mate(position: &Position) -> bool {
    position.is_check() && position.count_moves() == 0
}

/// A win in this many plies is not spoilt by the fifty-move rule.
fn fits_fifty_moves(position: &Position, plies: Plies) -> bool {
    plies.0.saturating_add(position.clock().quiet_plies) <= chess::FIFTY_MOVES.0
}

const _: () = assert!(Chess::INFO.capabilities.loops, "a draw by repetition is looked for");
