//! The kernel for Onitama.

pub mod attack;
mod budget;
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
mod tables;
mod within;

pub use solver::OnitamaKernel;
