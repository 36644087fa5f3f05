//! Onitama: two masters, eight students, five cards.
//!
//! ```
//! use endspiel_onitama::{Onitama, Position};
//! use game::{Game, Notation, Position as _, perft::perft};
//!
//! let onitama = Onitama::default();
//! let start = onitama.start();
//! assert_eq!(onitama.position_text(&start), "1121100000000000000033433 b boar,ox elephant,horse crab");
//! assert_eq!(start.count_moves(), 10);
//! assert_eq!(perft(&start, 4), 28_509);
//!
//! let step = onitama.parse_move(&start, "boar:c1c2")?;
//! let next: Position = start.play(step)?;
//! assert_eq!(onitama.position_text(&next), "1101100200000000000033433 r crab,ox elephant,horse boar");
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

mod cards;
mod draw;
mod grid;
mod index;
mod moves;
mod neighbours;
mod notation;
mod position;
mod rules;
mod setup;
mod short;
mod symmetry;

pub use bits::Symmetry;
pub use cards::{Card, CardError, CardSet};
pub use grid::{Grid, Square, SquareSet};
pub use index::Slice;
pub use moves::{Move, MoveSyntaxError};
pub use notation::PositionError;
pub use position::Position;
pub use rules::{CARDS, Onitama};
pub use setup::{Setup, SetupError};
