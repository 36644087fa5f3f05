//! Sets of squares and of points, bit extraction, and the ranking of combinations. This crate contains no game rules.
//!
//! Use [`SquareSet`] for a board that fits into a machine word, and [`PointSet`] for a larger one.
//!
//! ```
//! use endspiel_bits::{Geometry, Square, SquareSet};
//!
//! #[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug, Default)]
//! struct TicTacToe;
//! impl Geometry for TicTacToe {
//!     type Word = u16;
//!     const FILES: u8 = 3;
//!     const RANKS: u8 = 3;
//! }
//!
//! let column: SquareSet<TicTacToe> = (0..3).map(|rank| Square::at(2, rank)).collect();
//! assert_eq!(column.len(), 3);
//! assert!(column.shift(1, 0).is_empty(), "what leaves the board is gone, it never wraps");
//! assert_eq!(column.shift(-1, 0).to_string(), "3 . x .\n2 . x .\n1 . x .\n  a b c\n");
//! ```

mod by_square;
mod direction;
mod drawing;
pub mod lanes;
mod pext;
mod point;
mod points;
mod ray;
mod set;
mod square;
pub mod subsets;
mod symmetry;
mod word;

pub use by_square::BySquare;
pub use direction::Direction;
pub use drawing::{Drawable, side_by_side};
pub use lanes::Lanes;
pub use pext::{pdep, pext, portable};
pub use point::Point;
pub use points::{PointSet, Points};
pub use set::{SquareSet, Squares};
pub use square::{Geometry, NoSuchSquare, Square};
pub use symmetry::Symmetry;
pub use word::Word;
