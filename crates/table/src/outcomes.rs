//! The payload `outcomes`: win, draw or loss, coded by contexts.

use crate::codec::Codec;
use crate::coding::{self, Coded, Grid, Model, Tiles};
use crate::error::Problem;
use crate::format::Fields;
use crate::packing::{self, Width};
use crate::payload::{Entries, Payload};
use crate::values;
use crate::{Description, Entry};
use game::Metric;

/// The payload of small tables of [`Metric::Wdl`]. Each block is a [tile](Tiles).
///
/// An entry may be worse than the value of its position, if a move out of the group of its slice gives the value. So a reader
/// looks at these moves, too. An index without a position has any entry.
#[derive(Debug)]
pub struct Outcomes {
    tiles: Tiles,
    grid: Grid,
    /// The different entries, in ascending order.
    entries: Box<[Entry]>,
    width: Width,
    /// By section.
    models: Box<[Model]>,
}

impl Outcomes {
    /// The most different entries: a loss, a draw and a win, and a loss and a win by rule.
    pub(crate) const MOST: usize = 5;

    pub(crate) fn new(tiles: Tiles, entries: Vec<Entry>, models: Vec<Model>) -> Result<Self, Problem> {
        let symbols = entries.len();
        let is_sorted = entries.is_sorted_by(|a, b| a < b);
        let fits = is_sorted
            && (1..=Self::MOST).contains(&symbols)
            && models.len() == tiles.sections()
            && models.iter().all(|model| usize::from(model.symbols()) == symbols && !model.is_relative());
        if !fits {
            return Err(Problem::Payload);
        }
        let grid = Grid::new(&tiles.coordinates());
        Ok(Self {
            grid,
            width: Width::for_symbols(symbols),
            entries: entries.into(),
            models: models.into(),
            tiles,
        })
    }

    /// The different entries, in ascending order.
    pub fn entries(&self) -> &[Entry] {
        &self.entries
    }

    /// The model of a block.
    pub(crate) fn model_of(&self, block: u64) -> &Model {
        &self.models[self.tiles.section_of(block)]
    }

    /// Packs the cells of a block.
    pub(crate) fn pack(&self, cells: &[u8], packed: &mut [u8]) {
        pack(self.width, cells, packed);
    }

    /// Finds the places of a valid block that have an entry, as bits, 64 places in a word.
    pub(crate) fn places_with(&self, packed: &[u8], entry: Entry) -> Vec<u64> {
        let Some(symbol) = self.entries.iter().position(|&of| of == entry) else {
            return vec![0; self.tiles.places().div_ceil(64)];
        };
        // Outcomes take four bits at most.
        let in_byte = 8 / usize::from(self.width.bits());
        // By byte: the places in it that have the symbol.
        let of_byte: [u8; 256] = std::array::from_fn(|byte| {
            let has = |place: usize| packing::symbol_at(&[byte as u8], self.width, place) == symbol as u16;
            (0..in_byte).fold(0, |bits, place| bits | u8::from(has(place)) << place)
        });
        let word = |bytes: &[u8]| {
            let bits = |(at, &byte): (usize, &u8)| u64::from(of_byte[usize::from(byte)]) << (at * in_byte);
            bytes.iter().enumerate().map(bits).sum()
        };
        packed.chunks(64 / in_byte).map(word).collect()
    }

    /// The symbol at a place of a valid block.
    #[inline]
    pub(crate) fn symbol(&self, packed: &[u8], place: usize) -> u8 {
        packing::symbol_at(packed, self.width, place) as u8
    }
}

/// Packs cells as [`packing::pack`] packs their symbols.
fn pack(width: Width, cells: &[u8], packed: &mut [u8]) {
    match width {
        Width::One => pack_in::<8>(cells, packed),
        Width::Two => pack_in::<4>(cells, packed),
        // There are few entries, so they take four bits at most.
        Width::Four | Width::Eight | Width::Sixteen => pack_in::<2>(cells, packed),
    }
}

/// Packs cells, a number of them in each byte. It is a constant, so that the compiler can pack many bytes at once.
fn pack_in<const CELLS: usize>(cells: &[u8], packed: &mut [u8]) {
    let byte = |cells: &[u8]| cells.iter().rev().fold(0, |byte, &cell| byte << (8 / CELLS) | (cell - 1));
    let (whole, rest) = cells.as_chunks::<CELLS>();
    packed.iter_mut().zip(whole).for_each(|(to, cells)| *to = byte(cells));
    if !rest.is_empty() {
        packed[whole.len()] = byte(rest);
    }
}

impl Payload for Outcomes {
    const NAME: &'static str = "outcomes";

