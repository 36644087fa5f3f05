//! Agents: programs that choose moves.

use game::{Position, Rng, meant_or_known, quoted};
use std::sync::Arc;

/// An agent for a game with these positions.
pub trait Agent<P: Position> {
    /// Chooses a legal move of a position in which a player has to choose. An agent takes its random numbers from
    /// `rng`, so that the same seed gives the same games.
    ///
    /// # Errors
    /// Returns [`AgentError::NothingToChoose`] if no player has to choose in this position.
    fn choose(&mut self, position: &P, rng: &mut Rng) -> Result<P::Move, AgentError>;
}

/// Why an agent did not choose a legal move.
#[derive(Debug, thiserror::Error)]
pub enum AgentError {
    /// An external program that the agent asks did not give a valid answer.
    #[error(transparent)]
    Outside(Box<dyn std::error::Error + Send + Sync>),
    /// The agent does not play this game, or not from this position.
    #[error(transparent)]
    Unfit(Box<dyn std::error::Error + Send + Sync>),
    /// The values of perfect play, which the agent or its judge asks for, cannot be read.
    #[error(transparent)]
    Values(Box<dyn std::error::Error + Send + Sync>),
    /// No player has to choose in the position: the dice must be rolled first, or the game is over.
    #[error("there is nothing to choose: dice are to be rolled, or the game is over")]
    NothingToChoose,
    /// The agent chose a move that is not legal.
    #[error("{agent} chose an illegal move in {position}: {}", quoted(answer))]
    Illegal {
        /// The agent.
        agent: String,
        /// The position.
        position: String,
        /// The answer of the agent.
        answer: String,
    },
}

/// There is no agent with this name.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
#[error("there is no agent {}{}", quoted(name), meant_or_known(name, "agents", known.iter().map(String::as_str)))]
pub struct UnknownAgent {
    /// The name.
    pub name: String,
    /// The names of all agents.
    pub known: Vec<String>,
}

/// A function that makes an agent. Each thread of a series calls it once.
pub type MakeAgent<'a, P> = dyn Fn() -> Result<Box<dyn Agent<P>>, AgentError> + Send + Sync + 'a;

/// An agent that can be chosen by its name.
#[derive(Clone)]
pub struct NamedAgent<P: Position> {
    /// The name, in lower case.
    pub name: String,
    /// A second name.
    pub alias: Option<&'static str>,
    /// Whether the agent is a process that mostly sleeps. A series then plays more games at once.
    pub sleeps: bool,
    /// Makes the agent.
    pub start: Arc<MakeAgent<'static, P>>,
}

impl<P: Position> NamedAgent<P> {
    /// The agent [`Random`], which plays every game.
    pub fn random() -> Self {
        let start = || -> Result<Box<dyn Agent<P>>, AgentError> { Ok(Box::new(Random)) };
        Self { name: "random".to_owned(), alias: None, sleeps: false, start: Arc::new(start) }
    }

    /// Returns whether the agent has this name, in upper or lower case.
    pub(crate) fn is_called(&self, name: &str) -> bool {
        let is_it = |known: &str| known.eq_ignore_ascii_case(name);
        is_it(&self.name) || self.alias.is_some_and(is_it)
    }
}

/// An agent that chooses a random legal move, every move with the same probability.
#[derive(Clone, Copy, Debug, Default)]
pub struct Random;

impl<P: Position> Agent<P> for Random {
    fn choose(&mut self, position: &P, rng: &mut Rng) -> Result<P::Move, AgentError> {
        game::random_move(position, rng).ok_or(AgentError::NothingToChoose)
    }
}
