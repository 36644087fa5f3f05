//! The result of verifying a table, and the progress on the way.

use super::bearoff::ROLLS;
use backgammon::Slice;
use game::Index;
use solve::Extent;
use std::fmt;
use std::sync::atomic::{AtomicU64, Ordering::Relaxed};

/// The result of verifying a table.
#[derive(Clone, PartialEq, Debug)]
pub struct Verified {
    /// The number of positions that were checked.
    pub positions: u64,
    /// The first wrong entries. Empty if the table is right.
    pub wrong: Vec<Unlike>,
}

/// An entry with a number that does not follow from the others.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Unlike {
    /// Its index.
    pub index: Index,
    /// The number in the table, and what follows from the others. `None` if the entry has no position, or should have none.
    pub numbers: Option<(Number, Number)>,
}

/// A number of an entry. As text, it says what it is.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Number {
    /// The slice of the table.
    pub slice: Slice,
    /// Which number of the entry it is.
    pub place: usize,
    /// Its value.
    pub value: f64,
}

impl fmt::Display for Number {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        const CUBES: [&str; 4] = ["cubeless", "own cube", "centred cube", "opponent's cube"];
        const HYPER: [&str; 10] = [
            "win",
            "gammon",
            "backgammon",
            "lose gammon",
            "lose backgammon",
            "cubeless",
            "own cube",
            "centred cube",
            "centred cube by Jacoby",
            "opponent's cube",
        ];
        match self.slice {
            Slice::TwoSided { .. } | Slice::Cubeful { .. } | Slice::Left { .. } => {
                f.write_str(CUBES[self.place])?;
            }
            Slice::Hyper { .. } => f.write_str(HYPER[self.place])?,
            Slice::OneSided { .. } => {
                let of = if self.place < ROLLS { "all" } else { "the first" };
                write!(f, "{of} off after {} rolls", self.place % ROLLS)?;
            }
        }
        // One unit of the finest table.
        write!(f, " {:.8}", self.value)
    }
}

/// Tells the progress of a verification in parts of equal work. Together they are what was asked for.
pub(super) struct Parts<'a> {
    progress: &'a (dyn Fn(u64) + Sync),
    asked: u64,
    parts: u64,
    done: AtomicU64,
}

impl<'a> Parts<'a> {
    /// Work in so many parts, at all indices or at some.
    pub fn new(progress: &'a (dyn Fn(u64) + Sync), extent: Extent, indices: u64, parts: usize) -> Self {
        let asked = match extent {
            Extent::All => indices,
            Extent::Sample { positions, .. } => positions,
        };
        Self { progress, asked, parts: parts as u64, done: AtomicU64::new(0) }
    }

    /// One more part is done.
    pub fn next(&self) {
        let done = self.done.fetch_add(1, Relaxed);
        let upto = |done: u64| (u128::from(self.asked) * u128::from(done) / u128::from(self.parts)) as u64;
        (self.progress)(upto(done + 1) - upto(done));
    }
}
