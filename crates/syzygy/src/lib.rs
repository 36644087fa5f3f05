//! Reads Syzygy tables: the value of chess endgames under the fifty-move rule, and the distance to the next capture or pawn
//! move.
//!
//! A [`Tablebase`] finds the files `.rtbw` and `.rtbz` of standard chess in its folders, for three to seven men.
//! [`Tablebase::wdl`] and [`Tablebase::dtz`] answer questions. Damaged files give errors; `docs/syzygy.md` describes the
//! format.
//!
//! ```
//! use endspiel_syzygy::{Tablebase, Wdl5};
//!
//! # let folder = fixtures::path("chess/syzygy");
//! let tables = Tablebase::open([folder])?;
//! let position = "8/8/8/8/8/8/1k1K3Q/8 w - - 0 1".parse()?;
//! assert_eq!(tables.wdl(&position)?, Wdl5::Win);
//! assert_eq!(tables.dtz(&position)?.plies(), 5);
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

mod arrangement;
mod error;
mod file;
mod material;
mod pairs;
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
