//! Backgammon for learning agents.
//!
//! [`actions`] numbers the actions of a player. A [`State`] plays them, and a [`MatchState`] also goes on to the next game.
//! [`observe`] describes the encodings of the observations, [`features`] describes their single numbers, and [`Legacy`] is an
//! older layout. Together they make an [`Environment`](crate::Environment). [`agents`] choose moves.

pub mod actions;
pub mod agents;
mod benchmarks;
mod chance;
mod environment;
mod exact;
pub mod features;
mod legacy;
mod legal;
mod match_game;
mod matches;
mod notes;
pub mod observe;
mod state;
mod texts;
mod view;

pub use actions::{Action, Actions, Kind};
pub use benchmarks::{BENCHMARKS, random_games};
pub use chance::{Chance, ChanceOutcome};
pub use exact::{Equity, ExactEquities, exact_ranking, exact_value, exact_worth};
pub use features::{CONTEXT, context, masked_context, write_context, write_masked_context};
pub use legacy::Legacy;
pub use match_game::{BackgammonReport, NoMatchFile, match_file};
pub use matches::{MatchEvent, MatchState};
pub use notes::move_notes;
pub use observe::{Encoding, Observation, Tier};
pub use state::{MoveActions, NoSuchMove, State, actions_of, position_after};
