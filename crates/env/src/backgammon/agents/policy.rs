//! An agent out of whoever chooses numbered actions, such as a network that learns.

use super::{Agent, AgentError};
use crate::backgammon::{Action, Actions, State};
use backgammon::{Move, Position};
use game::{Position as _, Rng};

/// An agent that asks a function for actions: once for a turn, twice for a double.
///
/// ```
/// use backgammon::Backgammon;
/// use endspiel_env::backgammon::agents::{Agent, AgentError, AgentKind, Policy};
/// use endspiel_env::backgammon::{Contest, Tally};
///
/// let newcomer = || -> Result<Box<dyn Agent>, AgentError> {
///     Ok(Box::new(Policy::new(|state, actions, rng| actions[rng.below(actions.len() as u64) as usize])))
/// };
/// let contest = Contest {
///     game: Backgammon::default(),
///     names: ["newcomer".to_owned(), "random".to_owned()],
///     encounters: 20,
///     seed: 1,
///     keep: false,
/// };
/// let mut tally = Tally::default();
/// contest.play([&newcomer, &|| AgentKind::Random.start()], 2, |encounter| {
///     tally.add(encounter);
///     true
/// })?;
/// assert_eq!(tally.encounters, 20);
/// # Ok::<(), AgentError>(())
/// ```
pub struct Policy<F> {
    choose: F,
    actions: Actions,
}

impl<F: FnMut(&State, &Actions, &mut Rng) -> Action> Policy<F> {
    /// Asks this function, which sees the state and its legal actions.
    pub fn new(choose: F) -> Self {
        Self { choose, actions: Actions::new() }
    }
}

impl<F: FnMut(&State, &Actions, &mut Rng) -> Action> Agent for Policy<F> {
    fn choose(&mut self, position: &Position, rng: &mut Rng) -> Result<Move, AgentError> {
        let mut state = State::from(*position);
        if state.is_terminal() || state.is_chance_node() {
            return Err(AgentError::NothingToChoose);
        }
        loop {
            state.legal_actions(&mut self.actions);
            let action = (self.choose)(&state, &self.actions, rng);
            state.apply_action(action).map_err(|error| illegal(position, error.to_string()))?;
            if !state.is_half_played() {
                break;
            }
        }
        // Turns that differ lead to different boards, so one of them has led here.
        let played = |m: &Move| position.play_unchecked(*m) == *state.position();
        position.moves().into_iter().find(played).ok_or_else(|| illegal(position, "no turn".to_owned()))
    }
}

fn illegal(position: &Position, answer: String) -> AgentError {
    let roll = position.roll().map(|roll| format!(" {roll}")).unwrap_or_default();
    let id = position.board().position_id(position.turn());
    AgentError::Illegal { agent: "the policy".to_owned(), position: format!("{id}{roll}"), answer }
}
