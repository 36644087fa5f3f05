//! Counting the sequences of moves: the test that every move generator must pass.
//!
//! `perft(n)` is the number of sequences of exactly n moves. The last ply is counted in bulk, by
//! [`Position::count_moves`].

use crate::Position;
use rayon::prelude::*;
use std::collections::HashSet;

/// Which sequences count.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Counting {
    /// Add, once each, the sequences that ended the game before they reached the depth.
    pub ended: bool,
    /// At each node take one move per resulting position.
    pub unique: bool,
}

/// The number of sequences of exactly `depth` moves.
pub fn perft<P: Position>(position: &P, depth: u32) -> u64 {
    match depth {
        0 => 1,
        1 => position.count_moves(),
        _ => {
            let mut nodes = 0;
            position.for_each_move(|m| nodes += perft(&position.play_unchecked(m), depth - 1));
            nodes
        }
    }
}

/// The number of sequences of `depth` moves, counted as asked.
pub fn count<P: Position>(position: &P, depth: u32, counting: Counting) -> u64 {
    match counting {
        Counting { ended: false, unique: false } => perft(position, depth),
        _ if depth == 0 => 1,
        _ if position.outcome().is_some() => u64::from(counting.ended),
        Counting { unique: false, .. } if depth == 1 => position.count_moves(),
        _ => successors(position, counting.unique)
            .iter()
            .map(|(_, next)| count(next, depth - 1, counting))
            .sum(),
    }
}

/// The count of [`count()`], split by the first move. What has none is not in it: a finished position gives nothing.
pub fn divide<P: Position>(position: &P, depth: u32, counting: Counting) -> Vec<(P::Move, u64)> {
    let rest = depth.saturating_sub(1);
    successors(position, counting.unique)
        .into_par_iter()
        .map(|(m, next)| (m, count(&next, rest, counting)))
        .collect()
}

/// As [`count()`], on all threads of the current rayon pool. `progress` hears, from any thread, when a part is done:
/// the sequences in it, and how many parts there are.
pub fn count_parallel<P: Position>(
    position: &P,
    depth: u32,
    counting: Counting,
    progress: impl Fn(u64, usize) + Sync,
) -> u64 {
    // Enough parts that the last ones do not keep the other threads waiting.
    const PARTS: usize = 256;
    let mut parts = vec![position.clone()];
    let mut rest = depth;
    let mut ended_early = 0;
    while rest > 1 && parts.len() < PARTS && !parts.is_empty() {
        ended_early += parts.iter().filter(|part| part.outcome().is_some()).count() as u64;
        parts =
            parts.iter().flat_map(|part| successors(part, counting.unique)).map(|(_, next)| next).collect();
        rest -= 1;
    }
    let counted: u64 = parts
        .par_iter()
        .map(|part| {
            let nodes = count(part, rest, counting);
            progress(nodes, parts.len());
            nodes
        })
        .sum();
    counted + if counting.ended { ended_early } else { 0 }
}

/// Every move with the position it leads to; with `unique` only the first to each position.
fn successors<P: Position>(position: &P, unique: bool) -> Vec<(P::Move, P)> {
    let mut seen = HashSet::new();
    let mut successors = Vec::new();
    position.for_each_move(|m| {
        let next = position.play_unchecked(m);
        if !unique || seen.insert(next.clone()) {
            successors.push((m, next));
        }
    });
    successors
}
