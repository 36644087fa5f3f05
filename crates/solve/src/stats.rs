//! What is in a table: how many wins, losses and draws, and how long they take.

use crate::error::Error;
use crate::job::check_readable;
use game::{Endgame, Index, Plies, Wdl};
use rayon::prelude::*;
use std::collections::BTreeMap;
use table::{Entry, Table};

/// The contents of a table, counted.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Stats {
    /// Positions that the side to move wins.
    pub wins: u64,
    /// Positions that it loses.
    pub losses: u64,
    /// Draws.
    pub draws: u64,
    /// How many wins and losses take so long; empty where the table has no distances.
    pub plies: BTreeMap<Plies, u64>,
    /// The longest of all.
    pub longest: Option<Longest>,
}

/// The longest win or loss.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Longest {
    /// How long it takes.
    pub plies: Plies,
    /// The first index where it does.
    pub index: Index,
}

impl Stats {
    /// All positions.
    pub fn positions(&self) -> u64 {
        self.wins + self.losses + self.draws
    }

    fn add(&mut self, index: Index, entry: Entry, count: u64) {
        match entry.wdl() {
            None => return,
            Some(Wdl::Win) => self.wins += count,
            Some(Wdl::Loss) => self.losses += count,
            Some(Wdl::Draw) => self.draws += count,
        }
        if let Some(plies) = entry.plies() {
            *self.plies.entry(plies).or_default() += count;
            if self.longest.is_none_or(|longest| longest.plies < plies) {
                self.longest = Some(Longest { plies, index });
            }
        }
    }

    /// The sum of both, the indices of the first being lower.
    fn merge(mut self, other: Self) -> Self {
        self.wins += other.wins;
        self.losses += other.losses;
        self.draws += other.draws;
        for (plies, count) in other.plies {
            *self.plies.entry(plies).or_default() += count;
        }
        match (self.longest, other.longest) {
            (Some(mine), Some(other)) if mine.plies >= other.plies => {}
            (_, None) => {}
            (_, longest) => self.longest = longest,
        }
        self
    }
}

/// Counts what is in a table: positions, or with `classes` each index once.
///
/// # Errors
/// If a block is damaged, or the table is only its own solver's to count.
pub fn stats<G: Endgame>(game: &G, slice: G::Slice, table: &Table, classes: bool) -> Result<Stats, Error> {
    check_readable::<G>(table)?;
    let entries_per_block = u64::from(table.layout().entries_per_block);
    let count_block = |block: u64| -> Result<Stats, table::Error> {
        let mut stats = Stats::default();
        for (entry, index) in table.block(block)?.iter().zip(block * entries_per_block..) {
            let index = Index(index);
            let count = match entry {
                Entry::Nothing => continue,
                _ if classes || !G::FOLDS => 1,
                _ => game.unrank(slice, index).map_or(1, |position| game.multiplicity(&position)),
            };
            stats.add(index, entry, count);
        }
        Ok(stats)
    };
    // Collected in order: the longest is the first of its kind, whatever thread finds it.
    let blocks = (0..table.blocks()).into_par_iter().map(count_block).collect::<Result<Vec<_>, _>>()?;
    Ok(blocks.into_iter().fold(Stats::default(), Stats::merge))
}
