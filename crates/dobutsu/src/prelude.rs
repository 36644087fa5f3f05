//! Everything to set up positions, to list, play and count moves, and to read and write texts, and to ask tables:
//! `use endspiel_dobutsu::prelude::*;`.

pub use crate::{ByKind, Dobutsu, Hand, Kind, Move, Piece, Position, Setup, Square, SquareSet};
pub use game::prelude::*;
#[cfg(feature = "tables")]
pub use table::prelude::*;
