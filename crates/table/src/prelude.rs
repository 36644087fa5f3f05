//! Everything to ask tables of a game: `use endspiel_table::prelude::*;`. The prelude of a game contains this one if its feature
//! `tables` is on.

pub use crate::{
    Backend, DEFAULT_CACHE_BYTES, Description, Entry, Library, ProbeError, Probed, Prober, RankedMove, Table,
};
pub use game::prelude::*;
pub use game::{Endgame, Metric};
pub use std::sync::Arc;
