//! Small tables: outcomes and distances, each coded by contexts, in a file of their own.

mod entries;
mod read;
mod write;

pub use read::{SmallTable, Stored};
pub use write::{Kept, write_small};

use crate::Entry;
use crate::distances::Kind;

/// A win or a loss on the board.
#[inline]
fn kind_of(entry: Entry) -> Option<Kind> {
    match entry {
        Entry::Loss(_) => Some(Kind::Loss),
        Entry::Win(_) => Some(Kind::Win),
        Entry::Nothing | Entry::Draw | Entry::NotWon | Entry::LossByRule | Entry::WinByRule => None,
    }
}
