//! The transposition table of perft: positions whose sequences were already counted.

use crate::Position;
use crate::fold::BuildFold;
use std::hash::BuildHasher;
use std::mem::size_of;
use std::sync::{Mutex, MutexGuard, PoisonError};

/// A transposition table with the counts of positions, shared by all threads of a run, in a fixed number of bytes.
///
/// It stores and compares whole positions, so counts are correct for any hash. Positions that do not fit are counted
/// again. Locks and the allocator take some 5 % more than these bytes. Heap memory of a position (beyond its `size_of`)
/// also comes on top.
pub struct Memory<P> {
    /// Each page is allocated at the first write to it. So a large table costs nothing in a small count.
    pages: Box<[Mutex<Page<P>>]>,
    buckets_per_page: usize,
}

type Page<P> = Vec<Bucket<P>>;

/// Two slots for the positions with the same hash. The first keeps the position with the greatest depth, because it
/// took the most work. The second holds the latest of the others.
struct Bucket<P> {
    deepest: Option<Slot<P>>,
    latest: Option<Slot<P>>,
}

struct Slot<P> {
    position: P,
    depth: u32,
    nodes: u64,
}

impl<P: Position> Memory<P> {
    /// The smallest size of a table: the size of a bucket, which holds two positions.
    pub const LEAST_BYTES: u64 = size_of::<Bucket<P>>() as u64;

    /// Creates a table of this many bytes. Returns `None` if no bucket fits into them.
    pub fn new(bytes: u64) -> Option<Self> {
        // Pages are small, because a count may use each of them for one position only. Their number is limited, so that
        // the list of pages is created quickly.
        const PAGE: u64 = 1 << 10;
        const MOST_PAGES: u64 = 1 << 20;
        // More than any machine has, and small enough that page and bucket numbers fit into 32 bits.
        const MOST_BYTES: u64 = 1 << 46;
        let bytes = bytes.min(MOST_BYTES);
        let buckets = bytes / Self::LEAST_BYTES;
        let page = PAGE.max(bytes / MOST_PAGES) / Self::LEAST_BYTES;
        let buckets_per_page = page.clamp(1, buckets.max(1));
        let pages = buckets / buckets_per_page;
        (pages > 0).then(|| Self {
            pages: (0..pages).map(|_| Mutex::new(Page::new())).collect(),
            buckets_per_page: buckets_per_page as usize,
        })
    }

    /// Returns the number of sequences of `depth` moves from a position: the stored number, or the result of `count`,
    /// which is then stored.
    pub fn recall(&self, position: &P, depth: u32, count: impl FnOnce() -> u64) -> u64 {
        let (page, bucket) = self.place(position, depth);
        if let Some(bucket) = locked(page).get(bucket)
            && let Some(nodes) = bucket.find(position, depth)
        {
            return nodes;
        }
        // Nothing is locked during the count. Another thread may count the same position; it gets the same result.
        let nodes = count();
        let mut page = locked(page);
        // If the allocation fails, the count becomes slower, but stays correct.
        if page.is_empty() && page.try_reserve_exact(self.buckets_per_page).is_ok() {
            page.resize_with(self.buckets_per_page, Bucket::default);
        }
        if let Some(bucket) = page.get_mut(bucket) {
            bucket.keep(Slot { position: position.clone(), depth, nodes });
        }
        nodes
    }

    /// Returns the page of a position, and the number of its bucket in the page.
    fn place(&self, position: &P, depth: u32) -> (&Mutex<Page<P>>, usize) {
        let hash = BuildFold::default().hash_one((position, depth));
        // The upper half of the bits selects the page, the lower half the bucket.
        let below = |bits: u64, bound: usize| ((bits * bound as u64) >> 32) as usize;
        let page = &self.pages[below(hash >> 32, self.pages.len())];
        (page, below(hash & u64::from(u32::MAX), self.buckets_per_page))
    }
}

/// Locks a page. A poisoned lock is no problem, because a thread that panicked has left only complete slots.
fn locked<P>(page: &Mutex<Page<P>>) -> MutexGuard<'_, Page<P>> {
    page.lock().unwrap_or_else(PoisonError::into_inner)
}

impl<P> Default for Bucket<P> {
    fn default() -> Self {
        Self { deepest: None, latest: None }
    }
}

impl<P: Position> Bucket<P> {
    fn find(&self, position: &P, depth: u32) -> Option<u64> {
        let slots = [&self.deepest, &self.latest].into_iter().flatten();
        let found = slots.into_iter().find(|slot| slot.depth == depth && slot.position == *position);
        found.map(|slot| slot.nodes)
    }

    fn keep(&mut self, slot: Slot<P>) {
        match &self.deepest {
            Some(deepest) if deepest.depth > slot.depth => self.latest = Some(slot),
            _ => self.latest = self.deepest.replace(slot).or(self.latest.take()),
        }
    }
}
