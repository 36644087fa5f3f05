//! The transposition table: what is known about positions that were searched before.
//!
//! All threads share it without locks. An entry is two words. The first is the key of the position, combined by *xor* with the
//! second. If two threads write an entry at the same time, the words may be those of different positions. Then the key does not fit,
//! and nobody finds the entry.

use crate::prefetch::prefetch;
use crate::score::Score;
use game::Key;
use std::sync::atomic::{AtomicU8, AtomicU64, Ordering};

/// What the score of an entry says about the true score.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
#[repr(u8)]
pub enum Bound {
    /// The true score is at most this.
    Upper = 1,
    /// The true score is at least this.
    Lower = 2,
    /// It is the true score.
    Exact = 3,
}

impl Bound {
    /// Returns whether a score with this bound proves that the true score is at least `limit`, or if it is less than `limit`, that
    /// the true score is less too.
    #[inline]
    pub fn decides(self, score: Score, limit: Score) -> bool {
        self as u8 & if score >= limit { Self::Lower as u8 } else { Self::Upper as u8 } != 0
    }
}

/// What the table says about a position.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Entry {
    /// The [code](crate::Searchable::move_code) of the best move, or 0 if none is known.
    pub best: u16,
    /// The score, as the position sees it.
    pub score: Score,
    /// What the score says.
    pub bound: Bound,
    /// The depth of the search that found it.
    pub depth: u8,
    /// The static estimate; [`Score::NONE`] if there is none.
    pub estimate: Score,
    /// Whether the position was once part of a line of exact scores.
    pub was_exact: bool,
}

/// Each search has another age, in this many steps.
const AGES: u8 = 32;

impl Entry {
    fn pack(self, age: u8) -> u64 {
        u64::from(self.best)
            | u64::from(self.score.to_bits()) << 16
            | u64::from(self.estimate.to_bits()) << 32
            | u64::from(self.depth) << 48
            | (self.bound as u64) << 56
            | u64::from(self.was_exact) << 58
            | u64::from(age) << 59
    }

    /// Returns `None` for the words of a place that was never written.
    fn unpack(data: u64) -> Option<Self> {
        let bound = match data >> 56 & 3 {
            1 => Bound::Upper,
            2 => Bound::Lower,
            3 => Bound::Exact,
            _ => return None,
        };
        Some(Self {
            best: data as u16,
            score: Score::from_bits((data >> 16) as u16),
            estimate: Score::from_bits((data >> 32) as u16),
            depth: (data >> 48) as u8,
            bound,
            was_exact: data >> 58 & 1 != 0,
        })
    }
}

fn age_of(data: u64) -> u8 {
    (data >> 59) as u8
}

/// A place for an entry.
#[derive(Default)]
struct Place {
    /// The key, combined with the data.
    check: AtomicU64,
    data: AtomicU64,
}

/// The places where the entry of a position may be: a line of the processor's cache.
#[derive(Default)]
#[repr(align(64))]
struct Bucket([Place; 4]);

/// The transposition table.
pub struct Transpositions {
    buckets: Box<[Bucket]>,
    age: AtomicU8,
}

impl Transpositions {
    /// Makes an empty table of this many megabytes, at least one.
    pub fn new(megabytes: usize) -> Self {
        let buckets = megabytes.max(1).saturating_mul((1 << 20) / size_of::<Bucket>());
        Self { buckets: (0..buckets).map(|_| Bucket::default()).collect(), age: AtomicU8::new(0) }
    }

    /// Forgets everything.
    pub fn clear(&mut self) {
        self.buckets.fill_with(Bucket::default);
        *self.age.get_mut() = 0;
    }

    /// Begins a new search: the entries of earlier ones give way to its own.
    pub fn grow_older(&self) {
        let _ = self.age.fetch_update(Ordering::Relaxed, Ordering::Relaxed, |age| Some((age + 1) % AGES));
    }

    fn age(&self) -> u8 {
        self.age.load(Ordering::Relaxed)
    }

    #[inline]
    fn bucket(&self, key: Key) -> &Bucket {
        // The upper bits of the product are a number below the number of buckets.
        let number = (u128::from(key.0) * self.buckets.len() as u128) >> 64;
        &self.buckets[number as usize]
    }

    /// Begins to load the place of a position, which will soon be asked for.
    #[inline]
    pub fn prefetch(&self, key: Key) {
        prefetch(self.bucket(key));
    }

    /// Finds the entry of a position. `ply` is its distance from the root; the score is seen from there.
    #[inline]
    pub fn find(&self, key: Key, ply: usize) -> Option<Entry> {
        for place in &self.bucket(key).0 {
            let data = place.data.load(Ordering::Relaxed);
            if place.check.load(Ordering::Relaxed) ^ data == key.0 {
                let entry = Entry::unpack(data)?;
                return Some(Entry { score: entry.score.seen_from_root(ply), ..entry });
            }
        }
        None
    }

