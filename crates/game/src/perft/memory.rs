//! Positions whose sequences have been counted already.

use crate::Position;
use crate::fold::BuildFold;
use std::hash::BuildHasher;
use std::mem::size_of;
use std::sync::{Mutex, MutexGuard, PoisonError};

/// Counts of positions met before, for all threads of a run, in a fixed number of bytes.
///
/// It keeps whole positions and compares them, so that a count is right whatever their hashes are; what there is no room
/// for is counted again. Locks and the allocator take some 5 % beside these bytes, and a position that has more than its
/// `size_of` (a list on the heap) takes that as well.
pub struct Memory<P> {
    /// Each made when it is first written to: a large memory costs a small count nothing.
    pages: Box<[Mutex<Page<P>>]>,
    buckets_per_page: usize,
}

type Page<P> = Vec<Bucket<P>>;

/// Two places for the positions with the same hash: the first keeps the greatest depth, which took the most work; the
/// second takes whatever came last.
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
    /// What two positions take: the least that a memory can have.
    pub const LEAST_BYTES: u64 = size_of::<Bucket<P>>() as u64;

    /// A memory of so many bytes; none if no position fits into them.
    pub fn new(bytes: u64) -> Option<Self> {
        // Quickly made, for a count may touch each of them for one position only; and quickly listed.
        const PAGE: u64 = 1 << 10;
        const MOST_PAGES: u64 = 1 << 20;
        // More than any machine has, and little enough that places fit 32 bits.
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

    /// The number of sequences of so many moves from a position: as remembered, or as `count` says.
    pub fn recall(&self, position: &P, depth: u32, count: impl FnOnce() -> u64) -> u64 {
        let (page, bucket) = self.place(position, depth);
        if let Some(bucket) = locked(page).get(bucket)
            && let Some(nodes) = bucket.find(position, depth)
        {
            return nodes;
        }
        // Nothing is locked meanwhile. Another thread may count the same: it will find the same.
        let nodes = count();
        let mut page = locked(page);
        // A machine that has no more memory to give makes the count slower, not wrong.
        if page.is_empty() && page.try_reserve_exact(self.buckets_per_page).is_ok() {
            page.resize_with(self.buckets_per_page, Bucket::default);
        }
        if let Some(bucket) = page.get_mut(bucket) {
            bucket.keep(Slot { position: position.clone(), depth, nodes });
        }
        nodes
    }

    /// The page of a position, and its bucket there.
    fn place(&self, position: &P, depth: u32) -> (&Mutex<Page<P>>, usize) {
        let hash = BuildFold::default().hash_one((position, depth));
        // The upper half of the bits names the page, the lower the bucket.
        let below = |bits: u64, bound: usize| ((bits * bound as u64) >> 32) as usize;
        let page = &self.pages[below(hash >> 32, self.pages.len())];
        (page, below(hash & u64::from(u32::MAX), self.buckets_per_page))
    }
}

/// A thread that panicked has left whole slots behind.
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
