#![doc = include_str!("../README.md")]
//!
//! # The parts
//!
//! A game is an [`Environment`]. A [`Batch`] plays thousands of games at once. [`Agent`]s choose moves, a [`Series`] lets
//! two agents play many matches, and a [`Tally`] sums up the results. [`AnyEnvironment`], [`AnyBatch`] and [`Matches`]
//! do the same for a game that is known only at run time, by its name. A [`Judge`] knows what choices lose against perfect play;
//! [`Losses`] sums that up, in matches or on given positions ([`Regret`]).
//!
//! Observations are written to a buffer of the caller:
//!
//! ```
//! use endspiel_env::{dobutsu::Observation, prelude::*};
//!
//! let state = Dobutsu.reset(&mut Rng::new(1));
//! let mut observation = vec![0.0; Observation.length()];
//! Dobutsu.observe(&state, Observation, &mut observation)?;
//! assert!(observation.contains(&1.0));
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

mod agent;
mod any;
pub mod backgammon;
mod batch;
mod buffers;
mod chess;
mod cotulenh;
pub mod dobutsu;
mod environment;
mod error;
mod exec;
mod in_order;
mod judge;
#[cfg(feature = "testing")]
pub mod laws;
mod losses;
mod match_result;
mod matches;
mod mover;
mod notes;
mod numbered;
mod observation;
pub mod onitama;
mod policy;
pub mod prelude;
mod process;
mod regret;
mod series;
mod shogi;
mod tally;

pub use agent::{Agent, AgentError, MakeAgent, NamedAgent, Random, UnknownAgent};
pub use any::{AnyBatch, AnyEnvironment};
pub use batch::{Batch, slot_rng};
pub use buffers::{Buffers, Extras};
pub use environment::Environment;
pub use error::{ActionError, BatchError, BufferError, Named, OutcomeError, UnknownObservation};
pub use exec::{EXEC, ExecError};
pub use judge::{Decision, Judge, Verdict};
pub use losses::{LossReport, LossSum, LossSumReport, Losses, Worst, WorstReport};
pub use match_result::{AnyMatchResult, GameReport, MatchResult, Played, Report};
pub use matches::{
    MatchError, Matches, Opponent, PATIENCE, RegretSettings, SeriesSettings, Shown, matches, matches_with,
};
pub use notes::{MoveNotes, PassNotes, PlayedNotes};
pub use numbered::Numbered;
pub use observation::{ObservationKind, ObservationSpec};
pub use policy::Policy;
pub use regret::Regret;
pub use series::{MatchGame, NoFile, NotKept, Series, TOO_LONG};
pub use tally::{Estimate, Tally};
