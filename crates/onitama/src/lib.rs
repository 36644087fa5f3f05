#![doc = include_str!("../README.md")]

mod cards;
mod draw;
mod grid;
mod index;
mod moves;
mod neighbours;
mod notation;
mod position;
pub mod prelude;
mod rules;
mod setup;
mod short;
mod symmetry;

pub use bits::Symmetry;
pub use cards::{Card, CardError, CardSet};
pub use grid::{Grid, Square, SquareSet};
pub use index::Slice;
pub use moves::{Move, MoveSyntaxError};
pub use notation::{PositionError, SyntaxError};
pub use position::Position;
pub use rules::{CARDS, Onitama};
pub use setup::{Setup, SetupError, SetupFault};
