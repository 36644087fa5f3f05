//! Numbered tasks on many threads, with their results in order. Results are boxed, so that this is compiled once and not for
//! every game.

use crate::agent::AgentError;
use std::any::Any;
use std::collections::BTreeMap;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::sync::mpsc;
use std::thread;

/// The result of a task.
type Done = Box<dyn Any + Send>;

/// Does the task of a number on one thread. It may end with `None` when it sees that all was stopped.
type Worker<'a> = Box<dyn FnMut(u64, &AtomicBool) -> Result<Option<Done>, AgentError> + 'a>;

/// Does the tasks below `tasks`, `at_once` of them at a time. Each thread makes its own worker. Calls `show` with the results
/// in order; if it returns false, all is stopped.
///
/// # Errors
/// Returns the first error of a worker. The results that were shown before stay valid.
pub(crate) fn in_order<'a, T: Send + 'static, W>(
    tasks: u64,
    at_once: usize,
    begin: &(dyn Fn() -> Result<W, AgentError> + Sync + 'a),
    mut show: impl FnMut(T) -> bool,
) -> Result<(), AgentError>
where
    W: FnMut(u64, &AtomicBool) -> Result<Option<T>, AgentError> + 'a,
{
    let begin = || -> Result<Worker<'a>, AgentError> {
        let mut work = begin()?;
        Ok(Box::new(move |number, stopped| Ok(work(number, stopped)?.map(|done| Box::new(done) as Done))))
    };
    boxed_in_order(tasks, at_once, &begin, &mut |done| {
        show(*done.downcast().expect("a worker has one type of results"))
    })
}

fn boxed_in_order<'a>(
    tasks: u64,
    at_once: usize,
    begin: &(dyn Fn() -> Result<Worker<'a>, AgentError> + Sync),
    show: &mut dyn FnMut(Done) -> bool,
) -> Result<(), AgentError> {
    let (next, stopped) = (AtomicU64::new(0), AtomicBool::new(false));
    // The channel is bounded, so that results do not pile up if `show` is slower than the tasks.
    let (sender, receiver) = mpsc::sync_channel(1024);
    let work_in_turn = |sender: mpsc::SyncSender<Result<(u64, Done), AgentError>>| {
        let mut work = match begin() {
            Ok(work) => work,
            Err(error) => {
                // The receiver may be gone already; then the error is not needed.
                let _ = sender.send(Err(error));
                return;
            }
        };
        while !stopped.load(Ordering::Relaxed) {
            let number = next.fetch_add(1, Ordering::Relaxed);
            if number >= tasks {
                return;
            }
            let done = match work(number, &stopped) {
                Ok(None) => return,
                Ok(Some(done)) => Ok((number, done)),
                Err(error) => Err(error),
            };
            let is_over = done.is_err();
            if sender.send(done).is_err() || is_over {
                return;
            }
        }
    };
    thread::scope(|scope| {
        for _ in 0..at_once.max(1) {
            let (sender, work_in_turn) = (sender.clone(), &work_in_turn);
            scope.spawn(move || work_in_turn(sender));
        }
        drop(sender);
        let (mut shown, mut early) = (0, BTreeMap::new());
        let mut result = Ok(());
        for done in receiver {
            match done {
                _ if stopped.load(Ordering::Relaxed) => {}
                Err(error) => {
                    stopped.store(true, Ordering::Relaxed);
                    result = Err(error);
                }
                Ok((number, done)) => {
                    early.insert(number, done);
                    while let Some(next) = early.remove(&shown) {
                        shown += 1;
                        if !show(next) {
                            stopped.store(true, Ordering::Relaxed);
                            break;
                        }
                    }
                }
            }
        }
        result
    })
}
