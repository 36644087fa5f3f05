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
mod board;
mod danger;
mod draw;
mod endgame;
mod fen;
mod game;
mod grid;
mod key;
mod notation;
mod pieces;
mod position;
mod reach;
mod shapes;
mod speed;
mod stacks;
mod targets;
mod turns;

pub use army::Army;
pub use board::{Board, Sign};
pub use endgame::Slice;
pub use fen::FenError;
pub use game::{BATTLE, Battle, CoTuLenh, OptionError};
pub use grid::{FILES, Point, PointSet, RANKS};
pub use key::Key;
pub use pieces::Kind;
pub use position::{Flip, Position};
pub use stacks::Stack;
pub use turns::{Places, Step, Turn};
