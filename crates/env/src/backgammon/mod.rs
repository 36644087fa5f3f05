//! Backgammon for learning agents.
//!
//! [`actions`] numbers what a player may do; a [`State`] plays it, and a [`Match`] goes on to the next game. [`observe`] says
//! how a state is laid out in numbers, [`features`] what each of them is, [`Legacy`] how it was once written. A [`batch`]
//! plays thousands of games at once. [`agents`] choose moves, a [`Contest`] lets two of them play each other, and a [`Tally`]
//! sums up.

pub mod actions;
pub mod agents;
pub mod batch;
mod buffers;
mod chance;
mod contest;
pub mod features;
mod legacy;
mod legal;
mod matches;
pub mod observe;
mod speed;
mod state;
mod tally;
mod texts;
mod view;

pub use actions::{Action, ActionError, Actions, Kind};
pub use batch::{Batch, BatchError, slot_rng};
pub use buffers::{Buffers, Extras};
pub use chance::{Chance, ChanceError, ChanceOutcome};
pub use contest::{Contest, Encounter, GameReport, MakeAgent, NoMatchFile};
pub use features::{CONTEXT, context, masked_context, write_context, write_masked_context};
pub use legacy::Legacy;
pub use matches::{Match, MatchEvent};
pub use observe::{BufferError, Form, NameError, Observation, Shape, Tier};
pub use speed::{BENCHMARKS, random_games};
pub use state::{State, TurnActions, actions_of, position_after};
pub use tally::{Estimate, Kinds, Tally};
