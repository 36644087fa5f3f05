//! Loops on all threads of the current rayon pool. Their bodies are called through a pointer, so that the machinery is compiled
//! once for each type of result, and not for every loop of every game. One call should take some microseconds at least.

use rayon::prelude::*;
use std::convert::Infallible;
use std::ops::Range;
use std::sync::atomic::{AtomicBool, Ordering::Relaxed};
use std::sync::{Mutex, PoisonError};

/// Calls `work` for each number below `count`.
pub fn for_each(count: usize, work: &(dyn Fn(usize) + Sync)) {
    (0..count).into_par_iter().for_each(work);
}

/// Returns the results of `work` for each number below `count`, in order.
pub fn map<T: Send>(count: usize, work: impl Fn(usize) -> T + Sync) -> Vec<T> {
    collect(count, &work)
}

fn collect<T: Send>(count: usize, work: &(dyn Fn(usize) -> T + Sync)) -> Vec<T> {
    let mut places = Vec::with_capacity(count);
    places.resize_with(count, || Mutex::new(None));
    for_each(count, &|i| {
        let result = work(i);
        *places[i].lock().unwrap_or_else(PoisonError::into_inner) = Some(result);
    });
    let mut results = Vec::with_capacity(count);
    for place in places {
        results.extend(place.into_inner().unwrap_or_else(PoisonError::into_inner));
    }
    results
}

/// As [`map`], for each of some items, such as the rows of a table that is changed. `work` gets its number, too.
pub fn map_items<I: Send, T: Send>(
    items: impl IntoIterator<Item = I>,
    work: impl Fn(usize, I) -> T + Sync,
) -> Vec<T> {
    let mut places = Vec::new();
    for item in items {
        places.push(Mutex::new(Some(item)));
    }
    collect(places.len(), &|i| {
        let item = places[i].lock().unwrap_or_else(PoisonError::into_inner).take();
        work(i, item.expect("each number comes once"))
    })
}

/// As [`map`], up to an error: the first in order of those that were met.
///
/// # Errors
/// Returns an error if `work` does. What was not begun by then is left out.
pub fn try_map<T: Send, E: Send>(
    count: usize,
    work: impl Fn(usize) -> Result<T, E> + Sync,
) -> Result<Vec<T>, E> {
    try_collect(count, &work)
}

fn try_collect<T: Send, E: Send>(
    count: usize,
    work: &(dyn Fn(usize) -> Result<T, E> + Sync),
) -> Result<Vec<T>, E> {
    let failed = AtomicBool::new(false);
    let results = collect(count, &|i| {
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

/// Returns `count` times the same, made by all threads: they share the work of getting memory from the system. `make` should be a
/// function that has a name, such as `AtomicU64::default`: for each closure, all is compiled again.
pub fn repeat<T: Send>(count: usize, make: impl Fn() -> T + Sync) -> Vec<T> {
    (0..count).into_par_iter().map(|_| make()).collect()
}

/// Folds the numbers below `count`: in parts that begin with `begin()`, and are merged in order.
pub fn fold<T: Send>(
    count: usize,
    begin: impl Fn() -> T + Sync,
    work: impl Fn(&mut T, usize) + Sync,
    merge: impl Fn(T, T) -> T,
) -> T {
    let Ok(folded) = fold_parts::<T, Infallible>(
        count,
        &begin,
        &|folded, part| {
            part.for_each(|i| work(folded, i));
            Ok(())
        },
        &merge,
    );
    folded
}

/// As [`fold`], up to an error: the first in order of those that were met.
///
/// # Errors
/// Returns an error if `work` does. What was not begun by then is left out.
pub fn try_fold<T: Send, E: Send>(
    count: usize,
    begin: impl Fn() -> T + Sync,
    work: impl Fn(&mut T, usize) -> Result<(), E> + Sync,
    merge: impl Fn(T, T) -> T,
) -> Result<T, E> {
    fold_parts(count, &begin, &|folded, mut part| part.try_for_each(|i| work(folded, i)), &merge)
}

/// Adds the numbers of a part to what is folded.
type FoldPart<'a, T, E> = dyn Fn(&mut T, Range<usize>) -> Result<(), E> + Sync + 'a;

/// Folds whole parts: the loop over the numbers of a part is within `work`.
fn fold_parts<T: Send, E: Send>(
    count: usize,
    begin: &(dyn Fn() -> T + Sync),
    work: &FoldPart<'_, T, E>,
    merge: &dyn Fn(T, T) -> T,
) -> Result<T, E> {
    // Enough parts that threads share the work also when it lies in a few places.
    let parts = count.min((64 * rayon::current_num_threads()).max(count / 16));
    let start = |part: usize| (count as u128 * part as u128 / parts as u128) as usize;
    let folded = try_collect(parts, &|part| {
        let mut folded = begin();
        work(&mut folded, start(part)..start(part + 1))?;
        Ok(folded)
    })?;
    let mut all = begin();
    for part in folded {
        all = merge(all, part);
    }
    Ok(all)
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
            let mut squares: Vec<usize> = (0..count).collect();
            let roots = map_items(&mut squares, |i, square| (i, std::mem::replace(square, i * i)));
            assert_eq!(roots, (0..count).map(|i| (i, i)).collect::<Vec<_>>());
            assert_eq!(squares, (0..count).map(|i| i * i).collect::<Vec<_>>());
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
