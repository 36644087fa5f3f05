//! Everything to play games as environments and matches, and the games: `use endspiel_env::prelude::*;`.

pub use crate::{
    Agent, AnyBatch, AnyEnvironment, Batch, Environment, Estimate, MatchGame, Matches, ObservationKind,
    Policy, Random, Series, Tally, matches,
};
pub use ::backgammon::Backgammon;
pub use ::chess::Chess;
pub use ::cotulenh::CoTuLenh;
pub use ::dobutsu::Dobutsu;
pub use ::onitama::Onitama;
pub use ::shogi::Shogi;
pub use game::prelude::*;
