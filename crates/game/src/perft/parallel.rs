//! Counting on all threads, and divided by moves or outcomes of chance.

use super::{Counter, Counting, NoThreads, stack};
use crate::{Position, parallel};
use rayon::ThreadPoolBuilder;
use std::ops::ControlFlow;

/// Returns the result of [`count()`](super::count()) for each outcome of chance in the position. The list is empty if
/// the position does not await chance.
///
/// # Errors
/// As [`count_parallel`].
pub fn divide_chances<P: Position>(
    position: &P,
    depth: u32,
    counting: Counting,
) -> Result<Vec<(P::Chance, u64)>, NoThreads> {
    let counter = Counter::new(counting);
    let chances = chances(position);
    map(chances.len(), depth, |i| {
        let (outcome, next, weight) = &chances[i];
        (*outcome, counter.count(next, depth).saturating_mul(counting.weight(*weight)))
    })
}

/// Returns the result of [`count()`](super::count()) for each first move. The list is empty if the position is finished
/// or awaits chance.
///
/// # Errors
/// As [`count_parallel`].
pub fn divide<P: Position>(
    position: &P,
    depth: u32,
    counting: Counting,
) -> Result<Vec<(P::Move, u64)>, NoThreads> {
    let (rest, counter) = (depth.saturating_sub(1), Counter::new(counting));
    let successors = successors(position, counting.unique);
    map(successors.len(), rest, |i| {
        let (m, next) = &successors[i];
        (*m, counter.count(next, rest))
    })
}

/// Counts as [`count()`](super::count()) does, on all threads of the current rayon pool. The count is split into parts.
/// Each thread calls `progress` when it has finished a part, with the sequences in that part and the number of parts.
///
/// # Errors
/// A deep count runs on threads of its own, which have enough stack; there are as many as in the current pool. Returns an
/// error if the system cannot start them.
pub fn count_parallel<P: Position>(
    position: &P,
    depth: u32,
    counting: Counting,
    progress: impl Fn(u64, usize) + Sync,
) -> Result<u64, NoThreads> {
    // With this many parts, threads do not wait long for the last parts.
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
    let counted = map(parts.len(), rest, |i| {
        let (part, weight) = &parts[i];
        let nodes = counter.count(part, rest).saturating_mul(*weight);
        progress(nodes, parts.len());
        nodes
    })?;
    let counted = counted.into_iter().fold(0, u64::saturating_add);
    Ok(counted.saturating_add(if counting.ended { ended_early } else { 0 }))
}

/// Returns the counts of `work` for each number below `parts`, in order. The counts have this depth. Threads are started
/// only if there is work for them.
fn map<T: Send + Sync>(
    parts: usize,
    depth: u32,
    work: impl Fn(usize) -> T + Sync,
) -> Result<Vec<T>, NoThreads> {
    if parts == 0 {
        return Ok(Vec::new());
    }
    let Some(stack) = stack::of_deep_count(depth) else { return Ok(parallel::map(parts, work)) };
    let pool = ThreadPoolBuilder::new().num_threads(rayon::current_num_threads()).stack_size(stack);
    Ok(pool.build().map_err(NoThreads::new)?.install(|| parallel::map(parts, &work)))
}

/// The outcomes of chance in a position, each with the position after it and its weight.
fn chances<P: Position>(position: &P) -> Vec<(P::Chance, P, u32)> {
    let mut chances = Vec::new();
    let _ = position.visit_chances(|outcome, weight| {
        chances.push((outcome, position.play_chance_unchecked(outcome), weight));
        ControlFlow::<()>::Continue(())
    });
    chances
}

/// Replaces a part of a count that awaits chance by the positions after each outcome, with their weights. Returns any
/// other part unchanged.
fn settled<P: Position>((part, counts_for): &(P, u64), counting: Counting) -> Vec<(P, u64)> {
    if !part.awaits_chance() {
        return vec![(part.clone(), *counts_for)];
    }
    let weighed = |(_, next, weight)| (next, counts_for.saturating_mul(counting.weight(weight)));
    chances(part).into_iter().map(weighed).collect()
}

/// All moves with the positions after them. With `unique`, only the first move to each position.
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
    use super::super::tests::{ENDS, LARGE, SIZES, STAYS};
    use super::*;
    use crate::perft::count;

    #[test]
    fn threads_give_the_same_count_with_a_memory_of_any_size() {
        for walk in [STAYS, ENDS] {
            for bits in 0..8 {
                let [ended, unique, plain] = [bits & 1 > 0, bits & 2 > 0, bits & 4 > 0];
                let counting = Counting { ended, unique, plain, ..Counting::default() };
                let alone = count(&walk, 9, counting).expect("a thread");
                for hash in SIZES.map(Some).into_iter().chain([None]) {
                    let counting = Counting { hash, ..counting };
                    assert_eq!(
                        count_parallel(&walk, 9, counting, |_, _| ()).expect("threads"),
                        alone,
                        "{counting:?}"
                    );
                }
            }
        }
    }

    #[test]
    fn what_no_number_holds_is_the_largest_one() {
        let counting = Counting { hash: Some(1 << 20), ..Counting::default() };
        assert_eq!(count_parallel(&STAYS, 900, counting, |_, _| ()).expect("threads"), u64::MAX);
        let parts = divide(&STAYS, 34, counting).expect("threads");
        let nodes: Vec<u64> = parts.into_iter().map(|(_, nodes)| nodes).collect();
        assert_eq!(nodes, [u64::MAX; 4]);
    }

    #[test]
    fn a_deep_count_has_enough_stack_on_every_thread() {
        for counting in Counting::WAYS {
            let counted = count_parallel(&LARGE, 1000, counting, |_, _| ()).expect("threads");
            assert_eq!(counted, 300, "{counting:?}");
            let parts = divide(&LARGE, 1000, counting).expect("threads");
            assert_eq!(parts, [(false, 299), (true, 1)], "{counting:?}");
        }
    }
}
