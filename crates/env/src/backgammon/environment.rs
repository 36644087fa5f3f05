//! Backgammon as an [`Environment`].

use super::actions::Action;
use super::chance::Chance;
use super::features::{CONTEXT, context};
use super::observe::Observation;
use super::state::{State, actions_of};
use crate::environment::Environment;
use backgammon::{Backgammon, Move, Position, Stakes, Terms};
use game::{BySide, Position as _, Rng, Side};

/// The side that begins is drawn by lot. A turn is one action, or two actions with a double. If the dice can move nothing,
/// [`settle`](Environment::settle) passes.
impl Environment for Backgammon {
    type State = State;
    type Action = Action;
    type Chance = Chance;
    type Observation = Observation;

    const CONTEXT: usize = CONTEXT;

    fn state_at(&self, position: Position) -> State {
        State::from(position)
    }

    #[inline]
    fn position<'a>(&self, state: &'a State) -> &'a Position {
        state.position()
    }

    #[inline]
    fn is_terminal(&self, state: &State) -> bool {
        state.is_terminal()
    }

    fn rewards(&self, state: &State) -> BySide<f32> {
        state.rewards()
    }

    #[inline]
    fn visit_actions(&self, state: &State, visit: impl FnMut(Action)) {
        state.visit_actions(visit);
    }

    #[inline]
    fn is_legal(&self, state: &State, action: Action) -> bool {
        state.is_legal(action)
    }

    #[inline]
    fn play_action(&self, state: &mut State, action: Action) {
        state.play(action);
    }

    #[inline]
    fn play_chance(&self, state: &mut State, chance: Chance) {
        state.roll(chance.roll());
    }

    #[inline]
    fn write_observation(&self, state: &State, kind: Observation, out: &mut [f32]) {
        kind.write_to(state, out);
    }

    fn actions_of(&self, position: &Position, m: Move) -> Option<Vec<Action>> {
        // Of several turns that lead to the same board, only one is a legal move.
        let actions = position.is_legal(m).then(|| actions_of(position, m).ok())??;
        Some(actions.into_iter().collect())
    }

    fn begin_state(&self, rng: &mut Rng) -> State {
        State::begin(self, Side::by_lot(rng))
    }

    #[inline]
    fn is_mid_turn(&self, state: &State) -> bool {
        state.is_half_played()
    }

    /// Returns whether the state has the same dice, cube and stakes as the game. In a match, any score and length are
    /// allowed.
    fn holds(&self, state: &State) -> bool {
        let (terms, ours) = (state.position().terms(), &self.terms);
        let same_stakes = match (terms.stakes, ours.stakes) {
            (Stakes::Match(_), Stakes::Match(_)) => true,
            (theirs, ours) => theirs == ours,
        };
        same_stakes && Terms { stakes: ours.stakes, ..*terms } == *ours
    }

    #[inline]
    fn settle(&self, state: &mut State, rng: &mut Rng) {
        state.settle(rng);
    }

    #[inline]
    fn write_context(&self, state: &State, out: &mut [f32]) {
        out.copy_from_slice(&context(state));
    }
}
