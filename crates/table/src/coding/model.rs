//! Models: how likely each symbol is, given the neighbours of a place.

use super::grid::{Grid, Steps};
use super::rans::{Slots, TOTAL, TOTAL_BITS};
use super::tree::{MOST_CONTEXTS, Tree};
use crate::error::Problem;
use crate::format::Fields;
use std::sync::OnceLock;

/// The most neighbours of a model.
pub(super) const NEIGHBOURS: usize = 8;

/// A model of the symbols of a plane.
///
/// A *cell* holds the symbol of a place plus one, or 0 if there is none. The *base* of a place is the cell of the first
/// neighbour that has a symbol. A model may be *relative*: then the neighbours are compared with the base, and the difference from
/// the base is coded instead of the symbol.
#[derive(Debug)]
pub(crate) struct Model {
    shape: Shape,
    tree: Tree,
    /// By leaf.
    leaves: Vec<Weights>,
    tables: OnceLock<Tables>,
}

/// What a model looks at.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(super) struct Shape {
    /// The number of symbols.
    pub symbols: u8,
    pub is_relative: bool,
    /// The base of a place without neighbours.
    pub default: u8,
    pub neighbours: Vec<Steps>,
}

/// The frequencies of consecutive symbols, as the file has them.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(super) struct Weights {
    pub first: u8,
    pub codes: Vec<u8>,
}

impl Shape {
    /// The base, from the cells of the neighbours.
    #[inline(always)]
    pub(super) fn base(&self, cells: &[u8]) -> u8 {
        cells.iter().rev().fold(self.default, |base, &cell| if cell == 0 { base } else { cell })
    }

    /// The first feature of a place.
    pub(super) fn feature_of_base(&self, base: u8) -> u8 {
        if self.is_relative { base.min(63) } else { 0 }
    }

    /// The feature of a neighbour.
    pub(super) fn feature_of(&self, cell: u8, base: u8) -> u8 {
        match (cell, self.is_relative) {
            (0, _) => 0,
            (cell, false) => cell.min(63),
            (cell, true) => feature_of_difference(cell.wrapping_sub(base)),
        }
    }

    /// The number that is coded for a cell with a symbol.
    #[inline(always)]
    pub(super) fn coded(&self, cell: u8, base: u8) -> u8 {
        let symbols = i16::from(self.symbols);
        match self.is_relative {
            true => (i16::from(cell) - i16::from(base) + symbols / 2).rem_euclid(symbols) as u8,
            false => cell - 1,
        }
    }

    /// The cell with this coded number; the inverse of [`coded`](Self::coded).
    #[inline(always)]
    pub(super) fn cell<const RELATIVE: bool>(&self, coded: u8, base: u8) -> u8 {
        let symbols = i16::from(self.symbols);
        match RELATIVE {
            true => {
                let cell = i16::from(coded) + i16::from(base) - symbols / 2;
                (if cell < 1 {
                    cell + symbols
                } else if cell > symbols {
                    cell - symbols
                } else {
                    cell
                }) as u8
            }
            false => coded + 1,
        }
    }

    /// The most neighbours of a model.
    pub(super) fn most_neighbours(symbols: u8, is_relative: bool) -> usize {
        let contexts = |neighbours: &usize| (usize::from(symbols) + 1).checked_pow(*neighbours as u32);
        let is_few =
            |neighbours: &usize| contexts(neighbours).is_some_and(|contexts| contexts <= MOST_CONTEXTS);
        (1..=NEIGHBOURS).take_while(|neighbours| is_relative || is_few(neighbours)).count()
    }

    /// Returns whether all parts are allowed.
    fn is_valid(&self, grid: &Grid) -> bool {
        self.symbols > 0
            && (1..=self.symbols).contains(&self.default)
            && self.neighbours.len() <= Self::most_neighbours(self.symbols, self.is_relative)
            && self.neighbours.iter().all(|steps| grid.allows(steps))
            && self.neighbours.is_sorted_by_key(|steps| !grid.is_far(steps))
    }
}

/// The feature of a difference between cells, which is a signed byte.
fn feature_of_difference(difference: u8) -> u8 {
    ((difference as i8).clamp(-30, 30) + 31) as u8
}

