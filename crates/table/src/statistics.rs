//! Statistics of probes: how many there were, and how many found their block in the cache.

use std::iter::Sum;
use std::ops::Add;
use std::sync::atomic::{AtomicU64, Ordering::Relaxed};
use std::sync::{Mutex, PoisonError};

/// The probes of a table or of several tables.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Statistics {
    /// The number of entries that were asked for, one by one or in a batch.
    pub probes: u64,
    /// The number of blocks that were not in the cache, and so were read and decompressed. A batch reads a block once.
    pub misses: u64,
    /// The compressed bytes of these blocks.
    pub bytes_read: u64,
}

impl Statistics {
    /// The number of probes that found their block in the cache.
    pub fn hits(self) -> u64 {
        self.probes.saturating_sub(self.misses)
    }

    /// The share of probes that found their block in the cache, from 0 to 1. `None` if there were no probes.
    pub fn hit_rate(self) -> Option<f64> {
        (self.probes > 0).then(|| self.hits() as f64 / self.probes as f64)
    }
}

impl Add for Statistics {
    type Output = Self;

    fn add(self, other: Self) -> Self {
        Self {
            probes: self.probes + other.probes,
            misses: self.misses + other.misses,
            bytes_read: self.bytes_read + other.bytes_read,
        }
    }
}

impl Sum for Statistics {
    fn sum<I: Iterator<Item = Self>>(all: I) -> Self {
        all.fold(Self::default(), Self::add)
    }
}

/// The statistics of a library.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct LibraryStatistics {
    /// The tables that were opened, by name, each with its statistics.
    pub tables: Vec<(String, Statistics)>,
}

impl LibraryStatistics {
    /// The sum over all tables.
    pub fn total(&self) -> Statistics {
        self.tables.iter().map(|&(_, table)| table).sum()
    }
}

/// The number of threads that count their probes in a place of their own.
const OWN_PLACES: usize = 16;

/// The counters of a table.
///
/// Each of the first threads counts its probes in a cache line of its own. If threads shared a counter, each probe would
/// wait for the cache line of the last one. A miss takes a thousand times longer, so misses are counted together.
#[derive(Debug, Default)]
pub(crate) struct Counters {
    own: [OwnLine; OWN_PLACES],
    /// The probes of all other threads.
    other: AtomicU64,
    misses: AtomicU64,
    bytes_read: AtomicU64,
}

#[derive(Debug, Default)]
#[repr(align(64))]
struct OwnLine(AtomicU64);

impl Counters {
    /// Counts probes.
    #[inline]
    pub(crate) fn probed(&self, probes: u64) {
        match self.own.get(thread_place()) {
            // Only this thread writes here, so it needs no atomic addition.
            Some(OwnLine(own)) => own.store(own.load(Relaxed).wrapping_add(probes), Relaxed),
            None => _ = self.other.fetch_add(probes, Relaxed),
        }
    }

    /// Counts a block that was read.
    pub(crate) fn missed(&self, bytes: u64) {
        self.misses.fetch_add(1, Relaxed);
        self.bytes_read.fetch_add(bytes, Relaxed);
    }

    pub(crate) fn read(&self) -> Statistics {
        let own: u64 = self.own.iter().map(|OwnLine(own)| own.load(Relaxed)).sum();
        Statistics {
            probes: own + self.other.load(Relaxed),
            misses: self.misses.load(Relaxed),
            bytes_read: self.bytes_read.load(Relaxed),
        }
    }
}

/// The places that no thread uses.
static FREE: Mutex<[bool; OWN_PLACES]> = Mutex::new([true; OWN_PLACES]);

/// The place of a thread, which is free again when the thread ends.
struct Place(usize);

impl Place {
    fn take() -> Self {
        let mut free = FREE.lock().unwrap_or_else(PoisonError::into_inner);
        let place = free.iter().position(|&is_free| is_free).unwrap_or(OWN_PLACES);
        if let Some(is_free) = free.get_mut(place) {
            *is_free = false;
        }
        Self(place)
    }
}

impl Drop for Place {
    fn drop(&mut self) {
        if let Some(is_free) = FREE.lock().unwrap_or_else(PoisonError::into_inner).get_mut(self.0) {
            *is_free = true;
        }
    }
}

/// The place of this thread, or [`OWN_PLACES`] if it has none of its own.
#[inline]
fn thread_place() -> usize {
    thread_local! {
        static PLACE: Place = Place::take();
    }
    // A thread that ends has no place any more.
    PLACE.try_with(|place| place.0).unwrap_or(OWN_PLACES)
}
