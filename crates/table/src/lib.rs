#![doc = include_str!("../README.md")]
//!
//! # The parts
//!
//! [`write`](write()) writes a file and [`Table`] reads it. A [`Library`] finds tables, and a [`Prober`] asks them. A [`Payload`]
//! defines what a file holds, and [`Entries`] the type of its entries: [`Values`], which is the default, or [`Numbers`]. A
//! [`SmallTable`] leaves out values that follow from those after a move; [`write_small`] writes its two files, with the payloads
//! [`Outcomes`] and [`Distances`].

mod batch;
mod block;
mod cache;
mod codec;
mod coding;
mod container;
mod derivation;
mod description;
mod distances;
mod entry;
mod error;
mod format;
mod library;
mod manifest;
pub mod mapped;
mod numbers;
mod open_files;
mod outcomes;
mod packing;
mod payload;
pub mod prelude;
mod probe;
mod ranking;
#[cfg(feature = "remote")]
pub mod remote;
mod shared_bytes;
mod small;
mod source;
mod statistics;
mod store;
mod symbols;
pub mod system;
mod table;
mod values;
mod verification;
pub mod working;
mod writer;
mod zeroing;

pub use block::Block;
pub use cache::{BlockCache, DEFAULT_CACHE_BYTES};
pub use codec::Codec;
pub use coding::Tiles;
pub use container::TableFile;
pub use description::{Description, describe, describe_small};
pub use distances::Distances;
pub use entry::Entry;
pub use error::{Error, Fault, Field, Part, Problem};
pub use format::Layout;
pub use library::{Library, Listed, Places, Scanned};
pub use manifest::{Compared, Fingerprint, Manifest, ManifestError};
pub use numbers::{NumberFormat, NumberWidth, Numbers};
pub use outcomes::Outcomes;
pub use payload::{Entries, Payload};
pub use probe::{Preloaded, ProbeError, Probed, Prober};
pub use ranking::{Line, LineEnd, RankedMove};
pub use small::{Kept, SmallTable, Stored, write_small};
pub use source::{Backend, NotAFile, Source};
pub use statistics::{LibraryStatistics, Statistics};
pub use store::{Folder, Listing, Store};
pub use table::Table;
pub use values::Values;
pub use verification::{BadRecord, Depth, Verification, utc_now};
pub use writer::{
    Written, in_memory, write, write_as, write_blocks, write_payload, write_payload_ranges, write_ranges,
};
pub use zeroing::ZeroingProber;
