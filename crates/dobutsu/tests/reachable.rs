//! Counts every position that can be reached from the start.
//!
//! The counts are those of Tetsuro Tanaka's solution of the game (2009). It counts turned and mirrored positions once. It
//! does not play on if the side to move can capture the lion, or if the other lion is safe on its far row.

use endspiel_dobutsu::numbers::{Index, folded_rank, unrank};
use endspiel_dobutsu::{Dobutsu, Position};
use game::{Game, Position as _};
use std::sync::atomic::{AtomicU64, AtomicUsize, Ordering::Relaxed};

#[derive(Default, PartialEq, Eq, Debug)]
struct Counts {
    can_catch: u64,
    try_decided: u64,
    undecided: u64,
}

/// A set of indices that is shared between threads, with one bit for each index.
struct Bitmap(Vec<AtomicU64>);

impl Bitmap {
    fn new() -> Self {
        Self((0..Index::COUNT.div_ceil(u64::BITS)).map(|_| AtomicU64::new(0)).collect())
    }

    /// Adds an index. Returns whether it was new.
    fn insert(&self, index: Index) -> bool {
        let word = &self.0[(index.number() / u64::BITS) as usize];
        let bit = 1 << (index.number() % u64::BITS);
        // Most indices are not new. The plain load first avoids the atomic operation for them.
        word.load(Relaxed) & bit == 0 && word.fetch_or(bit, Relaxed) & bit == 0
    }
}

/// All positions found so far, and those among them that have not been expanded yet.
struct Search {
    seen: Bitmap,
    pending: Bitmap,
}

impl Search {
    fn add(&self, position: &Position) {
        let index = folded_rank(position).expect("where a lion can be taken, play stops");
        if self.seen.insert(index) {
            self.pending.insert(index);
        }
    }

    fn expand(&self, index: Index, counts: &mut Counts) {
        let position = unrank(index);
        if position.can_catch() {
            counts.can_catch += 1;
        } else if let Some(outcome) = position.outcome() {
            assert_eq!(outcome.by, "try");
            counts.try_decided += 1;
        } else {
            counts.undecided += 1;
            position.for_each_move(|m| self.add(&position.play_unchecked(m)));
        }
    }

    /// Expands all pending positions in chunks of the bitmap that no other thread has taken. Indices near each other have
    /// the same lions, and so do their successors. So a sweep stays in a small part of the bitmaps.
    fn sweep(&self, next_chunk: &AtomicUsize) -> Counts {
        const CHUNK: usize = 1 << 12;
        let mut counts = Counts::default();
        loop {
            let first = next_chunk.fetch_add(CHUNK, Relaxed);
            if first >= self.pending.0.len() {
                return counts;
            }
            for (i, word) in self.pending.0.iter().enumerate().skip(first).take(CHUNK) {
                let mut bits = word.swap(0, Relaxed);
                while bits != 0 {
                    let number = i as u32 * u64::BITS + bits.trailing_zeros();
                    self.expand(Index::from_number(number).expect("only indices are inserted"), &mut counts);
                    bits &= bits - 1;
                }
            }
        }
    }
}

#[test]
#[ignore = "minutes; part of the full run"]
fn as_many_as_tanaka_found() {
    let search = Search { seen: Bitmap::new(), pending: Bitmap::new() };
    search.add(&Dobutsu.start());
    let threads = std::thread::available_parallelism().map_or(1, usize::from);
    let mut total = Counts::default();
    loop {
        let next_chunk = AtomicUsize::new(0);
        let swept: Vec<Counts> = std::thread::scope(|scope| {
            let sweeps: Vec<_> = (0..threads).map(|_| scope.spawn(|| search.sweep(&next_chunk))).collect();
            sweeps.into_iter().map(|sweep| sweep.join().expect("a sweep does not panic")).collect()
        });
        let before = total.can_catch + total.try_decided + total.undecided;
        for counts in swept {
            total.can_catch += counts.can_catch;
            total.try_decided += counts.try_decided;
            total.undecided += counts.undecided;
        }
        if total.can_catch + total.try_decided + total.undecided == before {
            break;
        }
    }
    assert_eq!(total, Counts { can_catch: 140_298_614, try_decided: 7_018_985, undecided: 99_485_568 });
}
