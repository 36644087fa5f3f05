//! Backgammon for learning agents.
//!
//! [`actions`] numbers what a player may do; a [`State`] plays it, and a [`Match`] goes on to the next game. [`observe`] says
//! how a state is laid out in numbers, [`features`] what each of them is, [`Legacy`] how it was once written. All of it is an
//! [`Environment`](crate::Environment). [`agents`] choose moves.

pub mod actions;
pub mod agents;
mod benchmarks;
mod chance;
mod contest;
mod environment;
pub mod features;
mod legacy;
mod legal;
mod matches;
mod notes;
pub mod observe;
mod state;
mod texts;
mod view;

pub use actions::{Action, Actions, Kind};
pub use benchmarks::{BENCHMARKS, random_games};
pub use chance::{Chance, ChanceOutcome};
pub use contest::{BackgammonReport, NoMatchFile, match_file};
pub use features::{CONTEXT, context, masked_context, write_context, write_masked_context};
pub use legacy::Legacy;
pub use matches::{Match, MatchEvent};
pub use notes::move_notes;
pub use observe::{Form, Observation, Tier};
pub use state::{MoveActions, NoSuchMove, State, actions_of, position_after};
