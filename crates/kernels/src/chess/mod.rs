//! The kernel for chess: it solves whole rows of positions at once.

mod board;
mod budget;
mod forward;
mod kernel;
mod rays;
mod row_moves;
mod targets;
mod values;
mod verify;

pub use kernel::ChessKernel;
