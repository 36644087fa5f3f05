//! Finds the different entries of a table and numbers them.

use crate::Entry;
use crate::error::Problem;
use crate::values::{MOST, Values};

/// The first [`key`] of an entry with a distance.
const FIRST_WITH_PLIES: usize = 7;

/// A number for every entry that a table can hold, without gaps. Sets and maps of entries are indexed by it.
#[inline]
fn key(entry: Entry) -> usize {
    match entry {
        Entry::Nothing => 0,
        Entry::Draw => 1,
        Entry::Loss(None) => 2,
        Entry::Win(None) => 3,
        Entry::NotWon => 4,
        Entry::LossByRule => 5,
        Entry::WinByRule => 6,
        Entry::Loss(Some(plies)) => FIRST_WITH_PLIES + 2 * usize::from(plies.0),
        Entry::Win(Some(plies)) => FIRST_WITH_PLIES + 1 + 2 * usize::from(plies.0),
    }
}

/// The entry with this number; the inverse of [`key`].
fn with_key(key: usize) -> Entry {
    let plies = |key: usize| {
        let plies = u16::try_from((key - FIRST_WITH_PLIES) / 2);
        Some(game::Plies(plies.expect("keys end with 16 bits")))
    };
    match key {
        0 => Entry::Nothing,
        1 => Entry::Draw,
        2 => Entry::Loss(None),
        3 => Entry::Win(None),
        4 => Entry::NotWon,
        5 => Entry::LossByRule,
        6 => Entry::WinByRule,
        key if (key - FIRST_WITH_PLIES).is_multiple_of(2) => Entry::Loss(plies(key)),
        key => Entry::Win(plies(key)),
    }
}

/// A set of entries.
#[derive(Clone, Default, Debug)]
pub(crate) struct EntrySet(Vec<bool>);

impl EntrySet {
    #[inline]
    pub(crate) fn insert(&mut self, entry: Entry) {
        let key = key(entry);
        if key >= self.0.len() {
            self.0.resize(key + 1, false);
        }
        self.0[key] = true;
    }

    pub(crate) fn union(mut self, other: Self) -> Self {
        if self.0.len() < other.0.len() {
            return other.union(self);
        }
        self.0.iter_mut().zip(other.0).for_each(|(here, there)| *here |= there);
        self
    }

    pub(crate) fn into_values(self) -> Result<Values, Problem> {
        let present = self.0.iter().enumerate().filter(|(_, present)| **present);
        let mut entries: Vec<Entry> = present.map(|(key, _)| with_key(key)).collect();
        if entries.len() > MOST {
            return Err(Problem::TooManyDifferent { found: entries.len() });
        }
        entries.sort();
        Values::new(entries)
    }
}

/// Maps entries to their symbols.
#[derive(Debug)]
pub(crate) struct Symbols(Vec<Option<u16>>);

impl Symbols {
    pub(crate) fn of(values: &Values) -> Self {
        let keys = values.entries().iter().map(|&entry| key(entry));
        let mut symbols = vec![None; keys.clone().max().map_or(0, |most| most + 1)];
        for (key, symbol) in keys.zip(0..=u16::MAX) {
            symbols[key] = Some(symbol);
        }
        Self(symbols)
    }

    /// The symbol of an entry. Returns `None` if the entry is not in the palette.
    #[inline]
    pub(crate) fn get(&self, entry: Entry) -> Option<u16> {
        self.0.get(key(entry)).copied().flatten()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use game::Plies;

    #[test]
    fn keys_and_entries_are_one_to_one() {
        let last = key(Entry::Win(Some(Plies(u16::MAX))));
        for number in 0..=last {
            assert_eq!(key(with_key(number)), number);
        }
    }

    #[test]
    fn symbols_are_places() {
        let mut set = EntrySet::default();
        let entries = [Entry::Nothing, Entry::Loss(Some(Plies(4))), Entry::Draw, Entry::Win(Some(Plies(3)))];
        entries.iter().rev().for_each(|&entry| set.insert(entry));
        let values = set.into_values().unwrap();
        assert_eq!(values.entries(), entries);
        let symbols = Symbols::of(&values);
        assert!(entries.iter().zip(0..).all(|(&entry, place)| symbols.get(entry) == Some(place)));
        assert_eq!(symbols.get(Entry::Win(Some(Plies(5)))), None);
        assert_eq!(symbols.get(Entry::Loss(Some(Plies(2)))), None);
    }
}
