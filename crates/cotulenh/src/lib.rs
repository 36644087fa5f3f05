//! CoTuLenh, commander chess, by its exact rules: positions, legal turns, FEN.
//!
//! ```
//! use endspiel_cotulenh::Position;
//! use game::Position as _;
//!
//! let position: Position = "7c2h/11/11/11/11/11/11/3i(TI)6/3Cm6/11/11/11 r - - 0 1".parse()?;
//! assert!(position.is_check());
//! assert_eq!(position.count_moves(), 8);
//! # Ok::<(), endspiel_cotulenh::FenError>(())
//! ```

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
mod reach;
mod rules;
mod shapes;
mod stacks;
mod symmetry;
mod targets;
mod unmoves;

pub use army::Army;
pub use benchmarks::BENCHMARKS;
pub use board::{Board, Sign};
pub use fen::FenError;
pub use grid::{FILES, Point, PointSet, RANKS};
pub use index::Slice;
pub use moves::{Places, Step, Turn};
pub use pieces::Kind;
pub use position::Position;
pub use rules::{BATTLE, Battle, CoTuLenh, OptionError};
pub use stacks::Stack;
pub use symmetry::Flip;
