//! Counting on all threads, and by parts.

use super::{Counter, Counting};
use crate::Position;
use rayon::prelude::*;
use std::ops::ControlFlow;

/// The count of [`count()`](super::count()), split by what chance may bring first; nothing where it is not awaited.
pub fn divide_chances<P: Position>(position: &P, depth: u32, counting: Counting) -> Vec<(P::Chance, u64)> {
    let counter = Counter::new(counting);
    chances(position)
        .into_par_iter()
        .map(|(outcome, next, weight)| {
            let nodes = counter.count(&next, depth).saturating_mul(counting.weight(weight));
            (outcome, nodes)
        })
        .collect()
}

/// The count of [`count()`](super::count()), split by the first move. What has none is not in it: a finished position gives nothing, nor
/// does one that awaits chance.
pub fn divide<P: Position>(position: &P, depth: u32, counting: Counting) -> Vec<(P::Move, u64)> {
    let (rest, counter) = (depth.saturating_sub(1), Counter::new(counting));
    successors(position, counting.unique)
        .into_par_iter()
        .map(|(m, next)| (m, counter.count(&next, rest)))
        .collect()
}

/// As [`count()`](super::count()), on all threads of the current rayon pool. `progress` hears, from any thread, when a part is done:
/// the sequences in it, and how many parts there are.
pub fn count_parallel<P: Position>(
    position: &P,
    depth: u32,
    counting: Counting,
    progress: impl Fn(u64, usize) + Sync,
) -> u64 {
    // Enough parts that the last ones do not keep the other threads waiting.
    const PARTS: usize = 256;
    let counter = Counter::new(counting);
    let mut parts = vec![(position.clone(), 1)];
    let mut rest = depth;
    let mut ended_early = 0u64;
    while rest > 1 && parts.len() < PARTS && !parts.is_empty() {
        let decided = parts.iter().flat_map(|part| settled(part, counting));
        let mut next = Vec::new();
        for (part, weight) in decided {
            if part.outcome().is_some() {
                ended_early = ended_early.saturating_add(weight);
            }
            next.extend(successors(&part, counting.unique).into_iter().map(|(_, after)| (after, weight)));
        }
        parts = next;
        rest -= 1;
    }
    let counted = parts
        .par_iter()
        .map(|(part, weight)| {
            let nodes = counter.count(part, rest).saturating_mul(*weight);
            progress(nodes, parts.len());
            nodes
        })
        .reduce(|| 0, u64::saturating_add);
    counted.saturating_add(if counting.ended { ended_early } else { 0 })
}

/// What chance may bring to a position that awaits it, what that makes of it, and the weights.
fn chances<P: Position>(position: &P) -> Vec<(P::Chance, P, u32)> {
    let mut chances = Vec::new();
    let _ = position.visit_chances(|outcome, weight| {
        chances.push((outcome, position.play_chance_unchecked(outcome), weight));
        ControlFlow::<()>::Continue(())
    });
    chances
}

/// A part of a count, with what it counts for, after chance has decided: itself, where there is nothing to decide.
fn settled<P: Position>((part, counts_for): &(P, u64), counting: Counting) -> Vec<(P, u64)> {
    if !part.awaits_chance() {
        return vec![(part.clone(), *counts_for)];
    }
    let weighed = |(_, next, weight)| (next, counts_for.saturating_mul(counting.weight(weight)));
    chances(part).into_iter().map(weighed).collect()
}

/// Every move with the position it leads to; with `unique` only the first to each position.
fn successors<P: Position>(position: &P, unique: bool) -> Vec<(P::Move, P)> {
    if unique {
        return position.unique_successors();
    }
    let mut successors = Vec::new();
    let _ = position.visit_successors(|m, next| {
        successors.push((m, next));
        ControlFlow::<()>::Continue(())
    });
    successors
}

#[cfg(test)]
mod tests {
    use super::super::tests::{ENDS, SIZES, STAYS};
    use super::*;
    use crate::perft::count;

    #[test]
    fn threads_give_the_same_count_with_a_memory_of_any_size() {
        for walk in [STAYS, ENDS] {
            for bits in 0..8 {
                let [ended, unique, plain] = [bits & 1 > 0, bits & 2 > 0, bits & 4 > 0];
                let counting = Counting { ended, unique, plain, ..Counting::default() };
                let alone = count(&walk, 9, counting);
                for hash in SIZES.map(Some).into_iter().chain([None]) {
                    let counting = Counting { hash, ..counting };
                    assert_eq!(count_parallel(&walk, 9, counting, |_, _| ()), alone, "{counting:?}");
                }
            }
        }
    }

    #[test]
    fn what_no_number_holds_is_the_largest_one() {
        let counting = Counting { hash: Some(1 << 20), ..Counting::default() };
        assert_eq!(count_parallel(&STAYS, 900, counting, |_, _| ()), u64::MAX);
        assert!(divide(&STAYS, 34, counting).iter().all(|&(_, nodes)| nodes == u64::MAX));
    }
}
