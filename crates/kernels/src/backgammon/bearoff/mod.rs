//! Bear-offs of backgammon: tables for both sides, with and without the cube, and for one side alone; and the files of GNU
//! Backgammon.
//!
//! ```
//! use backgammon::Slice;
//! use endspiel_kernels::backgammon::bearoff::BearOffTable;
//!
//! let table = BearOffTable::of(Slice::Cubeful { checkers: 6 }).expect("a bear-off");
//! assert_eq!(table.description().entries, 924 * 924);
//! let mut file = Vec::new();
//! table.export(false, &mut file, &|_| ()).expect("room");
//! assert!(file.starts_with(b"gnubg-TS-06-06-1xxx"));
//! ```

#[cfg(test)]
mod bounds;
mod gnubg;
mod one_sided;
mod order;
mod race;
mod rules;
mod tables;
mod two_sided;
mod verify;

pub use one_sided::ROLLS;
pub use tables::BearOffTable;
pub use verify::{Unlike, Verified};
