#![doc = include_str!("../README.md")]

mod arrangement;
mod error;
mod file;
mod material;
mod pairs;
pub mod prelude;
mod probe;
mod reader;
mod squares;
mod tablebase;
mod values;

pub use error::{Error, Metric, ProbeError, Problem};
pub use material::{MOST_MEN, Material, NoMaterial};
pub use table::{Backend, mapped};
pub use tablebase::Tablebase;
pub use values::{Dtz, Wdl5};
