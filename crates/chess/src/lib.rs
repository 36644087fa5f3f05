//! Chess by its exact rules, Chess960 included.
//!
//! ```
//! use endspiel_chess::Position;
//! use game::Position as _;
//!
//! let kiwipete: Position = "r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1".parse()?;
//! assert_eq!(kiwipete.count_moves(), 48);
//! assert_eq!(game::perft::perft(&kiwipete, 3), 97_862);
//! # Ok::<(), endspiel_chess::PositionError>(())
//! ```

mod benchmarks;
mod board;
mod castling;
mod draw;
mod draws;
mod epd;
mod exchange;
mod fen;
pub mod fills;
mod grid;
mod index;
mod key;
mod kings;
mod legality;
mod material;
mod moves;
mod notation;
pub mod pgn;
mod pieces;
mod position;
mod quotes;
mod rules;
mod san;
mod setup;
pub mod sliders;
mod start;
mod state;
pub mod steps;
mod symmetry;
mod threats;
mod uci;

pub use benchmarks::{BENCHMARKS, PERFTS};
pub use board::Board;
pub use draws::FIFTY_MOVES;
pub use epd::{Epd, EpdError, Operand, Operation};
pub use fen::{FenError, PositionError};
pub use game::Centipawns;
pub use grid::{Grid, Square, SquareSet};
pub use kings::{Fold, Kings};
pub use material::Material;
pub use moves::{Move, Step};
pub use pieces::{Kind, Piece};
pub use position::{Clock, Position};
pub use rules::{Chess, OptionError, START, VARIANT, Variant};
pub use san::{San, SanError};
pub use setup::{Setup, SetupError};
pub use start::Start;
pub use symmetry::Symmetry;
