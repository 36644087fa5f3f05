//! The trait [`Environment`]: a game as learning agents play it.

use crate::error::{ActionError, BufferError, OutcomeError};
use crate::numbered::Numbered;
use crate::observation::ObservationKind;
use game::{BySide, Notation, Position, Rng, Side, random_chance};
use std::fmt::{Debug, Display};
use std::ops::ControlFlow;

/// A game with its options fixed. Its turns are split into numbered actions, and its positions are observed as numbers.
///
/// Chance is either explicit or sampled. A search that looks at every outcome calls [`apply_action`](Self::apply_action)
/// and [`apply_chance`](Self::apply_chance) in turn. [`step`](Self::step) samples chance and goes on to the next real
/// choice.
///
/// A game implements the methods without a body. The other methods follow from them; a game overrides one where it can be
/// faster. Methods that check nothing say so. The module `laws` (feature `testing`) tests the rules that every environment
/// must keep.
///
/// ```
/// use endspiel_env::Environment;
/// use game::Rng;
/// use onitama::Onitama;
///
/// let (game, mut rng) = (Onitama::default(), Rng::new(1));
/// let mut state = game.reset(&mut rng);
/// while !game.is_terminal(&state) {
///     let actions = game.actions(&state);
///     let chosen = actions[rng.below(actions.len() as u64) as usize];
///     game.step(&mut state, chosen, &mut rng)?;
/// }
/// assert_eq!(game.rewards(&state).first.abs(), 1.0);
/// # Ok::<(), endspiel_env::ActionError>(())
/// ```
pub trait Environment: Notation + Clone {
    /// The state of a game in progress: a small value that is cheap to clone. It holds no reference to the environment.
    type State: Clone + PartialEq + Debug + Send + Sync + 'static;
    /// The actions of a player.
    type Action: Numbered + Display;
    /// The outcomes of chance, numbered. [`NoChance`](game::NoChance) in games without chance.
    type Chance: Numbered + From<<Self::Position as Position>::Chance>;
    /// The kinds of observations.
    type Observation: ObservationKind;

    /// The number of entries of a context, or 0 if there is none. A context says what a game is played for, such as the
    /// score of a match, where the observation alone does not.
    const CONTEXT: usize = 0;

    /// The state with this position and without a past.
    fn state_at(&self, position: Self::Position) -> Self::State;

