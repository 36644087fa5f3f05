//! Environments for learning: the same rules, with turns cut into numbered actions, positions written as numbers, and
//! chance either sampled or shown.
//!
//! ```
//! use backgammon::Backgammon;
//! use endspiel_env::backgammon::{Actions, Observation, State};
//! use game::Rng;
//!
//! let mut rng = Rng::new(1);
//! let mut state = State::reset(&Backgammon::default(), None, &mut rng);
//! let mut observation = vec![0.0; Observation::FULL.len()];
//! let mut actions = Actions::new();
//! while !state.is_terminal() {
//!     Observation::FULL.write(&state, &mut observation).unwrap();
//!     state.legal_actions(&mut actions);
//!     let chosen = actions[rng.below(actions.len() as u64) as usize];
//!     state.step(chosen, &mut rng).unwrap();
//! }
//! assert!((1.0..=3.0).contains(&state.reward().abs()));
//! ```

pub mod backgammon;
