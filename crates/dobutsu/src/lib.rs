//! Dobutsu shogi ("animal chess"): the smallest shogi, on 3 x 4 squares. Copy this crate when you add your own game.
//!
//! ```
//! use endspiel_dobutsu::Dobutsu;
//! use game::{Game, Notation, Position, Side, perft};
//!
//! let start = Dobutsu.start();
//! assert_eq!(Dobutsu.position_text(&start), "gle/1c1/1C1/ELG b - 1");
//! assert_eq!(perft::perft(&start, 3), 123);
//!
//! // The chick takes a chick, which goes to the hand, and attacks the lion.
//! let m = Dobutsu.parse_move(&start, "2c2b").unwrap();
//! let next = start.play(m).unwrap();
//! assert_eq!(Dobutsu.position_text(&next), "gle/1C1/3/ELG w C 1");
//! assert_eq!(next.turn(), Side::Second);
//! ```
//!
//! Read the files in this order:
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
pub use setup::{Setup, SetupError};

/// The Rust examples of the page are compiled and run as tests.
#[cfg(doctest)]
#[doc = include_str!("../../../docs/add-a-game.md")]
mod add_a_game {}
