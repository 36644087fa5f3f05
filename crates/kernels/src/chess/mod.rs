//! The kernel for chess: it solves whole rows of positions at once.

mod board;
mod budget;
mod complete;
mod forward;
mod kernel;
mod rays;
mod row_moves;
mod slabs;
mod targets;
mod values;
mod verify;

pub use kernel::ChessKernel;
