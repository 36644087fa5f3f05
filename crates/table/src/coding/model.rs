//! Models: how likely each symbol is, given the neighbours of a place.

use super::grid::{Grid, Steps};
use super::rans::{Slots, TOTAL, TOTAL_BITS};
use super::tree::{MOST_CONTEXTS, Tree};
use crate::error::Problem;
use crate::format::Fields;
use std::borrow::Cow;
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
    /// By leaf, the [weights](Weights) as the file has them. They are not taken apart before the first block is coded, because there are
    /// many, and a table is opened quickly.
    leaves: Box<[u8]>,
    /// In a box, because they are much larger than the rest.
    tables: OnceLock<Box<Tables>>,
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
pub(super) struct Weights<'a> {
    first: u8,
    codes: Cow<'a, [u8]>,
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
                let cell = i16::from(coded) + (i16::from(base) - symbols / 2);
                if (1..=symbols).contains(&cell) {
                    return cell as u8;
                }
                // Few differences are so large.
                std::hint::cold_path();
                (if cell < 1 { cell + symbols } else { cell - symbols }) as u8
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
            && (1..self.neighbours.len()).all(|i| !self.neighbours[..i].contains(&self.neighbours[i]))
            && self.neighbours.is_sorted_by_key(|steps| !grid.is_far(steps))
    }
}

/// The difference such that greater ones have a feature above a cut. The least difference that is compared with it is -127.
#[inline(always)]
pub(super) fn difference_at(cut: u8) -> i8 {
    match cut {
        // Only neighbours without a symbol have the feature 0.
        0 => i8::MIN,
        1..=60 => cut as i8 - 31,
        61.. => i8::MAX,
    }
}

/// The feature of a difference between cells, which is a signed byte.
fn feature_of_difference(difference: u8) -> u8 {
    ((difference as i8).clamp(-30, 30) + 31) as u8
}

impl<'a> Weights<'a> {
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

    fn write(&self, bytes: &mut Vec<u8>) {
        bytes.extend([self.first, self.codes.len() as u8]);
        bytes.extend(&*self.codes);
    }

