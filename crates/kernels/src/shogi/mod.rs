//! The kernel for shogi: it solves whole rows of positions at once.

mod board;
mod budget;
mod complete;
mod forward;
mod kernel;
mod links;
mod planes;
mod verify;

pub use kernel::ShogiKernel;
