//! A bounded cache of decompressed blocks, which threads and tables share.
//!
//! Each table has a place for each of its blocks. A probe that finds its block there only reads [shared
//! memory](crate::shared_bytes): it takes no lock and counts no references, so that threads do not slow each other down.

use crate::error::Error;
use crate::shared_bytes::{Pin, SharedBytes, pin};
use std::collections::VecDeque;
use std::sync::atomic::{AtomicU8, Ordering::Relaxed};
use std::sync::{Arc, Condvar, Mutex, MutexGuard, PoisonError, Weak};

/// The default size of the block cache of a library: 256 MiB.
pub const DEFAULT_CACHE_BYTES: u64 = 256 << 20;

/// A cache of blocks as packed bytes, up to a number of bytes, for tables with any payload. Blocks that are rarely used
/// are removed to make room for others.
pub struct BlockCache {
    capacity: u64,
    queue: Mutex<Queue>,
}

/// The blocks in the cache, in the order in which they are considered for removal.
#[derive(Default)]
struct Queue {
    blocks: VecDeque<Queued>,
    bytes: u64,
}

struct Queued {
    /// The blocks of a table go with the table.
    table: Weak<CachedBlocks>,
    block: usize,
    weight: u64,
}

impl BlockCache {
    /// A cache that never holds more than this number of bytes.
    pub fn new(bytes: u64) -> Self {
        Self { capacity: bytes, queue: Mutex::default() }
    }

    /// The number of bytes in the cache now.
    pub fn bytes(&self) -> u64 {
        self.queue().bytes
    }

    /// The largest number of bytes that the cache can hold.
    pub fn capacity(&self) -> u64 {
        self.capacity
    }

    /// The number of blocks in the cache now.
    pub fn len(&self) -> usize {
        self.queue().blocks.len()
    }

    /// Returns whether the cache holds no blocks.
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// Removes all blocks.
    pub fn clear(&self) {
        let mut queue = self.queue();
        while queue.bytes > 0 {
            queue.remove_one();
        }
    }

    fn queue(&self) -> MutexGuard<'_, Queue> {
        self.queue.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Adds a block that is not in the cache. A block that is too large for the cache is not added.
    fn insert(&self, table: &Arc<CachedBlocks>, block: usize, packed: &Arc<[u8]>) {
        let weight = weight_of(packed);
        let Some(most) = self.capacity.checked_sub(weight) else { return };
        let mut queue = self.queue();
        while queue.bytes > most {
            queue.remove_one();
        }
        queue.bytes += weight;
        queue.blocks.push_back(Queued { table: Arc::downgrade(table), block, weight });
        let place = &table.places[block];
        place.uses.store(0, Relaxed);
        place.packed.replace(Some(Arc::clone(packed)));
    }
}

impl Queue {
    /// Removes the first block that was not used since it was last considered. Each use saves it once, up to a limit.
    fn remove_one(&mut self) {
        while let Some(queued) = self.blocks.pop_front() {
            let table = queued.table.upgrade();
            let place = table.as_ref().map(|table| &table.places[queued.block]);
            if place.is_some_and(CachedBlock::take_use) {
                self.blocks.push_back(queued);
                continue;
            }
            if let Some(place) = place {
                place.packed.replace(None);
            }
            self.bytes -= queued.weight;
            return;
        }
    }
}

/// The memory that a block takes: its bytes, what leads to them, and its place in the queue.
fn weight_of(packed: &[u8]) -> u64 {
    let counters = 2 * size_of::<usize>();
    (packed.len() + counters + size_of::<Queued>()) as u64
}

/// The blocks of a table that are in the cache.
pub(crate) struct CachedBlocks {
    places: Box<[CachedBlock]>,
    in_work: Mutex<InWork>,
    decoded: Condvar,
}

#[derive(Default)]
struct InWork {
    /// The blocks that threads are decoding now. There are few.
    blocks: Vec<usize>,
    /// The number of threads that wait for one of them. Without any, nobody is notified, which would take a system call.
    waiting: usize,
}

/// The place for a block.
struct CachedBlock {
    packed: SharedBytes,
    /// The number of uses since the block was last considered for removal, up to a limit.
    uses: AtomicU8,
}

impl CachedBlock {
    /// A block that is used more often than this is not written to, so that threads can share its memory.
    const MOST_USES: u8 = 3;

    #[inline]
    fn count_use(&self) {
        let uses = self.uses.load(Relaxed);
        if uses < Self::MOST_USES {
            self.uses.store(uses + 1, Relaxed);
        }
    }

    /// Takes one use away. Returns false if there was none.
    fn take_use(&self) -> bool {
        let uses = self.uses.load(Relaxed);
        self.uses.store(uses.saturating_sub(1), Relaxed);
        uses > 0
    }
}

impl CachedBlocks {
    /// The places for the blocks of a table, from the number of bytes of each.
    pub(crate) fn new(lengths: impl Iterator<Item = usize>) -> Self {
        let place = |length| CachedBlock { packed: SharedBytes::new(length), uses: AtomicU8::new(0) };
        Self { places: lengths.map(place).collect(), in_work: Mutex::default(), decoded: Condvar::new() }
    }

    /// The bytes of a block that is in the cache. Returns `None` if it is not there.
    #[inline]
    pub(crate) fn get<'a>(&'a self, block: usize, pin: &'a Pin) -> Option<&'a [u8]> {
        let place = self.places.get(block)?;
        let packed = place.packed.get(pin)?;
        place.count_use();
        Some(packed)
    }

    /// A block that is in the cache, for a longer time.
    pub(crate) fn share(&self, block: usize) -> Option<Arc<[u8]>> {
        let place = self.places.get(block)?;
        let packed = place.packed.share(&pin())?;
        place.count_use();
        Some(packed)
    }

    /// Returns a block that is not in the cache. One thread decodes it, and other threads that need it wait.
    pub(crate) fn decode(
        self: &Arc<Self>,
        cache: &BlockCache,
        block: usize,
        decode: impl FnOnce() -> Result<Arc<[u8]>, Error>,
    ) -> Result<Arc<[u8]>, Error> {
        let mut in_work = self.in_work();
        while in_work.blocks.contains(&block) {
            in_work.waiting += 1;
            in_work = self.decoded.wait(in_work).unwrap_or_else(PoisonError::into_inner);
            in_work.waiting -= 1;
        }
        if let Some(packed) = self.share(block) {
            return Ok(packed);
        }
        in_work.blocks.push(block);
        drop(in_work);
        let _decoding = Decoding { table: self, block };
        let packed = decode()?;
        cache.insert(self, block, &packed);
        Ok(packed)
    }

    fn in_work(&self) -> MutexGuard<'_, InWork> {
        self.in_work.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// A thread decodes a block. When it ends, well or not, the others go on.
struct Decoding<'a> {
    table: &'a CachedBlocks,
    block: usize,
}

impl Drop for Decoding<'_> {
    fn drop(&mut self) {
        let mut in_work = self.table.in_work();
        in_work.blocks.retain(|&block| block != self.block);
        if in_work.waiting > 0 {
            self.table.decoded.notify_all();
        }
    }
}

impl std::fmt::Debug for BlockCache {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "BlockCache({} of {} bytes)", self.bytes(), self.capacity())
    }
}
