//! A block of entries, decoded.

use crate::Entry;
use crate::packing::{self, Width};
use crate::palette::Palette;
use std::sync::Arc;

/// A block of entries. Kept packed, as a cache holds more of them so.
#[derive(Clone, Debug)]
pub struct Block {
    packed: Box<[u8]>,
    width: Width,
    entries: usize,
    palette: Arc<Palette>,
}

impl Block {
    /// Nothing if these are not so many symbols, each of the palette.
    pub(crate) fn new(packed: Box<[u8]>, entries: usize, palette: &Arc<Palette>) -> Option<Self> {
        let width = palette.width();
        packing::is_valid(&packed, width, entries, palette.entries().len()).then(|| Self {
            packed,
            width,
            entries,
            palette: Arc::clone(palette),
        })
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
    pub fn get(&self, place: usize) -> Entry {
        assert!(place < self.entries, "place {place} of {} entries", self.entries);
        self.palette.entries()[usize::from(packing::symbol_at(&self.packed, self.width, place))]
    }

    /// All entries in order.
    pub fn iter(&self) -> impl ExactSizeIterator<Item = Entry> + '_ {
        (0..self.entries).map(|place| self.get(place))
    }

    /// Its symbols side by side.
    pub(crate) fn into_packed(self) -> Box<[u8]> {
        self.packed
    }

    /// About what it takes in memory.
    pub(crate) fn bytes(&self) -> usize {
        self.packed.len() + size_of::<Self>()
    }
}
