//! The coding of small tables: entries are grouped in tiles, and each is coded by what its neighbours in the tile say.
//!
//! The indices of a slice have digits, such as the squares of the men. A [tile](Tiles) is a block of indices that are near each
//! other in every digit. A [model](Model) tells, from the neighbours of a place that come before it, how likely each symbol is. An
//! [entropy coder](rans) needs few bits for likely symbols. `docs/format.md` describes every step, and `docs/experiments.md` what
//! else was tried.
//!
//! Nothing here depends on the machine: all numbers are integers, and the same entries give the same bytes.

mod grid;
mod growth;
mod logarithm;
mod model;
mod plane;
mod rans;
mod tiles;
mod training;
mod tree;

pub(crate) use grid::Grid;
pub(crate) use model::Model;
pub(crate) use plane::{Coded, Wanted, coded_bits, decode, encode};
pub use tiles::Tiles;
pub(crate) use training::{Draft, Trained, draft};
