//! A benchmark that is also a signature: fixed positions, each searched to a fixed depth by a new engine with one thread.

use crate::control::Control;
use crate::engine::Engine;
use crate::limits::Limits;
use crate::oracle::Oracle;
use crate::searchable::Searchable;
use std::time::{Duration, Instant};

/// What the benchmark of a game measured.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Bench {
    /// The number of positions that were searched. It is the same on every machine. If a change of the code changes it, the change
    /// alters the search.
    pub signature: u64,
    /// The number of positions to begin with.
    pub positions: usize,
    /// The depth of each search.
    pub depth: u32,
    /// The time.
    pub elapsed: Duration,
}

/// Searches positions to a depth, without tables, each as if it were the first.
pub fn bench<G: Searchable>(game: G, positions: &[G::Position], depth: u32) -> Bench
where
    G::Oracle: Oracle<G::Position> + Default,
{
    let mut engine = Engine::new(game, G::Oracle::default());
    let limits = Limits { depth: Some(depth), ..Limits::default() };
    let (mut signature, mut elapsed) = (0, Duration::ZERO);
    for position in positions {
        engine.forget();
        let begun = Instant::now();
        signature +=
            engine.search(std::slice::from_ref(position), &limits, &Control::new(), &mut |_| ()).nodes;
        elapsed += begun.elapsed();
    }
    Bench { signature, positions: positions.len(), depth, elapsed }
}
