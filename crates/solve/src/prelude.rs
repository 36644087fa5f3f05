//! Everything to solve endgames of a game and to ask the tables: `use endspiel_solve::prelude::*;`, beside the prelude of the game.

pub use crate::{Job, Kernel, Run, Unmoves, Unwatched, Watch};
pub use game::Catalogue;
pub use table::prelude::*;
