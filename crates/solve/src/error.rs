//! Why a run could not do what was asked.

use crate::run::Stop;
use crate::size_text;
use game::quoted;
use std::io;
use std::path::PathBuf;

/// Why a run could not do what was asked.
#[derive(Debug, thiserror::Error)]
pub enum Error {
    /// The memory does not suffice.
    #[error(
        "solving {batch} takes {} of memory and {} are allowed; `--memory` sets another limit",
        size_text(*needed), size_text(*allowed)
    )]
    Memory {
        /// The batch.
        batch: String,
        /// What it takes, in bytes.
        needed: u64,
        /// The limit.
        allowed: u64,
    },
    /// A metric that no solver of the game makes.
    #[error("{metric} tables of {game} cannot be solved here")]
    Metric {
        /// The game.
        game: &'static str,
        /// What the tables should store.
        metric: &'static str,
    },
    /// A batch was left before its end.
    #[error("{batch}: {stop}")]
    Stopped {
        /// The batch.
        batch: String,
        /// Why.
        stop: Stop,
    },
    /// A table could not be read or written.
    #[error(transparent)]
    Table(#[from] table::Error),
    /// A table that should be there is not.
    #[error("there is no {metric} table of {slice} for {game} ({rules}); it has to be solved first")]
    Missing {
        /// The game.
        game: &'static str,
        /// Its rules.
        rules: String,
        /// The slice.
        slice: String,
        /// What it should store.
        metric: &'static str,
    },
    /// A table that leaves out what only the solver that made it finds again.
    #[error(
        "the {metric} table of {slice} for {game} is a short one: only the game's own solver can make, count or check it"
    )]
    OwnSolver {
        /// The game.
        game: String,
        /// The slice.
        slice: String,
        /// What the table stores.
        metric: &'static str,
    },
    /// A table with values that one step over the moves does not give.
    #[error(
        "the table of {slice} for {game} has values decided by a rule, which only the game's own solver derives"
    )]
    ByRule {
        /// The game.
        game: String,
        /// The slice.
        slice: String,
    },
    /// A table that no solver of the game writes.
    #[error("the table of {slice} for {game} is whole, but not one that a solver of this game wrote")]
    Unlike {
        /// The game.
        game: &'static str,
        /// The slice.
        slice: String,
    },
    /// Another run writes to the same folder.
    #[error("another run is solving in {}", quoted(&folder.to_string_lossy()))]
    Busy {
        /// The folder.
        folder: PathBuf,
    },
    /// The folder of the tables cannot be used.
    #[error("{}: {source}", quoted(&folder.to_string_lossy()))]
    Folder {
        /// The folder.
        folder: PathBuf,
        /// Why.
        source: io::Error,
    },
}
