//! The payload `values`: win, draw or loss, with or without a distance.

use crate::error::Problem;
use crate::packing::{self, Width};
use crate::payload::{Entries, Payload};
use crate::symbols::Symbols;
use crate::{Description, Entry};
use game::Plies;

/// The largest number of different entries: a symbol has at most 16 bits.
pub(crate) const MOST: usize = 1 << 16;
/// The number of bytes that an entry of the palette takes in the header.
pub(crate) const LISTED: usize = 3;
const NO_PLIES: u16 = u16::MAX;

/// The payload of tables with wins, draws and losses. It holds the palette: the different [entries](Entry) of a table in
/// ascending order. The place of an entry in the palette is its symbol. Blocks store symbols side by side, each in as few
/// bits as possible.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Values {
    entries: Box<[Entry]>,
    width: Width,
}

impl Values {
    /// The payload of a table in which these entries occur.
    ///
    /// # Errors
    /// Returns an error if the entries are not in ascending order, or if there are more than 65,536.
    pub fn new(entries: Vec<Entry>) -> Result<Self, Problem> {
        let ascending = entries.is_sorted_by(|a, b| a < b);
        if !ascending || entries.len() > MOST {
            return Err(Problem::Palette);
        }
        Ok(Self { width: Width::for_symbols(entries.len()), entries: entries.into() })
    }

    /// The entries in ascending order.
    pub fn entries(&self) -> &[Entry] {
        &self.entries
    }

    /// The symbol at a place of a valid block.
    #[inline]
    pub(crate) fn symbol(&self, packed: &[u8], place: usize) -> usize {
        packing::symbol_at(packed, self.width, place).into()
    }
}

impl Payload for Values {
    const NAME: &'static str = "values";

    fn description(&self) -> Vec<u8> {
        let listed = |&entry: &Entry| {
            let [low, high] = entry.plies().map_or(NO_PLIES, |plies| plies.0).to_le_bytes();
            [kind(entry), low, high]
        };
        self.entries.iter().flat_map(listed).collect()
    }

    fn parse(description: &[u8]) -> Result<Self, Problem> {
        let (listed, rest) = description.as_chunks::<LISTED>();
        if !rest.is_empty() || listed.len() > MOST {
            return Err(Problem::HeaderFields);
        }
        Self::new(listed.iter().map(|&listed| entry(listed)).collect::<Result<_, _>>()?)
    }

    fn check(&self, table: &Description) -> Result<(), Problem> {
        let fits = self.entries.is_empty() == (table.entries == 0)
            && self.entries.iter().all(|entry| entry.fits(table.metric));
        if fits { Ok(()) } else { Err(Problem::Palette) }
    }

    fn bits(&self) -> u32 {
        self.width.bits().into()
    }

    fn is_valid(&self, packed: &[u8], entries: usize) -> bool {
        packing::is_valid(packed, self.width, entries, self.entries.len())
    }
}

impl Entries for Values {
    type Entry = Entry;

    fn packer(&self) -> impl Fn(&[Entry], &mut Vec<u8>) -> Result<(), usize> + Sync + '_ {
        let symbols = Symbols::of(self);
        move |entries, packed| {
            let symbol = |(place, &entry): (usize, &Entry)| symbols.get(entry).ok_or(place);
            let listed = entries.iter().enumerate().map(symbol).collect::<Result<Vec<_>, _>>()?;
            packing::pack(&listed, self.width, packed);
            Ok(())
        }
    }

    #[inline]
    fn get(&self, packed: &[u8], _: usize, place: usize) -> Entry {
        self.entries[self.symbol(packed, place)]
    }
}

/// The number that stands for the kind of an entry in the file.
pub(crate) fn kind(entry: Entry) -> u8 {
    match entry {
        Entry::Nothing => 0,
        Entry::Loss(_) => 1,
        Entry::Draw => 2,
        Entry::Win(_) => 3,
        Entry::NotWon => 4,
        Entry::LossByRule => 5,
        Entry::WinByRule => 6,
    }
}

/// The outcome with this kind.
pub(crate) fn outcome(kind: u8) -> Result<Entry, Problem> {
    let [low, high] = NO_PLIES.to_le_bytes();
    entry([kind, low, high])
}

/// Returns whether version 1 of the format can express this palette. Version 1 has no kinds above 4.
pub(crate) fn is_of_version_1(description: &[u8]) -> bool {
    description.as_chunks::<LISTED>().0.iter().all(|listed| listed[0] <= 4)
}

fn entry([kind, low, high]: [u8; LISTED]) -> Result<Entry, Problem> {
    let plies = match u16::from_le_bytes([low, high]) {
        NO_PLIES => None,
        plies => Some(Plies(plies)),
    };
    match (kind, plies) {
        (0, None) => Ok(Entry::Nothing),
        (1, plies) => Ok(Entry::Loss(plies)),
        (2, None) => Ok(Entry::Draw),
        (3, plies) => Ok(Entry::Win(plies)),
        (4, None) => Ok(Entry::NotWon),
        (5, None) => Ok(Entry::LossByRule),
        (6, None) => Ok(Entry::WinByRule),
        _ => Err(Problem::Palette),
    }
}
