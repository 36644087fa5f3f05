//! Everything to set up positions, to list, play and count moves, and to read and write texts, and to ask tables:
//! `use endspiel_chess::prelude::*;`.

pub use crate::{Board, Chess, Clock, Kind, Move, Piece, Position, San, Setup, Square, SquareSet};
pub use game::prelude::*;
#[cfg(feature = "tables")]
pub use table::prelude::*;