    fn description(&self) -> Vec<u8> {
        let mut bytes = Vec::new();
        self.tiles.write(&mut bytes);
        bytes.push(self.entries.len() as u8);
        bytes.extend(self.entries.iter().map(|&entry| values::kind(entry)));
        self.models.iter().for_each(|model| model.write(&mut bytes));
        bytes
    }

    fn parse(description: &[u8]) -> Result<Self, Problem> {
        let mut fields = Fields::new(description);
        let tiles = Tiles::read(&mut fields)?;
        let grid = Grid::new(&tiles.coordinates());
        let count = fields.u8()?;
        let entries = (0..count).map(|_| values::outcome(fields.u8()?)).collect::<Result<Vec<_>, _>>()?;
        let models =
            (0..tiles.sections()).map(|_| Model::read(&mut fields, &grid)).collect::<Result<_, _>>()?;
        if !fields.is_empty() {
            return Err(Problem::Payload);
        }
        Self::new(tiles, entries, models)
    }

    fn check(&self, table: &Description) -> Result<(), Problem> {
        let fits = table.metric == Metric::Wdl && self.entries.iter().all(|entry| entry.wdl().is_some());
        if fits { Ok(()) } else { Err(Problem::Payload) }
    }

    fn bits(&self) -> u32 {
        self.width.bits().into()
    }

    fn tiles(&self) -> Option<&Tiles> {
        Some(&self.tiles)
    }

    fn is_valid(&self, packed: &[u8], entries: usize) -> bool {
        packing::is_valid(packed, self.width, entries, self.entries.len())
    }
}

impl Entries for Outcomes {
    type Entry = Entry;

    fn packer(&self) -> impl Fn(&[Entry], &mut Vec<u8>) -> Result<(), usize> + Sync + '_ {
        move |entries, packed| {
            let symbol = |(place, entry): (usize, &Entry)| {
                self.entries.iter().position(|of| of == entry).map(|symbol| symbol as u16).ok_or(place)
            };
            let symbols = entries.iter().enumerate().map(symbol).collect::<Result<Vec<_>, _>>()?;
            packing::pack(&symbols, self.width, packed);
            Ok(())
        }
    }

    fn decode(&self, block: u64, _: Codec, stored: &[u8], packed: &mut [u8]) -> Option<()> {
        if stored.len() == packed.len() {
            packed.copy_from_slice(stored);
            return Some(());
        }
        self.pack(&coding::decode(self.model_of(block), &self.grid, stored, Coded::All)?, packed);
        Some(())
    }

    #[inline]
    fn get(&self, packed: &[u8], _: usize, place: usize) -> Entry {
        self.entries[usize::from(self.symbol(packed, place))]
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::coding::Wanted;

    #[test]
    fn cells_are_packed_like_symbols() {
        for symbols in 1..=Outcomes::MOST {
            let width = Width::for_symbols(symbols);
            for count in 0..70 {
                let cells: Vec<u8> = (0..count).map(|i| 1 + (i * 40_503 / 7 % symbols) as u8).collect();
                let of_cells: Vec<u16> = cells.iter().map(|&cell| u16::from(cell) - 1).collect();
                let mut expected = Vec::new();
                packing::pack(&of_cells, width, &mut expected);
                let mut packed = vec![0; expected.len()];
                pack(width, &cells, &mut packed);
                assert_eq!(packed, expected);
            }
        }
    }

    #[test]
    fn places_are_found_by_their_entry() {
        let entries = [Entry::Loss(None), Entry::Draw, Entry::Win(None), Entry::LossByRule, Entry::WinByRule];
        for symbols in 1..=entries.len() {
            let tiles = Tiles::new(&[70], false);
            let grid = Grid::new(&tiles.coordinates());
            let wanted = vec![Wanted::Symbol(0); tiles.places()];
            let load = |_: usize, to: &mut Vec<Wanted>| {
                to.extend(&wanted);
                Ok(())
            };
            let draft = coding::draft(&grid, symbols as u8, false, 1, &load, &|| Ok(())).unwrap();
            let trained = draft.finish(&grid, 1, &load).unwrap().unwrap();
            let outcomes = Outcomes::new(tiles, entries[..symbols].to_vec(), vec![trained.model]).unwrap();
            let cells: Vec<u8> = (0..128).map(|i| 1 + (i * 40_503 / 7 % symbols) as u8).collect();
            let mut packed = vec![0; 128 * outcomes.bits() as usize / 8];
            outcomes.pack(&cells, &mut packed);
            for entry in entries {
                let found = outcomes.places_with(&packed, entry);
                assert_eq!(found.len(), 2);
                for (place, &cell) in cells.iter().enumerate() {
                    let is_found = found[place / 64] >> (place % 64) & 1 == 1;
                    assert_eq!(is_found, entries[usize::from(cell) - 1] == entry);
                }
            }
        }
    }
}
