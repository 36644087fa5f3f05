//! Dobutsu shogi ("animal chess"): the smallest shogi, on 3 x 4 squares, and the game to copy when you add your own.
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
//! Read the files in this order: `grid` and `pieces` name things, `position` holds them, `moves` says how they move, `rules`
//! introduces the game to the command line, `symmetry` turns and mirrors it, `notation` reads and writes, `setup`
//! is a position before it is believed, `draw` shows, and [`numbers`] with `arrangement` gives
//! every position a number. `index` says which of them a table holds; `lanes`, `view` and `neighbours` are for the speed
//! of those who solve it.

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
