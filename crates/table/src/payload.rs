//! What a table stores for each index.

use crate::Description;
use crate::error::{Field, Problem};
use crate::format::Header;
use crate::numbers::AnyNumbers;
use crate::values::Values;
use std::fmt::Debug;

/// What a table stores for each index: [`Values`], or [`Numbers`](crate::Numbers), or what someone else brings.
///
/// A value of such a type is what the header of one table says about its contents: the different values that occur, or
/// how numbers are to be read. The file knows neither. It stores packed bytes, as many as [`bits`](Self::bits) says, and
/// gives them back as they were.
pub trait Payload: Debug + Send + Sync + Sized + 'static {
    /// What is stored for one index.
    type Entry: Copy + PartialEq + Debug + Send + Sync;

    /// Its name in the header. One name has one meaning.
    const NAME: &'static str;

    /// The bytes of the header from which [`parse`](Self::parse) makes it again.
    fn description(&self) -> Vec<u8>;

    /// From these bytes of a header.
    ///
    /// # Errors
    /// If they are not what [`description`](Self::description) gives.
    fn parse(description: &[u8]) -> Result<Self, Problem>;

    /// Can this table have it?
    ///
    /// # Errors
    /// If the metric is not one of its own, or the number of entries does not fit.
    fn check(&self, table: &Description) -> Result<(), Problem>;

    /// Bits for each entry: a block of *m* entries has ⌈*m* · bits / 8⌉ bytes packed.
    fn bits(&self) -> u32;

    /// Packs blocks: appends the bytes of these entries to an empty vector, or gives the place of the first that cannot
    /// be stored. Made once for a table.
    fn packer(&self) -> impl Fn(&[Self::Entry], &mut Vec<u8>) -> Result<(), usize> + Sync + '_;

    /// Are these bytes so many entries, packed as they should be? Asked once about each block that is read, and of
    /// bytes that may be any.
    fn is_valid(&self, packed: &[u8], entries: usize) -> bool;

    /// The entry at a place of a valid block of so many entries.
    fn get(&self, packed: &[u8], entries: usize, place: usize) -> Self::Entry;
}

/// The payload that a header names, if it describes one that fits the table.
pub(crate) fn of_header<P: Payload>(header: &Header) -> Result<P, Problem> {
    let found = &header.payload;
    if found.name != P::NAME {
        let (expected, found) = (P::NAME.to_owned(), found.name.clone());
        return Err(Problem::Mismatch { field: Field::Payload, expected, found });
    }
    let payload = P::parse(&found.description)?;
    payload.check(&header.description)?;
    if payload.bits() == found.bits { Ok(payload) } else { Err(Problem::Payload) }
}

/// A payload by its name alone, for those who want no entries.
pub(crate) enum Known {
    Values(Values),
    Numbers(AnyNumbers),
    /// Someone else's: its bytes can be read, and no more is known about them.
    Other,
}

impl Known {
    pub(crate) fn of(header: &Header) -> Result<Self, Problem> {
        match header.payload.name.as_str() {
            Values::NAME => of_header(header).map(Self::Values),
            AnyNumbers::NAME => {
                let numbers = AnyNumbers::parse(&header.payload.description)?;
                numbers.check(&header.description)?;
                let fits = numbers.bits() == header.payload.bits;
                if fits { Ok(Self::Numbers(numbers)) } else { Err(Problem::Payload) }
            }
            _ => Ok(Self::Other),
        }
    }

    pub(crate) fn is_valid(&self, packed: &[u8], entries: usize) -> bool {
        match self {
            Self::Values(values) => values.is_valid(packed, entries),
            Self::Numbers(numbers) => numbers.is_valid(packed, entries),
            Self::Other => true,
        }
    }
}
