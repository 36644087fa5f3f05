//! Everything to set up positions, to list, play and count moves, and to read and write texts, and to ask tables:
//! `use endspiel_onitama::prelude::*;`.

pub use crate::{Card, CardSet, Move, Onitama, Position, Setup, Square, SquareSet};
pub use game::prelude::*;
#[cfg(feature = "tables")]
pub use table::prelude::*;