    fn read(fields: &mut Fields<'a>) -> Result<Self, Problem> {
        let (first, count) = (fields.u8()?, fields.u8()?.into());
        Ok(Self { first, codes: fields.take(count)?.into() })
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
    /// What the base adds to the context of a relative model.
    pub base: Levels,
    /// The neighbours in other rows. They come first.
    pub far: Box<[Far]>,
    /// The neighbours in the same row.
    pub near: Box<[Near]>,
    /// The neighbours in the same row, if the model is not relative. For the place before: all bits if it is a neighbour. For the
    /// two places before that: their factors, or 0.
    pub nearest: [u64; NEAREST],
    /// The other neighbours in the same row: how many places they are before, and their factors.
    pub nearby: Box<[(usize, u64)]>,
    leaf_of_context: Box<[[u8; 2]; MOST_CONTEXTS]>,
    /// By leaf: the likeliest number.
    tops: Box<[Share; 256]>,
    /// By leaf and the highest bits of a slot: the share from which on to search.
    starts: Box<[[u16; BUCKETS]]>,
    /// The numbers of all leaves: leaf by leaf, in ascending order of their slots.
    shares: Box<[Share]>,
    /// By row: the cells of the neighbours of its first place.
    pub origins: Box<[[u32; NEIGHBOURS]]>,
}

/// A coded number of a leaf, and its slots.
#[derive(Clone, Copy, Default, Debug)]
#[repr(align(8))]
struct Share {
    first: u16,
    count: u16,
    coded: u8,
}

impl Share {
    #[inline(always)]
    fn slots(self) -> Slots {
        Slots { first: self.first.into(), count: self.count.into() }
    }
}

/// What the value of a feature adds to the context: a step for each cut that is below it.
#[derive(Debug)]
pub(super) struct Levels {
    pub cuts: Box<[u8]>,
    pub step: u16,
}

impl Levels {
    /// From what each value adds.
    fn new(part: &[u16; 64]) -> Self {
        let cuts: Box<[u8]> = (0..63).filter(|&cut| part[cut as usize] < part[cut as usize + 1]).collect();
        Self { step: cuts.first().map_or(0, |&cut| part[usize::from(cut) + 1]), cuts }
    }
}

/// A neighbour in another row.
#[derive(Debug)]
pub(super) struct Far {
    /// By what its cell is multiplied in the context of a model that is not relative.
    pub factor: u16,
    /// What it adds to the context of a relative model.
    pub levels: Levels,
}

/// A neighbour in the same row.
#[derive(Debug)]
pub(super) struct Near {
    /// How many places it is before its place.
    pub step: usize,
    pub factor: u16,
    /// What it adds to the context of a relative model, by the number of its cell minus the base.
    pub of_differences: [u16; DIFFERENCES],
}

/// A cell as a number from which any base can be subtracted: 256 plus the cell, or [`NO_SYMBOL`].
pub(super) const WITH_SYMBOL: u16 = 256;
pub(super) const NO_SYMBOL: u16 = 768;
/// More than the difference of any such number and a base.
pub(super) const DIFFERENCES: usize = 1024;

/// The number of places before a place whose cells are at hand when it is coded.
pub(super) const NEAREST: usize = 3;

const BUCKETS: usize = 256;
const BUCKET_SHIFT: u32 = TOTAL_BITS - BUCKETS.trailing_zeros();

impl Model {
    pub(super) fn new(shape: Shape, tree: Tree, leaves: &[Weights<'_>]) -> Self {
        let mut bytes = Vec::new();
        leaves.iter().for_each(|weights| weights.write(&mut bytes));
        Self { shape, tree, leaves: bytes.into(), tables: OnceLock::new() }
    }

    pub(super) fn shape(&self) -> &Shape {
        &self.shape
    }

    pub(super) fn tree(&self) -> &Tree {
        &self.tree
    }

    /// Returns whether the difference from the base is coded, and not the symbol.
    pub(crate) fn is_relative(&self) -> bool {
        self.shape.is_relative
    }

    /// The number of symbols.
    pub(crate) fn symbols(&self) -> u8 {
        self.shape.symbols
    }

    pub(super) fn tables(&self, grid: &Grid) -> &Tables {
        self.tables.get_or_init(|| {
            let mut fields = Fields::new(&self.leaves);
            let weights: Vec<Weights<'_>> = (0..self.tree.leaves())
                .map(|_| Weights::read(&mut fields).expect("they were written or read"))
                .collect();
            Box::new(Tables::new(&self.shape, &self.tree, &weights, grid))
        })
    }

    pub(crate) fn write(&self, bytes: &mut Vec<u8>) {
        let Shape { symbols, is_relative, default, neighbours } = &self.shape;
        bytes.extend([*symbols, u8::from(*is_relative), *default, neighbours.len() as u8]);
        neighbours.iter().for_each(|steps| bytes.extend(steps.iter()));
        self.tree.write(bytes);
        bytes.extend(&self.leaves);
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
        let leaves = fields.rest();
        for _ in 0..tree.leaves() {
            if !Weights::read(fields)?.is_valid(symbols) {
                return Err(Problem::Payload);
            }
        }
        let leaves = leaves[..leaves.len() - fields.rest().len()].into();
        Ok(Self { shape, tree, leaves, tables: OnceLock::new() })
    }
}

impl Tables {
    fn new(shape: &Shape, tree: &Tree, weights: &[Weights<'_>], grid: &Grid) -> Self {
        let parts = tree.parts();
        let of_base = |base: usize| parts[0][usize::from(shape.feature_of_base(base as u8))];
        let mut leaf_of_context = tree.leaf_of_context();
        let mut factors = [0; NEIGHBOURS];
        if !shape.is_relative {
            // The cells themselves are the levels, so that the context is a sum of products. The place before has the factor 1.
            let levels = usize::from(shape.symbols) + 1;
            let is_before = |&i: &usize| {
                let steps = &shape.neighbours[i];
                !grid.is_far(steps) && steps.last() == Some(&1)
            };
            let mut order: Vec<usize> = (0..shape.neighbours.len()).collect();
            order.sort_by_key(|i| !is_before(i));
            let mut contexts = vec![0u16];
            for i in order {
                factors[i] = contexts.len() as u16;
                let of_cell = |cell: usize| parts[1 + i][cell.min(63)];
                contexts = (0..levels)
                    .flat_map(|cell| contexts.iter().map(move |context| context + of_cell(cell)))
                    .collect();
            }
            leaf_of_context =
                contexts.into_iter().map(|context| leaf_of_context[usize::from(context)]).collect();
        }
        leaf_of_context.resize(MOST_CONTEXTS, 0);
        let mut tops = Box::new([Share::default(); 256]);
        let mut starts = vec![[0; BUCKETS]; weights.len()].into_boxed_slice();
        let mut shares = Vec::new();
        for (leaf, weights) in weights.iter().enumerate() {
            for (coded, Slots { first, count }) in weights.slots() {
                let share = Share { coded, first: first as u16, count: count as u16 };
                if share.count > tops[leaf].count {
                    tops[leaf] = share;
                }
                // The buckets that begin in these slots. There are at most 255 leaves of 255 numbers.
                let after = |slot: u32| slot.div_ceil(1 << BUCKET_SHIFT) as usize;
                starts[leaf][after(first)..after(first + count)].fill(shares.len() as u16);
                shares.push(share);
            }
        }
        let origins = (0..grid.rows()).map(|row| {
            std::array::from_fn(|i| match shape.neighbours.get(i) {
                Some(steps) => grid.first_neighbour(row, steps) as u32,
                None => grid.first_cell(grid.rows()) as u32,
            })
        });
        let far = shape.neighbours.iter().take_while(|steps| grid.is_far(steps)).count();
        let of_far = |i: usize| Far { factor: factors[i], levels: Levels::new(&parts[1 + i]) };
        let of_near = |i: usize| Near {
            step: shape.neighbours[i].last().copied().unwrap_or(0).into(),
            factor: factors[i],
            of_differences: std::array::from_fn(|difference| match difference as u16 {
                ..512 => parts[1 + i][usize::from(feature_of_difference(difference as u8))],
                512.. => parts[1 + i][0],
            }),
        };
        let mut near: Vec<Near> = (far..shape.neighbours.len()).map(of_near).collect();
        let mut nearest = [0; NEAREST];
        let is_nearest = |near: &&Near| near.step <= NEAREST;
        near.iter().filter(is_nearest).for_each(|near| nearest[near.step - 1] = near.factor.into());
        nearest[0] = if nearest[0] == 0 { 0 } else { u64::MAX };
        let nearby = near.iter().filter(|near| !is_nearest(near)).map(|near| (near.step, near.factor.into()));
        let nearby = nearby.collect();
        // Some more that add nothing, so that there are 2, 4, 6 or 8. They look at the place itself, which has no symbol yet.
        let count = near.len().next_multiple_of(2).max(2);
        near.resize_with(count, || Near { step: 0, factor: 0, of_differences: [0; DIFFERENCES] });
        Self {
            nearest,
            nearby,
            of_base: Box::new(std::array::from_fn(of_base)),
            base: Levels::new(&parts[0]),
            far: (0..far).map(of_far).collect(),
            near: near.into(),
            leaf_of_context: leaf_of_context
                .iter()
                .map(|&leaf| [leaf, tops[usize::from(leaf)].coded.wrapping_add(1)])
                .collect::<Box<[[u8; 2]]>>()
                .try_into()
                .expect("as many as there can be"),
            tops,
            starts,
            shares: shares.into(),
            origins: origins.collect(),
        }
    }

    /// The leaf of a context, and its likeliest cell if the model is not relative.
    #[inline(always)]
    pub(super) fn leaf(&self, context: u16) -> (usize, u8) {
        let [leaf, cell] = self.leaf_of_context[usize::from(context)];
        (leaf.into(), cell)
    }

    /// The coded number with this slot, and all its slots.
    #[inline(always)]
    pub(super) fn find(&self, leaf: usize, slot: u32) -> (u8, Slots) {
        let mut at = usize::from(self.starts[leaf][(slot >> BUCKET_SHIFT) as usize]);
        loop {
            let share = self.shares[at];
            let slots = share.slots();
            if slot.wrapping_sub(slots.first) < slots.count {
                return (share.coded, slots);
            }
            at += 1;
        }
    }

    /// The slots of the likeliest number of a leaf, if this slot is one of them.
    #[inline(always)]
    pub(super) fn expected(&self, leaf: usize, slot: u32) -> Option<Slots> {
        let top = self.tops[leaf].slots();
        (slot.wrapping_sub(top.first) < top.count).then_some(top)
    }

    /// The cell with this slot if the model is not relative, and all slots of it. This is rare, and not worth a copy in each lane.
    #[cold]
    #[inline(never)]
    pub(super) fn find_unexpected(&self, leaf: usize, slot: u32) -> (u8, Slots) {
        let (coded, slots) = self.find(leaf, slot);
        (coded + 1, slots)
    }

    /// The slots of a coded number. Returns `None` if the leaf does not have it.
    pub(super) fn slots(&self, leaf: usize, coded: u8) -> Option<Slots> {
        let first = |leaf: &[u16; BUCKETS]| usize::from(leaf[0]);
        let end = self.starts.get(leaf + 1).map_or(self.shares.len(), first);
        let share = self.shares[first(&self.starts[leaf])..end].iter().find(|share| share.coded == coded)?;
        Some(share.slots())
    }

    /// The likeliest number of a leaf.
    #[inline(always)]
    pub(super) fn top(&self, leaf: usize) -> u8 {
        self.tops[leaf].coded
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
