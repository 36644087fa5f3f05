//! Onitama for learning agents.
//!
//! A state is a position, because the rules of Onitama do not depend on the past. Games have no limit of plies. [`actions`]
//! numbers the moves, and [`planes`] describes the observation. Both see the board as the side to move does.

pub mod actions;
mod match_game;
pub mod planes;

pub use actions::Action;
pub use planes::Observation;

use crate::environment::{Environment, win_or_loss};
use crate::mover::seen_by_mover;
use game::{BySide, NoChance, Position as _, Side};
use onitama::{Move, Onitama, Position};

impl Environment for Onitama {
    type State = Position;
    type Action = Action;
    type Chance = NoChance;
    type Observation = Observation;

    fn state_at(&self, position: Position) -> Position {
        position
    }

    #[inline]
    fn position<'a>(&self, state: &'a Position) -> &'a Position {
        state
    }

    #[inline]
    fn is_terminal(&self, state: &Position) -> bool {
        state.outcome().is_some()
    }

    fn rewards(&self, state: &Position) -> BySide<f32> {
        win_or_loss(state.outcome().and_then(|outcome| outcome.winner))
    }

    #[inline]
    fn visit_actions(&self, state: &Position, mut visit: impl FnMut(Action)) {
        // As the side to move sees the board, moves come in the order of cards, then of `from`, then of `to`. This is
        // the order of the actions.
        let seen = seen_by_mover(state);
        let hand = seen.hand(Side::First);
        seen.for_each_move(|m| visit(Action::seen(hand, m)));
    }

    #[inline]
    fn is_legal(&self, state: &Position, action: Action) -> bool {
        action.as_move(state).is_some_and(|m| state.is_legal(m))
    }

    #[inline]
    fn play_action(&self, state: &mut Position, action: Action) {
        if let Some(m) = action.as_move(state) {
            *state = state.play_unchecked(m);
        }
    }

    fn play_chance(&self, _: &mut Position, chance: NoChance) {
        match chance {}
    }

    #[inline]
    fn write_observation(&self, state: &Position, _: Observation, out: &mut [f32]) {
        planes::write(&seen_by_mover(state), out);
    }

    fn actions_of(&self, position: &Position, m: Move) -> Option<Vec<Action>> {
        position.is_legal(m).then(|| vec![Action::of(position, m)])
    }

    /// Returns whether the state has the same five cards as the game. It does not matter who holds them.
    fn holds(&self, state: &Position) -> bool {
        state.cards() == self.cards()
    }
}
