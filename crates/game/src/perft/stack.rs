//! The stack of a deep count. A count calls itself for each move and for each outcome of chance between two moves, so it
//! needs more stack than a thread usually has.

use std::error::Error;
use std::panic::resume_unwind;
use std::thread;

/// Counts that are not deeper than this run on the stack of their caller.
const SHALLOW: u32 = 32;

/// The stack for each move of a sequence. The most that was measured are 4 KiB, for CoTuLenh with a transposition table.
/// Builds without optimisation need more. Stack that is not used costs no memory.
const BYTES_PER_MOVE: usize = 32 << 10;

/// The system cannot start the threads of a deep count.
#[derive(Debug, thiserror::Error)]
#[error("the threads cannot be started: {0}")]
pub struct NoThreads(#[source] Box<dyn Error + Send + Sync>);

impl NoThreads {
    pub(super) fn new(source: impl Error + Send + Sync + 'static) -> Self {
        Self(Box::new(source))
    }
}

/// Returns the bytes of stack for a count of this depth, or `None` if the stack of the caller suffices.
pub fn of_deep_count(depth: u32) -> Option<usize> {
    (depth > SHALLOW).then(|| BYTES_PER_MOVE.saturating_mul(depth as usize))
}

/// Runs a count of this depth with enough stack: here, or on a thread of its own.
pub fn with_stack<T: Send>(depth: u32, count: impl FnOnce() -> T + Send) -> Result<T, NoThreads> {
    let Some(bytes) = of_deep_count(depth) else { return Ok(count()) };
    thread::scope(|scope| {
        let thread = thread::Builder::new().stack_size(bytes).spawn_scoped(scope, count);
        let counted = thread.map_err(NoThreads::new)?.join();
        Ok(counted.unwrap_or_else(|panic| resume_unwind(panic)))
    })
}
