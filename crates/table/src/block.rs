//! A block of entries.

use crate::Entry;
use crate::outcomes::Outcomes;
use crate::payload::Entries;
use crate::values::Values;
use std::sync::Arc;

/// A block of entries. The entries stay packed, so that a cache can hold more blocks.
#[derive(Clone, Debug)]
pub struct Block<P: Entries = Values> {
    packed: Arc<[u8]>,
    entries: usize,
    payload: Arc<P>,
}

impl<P: Entries> Block<P> {
    /// Makes a block from packed bytes, which must be valid.
    pub(crate) fn new(packed: Arc<[u8]>, entries: usize, payload: &Arc<P>) -> Self {
        Self { packed, entries, payload: Arc::clone(payload) }
    }

    /// The number of entries in the block.
    pub fn len(&self) -> usize {
        self.entries
    }

    /// Returns whether the block has no entries. This never happens for a block of a file.
    pub fn is_empty(&self) -> bool {
        self.entries == 0
    }

    /// The entry at a place within the block.
    ///
    /// # Panics
    /// Panics if the place is not below [`len`](Self::len).
    #[inline]
    pub fn get(&self, place: usize) -> P::Entry {
        assert!(place < self.entries, "place {place} of {} entries", self.entries);
        self.payload.get(&self.packed, self.entries, place)
    }

    /// Iterates over all entries in order.
    pub fn iter(&self) -> impl ExactSizeIterator<Item = P::Entry> + '_ {
        (0..self.entries).map(|place| self.get(place))
    }
}

/// Blocks of outcomes.
impl Block<Outcomes> {
    /// The places that have an entry, as bits, 64 in a word.
    pub(crate) fn places_with(&self, entry: Entry) -> Vec<u64> {
        self.payload.places_with(&self.packed, entry)
    }
}

/// Blocks of values.
impl Block {
    /// Iterates over the symbols of all entries in order. The symbol of an entry is its place among the
    /// [different entries](crate::Table::different_entries) of the table.
    pub fn symbols(&self) -> impl ExactSizeIterator<Item = usize> + '_ {
        (0..self.entries).map(|place| self.payload.symbol(&self.packed, place))
    }
}
