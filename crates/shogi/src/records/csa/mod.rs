//! CSA, the format that programs exchange.

mod pieces;
mod reader;
mod start;
mod writer;

pub use reader::{Games, read, stream};
pub use writer::write;
