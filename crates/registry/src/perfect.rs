//! An agent that plays by tables of wins, draws and losses.

use crate::prober::ProberOf;
use env::{Agent, AgentError, MatchGame, NamedAgent, Random};
use game::{Endgame, Position, Rng};
use std::sync::Arc;

/// Chooses the best move by the tables. Where they do not have the position, it moves at random.
struct Perfect<G: Endgame>(Arc<ProberOf<G>>);

impl<G: MatchGame + Endgame + PartialEq> Agent<G::Position> for Perfect<G> {
    fn choose(
        &mut self,
        position: &G::Position,
        rng: &mut Rng,
    ) -> Result<<G::Position as Position>::Move, AgentError> {
        match self.0.best(position) {
            Ok(Some(best)) => Ok(best),
            Ok(None) => Random.choose(position, rng),
            Err(error) => Err(AgentError::Values(Box::new(error))),
        }
    }
}

/// The agent with its name, which says what it does where tables end. `perfect` is its second name.
pub(crate) fn perfect_agent<G: MatchGame + Endgame + PartialEq>(
    prober: ProberOf<G>,
) -> NamedAgent<G::Position> {
    let prober = Arc::new(prober);
    NamedAgent {
        name: "perfect:random".to_owned(),
        alias: Some("perfect"),
        sleeps: false,
        start: Arc::new(move || Ok(Box::new(Perfect(Arc::clone(&prober))))),
    }
}
