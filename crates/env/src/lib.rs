//! Environments for learning: the same rules, with turns cut into numbered actions, positions written as numbers, and
//! chance either sampled or shown.
//!
//! A game is an [`Environment`]; a [`Batch`] plays thousands of it at once. [`Agent`]s choose moves, a [`Contest`] lets two
//! of them play each other, and a [`Tally`] sums up. Whoever knows a game by its name only has [`AnyEnvironment`],
//! [`AnyBatch`] and [`Contests`].
//!
//! ```
//! use dobutsu::Dobutsu;
//! use endspiel_env::{Environment, ObservationKind, dobutsu::Observation};
//! use game::Rng;
//!
//! let mut rng = Rng::new(1);
//! let mut state = Dobutsu.reset(&mut rng);
//! let mut observation = vec![0.0; Observation.length()];
//! while !Dobutsu.is_terminal(&state) {
//!     Dobutsu.observe(&state, Observation, &mut observation)?;
//!     let actions = Dobutsu.actions(&state);
//!     let chosen = actions[rng.below(actions.len() as u64) as usize];
//!     Dobutsu.step(&mut state, chosen, &mut rng)?;
//! }
//! assert!(Dobutsu.rewards(&state).first.abs() <= 1.0);
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

mod agent;
mod any;
pub mod backgammon;
mod batch;
mod buffers;
mod contest;
mod contests;
pub mod dobutsu;
mod encounter;
mod environment;
mod error;
#[cfg(feature = "testing")]
pub mod laws;
mod mover;
mod notes;
mod numbered;
mod observation;
pub mod onitama;
mod policy;
mod tally;

pub use agent::{Agent, AgentError, Entrant, MakeAgent, Random, UnknownAgent};
pub use any::{AnyBatch, AnyEnvironment};
pub use batch::{Batch, slot_rng};
pub use buffers::{Buffers, Extras};
pub use contest::{Contest, Contested, NoFile, NoFiles, TOO_LONG};
pub use contests::{ContestError, Contests, Opponent, Pairing, Shown, contests};
pub use encounter::{AnyEncounter, Encounter, GameReport, Played, Report};
pub use environment::Environment;
pub use error::{ActionError, BatchError, BufferError, Named, OutcomeError, UnknownObservation};
pub use notes::{MoveNotes, PlayedNotes};
pub use numbered::Numbered;
pub use observation::{ObservationKind, ObservationSpec};
pub use policy::Policy;
pub use tally::{Estimate, Tally};
