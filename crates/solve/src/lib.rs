//! Retrograde analysis over groups of slices, for any game that can number its positions. It finds exact distances and
//! uses all cores.
//!
//! A [`Job`] solves slices, and first all slices that they need, and writes their tables. [`Group`] is the solver itself.
//! This crate knows no game.

mod cell;
mod chance;
mod checkpoint;
mod defences;
mod disk;
mod error;
mod group;
mod inverse;
mod job;
mod kernel;
mod leftovers;
mod lock;
mod memory;
mod offsets;
mod outside;
mod pack;
mod perpetual;
mod plan;
mod run;
mod size;
mod staged;
mod stats;
mod tally;
mod through;
mod verify;
mod whole;

pub use cell::Cell;
pub use chance::{Expectations, expectations, one_step};
pub use checkpoint::{Checkpoint, Loading, Saving, unusable};
pub use disk::free_disk;
pub use error::Error;
pub use group::{Group, Left, Stage};
pub use job::Job;
pub use kernel::{Kernel, Needs};
pub use leftovers::{remove as remove_leftovers, remove_if_idle as remove_leftovers_if_idle};
pub use lock::Lock;
pub use memory::free_memory;
pub use outside::{Finished, Outside, Reading};
pub use pack::{StaysWhole, answered_by_conversions, pack};
pub use plan::{PlannedGroup, Way};
pub use run::{Progress, Run, Stop, Unmoves, Unwatched, Watch};
pub use size::size_text;
pub use stats::{Longest, Stats, stats, stats_within};
pub use table::{describe, describe_small};
pub use verify::{Extent, Verified, Wrong, verify};
pub use whole::whole;
