//! The errors of environments and batches.

use game::quoted;
use std::fmt;

/// An action or an outcome of chance in an error message.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Named {
    /// The number of the action or outcome, from 0.
    pub index: usize,
    /// The text of the action or outcome.
    pub text: Box<str>,
}

impl fmt::Display for Named {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} ({})", self.index, self.text)
    }
}

/// Why an action cannot be played.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
pub enum ActionError {
    /// There is no action with this number.
    #[error("there is no action {number}: actions are numbered from {first} to {last}")]
    Number {
        /// The number.
        number: i64,
        /// The smallest number of an action.
        first: i64,
        /// The largest number of an action.
        last: i64,
    },
    /// The action is not legal in this state.
    #[error("action {0} is not legal here")]
    Illegal(Named),
    /// The state is a chance node, so no player is to act.
    #[error("action {0} is not legal at a chance node: apply an outcome of chance first")]
    AwaitsChance(Named),
    /// The game is over, so no player is to act.
    #[error("action {0} is not legal: the game is over")]
    Over(Named),
}

/// Why an outcome of chance cannot be applied.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
pub enum OutcomeError {
    /// The state is not a chance node: a player is to act, or the game is over.
    #[error("outcome {0} cannot be applied: this is not a chance node")]
    NotAwaited(Named),
    /// The outcome is impossible in this state.
    #[error("outcome {0} is impossible here")]
    Impossible(Named),
}

/// A buffer of the wrong length.
#[derive(Clone, Copy, PartialEq, Eq, Debug, thiserror::Error)]
#[error("the {what} buffer has {found} entries; {expected} are needed")]
pub struct BufferError {
    /// The purpose of the buffer.
    pub what: &'static str,
    /// The number of entries that it needs.
    pub expected: usize,
    /// The number of entries that it has.
    pub found: usize,
}

impl BufferError {
    #[inline]
    pub(crate) fn check(what: &'static str, expected: usize, found: usize) -> Result<(), Self> {
        if found == expected { Ok(()) } else { Err(Self { what, expected, found }) }
    }
}

/// There is no observation with this name.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
#[error("there is no observation {}; the observations are {}", quoted(name), known.join(", "))]
pub struct UnknownObservation {
    /// The name.
    pub name: String,
    /// The names of all observations.
    pub known: Vec<String>,
}

/// Why a request to a batch failed.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
pub enum BatchError {
    /// A buffer of the wrong length.
    #[error(transparent)]
    Buffer(#[from] BufferError),
    /// An action that cannot be played.
    #[error("game {slot} of the batch: {source}")]
    Action {
        /// The number of the slot.
        slot: usize,
        /// Why the action cannot be played.
        source: ActionError,
    },
    /// There is no slot with this number.
    #[error("there is no game {slot} in a batch of {count}: games are numbered from 0")]
    Slot {
        /// The number of the slot.
        slot: usize,
        /// The number of slots in the batch.
        count: usize,
    },
    /// A state in which the game is over.
    #[error("game {slot} of the batch cannot continue from a state in which the game is over")]
    Over {
        /// The number of the slot.
        slot: usize,
    },
    /// A state of a game with other options.
    #[error("game {slot} of the batch cannot continue from a state of a game with other options")]
    Foreign {
        /// The number of the slot.
        slot: usize,
    },
}