    /// The position of a state. In the middle of a turn it is a position that no complete turn leads to.
    fn position<'a>(&self, state: &'a Self::State) -> &'a Self::Position;

    /// Returns whether the game is over.
    fn is_terminal(&self, state: &Self::State) -> bool;

    /// The reward of each side. Rewards are 0 before the end of the game, and their sum is always 0.
    fn rewards(&self, state: &Self::State) -> BySide<f32>;

    /// Calls `visit` with every legal action, in ascending order. There is none at a chance node or after the end of
    /// the game.
    fn visit_actions(&self, state: &Self::State, visit: impl FnMut(Self::Action));

    /// Returns whether the action is legal, without listing the other actions.
    fn is_legal(&self, state: &Self::State, action: Self::Action) -> bool;

    /// Plays an action that is known to be legal, and stops at a chance node. Nothing is checked.
    fn play_action(&self, state: &mut Self::State, action: Self::Action);

    /// Applies an outcome of chance that is known to be possible. Nothing is checked.
    fn play_chance(&self, state: &mut Self::State, chance: Self::Chance);

    /// Writes the observation of the player to act. The buffer must have the length of the observation.
    fn write_observation(&self, state: &Self::State, kind: Self::Observation, out: &mut [f32]);

    /// The actions of a legal move, in order. If several lists of actions lead to the same position, returns the first list.
    /// Returns `None` if the move is not legal.
    fn actions_of(
        &self,
        position: &Self::Position,
        m: <Self::Position as Position>::Move,
    ) -> Option<Vec<Self::Action>>;

    /// The beginning of a game, before any outcome of chance. Only the side that begins may be chosen at random here.
    fn begin_state(&self, rng: &mut Rng) -> Self::State {
        let _ = rng;
        self.state_at(self.start())
    }

    /// Begins a game and goes on to its first choice.
    fn reset(&self, rng: &mut Rng) -> Self::State {
        let mut state = self.begin_state(rng);
        self.settle(&mut state, rng);
        state
    }

    /// The first choice of the game that follows a finished one: the next game of a match, or another game for points.
    /// Returns `None` if no game follows; then call [`reset`](Self::reset).
    fn next_state(&self, finished: &Self::State, rng: &mut Rng) -> Option<Self::State> {
        let mut next = self.state_at(self.next_game(self.position(finished), rng)?);
        self.settle(&mut next, rng);
        Some(next)
    }

    /// Returns whether a turn has begun and the same player continues it.
    fn is_mid_turn(&self, state: &Self::State) -> bool {
        let _ = state;
        false
    }

    /// Returns whether the state is possible in a game with these options.
    fn holds(&self, state: &Self::State) -> bool {
        let _ = state;
        true
    }

    /// The side to act; at a chance node, the side for which chance decides. After the end of the game it is the side
    /// that would act next.
    #[inline]
    fn current_player(&self, state: &Self::State) -> Side {
        self.position(state).turn()
    }

    /// Returns whether chance decides next.
    #[inline]
    fn is_chance_node(&self, state: &Self::State) -> bool {
        self.position(state).awaits_chance()
    }

    /// Calls `visit` with every possible outcome of chance and its weight, in ascending order. Weights are whole
    /// numbers above 0; the probability of an outcome is its weight divided by the sum of all weights. Only a chance
    /// node has outcomes.
    #[inline]
    fn visit_chances(&self, state: &Self::State, mut visit: impl FnMut(Self::Chance, u32)) {
        let _ = self.position(state).visit_chances(|outcome, weight| {
            visit(outcome.into(), weight);
            ControlFlow::<()>::Continue(())
        });
    }

    /// Goes on to the next choice, or to the end of the game. Chance is sampled by [`random_chance`]. A game may also pass
    /// for a player whose only legal action is to pass.
    #[inline]
    fn settle(&self, state: &mut Self::State, rng: &mut Rng) {
        while let Some(outcome) = random_chance(self.position(state), rng) {
            self.play_chance(state, outcome.into());
        }
    }

    /// Writes the context of the player to act. The buffer must have [`CONTEXT`](Self::CONTEXT) entries.
    #[inline]
    fn write_context(&self, state: &Self::State, out: &mut [f32]) {
        let _ = (state, out);
    }

    /// Writes the action mask: 1 at the index of every legal action, 0 elsewhere. The buffer must have an entry for
    /// every action.
    #[inline]
    fn write_mask(&self, state: &Self::State, mask: &mut [u8]) {
        mask.fill(0);
        self.visit_actions(state, |action| {
            if let Some(entry) = mask.get_mut(action.index()) {
                *entry = 1;
            }
        });
    }

    /// The legal actions as a list. [`visit_actions`](Self::visit_actions) is faster: it allocates no list.
    fn actions(&self, state: &Self::State) -> Vec<Self::Action> {
        let mut actions = Vec::new();
        self.visit_actions(state, |action| actions.push(action));
        actions
    }

    /// The action with this number, counted from 0.
    ///
    /// # Errors
    /// Returns an error if no action has this number.
    #[inline]
    fn action(&self, number: impl Into<i64>) -> Result<Self::Action, ActionError> {
        let number = number.into();
        let found = usize::try_from(number).ok().and_then(Self::Action::from_index);
        found.ok_or(ActionError::Number { number, first: 0, last: Self::Action::COUNT as i64 - 1 })
    }

    /// Checks that the action is legal.
    ///
    /// # Errors
    /// Returns an error if the action is not legal. The error says why.
    #[inline]
    fn check_action(&self, state: &Self::State, action: Self::Action) -> Result<(), ActionError> {
        if self.is_legal(state, action) {
            return Ok(());
        }
        Err(match (self.is_terminal(state), self.is_chance_node(state)) {
            (true, _) => ActionError::Over(action.named()),
            (false, true) => ActionError::AwaitsChance(action.named()),
            (false, false) => ActionError::Illegal(action.named()),
        })
    }

    /// Plays an action, and stops at a chance node.
    ///
    /// # Errors
    /// Returns an error if the action is not legal. The state is unchanged then.
    #[inline]
    fn apply_action(&self, state: &mut Self::State, action: Self::Action) -> Result<(), ActionError> {
        self.check_action(state, action)?;
        self.play_action(state, action);
        Ok(())
    }

    /// Applies an outcome of chance.
    ///
    /// # Errors
    /// Returns an error if the state is not a chance node, or if the outcome is impossible. The state is unchanged then.
    fn apply_chance(&self, state: &mut Self::State, chance: Self::Chance) -> Result<(), OutcomeError> {
        if !self.is_chance_node(state) {
            return Err(OutcomeError::NotAwaited(chance.named()));
        }
        let mut possible = false;
        self.visit_chances(state, |other, _| possible |= other == chance);
        if !possible {
            return Err(OutcomeError::Impossible(chance.named()));
        }
        self.play_chance(state, chance);
        Ok(())
    }

    /// Plays an action, and goes on to the next choice. A state with a single legal move is still a choice.
    ///
    /// # Errors
    /// Returns an error if the action is not legal. The state is unchanged then.
    #[inline]
    fn step(&self, state: &mut Self::State, action: Self::Action, rng: &mut Rng) -> Result<(), ActionError> {
        self.apply_action(state, action)?;
        self.settle(state, rng);
        Ok(())
    }

    /// Writes the observation of the player to act.
    ///
    /// # Errors
    /// Returns an error if the length of the buffer is not the length of the observation.
    #[inline]
    fn observe(
        &self,
        state: &Self::State,
        kind: Self::Observation,
        out: &mut [f32],
    ) -> Result<(), BufferError> {
        BufferError::check("observation", kind.length(), out.len())?;
        self.write_observation(state, kind, out);
        Ok(())
    }

    /// Writes the action mask: 1 at the index of every legal action, 0 elsewhere.
    ///
    /// # Errors
    /// Returns an error if the length of the buffer is not the number of actions.
    #[inline]
    fn mask(&self, state: &Self::State, mask: &mut [u8]) -> Result<(), BufferError> {
        BufferError::check("mask", Self::Action::COUNT, mask.len())?;
        self.write_mask(state, mask);
        Ok(())
    }
}

/// The rewards of a game in which every win counts 1.
pub(crate) fn win_or_loss(winner: Option<Side>) -> BySide<f32> {
    BySide::from_fn(|side| match winner {
        None => 0.0,
        Some(winner) if winner == side => 1.0,
        Some(_) => -1.0,
    })
}