impl Weights {
    /// The weights that are nearest to counts, which are not all 0.
    pub(super) fn of_counts(counts: &[u64]) -> Self {
        let first = counts.iter().position(|&count| count > 0).expect("some count");
        let last = counts.iter().rposition(|&count| count > 0).expect("some count");
        let codes = counts[first..=last].iter().map(|&count| code_of(count)).collect();
        Self { first: first as u8, codes }
    }

    /// The slots of each symbol with a weight. Each gets one slot, and a share of the others. What is left over goes to the first
    /// of the heaviest ones.
    fn slots(&self) -> Vec<(u8, Slots)> {
        let weights = || self.codes.iter().map(|&code| weight_of(code));
        let total: u64 = weights().sum();
        let present = weights().filter(|&weight| weight > 0).count() as u64;
        let shared = u64::from(TOTAL) - present;
        let mut counts: Vec<u64> =
            weights().map(|weight| if weight == 0 { 0 } else { 1 + weight * shared / total }).collect();
        let heaviest = weights().enumerate().rev().max_by_key(|&(_, weight)| weight).map_or(0, |(i, _)| i);
        counts[heaviest] += u64::from(TOTAL) - counts.iter().sum::<u64>();
        let mut first = 0;
        let mut slots = Vec::new();
        for (symbol, count) in (usize::from(self.first)..).zip(counts).filter(|&(_, count)| count > 0) {
            slots.push((symbol as u8, Slots { first, count: count as u32 }));
            first += count as u32;
        }
        slots
    }

    fn is_valid(&self, symbols: u8) -> bool {
        let ends = (self.codes.first(), self.codes.last());
        usize::from(self.first) + self.codes.len() <= symbols.into()
            && matches!(ends, (Some(1..), Some(1..)))
            && self.codes.iter().all(|&code| code <= MOST_CODE)
    }
}

/// The largest code of a weight.
const MOST_CODE: u8 = 8 * 31;

/// The weight with this code: a number with three bits after its first one. The code 0 is no weight.
fn weight_of(code: u8) -> u64 {
    match code {
        0 => 0,
        code => u64::from(8 + (code - 1) % 8) << ((code - 1) / 8),
    }
}

/// The code whose weight is nearest to eight times a count.
fn code_of(count: u64) -> u8 {
    let Some(whole) = count.checked_ilog2() else { return 0 };
    // The first bit and the next three, rounded.
    let wide = u128::from(count) << 4;
    let mantissa = (((wide >> whole) + 1) >> 1) as u64;
    let (mantissa, whole) = if mantissa == 16 { (8, whole + 1) } else { (mantissa, whole) };
    (1 + 8 * u64::from(whole.min(30)) + (mantissa - 8)) as u8
}

/// What coding needs, made when the first block is coded.
#[derive(Debug)]
pub(super) struct Tables {
    /// By base, in a relative model.
    pub of_base: Box<[u16; 256]>,
    /// By neighbour: what its difference from the base, as a byte, adds to the context of a relative model.
    pub of_differences: Box<[[u16; 256]; NEIGHBOURS]>,
    /// By neighbour: by what its cell is multiplied in the context of a model that is not relative.
    pub factors: [u16; NEIGHBOURS],
    leaf_of_context: Box<[u8]>,
    /// By leaf: the likeliest number.
    tops: Box<[u8]>,
    /// By leaf and the highest bits of a slot: the entry from which on to search.
    starts: Box<[u16]>,
    /// The numbers of all leaves: the first slot, shifted, and the coded number. Each leaf ends with a sentinel.
    entries: Box<[u32]>,
    /// By row: the cells of the neighbours of its first place.
    pub origins: Box<[[u32; NEIGHBOURS]]>,
    /// The number of neighbours in other rows. They come first.
    pub far: usize,
    /// The neighbours in the same row.
    pub near: Box<[Near]>,
}

/// A neighbour in the same row.
#[derive(Debug)]
pub(super) struct Near {
    /// How many places it is before its place.
    pub step: usize,
    pub factor: u16,
    pub of_differences: [u16; 256],
}

