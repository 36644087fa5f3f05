//! A block of entries.

use crate::payload::Payload;
use crate::values::Values;
use std::sync::Arc;

/// A block of entries. Kept packed, as a cache holds more of them so.
#[derive(Clone, Debug)]
pub struct Block<P: Payload = Values> {
    packed: Arc<[u8]>,
    entries: usize,
    payload: Arc<P>,
}

impl<P: Payload> Block<P> {
    /// Of packed bytes that are valid.
    pub(crate) fn new(packed: Arc<[u8]>, entries: usize, payload: &Arc<P>) -> Self {
        Self { packed, entries, payload: Arc::clone(payload) }
    }

    /// How many entries it has.
    pub fn len(&self) -> usize {
        self.entries
    }

    /// No block of a file is empty.
    pub fn is_empty(&self) -> bool {
        self.entries == 0
    }

    /// The entry at a place within the block.
    ///
    /// # Panics
    /// If the place is not below [`len`](Self::len).
    #[inline]
    pub fn get(&self, place: usize) -> P::Entry {
        assert!(place < self.entries, "place {place} of {} entries", self.entries);
        self.payload.get(&self.packed, self.entries, place)
    }

    /// All entries in order.
    pub fn iter(&self) -> impl ExactSizeIterator<Item = P::Entry> + '_ {
        (0..self.entries).map(|place| self.get(place))
    }
}
