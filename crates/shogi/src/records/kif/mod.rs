//! KIF, the format of Kakinoki Shogi and of most Japanese programs.

mod moves;
mod reader;
mod start;
mod writer;

pub(crate) use moves::{RANKS, parse_kind as kind_at_start};
pub use reader::{read, stream};
pub use writer::write;
