//! Backward induction over batches of slices: any game that can number its positions, exact distances, all cores.
mod batch;
mod cell;
mod inverse;
mod layout;
mod run;
mod tally;

pub use batch::{Batch, Finished};
pub use cell::Cell;
pub use run::{MovesBack, Progress, Run, Stop};
