#![doc = include_str!("../README.md")]
//!
//! # The files
//!
//! Read them in this order:
//!
//! - `grid` and `pieces` define the board and the pieces, and `position` holds them.
//! - `moves` has the rules of movement and the end of the game.
//! - `rules` describes the game to the command line and has the start position.
//! - `symmetry` turns and mirrors positions and moves.
//! - `notation` reads and writes positions and moves. `setup` is a position before it is checked. `draw` draws the board.
//! - [`numbers`] and `arrangement` give every position a number.
//! - `index` says which of these positions are in the table.
//! - `lanes`, `view` and `neighbours` make solving fast.

mod arrangement;
mod draw;
mod grid;
mod index;
mod lanes;
mod moves;
mod neighbours;
mod notation;
pub mod numbers;
mod pieces;
mod position;
pub mod prelude;
mod rules;
mod setup;
mod symmetry;
mod view;

pub use bits::Symmetry;
pub use grid::{Grid, Square, SquareSet};
pub use index::All;
pub use moves::{Move, MoveSyntaxError};
pub use notation::{PositionError, SyntaxError};
pub use pieces::{ByKind, Hand, Kind, Piece};
pub use position::Position;
pub use rules::Dobutsu;
pub use setup::{Setup, SetupError, SetupFault};

/// The Rust examples of the page are compiled and run as tests.
#[cfg(doctest)]
#[doc = include_str!("../../../docs/add-a-game.md")]
mod add_a_game {}
