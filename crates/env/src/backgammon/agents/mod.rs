//! Players: at random, greedy by pips, and GNU Backgammon, which runs as a process of its own.

mod expert;
pub mod gnubg;
mod pips;

use crate::agent::{Agent, AgentError, Entrant, Random};
use backgammon::Position;
use gnubg::{GnubgError, Ply};
use std::fmt;

/// The agents that there are, by name.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum AgentKind {
    /// Any legal move, each as likely.
    Random,
    /// The turn that leaves it the fewest pips; doubles and takes by the count of pips alone.
    Pips,
    /// GNU Backgammon, looking so many plies ahead.
    Gnubg(Ply),
}

impl From<GnubgError> for AgentError {
    fn from(error: GnubgError) -> Self {
        Self::Outside(Box::new(error))
    }
}

impl AgentKind {
    /// All of them.
    pub const ALL: [Self; 5] = [
        Self::Random,
        Self::Pips,
        Self::Gnubg(Ply::ALL[0]),
        Self::Gnubg(Ply::ALL[1]),
        Self::Gnubg(Ply::ALL[2]),
    ];

    /// Has it a process of its own, which is mostly waited for?
    pub const fn is_outside(self) -> bool {
        matches!(self, Self::Gnubg(_))
    }

    /// The agent, ready to play.
    pub fn start(self) -> Result<Box<dyn Agent<Position>>, AgentError> {
        Ok(match self {
            Self::Random => Box::new(Random),
            Self::Pips => Box::new(pips::Pips),
            Self::Gnubg(ply) => Box::new(expert::Expert::start(ply)?),
        })
    }

    /// The agent by its name; `gnubg` alone looks no ply ahead.
    pub(super) fn entrant(self) -> Entrant<Position> {
        Entrant {
            name: self.to_string(),
            alias: (self == Self::Gnubg(Ply::ALL[0])).then_some("gnubg"),
            is_outside: self.is_outside(),
            start: Box::new(move || self.start()),
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
