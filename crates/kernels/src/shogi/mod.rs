//! The kernel for shogi: it solves whole rows of positions at once.

mod board;
mod budget;
mod kernel;
mod links;
mod planes;
mod verify;

pub use kernel::ShogiKernel;
