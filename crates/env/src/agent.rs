//! Who chooses moves.

use game::{Position, Rng, quoted};

/// A player of a game with these positions.
pub trait Agent<P: Position> {
    /// A legal move of a position in which a player has to choose. An agent takes its random numbers from `rng`, so that the same
    /// seed plays the same games.
    ///
    /// # Errors
    /// [`AgentError::NothingToChoose`] in other positions.
    fn choose(&mut self, position: &P, rng: &mut Rng) -> Result<P::Move, AgentError>;
}

/// What an agent could not do.
#[derive(Debug, thiserror::Error)]
pub enum AgentError {
    /// A program that it asks did not answer as it should.
    #[error(transparent)]
    Outside(Box<dyn std::error::Error + Send + Sync>),
    /// It was asked where nobody has to choose: dice are to be rolled, or the game is over.
    #[error("there is nothing to choose: dice are to be rolled, or the game is over")]
    NothingToChoose,
    /// It answered with something that the rules do not allow.
    #[error("{agent} chose what is not legal in {position}: {answer}")]
    Illegal {
        /// Who.
        agent: String,
        /// Where.
        position: String,
        /// What.
        answer: String,
    },
}

/// A name that no agent has.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
#[error("there is no agent {}; the agents are {}", quoted(name), known.join(", "))]
pub struct UnknownAgent {
    /// The name.
    pub name: String,
    /// The names that there are.
    pub known: Vec<String>,
}

/// Makes an agent, for one thread of a contest.
pub type MakeAgent<'a, P> = dyn Fn() -> Result<Box<dyn Agent<P>>, AgentError> + Send + Sync + 'a;

/// An agent that is asked for by its name.
pub struct Entrant<P: Position> {
    /// Its name, in lower case.
    pub name: String,
    /// Another name for it.
    pub alias: Option<&'static str>,
    /// Has it a process of its own, which is mostly waited for?
    pub is_outside: bool,
    /// Makes it.
    pub start: Box<MakeAgent<'static, P>>,
}

impl<P: Position> Entrant<P> {
    /// [`Random`], which every game has.
    pub fn random() -> Self {
        let start = || -> Result<Box<dyn Agent<P>>, AgentError> { Ok(Box::new(Random)) };
        Self { name: "random".to_owned(), alias: None, is_outside: false, start: Box::new(start) }
    }

    /// Has it this name, in upper or lower case?
    pub(crate) fn is_called(&self, name: &str) -> bool {
        let is_it = |known: &str| known.eq_ignore_ascii_case(name);
        is_it(&self.name) || self.alias.is_some_and(is_it)
    }
}

/// Any legal move, each as likely.
#[derive(Clone, Copy, Debug, Default)]
pub struct Random;

impl<P: Position> Agent<P> for Random {
    fn choose(&mut self, position: &P, rng: &mut Rng) -> Result<P::Move, AgentError> {
        game::random_move(position, rng).ok_or(AgentError::NothingToChoose)
    }
}
