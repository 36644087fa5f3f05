//! An agent that plays perfectly where exact equities are known.

use super::super::exact::{ExactEquities, exact_ranking};
use super::AgentKind;
use crate::agent::{Agent, AgentError, NamedAgent};
use backgammon::{Backgammon, Move, Position};
use game::Rng;
use std::sync::Arc;

/// Chooses what is worth the most by a source of exact equities; of several equal choices the first. Where the source does not know
/// what every choice is worth, another agent chooses.
pub struct Perfect<S> {
    source: S,
    fallback: Box<dyn Agent<Position>>,
}

impl<S: ExactEquities> Perfect<S> {
    /// An agent that plays by `source`, and asks `fallback` where the source ends.
    pub fn new(source: S, fallback: Box<dyn Agent<Position>>) -> Self {
        Self { source, fallback }
    }
}

impl<S: ExactEquities> Agent<Position> for Perfect<S> {
    fn choose(&mut self, position: &Position, rng: &mut Rng) -> Result<Move, AgentError> {
        let ranking = exact_ranking(&self.source, position)?.unwrap_or_default();
        match ranking.first() {
            Some(&(best, _)) => Ok(best),
            None => self.fallback.choose(position, rng),
        }
    }
}

/// The agent [`Perfect`] with its name, `perfect:pips` if the fallback is `pips`. `perfect` is a second name of that one.
pub fn perfect_agent(
    game: &Backgammon,
    source: Arc<dyn ExactEquities>,
    fallback: AgentKind,
) -> NamedAgent<Position> {
    let fallback_agent = fallback.named_agent(game);
    NamedAgent {
        name: format!("perfect:{fallback}"),
        alias: (fallback == AgentKind::Pips).then_some("perfect"),
        sleeps: fallback_agent.sleeps,
        start: Arc::new(move || Ok(Box::new(Perfect::new(source.clone(), fallback.start()?)))),
    }
}
