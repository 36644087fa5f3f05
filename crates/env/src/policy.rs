//! An agent made from a function that chooses numbered actions, such as a neural network.

use crate::agent::{Agent, AgentError};
use crate::environment::Environment;
use game::{Position, Rng};

/// An agent that asks a function for actions, once for every action of a move.
///
/// An agent sees positions without their past. So the function sees a state without a past. This matters where the
/// past is part of the observation, such as repetition in Dobutsu shogi.
///
/// ```
/// use backgammon::Backgammon;
/// use endspiel_env::{Agent, AgentError, Series, Policy, Random, Tally};
///
/// let newcomer = || -> Result<Box<dyn Agent<_>>, AgentError> {
///     let choose = |_: &_, actions: &[_], rng: &mut game::Rng| actions[rng.below(actions.len() as u64) as usize];
///     Ok(Box::new(Policy::new(Backgammon::default(), choose)))
/// };
/// let series = Series::new(Backgammon::default(), 20, 1);
/// let mut tally = Tally::default();
/// series.play([&newcomer, &|| Ok(Box::new(Random))], 2, |result| {
///     tally.add(result);
///     true
/// })?;
/// assert_eq!(tally.matches, 20);
/// # Ok::<(), AgentError>(())
/// ```
pub struct Policy<E: Environment, F> {
    environment: E,
    choose: F,
    actions: Vec<E::Action>,
}

impl<E, F> Policy<E, F>
where
    E: Environment,
    F: FnMut(&E::State, &[E::Action], &mut Rng) -> E::Action,
{
    /// Makes an agent from a function. The function sees the state, its legal actions and a random generator.
    pub fn new(environment: E, choose: F) -> Self {
        Self { environment, choose, actions: Vec::new() }
    }
}

impl<E, F> Agent<E::Position> for Policy<E, F>
where
    E: Environment,
    F: FnMut(&E::State, &[E::Action], &mut Rng) -> E::Action,
{
    fn choose(
        &mut self,
        position: &E::Position,
        rng: &mut Rng,
    ) -> Result<<E::Position as Position>::Move, AgentError> {
        let Self { environment, choose, actions } = self;
        let illegal = |answer: String| AgentError::Illegal {
            agent: "the policy".to_owned(),
            position: environment.position_text(position),
            answer,
        };
        let mut state = environment.state_at(position.clone());
        if environment.is_terminal(&state) || environment.is_chance_node(&state) {
            return Err(AgentError::NothingToChoose);
        }
        loop {
            actions.clear();
            environment.visit_actions(&state, |action| actions.push(action));
            let action = choose(&state, actions, rng);
            environment.apply_action(&mut state, action).map_err(|error| illegal(error.to_string()))?;
            if !environment.is_mid_turn(&state) {
                break;
            }
        }
        // Any move that leads to the same position will do.
        let played = |m: &_| position.play_unchecked(*m) == *environment.position(&state);
        position.moves().into_iter().find(played).ok_or_else(|| illegal("no move".to_owned()))
    }
}
