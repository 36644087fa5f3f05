//! Everything to ask Syzygy tables, and all of chess: `use endspiel_syzygy::prelude::*;`.

pub use crate::{Dtz, ProbeError, Tablebase, Wdl5};
pub use chess::prelude::*;
