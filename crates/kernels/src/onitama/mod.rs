//! Onitama.

pub mod attack;
mod cells;
pub mod deals;
pub mod exact;
pub mod full;
mod gained;
pub mod known;
mod losses;
mod men;
mod mirror;
mod neighbour;
pub mod row;
mod solver;
pub mod store;
mod within;

pub use solver::OnitamaKernel;
