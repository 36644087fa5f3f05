//! Shogi by its exact rules: positions, legal moves, and the texts that shogi programs exchange.
//!
//! ```
//! use endspiel_shogi::Shogi;
//! use game::{Game, Notation, Position};
//!
//! let start = Shogi::default().start();
//! assert_eq!(start.count_moves(), 30);
//! let m = Shogi::default().parse_move(&start, "7g7f")?;
//! assert_eq!(start.play(m)?.to_string(), "lnsgkgsnl/1r5b1/ppppppppp/9/9/2P6/PP1PPPPPP/1B5R1/LNSGKGSNL w - 2");
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

mod benchmarks;
mod board;
mod class;
mod draw;
mod exchange;
mod grid;
mod impasse;
mod index;
mod key;
mod kings;
mod legality;
mod mate;
mod moves;
mod notation;
mod pieces;
mod position;
pub mod records;
mod refusal;
mod rules;
mod setup;
mod sfen;
pub mod sliders;
mod spelling;
mod standing;
mod state;
pub mod steps;
mod symmetry;
mod threats;

pub use benchmarks::BENCHMARKS;
pub use bits::Symmetry;
pub use board::Board;
pub use class::Class;
pub use game::Centipawns;
pub use grid::{Grid, Square, SquareSet};
pub use impasse::Impasse;
pub use kings::Kings;
pub use moves::Move;
pub use pieces::{Hand, Kind, Piece};
pub use position::Position;
pub use rules::{IMPASSE, OptionError, SCRIPT, Script, Shogi};
pub use setup::{Setup, SetupError};
pub use sfen::{PositionError, SfenError};
pub use standing::{Place, Standing};
pub use steps::between;
