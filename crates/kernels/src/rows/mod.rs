//! Retrograde analysis on rows of bits: all positions that differ only in the place of one man are processed at once.
//!
//! This module knows no game. A game gives the moves between rows ([`RowGame`]).

mod cells;
mod conversions;
mod game;
mod list;
pub mod perpetual;
mod rounds;
mod row;
mod saves;
mod score;
mod scratch;
mod shelf;
mod space;
mod stored;
mod tensors;
mod zeroing;

pub use cells::Cells;
pub use conversions::Conversions;
pub use game::{Image, Moves, PerpetualCheck, RowGame};
pub use list::Lists;
pub use rounds::Rounds;
pub use row::{Planes, Row, Row1, Row2, Row4};
pub use saves::Saves;
pub use score::Score;
pub use space::Space;
pub use stored::{cell_of, stored_cells};
pub use tensors::{Tensors, each_slab};
pub use zeroing::distances_to_zeroing;
