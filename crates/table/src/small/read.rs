//! Reads small tables.

use super::kind_of;
use crate::distances::{Distances, Kind, Plane, StoredDistance};
use crate::error::{Error, Problem};
use crate::outcomes::Outcomes;
use crate::payload::Payload as _;
use crate::shared_bytes::{Pin, pin};
use crate::{Block, Entry, Table};
use game::parallel;
use std::cell::Cell;
use std::path::Path;
use std::sync::Arc;

/// A small table of a slice: its outcomes, and its distances if they are known.
#[derive(Debug)]
pub struct SmallTable {
    outcomes: Arc<Table<Outcomes>>,
    distances: Option<Arc<Table<Distances>>>,
}

/// What a small table stores for an index.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Stored {
    /// Everything that the table can tell.
    Entry(Entry),
    /// A win or a loss whose distance follows from the values after its moves.
    WithoutDistance(Entry),
}

/// The distances of a table, a block and a place in it, and a plane.
type PlaceInPlane<'a> = (&'a Table<Distances>, u64, usize, &'a Plane);

impl SmallTable {
    /// The table of these outcomes, and of the distances that belong to them.
    ///
    /// # Errors
    /// Returns an error if the distances belong to other outcomes.
    pub fn new(
        outcomes: Arc<Table<Outcomes>>,
        distances: Option<Arc<Table<Distances>>>,
    ) -> Result<Self, Error> {
        match &distances {
            Some(distances) if distances.payload().tiles() != outcomes.payload().tiles() => {
                Err(distances.error(Problem::Payload))
            }
            Some(distances) if distances.payload().outcomes() != outcomes.content_hash() => {
                Err(distances.error(Problem::OtherOutcomes { outcomes: outcomes.path().to_owned() }))
            }
            _ => Ok(Self { outcomes, distances }),
        }
    }

    /// The outcomes.
    pub fn outcomes(&self) -> &Table<Outcomes> {
        &self.outcomes
    }

    /// The distances.
    pub fn distances(&self) -> Option<&Table<Distances>> {
        self.distances.as_deref()
    }

    /// The size of the files.
    pub fn bytes(&self) -> u64 {
        self.outcomes.bytes() + self.distances().map_or(0, |distances| distances.bytes())
    }

    /// What is stored for an index. It may be worse than the value of the position, if a move out of the group gives the value.
    ///
    /// # Errors
    /// Returns an error if there is no such index, or if a block cannot be read or is damaged.
    #[inline]
    pub fn stored(&self, index: u64) -> Result<Stored, Error> {
        // Both files have the same tiles.
        let (block, place) = self.outcomes.place(index)?;
        let outcome = self.outcomes.entry_at(block, place)?;
        let (Some(distances), Some(kind)) = (&self.distances, kind_of(outcome)) else {
            return Ok(Stored::Entry(outcome));
        };
        let plane = &distances.payload().planes_of(block)[kind as usize];
        if !plane.is_stored() {
            return Ok(Stored::WithoutDistance(outcome));
        }
        let entry = entry_of(kind, plane, self.number(distances, block, place)?);
        entry.map(Stored::Entry).ok_or_else(|| distances.error(Problem::BlockContents { block }))
    }

    /// Asks whether a win or a loss is stored for an index, with its distance. It reads the distances only, so it takes half the time
    /// of [`stored`](Self::stored). If their block is not in the cache, it asks the outcomes first: often there is no such win or loss.
    pub(crate) fn stored_distance(&self, index: u64, kind: Kind) -> Result<StoredDistance, Error> {
        let Some((distances, block, place, plane)) = self.only_plane(index, kind)? else {
            return Ok(StoredDistance::NotTold);
        };
        let is_cached = distances.cached(block, &pin()).is_some();
        if !is_cached && kind_of(self.outcomes.entry_at(block, place)?) != Some(kind) {
            return Ok(StoredDistance::Other);
        }
        let number = self.number(distances, block, place)?;
        plane.stored(number).ok_or_else(|| distances.error(Problem::BlockContents { block }))
    }

    /// The same from the cache alone. Returns `None` if the block is not there, or if it is damaged.
    #[inline]
    pub(crate) fn cached_distance(&self, index: u64, kind: Kind, pin: &Pin) -> Option<StoredDistance> {
        let Ok(Some((distances, block, place, plane))) = self.only_plane(index, kind) else { return None };
        let number = distances.cached(block, pin)?[place];
        distances.count_hits(1);
        plane.stored(number)
    }

