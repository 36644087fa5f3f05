//! Loops on all threads of the current rayon pool. Their bodies are called through a pointer, so that the machinery of
//! rayon is compiled once and not for every loop of every game. One call should take some microseconds at least.

use rayon::prelude::*;
use std::ops::Range;
use std::sync::OnceLock;
use std::sync::atomic::{AtomicBool, Ordering::Relaxed};

/// Calls `work` for each number below `count`.
pub fn for_each(count: usize, work: &(dyn Fn(usize) + Sync)) {
    (0..count).into_par_iter().for_each(work);
}

/// Returns the results of `work` for each number below `count`, in order.
pub fn map<T: Send + Sync>(count: usize, work: impl Fn(usize) -> T + Sync) -> Vec<T> {
    let results: Vec<OnceLock<T>> = std::iter::repeat_with(OnceLock::new).take(count).collect();
    for_each(count, &|i| {
        // Each number comes once, so the place is free.
        let _ = results[i].set(work(i));
    });
    results.into_iter().map(|result| result.into_inner().expect("every number was visited")).collect()
}

/// As [`map`], up to an error: the first in order of those that were met.
///
/// # Errors
/// Returns an error if `work` does. What was not begun by then is left out.
pub fn try_map<T, E>(count: usize, work: impl Fn(usize) -> Result<T, E> + Sync) -> Result<Vec<T>, E>
where
    T: Send + Sync,
    E: Send + Sync,
{
    let failed = AtomicBool::new(false);
    let results = map(count, |i| {
        if failed.load(Relaxed) {
            return None;
        }
        let result = work(i);
        if result.is_err() {
            failed.store(true, Relaxed);
        }
        Some(result)
    });
    // A number that was left out comes with an error, before it or after it.
    let mut done = Vec::with_capacity(count);
    for result in results.into_iter().flatten() {
        done.push(result?);
    }
    Ok(done)
}

/// Returns `count` times the same, made by all threads: they share the work of getting memory from the system.
pub fn repeat<T: Send>(count: usize, make: impl Fn() -> T + Sync) -> Vec<T> {
    (0..count).into_par_iter().map(|_| make()).collect()
}

/// Folds the numbers below `count`: in parts that begin with `begin()`, and are merged in order.
pub fn fold<T: Send + Sync>(
    count: usize,
    begin: impl Fn() -> T + Sync,
    work: impl Fn(&mut T, usize) + Sync,
    merge: impl Fn(T, T) -> T,
) -> T {
    let parts = parts(count);
    let folded = map(parts, |part| {
        let mut folded = begin();
        part_of(count, parts, part).for_each(|i| work(&mut folded, i));
        folded
    });
    folded.into_iter().fold(begin(), merge)
}

/// As [`fold`], up to an error: the first in order of those that were met.
///
/// # Errors
/// Returns an error if `work` does. What was not begun by then is left out.
pub fn try_fold<T: Send + Sync, E: Send + Sync>(
    count: usize,
    begin: impl Fn() -> T + Sync,
    work: impl Fn(&mut T, usize) -> Result<(), E> + Sync,
    merge: impl Fn(T, T) -> T,
) -> Result<T, E> {
    let parts = parts(count);
    let folded = try_map(parts, |part| {
        let mut folded = begin();
        part_of(count, parts, part).try_for_each(|i| work(&mut folded, i))?;
        Ok(folded)
    })?;
    Ok(folded.into_iter().fold(begin(), merge))
}

/// The number of parts for a fold: enough that threads share the work also when it lies in a few places.
fn parts(count: usize) -> usize {
    count.min((64 * rayon::current_num_threads()).max(count / 16))
}

fn part_of(count: usize, parts: usize, part: usize) -> Range<usize> {
    let start = |part: usize| (count as u128 * part as u128 / parts as u128) as usize;
    start(part)..start(part + 1)
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::sync::atomic::AtomicUsize;

    #[test]
    fn results_are_in_order() {
        for count in [0, 1, 2, 1000] {
            assert_eq!(map(count, |i| i * i), (0..count).map(|i| i * i).collect::<Vec<_>>());
            let sum = fold(count, || 0, |sum: &mut usize, i| *sum += i, |a, b| a + b);
            assert_eq!(sum, (0..count).sum());
            assert_eq!(repeat(count, || 7), vec![7; count]);
        }
    }

    #[test]
    fn an_error_ends_the_loop() {
        let calls = AtomicUsize::new(0);
        let fails_at_ten = |i| {
            calls.fetch_add(1, Relaxed);
            if i == 10 { Err(i) } else { Ok(i) }
        };
        let pool = rayon::ThreadPoolBuilder::new().num_threads(1).build().expect("a thread");
        assert_eq!(pool.install(|| try_map(1000, fails_at_ten)), Err(10));
        assert!(
            calls.load(Relaxed) <= 511,
            "one thread splits 1000 numbers once, and stops in the first half"
        );
        let add = |sum: &mut usize, i: usize| {
            *sum += fails_at_ten(i)?;
            Ok(())
        };
        assert_eq!(try_fold(1000, || 0, add, |a, b| a + b), Err(10));
        assert_eq!(try_fold(10, || 0, add, |a, b| a + b), Ok(45));
        assert_eq!(try_map(3, Ok::<_, ()>), Ok(vec![0, 1, 2]));
    }
}
