//! Dobutsu shogi for learning agents.
//!
//! A [`State`] counts how often its position has occurred, because the third time is a draw. [`actions`] numbers the moves,
//! and [`planes`] describes the observation. Both see the board as the side to move does.

pub mod actions;
mod match_game;
pub mod planes;
mod state;

pub use actions::Action;
pub use planes::Observation;
pub use state::State;

use crate::environment::{Environment, win_or_loss};
use crate::mover::seen_by_mover;
use dobutsu::{Dobutsu, Move, Position};
use game::{BySide, NoChance, Position as _};

impl Environment for Dobutsu {
    type State = State;
    type Action = Action;
    type Chance = NoChance;
    type Observation = Observation;

    fn state_at(&self, position: Position) -> State {
        State::from(position)
    }

    #[inline]
    fn position<'a>(&self, state: &'a State) -> &'a Position {
        state.position()
    }

    #[inline]
    fn is_terminal(&self, state: &State) -> bool {
        state.outcome().is_some()
    }

    fn rewards(&self, state: &State) -> BySide<f32> {
        win_or_loss(state.outcome().and_then(|outcome| outcome.winner))
    }

    #[inline]
    fn visit_actions(&self, state: &State, visit: impl FnMut(Action)) {
        if !state.is_drawn() {
            actions::visit(&seen_by_mover(state.position()), visit);
        }
    }

    #[inline]
    fn is_legal(&self, state: &State, action: Action) -> bool {
        let position = state.position();
        !state.is_drawn() && position.is_legal(action.as_move(position))
    }

    #[inline]
    fn play_action(&self, state: &mut State, action: Action) {
        state.play(action.as_move(state.position()));
    }

    fn play_chance(&self, _: &mut State, chance: NoChance) {
        match chance {}
    }

    #[inline]
    fn write_observation(&self, state: &State, _: Observation, out: &mut [f32]) {
        planes::write(&seen_by_mover(state.position()), state.occurrences(), out);
    }

    fn actions_of(&self, position: &Position, m: Move) -> Option<Vec<Action>> {
        position.is_legal(m).then(|| vec![Action::of(position, m)])
    }
}
