#![doc = include_str!("../README.md")]

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
pub use pext::{pdep, pdep_dense, pext, portable};
pub use point::Point;
pub use points::{PointSet, Points};
pub use set::{SquareSet, Squares};
pub use square::{Geometry, NoSuchSquare, Square};
pub use symmetry::Symmetry;
pub use word::Word;
