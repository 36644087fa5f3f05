//! Backward induction over batches of slices: any game that can number its positions, exact distances, all cores.
//!
//! [`Job`] solves slices with all that they need and writes their tables; [`Batch`] is the solver itself. There is no
//! game in here.

mod batch;
mod cell;
mod checkpoint;
mod error;
mod inverse;
mod job;
mod kernel;
mod layout;
mod memory;
mod outside;
mod plan;
mod run;
mod size;
mod stats;
mod tally;
mod through;
mod verify;

pub use batch::{Batch, Left};
pub use cell::Cell;
pub use error::Error;
pub use job::Job;
pub use kernel::{Kernel, Needs};
pub use memory::free_memory;
pub use outside::{Finished, Outside};
pub use plan::{PlannedBatch, Way};
pub use run::{MovesBack, Progress, Run, Stop, Unwatched, Watch};
pub use size::size_text;
pub use stats::{Longest, Stats, stats};
pub use table::describe;
pub use verify::{Verified, Wrong, verify};
