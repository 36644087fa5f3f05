//! The agents: random, greedy by pip count, GNU Backgammon, which runs as a separate process, and perfect
//! play where exact equities are known.

mod expert;
pub mod gnubg;
mod perfect;
mod pips;

pub use perfect::{Perfect, perfect_agent};

use crate::agent::{Agent, AgentError, NamedAgent, Random};
use backgammon::{Backgammon, Position, Stakes};
use gnubg::{GnubgError, Ply};
use std::fmt;
use std::sync::Arc;

/// The agents of backgammon. `Display` writes their names.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum AgentKind {
    /// Chooses a random legal move, every move with the same probability.
    Random,
    /// Chooses the turn that leaves it the fewest pips. Decides about the cube by the pip counts alone.
    Pips,
    /// GNU Backgammon, which looks this number of plies ahead.
    Gnubg(Ply),
}

impl From<GnubgError> for AgentError {
    fn from(error: GnubgError) -> Self {
        match error {
            GnubgError::Pointless(..) => Self::Unfit(Box::new(error)),
            _ => Self::Outside(Box::new(error)),
        }
    }
}

impl AgentKind {
    /// All agents.
    pub const ALL: [Self; 5] = [
        Self::Random,
        Self::Pips,
        Self::Gnubg(Ply::ALL[0]),
        Self::Gnubg(Ply::ALL[1]),
        Self::Gnubg(Ply::ALL[2]),
    ];

    /// Returns whether the agent runs as a separate process.
    pub const fn is_outside(self) -> bool {
        matches!(self, Self::Gnubg(_))
    }

    /// Starts the agent.
    pub fn start(self) -> Result<Box<dyn Agent<Position>>, AgentError> {
        Ok(match self {
            Self::Random => Box::new(Random),
            Self::Pips => Box::new(pips::Pips),
            Self::Gnubg(ply) => Box::new(expert::Expert::start(ply)?),
        })
    }

    /// Returns whether the agent mostly sleeps while it plays this game. GNU Backgammon sleeps 10 ms for each question about the cube,
    /// and for each play that depends on the cube or the score.
    fn sleeps(self, game: &Backgammon) -> bool {
        let depends = game.terms.with_cube || game.terms.stakes != Stakes::Money { jacoby: false };
        self.is_outside() && depends
    }

    /// The agent with its name. `gnubg` is a second name for `gnubg:0`.
    pub(super) fn named_agent(self, game: &Backgammon) -> NamedAgent<Position> {
        NamedAgent {
            name: self.to_string(),
            alias: (self == Self::Gnubg(Ply::ALL[0])).then_some("gnubg"),
            sleeps: self.sleeps(game),
            start: Arc::new(move || self.start()),
        }
    }
}

impl fmt::Display for AgentKind {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Random => f.write_str("random"),
            Self::Pips => f.write_str("pips"),
            Self::Gnubg(ply) => write!(f, "gnubg:{}", ply.number()),
        }
    }
}
