//! Everything to set up positions, to list, play and count moves, and to read and write texts, and to ask tables:
//! `use endspiel_cotulenh::prelude::*;`.

pub use crate::{Board, CoTuLenh, Kind, Point, PointSet, Position, Setup, Stack, Step, Turn};
pub use game::prelude::*;
#[cfg(feature = "tables")]
pub use table::prelude::*;
