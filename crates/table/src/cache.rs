//! Unpacked blocks that threads and tables share, within a bound.

use crate::error::Error;
use quick_cache::Weighter;
use quick_cache::sync::Cache;
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};

/// What a library keeps unless told otherwise: 256 MiB.
pub const DEFAULT_CACHE_BYTES: u64 = 256 << 20;

/// An opened table among all of this process.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub(crate) struct TableId(u64);

impl TableId {
    pub(crate) fn new() -> Self {
        static NEXT: AtomicU64 = AtomicU64::new(0);
        Self(NEXT.fetch_add(1, Ordering::Relaxed))
    }
}

/// A block among all of this process.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub(crate) struct BlockKey {
    pub table: TableId,
    pub block: u64,
}

/// Blocks as packed bytes, of tables with any payload, up to a number of bytes. The ones that are asked for least make
/// room.
pub struct BlockCache {
    blocks: Cache<BlockKey, Arc<[u8]>, ByBytes>,
}

#[derive(Clone, Copy, Debug)]
struct ByBytes;

impl Weighter<BlockKey, Arc<[u8]>> for ByBytes {
    fn weight(&self, _: &BlockKey, block: &Arc<[u8]>) -> u64 {
        // The pointer here and the two counters there.
        (block.len() + size_of::<Arc<[u8]>>() + 2 * size_of::<usize>()) as u64
    }
}

impl BlockCache {
    /// A cache that never holds more than so many bytes.
    pub fn new(bytes: u64) -> Self {
        // A guess for the cache's own books: blocks have 32 kB unless the entries take less than a byte.
        let blocks = usize::try_from(bytes >> 15).unwrap_or(usize::MAX).clamp(16, 1 << 20);
        Self { blocks: Cache::with_weighter(blocks, bytes, ByBytes) }
    }

    /// How many bytes it holds now.
    pub fn bytes(&self) -> u64 {
        self.blocks.weight()
    }

    /// How many bytes it may hold.
    pub fn capacity(&self) -> u64 {
        self.blocks.capacity()
    }

    /// How many blocks it holds now.
    pub fn len(&self) -> usize {
        self.blocks.len()
    }

    /// Does it hold none?
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// A block from the cache, decoded by one thread if it is not there while others that want it wait.
    #[inline]
    pub(crate) fn get_or_decode(
        &self,
        key: BlockKey,
        decode: impl FnOnce() -> Result<Arc<[u8]>, Error>,
    ) -> Result<Arc<[u8]>, Error> {
        match self.blocks.get(&key) {
            Some(block) => Ok(block),
            None => self.blocks.get_or_insert_with(&key, decode),
        }
    }
}

impl std::fmt::Debug for BlockCache {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "BlockCache({} of {} bytes)", self.bytes(), self.capacity())
    }
}