    /// Stores the entry of a position. `ply` is its distance from the root, from where the score is seen.
    ///
    /// It replaces the entry of the same position, or else the one that is worth least: that of an early search with little depth.
    #[inline]
    pub fn store(&self, key: Key, ply: usize, entry: Entry) {
        let age = self.age();
        let mut entry = Entry { score: entry.score.seen_from(ply), ..entry };
        let (mut worst, mut least_worth) = (&self.bucket(key).0[0], i32::MAX);
        for place in &self.bucket(key).0 {
            let data = place.data.load(Ordering::Relaxed);
            let old = Entry::unpack(data);
            if place.check.load(Ordering::Relaxed) ^ data == key.0
                && let Some(old) = old
            {
                if entry.best == 0 {
                    entry.best = old.best;
                }
                // A deeper result of this search is worth more, unless the new one is exact.
                let is_less = i32::from(entry.depth) + 3 < i32::from(old.depth);
                if is_less && entry.bound != Bound::Exact && age_of(data) == age {
                    return;
                }
                worst = place;
                break;
            }
            let past = i32::from((age + AGES - age_of(data)) % AGES);
            let worth = old.map_or(i32::MIN, |old| i32::from(old.depth) - 4 * past);
            if worth < least_worth {
                (worst, least_worth) = (place, worth);
            }
        }
        let data = entry.pack(age);
        worst.data.store(data, Ordering::Relaxed);
        worst.check.store(key.0 ^ data, Ordering::Relaxed);
    }

    /// How full the table is with entries of the present search, in thousandths. It is an estimate from a sample.
    pub fn thousandths_full(&self) -> u32 {
        let sample = &self.buckets[..self.buckets.len().min(250)];
        let age = self.age();
        let is_new = |place: &&Place| {
            let data = place.data.load(Ordering::Relaxed);
            Entry::unpack(data).is_some() && age_of(data) == age
        };
        let new = sample.iter().flat_map(|bucket| &bucket.0).filter(is_new).count();
        (new * 1000 / (4 * sample.len())) as u32
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use game::{Plies, Rng, Value};

    fn random_entry(rng: &mut Rng) -> Entry {
        Entry {
            best: rng.next_u64() as u16,
            score: Score::estimate(rng.below(4_000) as i32 - 2_000),
            bound: [Bound::Upper, Bound::Lower, Bound::Exact][rng.below(3) as usize],
            depth: rng.below(100) as u8,
            estimate: [Score::NONE, Score::estimate(77)][rng.below(2) as usize],
            was_exact: rng.below(2) == 1,
        }
    }

    #[test]
    fn what_is_stored_is_found() {
        let (table, mut rng) = (Transpositions::new(1), Rng::new(1));
        for _ in 0..10_000 {
            let (key, entry) = (Key(rng.next_u64()), Entry { best: 1, ..random_entry(&mut rng) });
            table.store(key, 0, entry);
            assert_eq!(table.find(key, 0), Some(entry));
            assert_eq!(table.find(Key(key.0 ^ 1), 0), None);
        }
    }

    #[test]
    fn mates_are_seen_from_the_position() {
        let table = Transpositions::new(1);
        let score = Score::from_value(Value::Win(Plies(3)), 10);
        let entry =
            Entry { best: 0, score, bound: Bound::Exact, depth: 5, estimate: Score::NONE, was_exact: true };
        table.store(Key(99), 10, entry);
        let seen = table.find(Key(99), 2).map(|entry| entry.score);
        assert_eq!(seen, Some(Score::from_value(Value::Win(Plies(3)), 2)));
    }

    #[test]
    fn bounds_decide_on_one_side() {
        let (low, high) = (Score::estimate(1), Score::estimate(2));
        assert!(Bound::Lower.decides(high, high) && !Bound::Lower.decides(low, high));
        assert!(Bound::Upper.decides(low, high) && !Bound::Upper.decides(high, high));
        assert!(Bound::Exact.decides(low, high) && Bound::Exact.decides(high, low));
    }

    #[test]
    fn a_deep_entry_stays_and_an_old_one_goes() {
        let (table, mut rng) = (Transpositions::new(1), Rng::new(2));
        let deep = Entry { depth: 90, best: 7, ..random_entry(&mut rng) };
        table.store(Key(5), 0, deep);
        // All of these keys have the same bucket, the first.
        for key in 6..100 {
            table.store(Key(key), 0, Entry { depth: 1, ..random_entry(&mut rng) });
        }
        assert_eq!(table.find(Key(5), 0), Some(deep));
        assert!(table.thousandths_full() > 0);
        (0..AGES - 1).for_each(|_| table.grow_older());
        for key in 100..200 {
            table.store(Key(key), 0, Entry { depth: 1, ..random_entry(&mut rng) });
        }
        assert_eq!(table.find(Key(5), 0), None);
    }

    /// Threads write entries whose parts all follow from the key. An entry of two writers would not fit together.
    #[test]
    fn races_leave_no_mixed_entries() {
        let table = Transpositions::new(1);
        let of_key = |key: u64| Entry {
            best: key as u16 | 1,
            score: Score::estimate((key % 1_000) as i32),
            bound: Bound::Exact,
            depth: (key % 90) as u8,
            estimate: Score::estimate((key % 777) as i32),
            was_exact: key % 2 == 1,
        };
        let found = std::thread::scope(|scope| {
            let threads: Vec<_> = (0..4)
                .map(|seed| {
                    let table = &table;
                    scope.spawn(move || {
                        let (mut rng, mut found) = (Rng::new(seed), 0u32);
                        for _ in 0..200_000 {
                            // All in the same few buckets.
                            let key = rng.below(64) << 8 | rng.below(8);
                            match rng.below(2) {
                                0 => table.store(Key(key), 0, of_key(key)),
                                _ => {
                                    if let Some(entry) = table.find(Key(key), 0) {
                                        assert_eq!(entry, of_key(key));
                                        found += 1;
                                    }
                                }
                            }
                        }
                        found
                    })
                })
                .collect();
            threads.into_iter().map(|thread| thread.join().expect("no entry is mixed")).sum::<u32>()
        });
        assert!(found > 1_000, "{found}");
    }
}