const BUCKETS: usize = 64;
const BUCKET_SHIFT: u32 = TOTAL_BITS - BUCKETS.trailing_zeros();

impl Model {
    pub(super) fn new(shape: Shape, tree: Tree, leaves: Vec<Weights>) -> Self {
        Self { shape, tree, leaves, tables: OnceLock::new() }
    }

    pub(super) fn shape(&self) -> &Shape {
        &self.shape
    }

    pub(super) fn tree(&self) -> &Tree {
        &self.tree
    }

    /// The number of symbols.
    pub(crate) fn symbols(&self) -> u8 {
        self.shape.symbols
    }

    pub(super) fn tables(&self, grid: &Grid) -> &Tables {
        self.tables.get_or_init(|| Tables::new(&self.shape, &self.tree, &self.leaves, grid))
    }

    pub(crate) fn write(&self, bytes: &mut Vec<u8>) {
        let Shape { symbols, is_relative, default, neighbours } = &self.shape;
        bytes.extend([*symbols, u8::from(*is_relative), *default, neighbours.len() as u8]);
        neighbours.iter().for_each(|steps| bytes.extend(steps.iter()));
        self.tree.write(bytes);
        for Weights { first, codes } in &self.leaves {
            bytes.extend([*first, codes.len() as u8]);
            bytes.extend(codes);
        }
    }

    pub(crate) fn read(fields: &mut Fields<'_>, grid: &Grid) -> Result<Self, Problem> {
        let symbols = fields.u8()?;
        let is_relative = match fields.u8()? {
            0 => false,
            1 => true,
            _ => return Err(Problem::Payload),
        };
        let default = fields.u8()?;
        let count = fields.u8()?;
        let steps = |_| Ok(Steps::from(fields.take(grid.dimensions())?));
        let neighbours = (0..count).map(steps).collect::<Result<Vec<_>, Problem>>()?;
        let shape = Shape { symbols, is_relative, default, neighbours };
        if !shape.is_valid(grid) {
            return Err(Problem::Payload);
        }
        let tree = Tree::read(fields, 1 + shape.neighbours.len())?;
        let leaf = |_| {
            let first = fields.u8()?;
            let count = fields.u8()?.into();
            let weights = Weights { first, codes: fields.take(count)?.to_vec() };
            if weights.is_valid(symbols) { Ok(weights) } else { Err(Problem::Payload) }
        };
        let leaves = (0..tree.leaves()).map(leaf).collect::<Result<_, Problem>>()?;
        Ok(Self::new(shape, tree, leaves))
    }
}

impl Tables {
    fn new(shape: &Shape, tree: &Tree, weights: &[Weights], grid: &Grid) -> Self {
        let parts = tree.parts();
        let of_base = |base: usize| parts[0][usize::from(shape.feature_of_base(base as u8))];
        let mut of_differences = Box::new([[0; 256]; NEIGHBOURS]);
        for (table, part) in of_differences.iter_mut().zip(&parts[1..]) {
            for (at, entry) in table.iter_mut().enumerate() {
                *entry = part[usize::from(feature_of_difference(at as u8))];
            }
        }
        let mut leaf_of_context = tree.leaf_of_context();
        let mut factors = [0; NEIGHBOURS];
        if !shape.is_relative {
            // The cells themselves are the levels, so that the context is a sum of products.
            let levels = usize::from(shape.symbols) + 1;
            let contexts = levels.pow(shape.neighbours.len() as u32);
            let leaf = |context: usize| {
                let (mut rest, mut of_tree) = (context, 0);
                for part in &parts[1..] {
                    of_tree += part[rest % levels];
                    rest /= levels;
                }
                leaf_of_context[usize::from(of_tree)]
            };
            leaf_of_context = (0..contexts).map(leaf).collect();
            let mut factor = 1;
            for (entry, _) in factors.iter_mut().zip(&shape.neighbours) {
                *entry = factor as u16;
                factor *= levels;
            }
        }
        let (mut tops, mut starts, mut entries) = (Vec::new(), Vec::new(), Vec::new());
        for weights in weights {
            let slots = weights.slots();
            tops.push(
                slots.iter().rev().max_by_key(|(_, slots)| slots.count).map_or(0, |&(symbol, _)| symbol),
            );
            starts.extend((0..BUCKETS).map(|bucket| {
                let slot = (bucket << BUCKET_SHIFT) as u32;
                // At most 255 leaves have 256 entries each.
                (entries.len() + slots.partition_point(|(_, slots)| slots.first <= slot) - 1) as u16
            }));
            entries.extend(slots.iter().map(|(symbol, slots)| slots.first << 8 | u32::from(*symbol)));
            entries.push(TOTAL << 8);
        }
        let origins = (0..grid.rows()).map(|row| {
            std::array::from_fn(|i| match shape.neighbours.get(i) {
                Some(steps) => grid.first_neighbour(row, steps) as u32,
                None => grid.first_cell(grid.rows()) as u32,
            })
        });
        let far = shape.neighbours.iter().take_while(|steps| grid.is_far(steps)).count();
        let near = (far..shape.neighbours.len()).map(|i| Near {
            step: shape.neighbours[i].last().copied().unwrap_or(0).into(),
            factor: factors[i],
            of_differences: of_differences[i],
        });
        let near = near.collect();
        Self {
            of_base: Box::new(std::array::from_fn(of_base)),
            of_differences,
            factors,
            leaf_of_context: leaf_of_context.into(),
            tops: tops.into(),
            starts: starts.into(),
            entries: entries.into(),
            origins: origins.collect(),
            far,
            near,
        }
    }

