#![doc = include_str!("../README.md")]

mod air;
mod army;
mod benchmarks;
mod board;
mod danger;
mod draw;
mod fen;
mod grid;
mod index;
mod key;
mod moves;
mod notation;
mod pieces;
mod position;
pub mod prelude;
mod reach;
mod rules;
mod setup;
mod shapes;
mod stacks;
mod symmetry;
mod targets;
mod unmoves;

pub use army::Army;
pub use benchmarks::BENCHMARKS;
pub use board::{Board, Sign};
pub use fen::{FenError, PositionError};
pub use grid::{FILES, Point, PointSet, RANKS};
pub use index::Slice;
pub use moves::{Places, Step, Turn};
pub use pieces::Kind;
pub use position::Position;
pub use rules::{BATTLE, Battle, CoTuLenh, OptionError};
pub use setup::{Setup, SetupError, SetupFault};
pub use stacks::Stack;
pub use symmetry::Flip;
