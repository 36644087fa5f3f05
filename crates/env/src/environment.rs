//! A game as learning agents play it.

use crate::error::{ActionError, BufferError, OutcomeError};
use crate::numbered::Numbered;
use crate::observation::ObservationKind;
use game::{BySide, Notation, Position, Rng, Side, random_chance};
use std::fmt::{Debug, Display};
use std::ops::ControlFlow;

/// A game with its options fixed, whose turns are cut into numbered actions and whose positions are seen as numbers.
///
/// Chance is either explicit ([`apply_action`](Self::apply_action) and [`apply_chance`](Self::apply_chance) in turn, for
/// searches that look at every outcome) or sampled ([`step`](Self::step), which goes on to the next real choice).
///
/// A game brings the methods without a body; the others follow from them, and a game overrides one where it can do
/// better. The methods that check nothing say so. `laws` (feature `testing`) has what holds for all.
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
    /// A game as it stands: a small value that is cloned freely, and no reference to the game.
    type State: Clone + PartialEq + Debug + Send + Sync + 'static;
    /// What a player may do.
    type Action: Numbered + Display;
    /// What chance may bring: the outcomes of the positions, numbered. [`NoChance`](game::NoChance) in games without.
    type Chance: Numbered + From<<Self::Position as Position>::Chance>;
    /// The kinds of observations.
    type Observation: ObservationKind;

    /// Numbers of a context: what a game is played for, where that is not in the observation alone. 0 if there is none.
    const CONTEXT: usize = 0;

    /// A game that stands like this, and has no past.
    fn state_at(&self, position: Self::Position) -> Self::State;

    /// The position. In the middle of a turn it is one that no whole turn leads to.
    fn position<'a>(&self, state: &'a Self::State) -> &'a Self::Position;

    /// Is the game over?
    fn is_terminal(&self, state: &Self::State) -> bool;

    /// What each side gets: nothing before the end, and together always nothing.
    fn rewards(&self, state: &Self::State) -> BySide<f32>;

    /// Shows the legal actions, ascending; none where chance is to decide or the game is over.
    fn visit_actions(&self, state: &Self::State, visit: impl FnMut(Self::Action));

    /// Is the action legal? Asked without listing the others.
    fn is_legal(&self, state: &Self::State, action: Self::Action) -> bool;

    /// Plays an action that is known to be legal, and stops where chance is to decide. Nothing is checked.
    fn play_action(&self, state: &mut Self::State, action: Self::Action);

    /// Lets chance bring what is known to be possible. Nothing is checked.
    fn play_chance(&self, state: &mut Self::State, chance: Self::Chance);

    /// Writes the observation of the player to act to a buffer of its length.
    fn write_observation(&self, state: &Self::State, kind: Self::Observation, out: &mut [f32]);

    /// The actions of a legal move, in order. If several lists lead to the same position, it is the first of them. A move that
    /// is not legal has none.
    fn actions_of(
        &self,
        position: &Self::Position,
        m: <Self::Position as Position>::Move,
    ) -> Option<Vec<Self::Action>>;

    /// The beginning of a game, before chance has decided anything but who begins.
    fn begin_state(&self, rng: &mut Rng) -> Self::State {
        let _ = rng;
        self.state_at(self.start())
    }

    /// The first choice of a game.
    fn reset(&self, rng: &mut Rng) -> Self::State {
        let mut state = self.begin_state(rng);
        self.settle(&mut state, rng);
        state
    }

    /// The first choice of the game that follows a finished one: the next game of a match, or another game for points. `None`
    /// if no game follows; then [`reset`](Self::reset) begins anew.
    fn next_state(&self, finished: &Self::State, rng: &mut Rng) -> Option<Self::State> {
        let mut next = self.state_at(self.next_game(self.position(finished), rng)?);
        self.settle(&mut next, rng);
        Some(next)
    }

    /// Is the turn half played: does the same player go on with it?
    fn is_mid_turn(&self, state: &Self::State) -> bool {
        let _ = state;
        false
    }

    /// Could a game with these options stand like this?
    fn holds(&self, state: &Self::State) -> bool {
        let _ = state;
        true
    }

    /// The side to act, or the side for which chance decides. After the end it is the side that would act next.
    #[inline]
    fn current_player(&self, state: &Self::State) -> Side {
        self.position(state).turn()
    }

    /// Is it for chance to decide what comes next?
    #[inline]
    fn is_chance_node(&self, state: &Self::State) -> bool {
        self.position(state).awaits_chance()
    }

    /// Shows what chance may bring, ascending, each with its weight. Weights are whole numbers above 0; the probability of an
    /// outcome is its weight out of their sum. Nothing is shown where chance does not decide.
    #[inline]
    fn visit_chances(&self, state: &Self::State, mut visit: impl FnMut(Self::Chance, u32)) {
        let _ = self.position(state).visit_chances(|outcome, weight| {
            visit(outcome.into(), weight);
            ControlFlow::<()>::Continue(())
        });
    }

    /// Goes on to the next choice, or to the end. Chance decides by [`random_chance`]; a game may pass for a player who can do
    /// nothing else.
    #[inline]
    fn settle(&self, state: &mut Self::State, rng: &mut Rng) {
        while let Some(outcome) = random_chance(self.position(state), rng) {
            self.play_chance(state, outcome.into());
        }
    }

    /// Writes the context of the player to act to a buffer of [`CONTEXT`](Self::CONTEXT) entries.
    #[inline]
    fn write_context(&self, state: &Self::State, out: &mut [f32]) {
        let _ = (state, out);
    }

    /// Writes 1 for every legal action at its index and 0 for the others, to a buffer with an entry for each.
    #[inline]
    fn write_mask(&self, state: &Self::State, mask: &mut [u8]) {
        mask.fill(0);
        self.visit_actions(state, |action| {
            if let Some(entry) = mask.get_mut(action.index()) {
                *entry = 1;
            }
        });
    }

    /// The legal actions in a list, for those who are not in a hurry.
    fn actions(&self, state: &Self::State) -> Vec<Self::Action> {
        let mut actions = Vec::new();
        self.visit_actions(state, |action| actions.push(action));
        actions
    }

    /// The action of a number in an array, from 0.
    ///
    /// # Errors
    /// If there is none.
    #[inline]
    fn action(&self, number: impl Into<i64>) -> Result<Self::Action, ActionError> {
        let number = number.into();
        let found = usize::try_from(number).ok().and_then(Self::Action::from_index);
        found.ok_or(ActionError::Number { number, first: 0, last: Self::Action::COUNT as i64 - 1 })
    }

    /// Is the action legal, and if not, why?
    ///
    /// # Errors
    /// If it is not.
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

    /// Plays an action, and stops where chance is to decide.
    ///
    /// # Errors
    /// If it is not legal; nothing is changed then.
    #[inline]
    fn apply_action(&self, state: &mut Self::State, action: Self::Action) -> Result<(), ActionError> {
        self.check_action(state, action)?;
        self.play_action(state, action);
        Ok(())
    }

    /// Lets chance bring this.
    ///
    /// # Errors
    /// If it is not for chance to decide, or if this cannot come; nothing is changed then.
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

    /// Plays an action, and goes on to the next choice. A move that is the only one is still a choice.
    ///
    /// # Errors
    /// If the action is not legal; nothing is changed then.
    #[inline]
    fn step(&self, state: &mut Self::State, action: Self::Action, rng: &mut Rng) -> Result<(), ActionError> {
        self.apply_action(state, action)?;
        self.settle(state, rng);
        Ok(())
    }

    /// Writes the observation of the player to act.
    ///
    /// # Errors
    /// If the buffer is not as long as the observation.
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

    /// Writes 1 for every legal action at its index, and 0 for the others.
    ///
    /// # Errors
    /// If the buffer has not an entry for every action.
    #[inline]
    fn mask(&self, state: &Self::State, mask: &mut [u8]) -> Result<(), BufferError> {
        BufferError::check("mask", Self::Action::COUNT, mask.len())?;
        self.write_mask(state, mask);
        Ok(())
    }
}

/// The rewards of a game with this winner, if a win brings 1 and nothing counts more.
pub(crate) fn win_or_loss(winner: Option<Side>) -> BySide<f32> {
    BySide::from_fn(|side| match winner {
        None => 0.0,
        Some(winner) if winner == side => 1.0,
        Some(_) => -1.0,
    })
}
