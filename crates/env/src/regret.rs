//! What an agent loses against perfect play on given positions.

use crate::agent::{Agent, AgentError, MakeAgent};
use crate::in_order::in_order;
use crate::judge::{Judge, Verdict};
use crate::losses::Losses;
use crate::series::MatchGame;
use game::{Position, Rng};
use std::sync::atomic::AtomicBool;

/// The number of positions that a thread takes at a time.
const AT_A_TIME: usize = 16;

/// What is to be measured, and how.
#[derive(Clone, Copy)]
pub struct Regret<'a, G: MatchGame> {
    /// The game.
    pub game: &'a G,
    /// The positions in which the agent chooses. Where chance decides first, the outcome is drawn by the seed.
    pub positions: &'a [G::Position],
    /// Knows what the choices are worth.
    pub judge: &'a dyn Judge<G::Position>,
    /// The seed of the rolls, and of the agent.
    pub seed: u64,
    /// The number of agents that choose at the same time, each on a thread of its own.
    pub at_once: usize,
    /// Is told from any thread how many more positions are judged.
    pub progress: &'a (dyn Fn(u64) + Sync),
}

/// A judged choice.
struct Judged<P: Position> {
    position: P,
    chosen: P::Move,
    verdict: Verdict,
}

impl<G: MatchGame> Regret<'_, G> {
    /// Lets the agent choose in each position, and sums up what it loses. The same seed gives the same result for any number of
    /// threads, to the last bit.
    ///
    /// # Errors
    /// Returns the error of an agent that fails or chooses an illegal move, or that of the judge.
    pub fn measure(&self, make: &MakeAgent<'_, G::Position>) -> Result<Losses<G::Position>, AgentError> {
        let threads = self.at_once.clamp(1, self.positions.len().max(1));
        let begin = || {
            let mut agent = make()?;
            Ok(move |part: u64, _: &AtomicBool| {
                let first = part as usize * AT_A_TIME;
                let part = first..self.positions.len().min(first + AT_A_TIME);
                let judged = part.map(|number| self.judge_one(number, &mut *agent));
                let judged = judged.collect::<Result<Vec<_>, _>>()?;
                (self.progress)(judged.len() as u64);
                Ok(Some(judged))
            })
        };
        // Floating-point sums depend on the order.
        let mut losses = Losses::default();
        in_order(self.positions.len().div_ceil(AT_A_TIME) as u64, threads, &begin, |part| {
            for Judged { position, chosen, verdict } in part {
                losses.add(&position, chosen, verdict);
            }
            true
        })?;
        Ok(losses)
    }

    fn judge_one(
        &self,
        number: usize,
        agent: &mut dyn Agent<G::Position>,
    ) -> Result<Judged<G::Position>, AgentError> {
        let mut seeds = Rng::new(self.seed);
        let mut rng = Rng::new(seeds.next_u64() ^ number as u64);
        let mut position = self.positions[number].clone();
        while let Some(settled) = self.game.settled(&position, &mut rng) {
            position = settled;
        }
        let chosen = agent.choose(&position, &mut rng)?;
        if !position.moves().contains(&chosen) {
            return Err(AgentError::Illegal {
                agent: "the agent".to_owned(),
                position: self.game.position_text(&position),
                answer: format!("{chosen:?}"),
            });
        }
        let verdict = self.judge.verdict(&position, chosen)?;
        Ok(Judged { position, chosen, verdict })
    }
}
