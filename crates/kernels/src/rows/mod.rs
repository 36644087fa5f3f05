//! Retrograde analysis on rows of bits: all positions that differ only in the place of one man are processed at once.
//!
//! This module knows no game. A game gives the moves between rows ([`RowGame`]).

mod front;
mod game;
pub mod perpetual;
mod rounds;
mod row;
mod storage;
mod tensors;
mod zeroing;

pub use front::Front;
pub use game::{Image, Moves, RowGame};
pub use rounds::Rounds;
pub use row::{Row, Row2, Row4};
pub use storage::{Plain, Space, Storage};
pub use tensors::{After, Before, Tensors};
pub use zeroing::distances_to_zeroing;
