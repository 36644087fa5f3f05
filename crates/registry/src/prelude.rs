//! Everything to open games by name and to ask them in text: `use endspiel_registry::prelude::*;`.

pub use crate::{Answer, Error, Family, Opened, Prober, Registry, Rules, Session, Tables};
pub use game::perft::Counting;
pub use game::{Options, Outcome, Plies, Rng, Side, Style, Wdl};
