//! The kind of data that a table stores for each index.

use crate::Description;
use crate::codec::Codec;
use crate::coding::Tiles;
use crate::distances::Distances;
use crate::error::Problem;
use crate::format::Header;
use crate::numbers::AnyNumbers;
use crate::outcomes::Outcomes;
use crate::values::Values;
use std::any::Any;
use std::fmt::Debug;
use std::sync::Arc;

/// The kind of data that a table stores: [`Values`], [`Numbers`](crate::Numbers), [`Outcomes`], [`Distances`], or a type of another
/// crate.
///
/// An instance holds what the header of one table says about its contents: the different values that occur, or the
/// format of the numbers. The file layer does not interpret it. It stores packed bytes, as many as
/// [`bits`](Self::bits) says, and returns them unchanged.
pub trait Payload: Debug + Send + Sync + Sized + 'static {
    /// The name of the payload in the header. Different payloads must have different names.
    const NAME: &'static str;

    /// The bytes that describe the payload in the header. [`parse`](Self::parse) reads them back.
    fn description(&self) -> Vec<u8>;

    /// Reads the payload from its description in a header; the inverse of [`description`](Self::description).
    ///
    /// # Errors
    /// Returns an error if [`description`](Self::description) cannot give these bytes.
    fn parse(description: &[u8]) -> Result<Self, Problem>;

    /// Checks that this table can have the payload.
    ///
    /// # Errors
    /// Returns an error if the payload is not for this metric, or if the number of entries does not fit.
    fn check(&self, table: &Description) -> Result<(), Problem>;

    /// The number of bits of each entry. A block of *m* entries has ⌈*m* · bits / 8⌉ bytes when packed.
    fn bits(&self) -> u32;

    /// The tiles of the blocks, if blocks are tiles and not ranges of indices.
    fn tiles(&self) -> Option<&Tiles> {
        None
    }

    /// Returns whether these bytes are a correctly packed block of `entries` entries. It is called once for each block that
    /// is read, and the bytes can be anything.
    fn is_valid(&self, packed: &[u8], entries: usize) -> bool;
}

/// A payload whose blocks can be read without another table: every one except [`Distances`].
pub trait Entries: Payload {
    /// The type that is stored for one index.
    type Entry: Copy + PartialEq + Debug + Send + Sync;

    /// Returns a function that packs blocks. It appends the bytes of these entries to an empty vector, or returns the
    /// place of the first entry that cannot be stored. The writer calls `packer` once for a table.
    fn packer(&self) -> impl Fn(&[Self::Entry], &mut Vec<u8>) -> Result<(), usize> + Sync + '_;

    /// Unpacks a block from its bytes in the file into `packed`. Returns `None` if that is not possible.
    fn decode(&self, block: u64, codec: Codec, stored: &[u8], packed: &mut [u8]) -> Option<()> {
        let _ = block;
        codec.decode(stored, packed)
    }

    /// The entry at `place` in a valid block of `entries` entries.
    fn get(&self, packed: &[u8], entries: usize, place: usize) -> Self::Entry;
}

/// Reads the payload from a header and checks that it is a `P` that fits the table.
pub(crate) fn of_header<P: Payload>(header: &Header) -> Result<P, Problem> {
    let found = &header.payload;
    found.expect::<P>()?;
    let payload = P::parse(&found.description)?;
    payload.check(&header.description)?;
    if payload.bits() == found.bits { Ok(payload) } else { Err(Problem::Payload) }
}

/// A payload of a type that is known only at run time, for callers that need no entries.
///
/// A table of the same file shares it, because some payloads take long to parse.
pub(crate) enum Known {
    Values(Arc<Values>),
    Numbers(AnyNumbers),
    Outcomes(Arc<Outcomes>),
    /// Its blocks can be unpacked only with those of its outcomes.
    Distances(Arc<Distances>),
    /// A payload that this crate does not know. Its bytes can be read, but not checked.
    Other,
}

impl Known {
    pub(crate) fn of(header: &Header) -> Result<Self, Problem> {
        match header.payload.name.as_str() {
            Values::NAME => of_header(header).map(Arc::new).map(Self::Values),
            AnyNumbers::NAME => {
                let numbers = AnyNumbers::parse(&header.payload.description)?;
                numbers.check(&header.description)?;
                let fits = numbers.bits() == header.payload.bits;
                if fits { Ok(Self::Numbers(numbers)) } else { Err(Problem::Payload) }
            }
            Outcomes::NAME => of_header(header).map(Arc::new).map(Self::Outcomes),
            Distances::NAME => of_header(header).map(Arc::new).map(Self::Distances),
            _ => Ok(Self::Other),
        }
    }

    /// The payload, if it is a `P` that was parsed as one.
    pub(crate) fn parsed<P: Payload>(&self) -> Option<Arc<P>> {
        let parsed: Arc<dyn Any + Send + Sync> = match self {
            Self::Values(values) => Arc::clone(values) as _,
            Self::Outcomes(outcomes) => Arc::clone(outcomes) as _,
            Self::Distances(distances) => Arc::clone(distances) as _,
            Self::Numbers(_) | Self::Other => return None,
        };
        parsed.downcast().ok()
    }

    /// Returns whether the bytes of a block in the file are valid, as far as this can be told.
    pub(crate) fn accepts(&self, block: u64, codec: Codec, stored: &[u8], header: &Header) -> bool {
        let (entries, mut packed) = (header.entries_of(block), vec![0; header.packed_bytes(block)]);
        match self {
            Self::Outcomes(outcomes) => {
                outcomes.decode(block, codec, stored, &mut packed).is_some()
                    && outcomes.is_valid(&packed, entries)
            }
            Self::Distances(_) => true,
            _ => codec.decode(stored, &mut packed).is_some() && self.is_valid(&packed, entries),
        }
    }

    fn is_valid(&self, packed: &[u8], entries: usize) -> bool {
        match self {
            Self::Values(values) => values.is_valid(packed, entries),
            Self::Numbers(numbers) => numbers.is_valid(packed, entries),
            Self::Outcomes(_) | Self::Distances(_) | Self::Other => true,
        }
    }
}
