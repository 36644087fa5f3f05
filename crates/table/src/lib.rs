//! The table file: one slice of an endgame, with one entry for every index.
//!
//! [`write`](write()) writes a file and [`Table`] reads it. A [`Library`] finds tables in one or several places; all its
//! tables and threads share one block cache. A [`Prober`] looks up positions in the tables. A [`Payload`] defines what a file
//! holds, and [`Entries`] the type of its entries: [`Values`], which is the default, or [`Numbers`]. A [`SmallTable`] leaves out
//! values that follow from those after a move; [`write_small`] writes its two files, with the payloads [`Outcomes`] and
//! [`Distances`]. `docs/format.md` describes every byte of a file. This crate knows no game.
//!
//! ```
//! use endspiel_table::{Backend, Description, Entry, Table, write};
//! use game::{Metric, Plies};
//!
//! let description = Description {
//!     game: "matches".to_owned(),
//!     rules: "standard".to_owned(),
//!     slice: "heap".to_owned(),
//!     metric: Metric::Dtm,
//!     index: "count-1".to_owned(),
//!     entries: 1000,
//! };
//! // Take one or two matches; whoever takes the last one wins.
//! let value = |matches: u64| match matches {
//!     0 => Entry::Nothing,
//!     n if n % 3 == 0 => Entry::Loss(Some(Plies(2 * (n / 3) as u16))),
//!     n => Entry::Win(Some(Plies(2 * (n / 3) as u16 + 1))),
//! };
//! let root = std::env::temp_dir().join(format!("endspiel-table-{}", std::process::id()));
//! let path = description.path(&root);
//! write(&path, &description, value, |_done| ())?;
//!
//! let table = Table::open(&path, Backend::Read)?;
//! assert_eq!(table.description(), &description);
//! assert_eq!(table.entry(7)?, Entry::Win(Some(Plies(5))));
//! # std::fs::remove_dir_all(root).unwrap();
//! # Ok::<(), endspiel_table::Error>(())
//! ```

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