    /// The distances, and the block, the place and the plane of an index, if only this plane is stored there. With two planes, a number
    /// alone does not tell its plane.
    #[inline]
    fn only_plane(&self, index: u64, kind: Kind) -> Result<Option<PlaceInPlane<'_>>, Error> {
        let Some(distances) = &self.distances else { return Ok(None) };
        let (block, place) = distances.place(index)?;
        let planes = distances.payload().planes_of(block);
        let plane = &planes[kind as usize];
        let is_only = planes.iter().filter(|plane| plane.is_stored()).count() == 1 && plane.is_stored();
        Ok(is_only.then_some((distances, block, place, plane)))
    }

    /// The number of the distance at a place, through the cache.
    #[inline]
    fn number(&self, distances: &Table<Distances>, block: u64, place: usize) -> Result<u8, Error> {
        let failed = Cell::new(None);
        let decode = |stored: &[u8], packed: &mut [u8]| {
            let outcomes = match self.outcomes.cached_block(block) {
                Ok(outcomes) => outcomes,
                Err(error) => {
                    failed.set(Some(error));
                    return None;
                }
            };
            distances.payload().decode_with(block, stored, packed, |kind| places_of(&outcomes, kind))
        };
        let number = distances.read_by(block, |packed| packed[place], &decode);
        failed.into_inner().map_or(number, Err)
    }

    /// Visits the indices of a [tile](crate::Tiles) with what is stored for each, as [`stored`](Self::stored) tells it. Reads the blocks
    /// once, and without the cache. It is the quick way to read a whole table.
    ///
    /// # Errors
    /// Returns an error if there is no such tile, or if a block cannot be read or is damaged.
    pub fn each_stored(&self, tile: u64, mut visit: impl FnMut(u64, Stored)) -> Result<(), Error> {
        let (outcomes, tiles) = (self.outcomes.block(tile)?, self.outcomes.tiles());
        let Some(distances) = &self.distances else {
            tiles.each_index(tile, |place, index| visit(index, Stored::Entry(outcomes.get(place))));
            return Ok(());
        };
        let (numbers, planes) = (numbers(distances, tile, &outcomes)?, distances.payload().planes_of(tile));
        let mut is_damaged = false;
        tiles.each_index(tile, |place, index| {
            let outcome = outcomes.get(place);
            let stored = match kind_of(outcome).map(|kind| (kind, &planes[kind as usize])) {
                None => Stored::Entry(outcome),
                Some((_, plane)) if !plane.is_stored() => Stored::WithoutDistance(outcome),
                Some((kind, plane)) => match entry_of(kind, plane, numbers[place]) {
                    Some(entry) => Stored::Entry(entry),
                    None => {
                        is_damaged = true;
                        return;
                    }
                },
            };
            visit(index, stored);
        });
        if is_damaged { Err(distances.error(Problem::BlockContents { block: tile })) } else { Ok(()) }
    }

    /// Reads both files and checks the checksum and contents of every block, and the content hashes.
    ///
    /// # Errors
    /// Returns the first damage.
    pub fn check(&self) -> Result<(), Error> {
        self.outcomes.check()?;
        let Some(distances) = &self.distances else { return Ok(()) };
        distances.check()?;
        let decodes = |block: usize| {
            let block = block as u64;
            numbers(distances, block, &self.outcomes.block(block)?).map(|_| ())
        };
        parallel::try_map(distances.blocks() as usize, decodes).map(|_| ())
    }

    /// The path by which errors name the table: that of the file with the most.
    pub fn path(&self) -> &Path {
        self.distances().map_or_else(|| self.outcomes.path(), |distances| distances.path())
    }
}

/// Reads a block of distances without the cache: the number of the distance of each place.
fn numbers(distances: &Table<Distances>, block: u64, outcomes: &Block<Outcomes>) -> Result<Arc<[u8]>, Error> {
    let decode = |stored: &[u8], packed: &mut [u8]| {
        distances.payload().decode_with(block, stored, packed, |kind| places_of(outcomes, kind))
    };
    distances.unpack(block, &decode).map_err(|problem| distances.error(problem))
}

/// The places of a block with a win or a loss, as bits.
fn places_of(outcomes: &Block<Outcomes>, kind: Kind) -> Vec<u64> {
    let entry = match kind {
        Kind::Loss => Entry::Loss(None),
        Kind::Win => Entry::Win(None),
    };
    outcomes.places_with(entry)
}

/// The win or loss with the distance that has this number in its plane.
#[inline]
fn entry_of(kind: Kind, plane: &Plane, number: u8) -> Option<Entry> {
    plane.plies(number).map(|plies| match kind {
        Kind::Loss => Entry::Loss(Some(plies)),
        Kind::Win => Entry::Win(Some(plies)),
    })
}
