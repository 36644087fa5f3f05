//! A bounded cache of decompressed blocks, which threads and tables share.

use crate::error::Error;
use quick_cache::Weighter;
use quick_cache::sync::Cache;
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};

/// The default size of the block cache of a library: 256 MiB.
pub const DEFAULT_CACHE_BYTES: u64 = 256 << 20;

/// Identifies an open table within this process.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub(crate) struct TableId(u64);

impl TableId {
    pub(crate) fn new() -> Self {
        static NEXT: AtomicU64 = AtomicU64::new(0);
        Self(NEXT.fetch_add(1, Ordering::Relaxed))
    }
}

/// Identifies a block within this process.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub(crate) struct BlockKey {
    pub table: TableId,
    pub block: u64,
}

/// A cache of blocks as packed bytes, up to a number of bytes, for tables with any payload. Blocks that are rarely used
/// are removed to make room for others.
pub struct BlockCache {
    blocks: Cache<BlockKey, Arc<[u8]>, ByBytes>,
}

#[derive(Clone, Copy, Debug)]
struct ByBytes;

impl Weighter<BlockKey, Arc<[u8]>> for ByBytes {
    fn weight(&self, _: &BlockKey, block: &Arc<[u8]>) -> u64 {
        // The bytes of the block, the pointer in the cache, and the two counters of the `Arc`.
        (block.len() + size_of::<Arc<[u8]>>() + 2 * size_of::<usize>()) as u64
    }
}

impl BlockCache {
    /// A cache that never holds more than this number of bytes.
    pub fn new(bytes: u64) -> Self {
        // An estimate of the number of blocks, for the cache's own bookkeeping. Blocks have 32 kB unless the entries
        // take less than a byte.
        let blocks = usize::try_from(bytes >> 15).unwrap_or(usize::MAX).clamp(16, 1 << 20);
        Self { blocks: Cache::with_weighter(blocks, bytes, ByBytes) }
    }

    /// The number of bytes in the cache now.
    pub fn bytes(&self) -> u64 {
        self.blocks.weight()
    }

    /// The largest number of bytes that the cache can hold.
    pub fn capacity(&self) -> u64 {
        self.blocks.capacity()
    }

    /// The number of blocks in the cache now.
    pub fn len(&self) -> usize {
        self.blocks.len()
    }

    /// Returns whether the cache holds no blocks.
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// Returns a block from the cache. If it is not there, one thread decodes it, and other threads that need it wait.
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
