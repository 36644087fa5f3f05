//! What a program needs to use a game: the shared types, and the traits without their names, because some share theirs with a
//! type of a game. Every game has a prelude that contains this one.
//!
//! ```
//! use endspiel_game::prelude::*;
//!
//! assert_eq!(Side::First.other(), Side::Second);
//! assert_eq!(Value::Win(Plies(3)).wdl(), Wdl::Win);
//! ```

pub use crate::perft::perft;
pub use crate::{
    BySide, Catalogue as _, Endgame as _, Fault as _, Faults, Game, Notation, Options, Outcome, Plies,
    Position as _, Record, Rng, Setup as _, Side, Style, Symmetric as _, Value, Wdl,
};
