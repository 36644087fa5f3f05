//! The errors of environments and batches.

use game::quoted;
use std::fmt;

/// An action, or an outcome of chance, as an error tells it.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Named {
    /// Its number, from 0.
    pub index: usize,
    /// What it is.
    pub text: Box<str>,
}

impl fmt::Display for Named {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} ({})", self.index, self.text)
    }
}

/// What is wrong with an action.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
pub enum ActionError {
    /// There is none of that number.
    #[error("there is no action {number}: they are numbered from {first} to {last}")]
    Number {
        /// The number.
        number: i64,
        /// The first that there is.
        first: i64,
        /// The last.
        last: i64,
    },
    /// The rules forbid it here.
    #[error("action {0} is not legal here")]
    Illegal(Named),
    /// Nobody may act before chance has decided.
    #[error("action {0} has to wait: chance is to decide first")]
    AwaitsChance(Named),
    /// Nobody may act any more.
    #[error("action {0} comes too late: the game is over")]
    Over(Named),
}

/// What is wrong with an outcome of chance.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
pub enum OutcomeError {
    /// A player is to act, or nobody any more.
    #[error("outcome {0} is not awaited: it is not for chance to decide here")]
    NotAwaited(Named),
    /// It never comes here.
    #[error("outcome {0} cannot come here")]
    Impossible(Named),
}

/// A buffer of the wrong length.
#[derive(Clone, Copy, PartialEq, Eq, Debug, thiserror::Error)]
#[error("the {what} buffer has {found} entries; {expected} are needed")]
pub struct BufferError {
    /// What it is for.
    pub what: &'static str,
    /// So many are needed.
    pub expected: usize,
    /// So many it has.
    pub found: usize,
}

impl BufferError {
    #[inline]
    pub(crate) fn check(what: &'static str, expected: usize, found: usize) -> Result<(), Self> {
        if found == expected { Ok(()) } else { Err(Self { what, expected, found }) }
    }
}

/// There is no observation of that name.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
#[error("there is no observation {}; there are {}", quoted(name), known.join(", "))]
pub struct UnknownObservation {
    /// The name.
    pub name: String,
    /// What there is.
    pub known: Vec<String>,
}

/// What is wrong with a request to a batch.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
pub enum BatchError {
    /// A buffer of the wrong length.
    #[error(transparent)]
    Buffer(#[from] BufferError),
    /// An action that cannot be played.
    #[error("game {slot} of the batch: {source}")]
    Action {
        /// In which slot.
        slot: usize,
        /// What is wrong with it.
        source: ActionError,
    },
    /// A slot that is none.
    #[error("there is no game {slot} in a batch of {count}: they are numbered from 0")]
    Slot {
        /// Its number.
        slot: usize,
        /// How many there are.
        count: usize,
    },
    /// A state in which nobody is to act any more.
    #[error("game {slot} of the batch cannot go on from the end of a game")]
    Over {
        /// For which slot.
        slot: usize,
    },
    /// A state of a game with other options.
    #[error("game {slot} of the batch is played with other options than the state that it was given")]
    Foreign {
        /// For which slot.
        slot: usize,
    },
}
