//! Players: at random, greedy by pips, and GNU Backgammon, which runs as a process of its own.

mod expert;
pub mod gnubg;
mod policy;
mod simple;

pub use policy::Policy;

use backgammon::{Move, Position};
use game::{Rng, quoted};
use gnubg::{GnubgError, Ply};
use std::fmt;
use std::str::FromStr;

/// Who chooses moves.
pub trait Agent {
    /// A legal move of a position in which a player has to choose; [`AgentError::NothingToChoose`] in others. What is left to luck is asked of `rng`, so that the
    /// same seed plays the same games.
    fn choose(&mut self, position: &Position, rng: &mut Rng) -> Result<Move, AgentError>;
}

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

/// What an agent could not do.
#[derive(Debug, thiserror::Error)]
pub enum AgentError {
    /// The process did not answer as it should.
    #[error(transparent)]
    Gnubg(#[from] GnubgError),
    /// It was asked where nobody has to choose: dice are to be rolled, or the game is over.
    #[error("there is nothing to choose: dice are to be rolled, or the game is over")]
    NothingToChoose,
    /// It answered with something that the rules do not allow.
    #[error("{agent} chose what is not legal in {position}: {answer}")]
    Illegal {
        /// Who.
        agent: String,
        /// Where, as a position ID and the dice.
        position: String,
        /// What.
        answer: String,
    },
}

/// A name that no agent has.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
#[error("there is no agent {}; the agents are {}", quoted(name), AgentKind::ALL.map(|kind| kind.to_string()).join(", "))]
pub struct UnknownAgent {
    /// The name.
    pub name: String,
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
    pub fn start(self) -> Result<Box<dyn Agent>, AgentError> {
        Ok(match self {
            Self::Random => Box::new(simple::Random),
            Self::Pips => Box::new(simple::Pips),
            Self::Gnubg(ply) => Box::new(expert::Expert::start(ply)?),
        })
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

impl FromStr for AgentKind {
    type Err = UnknownAgent;

    /// Its name, in upper or lower case; `gnubg` alone looks no ply ahead.
    fn from_str(name: &str) -> Result<Self, UnknownAgent> {
        let asked = if name.eq_ignore_ascii_case("gnubg") { "gnubg:0" } else { name };
        let known = |kind: &Self| kind.to_string().eq_ignore_ascii_case(asked);
        Self::ALL.into_iter().find(known).ok_or_else(|| UnknownAgent { name: name.to_owned() })
    }
}
