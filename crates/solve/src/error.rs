//! Errors of a run.

use crate::run::Stop;
use crate::size::size_texts;
use game::{Endgame, Index, Metric, quoted_path};
use std::io;
use std::path::PathBuf;
use table::Entry;

/// The reason why a run failed.
#[derive(Debug, thiserror::Error)]
pub enum Error {
    /// A group needs more memory than is allowed.
    #[error(
        "{work} {group} takes {} of memory and {} are allowed; `--memory` sets another limit",
        size_texts(*needed, *allowed)[0], size_texts(*needed, *allowed)[1]
    )]
    Memory {
        /// What is done with the group: solving or packing.
        work: &'static str,
        /// The group.
        group: String,
        /// The memory that the group needs, in bytes.
        needed: u64,
        /// The limit, in bytes.
        allowed: u64,
    },
    /// The disk may not hold the tables.
    #[error(
        "solving may need {} of disk, but {} has {} left; `--disk` says how much may be used",
        size_texts(*needed, *allowed)[0], quoted_path(folder), size_texts(*needed, *allowed)[1]
    )]
    Disk {
        /// The folder of the tables.
        folder: PathBuf,
        /// The space that the tables need at most, with those that are packed later, in bytes.
        needed: u64,
        /// The limit, in bytes.
        allowed: u64,
    },
    /// No solver of the game supports the metric.
    #[error("{metric} tables of {game} cannot be solved here")]
    Metric {
        /// The game.
        game: &'static str,
        /// The metric.
        metric: &'static str,
    },
    /// A group was stopped before its end.
    #[error("{group}: {stop}")]
    Stopped {
        /// The group.
        group: String,
        /// The reason.
        stop: Stop,
    },
    /// A table could not be read or written.
    #[error(transparent)]
    Table(#[from] table::Error),
    /// A table that is needed is missing.
    #[error("there is no {metric} table of {slice} for {game} ({rules}); `{command}` makes it")]
    Missing {
        /// The game.
        game: &'static str,
        /// The rules.
        rules: String,
        /// The slice.
        slice: String,
        /// The metric.
        metric: &'static str,
        /// The command that solves it.
        command: String,
    },
    /// A table leaves out values that only the solver that wrote it can find again.
    #[error(
        "the {metric} table of {slice} for {game} is a short one: only the game's own solver can make, count or check it"
    )]
    OwnSolver {
        /// The game.
        game: String,
        /// The slice.
        slice: String,
        /// The metric.
        metric: &'static str,
    },
    /// A table has values that do not follow from the values after the moves.
    #[error("the table of {slice} for {game} has values decided by a rule, and {game} has no such rule")]
    ByRule {
        /// The game.
        game: String,
        /// The slice.
        slice: String,
    },
    /// A table was not written by a solver of the game.
    #[error("the table of {slice} for {game} is intact, but no solver of this game wrote it")]
    Unlike {
        /// The game.
        game: &'static str,
        /// The slice.
        slice: String,
    },
    /// A table would be replaced, but the distances of a small table belong to it.
    #[error(
        "the wdl table of {slice} for {game} belongs to its packed distances and is not replaced; `{command} --pack` makes that of {missing}, too"
    )]
    Packed {
        /// The game.
        game: &'static str,
        /// The slice.
        slice: String,
        /// A slice of the same group without a table.
        missing: String,
        /// The command that solves the slice with distances.
        command: String,
    },
    /// A small table would not tell a value of the whole one.
    #[error(
        "the {metric} table of {slice} for {game} stays whole: packed, it would not tell {expected:?} at the index {}; this is a fault of the program",
        index.0
    )]
    UnlikeWhole {
        /// The game.
        game: &'static str,
        /// The slice.
        slice: String,
        /// The metric.
        metric: &'static str,
        /// An index with another value.
        index: Index,
        /// The entry of the whole table.
        expected: Entry,
    },
    /// Another run writes to the same folder.
    #[error(
        "another run is solving in {}{}; `--wait` waits until it ends",
        quoted_path(folder),
        holder.as_ref().map_or_else(String::new, |holder| format!(": {holder}"))
    )]
    Busy {
        /// The folder.
        folder: PathBuf,
        /// What the other run says about itself: its process, when it began, and what it solves.
        holder: Option<String>,
    },
    /// The folder of the tables cannot be used.
    #[error("{}: {source}", quoted_path(folder))]
    Folder {
        /// The folder.
        folder: PathBuf,
        /// The I/O error.
        source: io::Error,
    },
}

impl Error {
    /// The error for a table that is missing.
    pub fn missing<G: Endgame>(game: &G, slice: G::Slice, metric: Metric) -> Self {
        Self::Missing {
            game: G::INFO.name,
            rules: game.table_rules_id(),
            slice: slice.to_string(),
            metric: metric.name(),
            command: match metric {
                Metric::Dtm => game.solve_command(slice),
                _ => format!("{} --metric {}", game.solve_command(slice), metric.name()),
            },
        }
    }
}
