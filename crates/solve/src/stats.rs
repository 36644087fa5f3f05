//! Statistics of a table: the number of wins, losses and draws, and their distances.

use crate::error::Error;
use crate::job::check_readable;
use game::{Endgame, Index, Metric, Plies, Wdl, parallel};
use std::cmp::Reverse;
use std::collections::BTreeMap;
use std::ops::Range;
use table::{Entry, Table};

/// Statistics of a table.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Stats {
    /// The number of positions that the side to move wins.
    pub wins: u64,
    /// The number of positions that the side to move loses.
    pub losses: u64,
    /// The number of draws.
    pub draws: u64,
    /// How many of the wins a rule decides, such as perpetual check. They have no distance.
    pub wins_by_rule: u64,
    /// How many of the losses a rule decides.
    pub losses_by_rule: u64,
    /// How many of the wins come too late for the rule on [irreversible moves](Endgame::irreversible_within): cursed wins. Only
    /// tables of [`Metric::Dtz`] tell it.
    pub cursed_wins: u64,
    /// How many of the losses come too late for that rule: blessed losses.
    pub blessed_losses: u64,
    /// The number of wins and losses for each distance. Empty if the table has no distances.
    pub plies: BTreeMap<Plies, u64>,
    /// The longest win. `None` if no win has a distance.
    pub longest_win: Option<Longest>,
    /// The longest loss. `None` if no loss has a distance.
    pub longest_loss: Option<Longest>,
}

/// The longest win or loss.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Longest {
    /// The distance.
    pub plies: Plies,
    /// The first index with this distance.
    pub index: Index,
}

impl Longest {
    /// The longer of two. If both are equally long, the one with the lower index.
    fn of(one: Option<Self>, other: Option<Self>) -> Option<Self> {
        one.into_iter().chain(other).max_by_key(|longest| (longest.plies, Reverse(longest.index.0)))
    }
}

impl Stats {
    /// The number of all positions.
    pub fn positions(&self) -> u64 {
        self.wins + self.losses + self.draws
    }

    /// The longest win or loss. `None` if no entry has a distance.
    pub fn longest(&self) -> Option<Longest> {
        Longest::of(self.longest_win, self.longest_loss)
    }

    /// Adds positions with an entry. `first` is the lowest index among them. Distances above `limit` are too late.
    fn add(&mut self, first: Index, entry: Entry, count: u64, limit: Option<Plies>) {
        match entry.wdl() {
            None => return,
            Some(Wdl::Win) => self.wins += count,
            Some(Wdl::Loss) => self.losses += count,
            Some(Wdl::Draw) => self.draws += count,
        }
        match entry {
            Entry::WinByRule => self.wins_by_rule += count,
            Entry::LossByRule => self.losses_by_rule += count,
            _ => {}
        }
        if let Some(plies) = entry.plies() {
            *self.plies.entry(plies).or_default() += count;
            let is_win = entry.wdl() == Some(Wdl::Win);
            let (longest, late) = match is_win {
                true => (&mut self.longest_win, &mut self.cursed_wins),
                false => (&mut self.longest_loss, &mut self.blessed_losses),
            };
            if limit.is_some_and(|limit| plies > limit) {
                *late += count;
            }
            *longest = Longest::of(*longest, Some(Longest { plies, index: first }));
        }
    }

    /// The sum of both.
    fn merge(mut self, other: Self) -> Self {
        self.wins += other.wins;
        self.losses += other.losses;
        self.draws += other.draws;
        self.wins_by_rule += other.wins_by_rule;
        self.losses_by_rule += other.losses_by_rule;
        self.cursed_wins += other.cursed_wins;
        self.blessed_losses += other.blessed_losses;
        for (plies, count) in other.plies {
            *self.plies.entry(plies).or_default() += count;
        }
        self.longest_win = Longest::of(self.longest_win, other.longest_win);
        self.longest_loss = Longest::of(self.longest_loss, other.longest_loss);
        self
    }
}

/// Counts the values in a table. It counts positions, or each index once if `classes` is set.
///
/// # Errors
/// Returns an error if a block is damaged, or if only the game's own solver can count the table.
pub fn stats<G: Endgame>(game: &G, slice: G::Slice, table: &Table, classes: bool) -> Result<Stats, Error> {
    stats_within(game, slice, table, 0..game.size(slice), classes)
}

/// Counts the values of a range of indices as [`stats`] does. If a table keeps the sides to move
/// [apart](Endgame::indices_by_turn), this counts the positions of one of them.
///
/// # Errors
/// Returns the same errors as [`stats`].
pub fn stats_within<G: Endgame>(
    game: &G,
    slice: G::Slice,
    table: &Table,
    indices: Range<u64>,
    classes: bool,
) -> Result<Stats, Error> {
    check_readable::<G>(table)?;
    let entries_per_block = u64::from(table.layout().entries_per_block);
    let entries = table.different_entries();
    let limit = game.irreversible_within().filter(|_| table.description().metric == Metric::Dtz);
    let count_block = |block: u64| -> Result<Stats, table::Error> {
        // By symbol: the number of positions, and the first index.
        let mut counts = vec![(0, Index(u64::MAX)); entries.len()];
        let symbols = table.block(block)?;
        let numbered = symbols.symbols().zip(block * entries_per_block..);
        for (symbol, index) in numbered.filter(|(_, index)| indices.contains(index)) {
            let index = Index(index);
            let (count, first) = &mut counts[symbol];
            *count += match entries[symbol] {
                Entry::Nothing => continue,
                _ if classes || !G::FOLDS => 1,
                _ => game.multiplicity_at(slice, index),
            };
            if first.0 > index.0 {
                *first = index;
            }
        }
        let mut stats = Stats::default();
        for (&entry, (count, first)) in entries.iter().zip(counts).filter(|(_, (count, _))| *count > 0) {
            stats.add(first, entry, count, limit);
        }
        Ok(stats)
    };
    let blocks = indices.start / entries_per_block..indices.end.div_ceil(entries_per_block);
    let counted =
        parallel::try_map(blocks.clone().count(), |number| count_block(blocks.start + number as u64))?;
    Ok(counted.into_iter().fold(Stats::default(), Stats::merge))
}