    /// The leaf of a context.
    #[inline(always)]
    pub(super) fn leaf(&self, context: u16) -> usize {
        self.leaf_of_context[usize::from(context)].into()
    }

    /// The coded number with this slot, and all its slots.
    #[inline(always)]
    pub(super) fn find(&self, leaf: usize, slot: u32) -> (u8, Slots) {
        let mut at = usize::from(self.starts[leaf * BUCKETS + (slot >> BUCKET_SHIFT) as usize]);
        while self.entries[at + 1] >> 8 <= slot {
            at += 1;
        }
        let (entry, first) = (self.entries[at], self.entries[at] >> 8);
        (entry as u8, Slots { first, count: (self.entries[at + 1] >> 8) - first })
    }

    /// The slots of a coded number. Returns `None` if the leaf does not have it.
    pub(super) fn slots(&self, leaf: usize, coded: u8) -> Option<Slots> {
        let entries = &self.entries[self.starts[leaf * BUCKETS].into()..];
        let at = entries
            .iter()
            .take_while(|&&entry| entry >> 8 < TOTAL)
            .position(|&entry| entry as u8 == coded)?;
        let first = entries[at] >> 8;
        Some(Slots { first, count: (entries[at + 1] >> 8) - first })
    }

    /// The likeliest number of a leaf.
    #[inline(always)]
    pub(super) fn top(&self, leaf: usize) -> u8 {
        self.tops[leaf]
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn weights_are_near_their_counts() {
        assert_eq!((code_of(0), weight_of(0)), (0, 0));
        for count in (1..5_000).chain([1 << 20, (1 << 30) + 77, 1_999_999_999]) {
            let weight = weight_of(code_of(count)) as f64;
            assert!((weight / (8 * count) as f64 - 1.0).abs() < 0.0626, "{count}");
        }
        let counts = [0, 0, 1, 1000, 0, 7, 0];
        let slots = Weights::of_counts(&counts).slots();
        assert_eq!(slots.iter().map(|(symbol, _)| *symbol).collect::<Vec<_>>(), [2, 3, 5]);
        assert_eq!(slots.iter().map(|(_, slots)| slots.count).sum::<u32>(), TOTAL);
        assert!(slots.windows(2).all(|pair| pair[0].1.first + pair[0].1.count == pair[1].1.first));
    }

    #[test]
    fn differences_wrap_around() {
        let shape = Shape { symbols: 7, is_relative: true, default: 1, neighbours: Vec::new() };
        for base in 1..=7 {
            let mut seen = [false; 7];
            for cell in 1..=7 {
                let coded = shape.coded(cell, base);
                assert_eq!(shape.cell::<true>(coded, base), cell);
                seen[usize::from(coded)] = true;
            }
            assert!(seen.iter().all(|&seen| seen));
        }
    }
}
