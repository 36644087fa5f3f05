//! Backgammon for learning agents.
//!
//! Read the files in this order: `actions` numbers what a player may do, `legal` says which of it is allowed, `state` plays
//! it, `matches` goes on to the next game; `view` and `features` look at a state, `observe` writes what they see, `legacy`
//! as it was once written; `batch` plays thousands of games at once. `agents` choose moves, `contest` lets two of them play
//! each other, and `tally` sums up.

mod actions;
pub mod agents;
mod batch;
mod chance;
mod contest;
mod features;
mod legacy;
mod legal;
mod matches;
mod observe;
mod speed;
mod state;
mod tally;
mod texts;
mod view;

pub use actions::{Action, ActionError, Actions, Kind};
pub use batch::{Batch, BatchError, Buffers, slot_rng};
pub use chance::{Chance, ChanceError, ChanceOutcome};
pub use contest::{Contest, Encounter, GameReport, MakeAgent, NoMatchFile};
pub use features::{CONTEXT, context, masked_context};
pub use legacy::Legacy;
pub use matches::{Match, MatchEvent};
pub use observe::{BufferError, Form, NameError, Observation, Shape, Tier};
pub use speed::{BENCHMARKS, random_games};
pub use state::{State, TurnActions, actions_of, position_after};
pub use tally::{Estimate, Kinds, Tally};
