//! The stack of a deep count. A count calls itself for each move and for each outcome of chance between two moves, so it
//! needs more stack than a thread usually has.

/// Counts that are not deeper than this run on the stack of their caller.
const SHALLOW: u32 = 32;

/// The stack for each move of a sequence. The most that was measured are 4 KiB, for CoTuLenh with a transposition table.
/// Builds without optimisation need more. Stack that is not used costs no memory.
const BYTES_PER_MOVE: usize = 32 << 10;

/// Returns the bytes of stack for a count of this depth, or `None` if the stack of the caller suffices.
pub fn of_deep_count(depth: u32) -> Option<usize> {
    (depth > SHALLOW).then(|| BYTES_PER_MOVE.saturating_mul(depth as usize))
}
