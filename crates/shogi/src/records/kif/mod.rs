//! KIF, the format of Kakinoki Shogi and of most Japanese programs.

mod moves;
mod reader;
mod start;
mod writer;

pub use reader::{read, stream};
pub use writer::write;
