//! Onitama.

pub mod attack;
pub mod deals;
mod losses;
mod mirror;
pub mod row;
pub mod store;
