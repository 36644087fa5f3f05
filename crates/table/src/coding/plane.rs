//! Codes the symbols of one tile.

use super::grid::{Grid, ROW_BITS};
use super::model::{Model, Tables};
use super::rans::{Decoder, Encoder, LANES};

/// What an encoder may write at a place.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Wanted {
    /// Nothing is coded here.
    Nothing,
    /// This symbol.
    Symbol(u8),
    /// Any of the symbols in a set of bits: the likeliest.
    AnyOf(u8),
    /// Any symbol: what costs least.
    Anything,
}

/// A stream in which every symbol is the likeliest one.
const AS_EXPECTED: &[u8] = &[0];

/// What is known of the places of a row before its first symbol is coded.
struct Ahead {
    /// The parts of the contexts that other rows tell.
    contexts: [u16; 1 << ROW_BITS],
    /// The bases of a relative model, or 0 where the other rows have none.
    bases: [u8; 1 << ROW_BITS],
}

impl Ahead {
    const NOTHING: Self = Self { contexts: [0; 1 << ROW_BITS], bases: [0; 1 << ROW_BITS] };

    /// Looks at the neighbours in other rows, place by place. The compiler does that for many places at once.
    fn look<const RELATIVE: bool>(&mut self, tables: &Tables, row: usize, width: usize, cells: &[u8]) {
        let far = || {
            let origins = tables.origins[row].iter().take(tables.far);
            origins.map(|&origin| &cells[origin as usize..][..width])
        };
        self.contexts.fill(0);
        if !RELATIVE {
            for (around, &factor) in far().zip(&tables.factors) {
                let contexts = self.contexts.iter_mut().zip(around);
                contexts.for_each(|(context, &cell)| *context += factor * u16::from(cell));
            }
            return;
        }
        self.bases.fill(0);
        for around in far() {
            let bases = self.bases.iter_mut().zip(around);
            bases.for_each(|(base, &cell)| *base = if *base == 0 { cell } else { *base });
        }
        for (context, &base) in self.contexts.iter_mut().zip(&self.bases) {
            *context = tables.of_base[usize::from(base)];
        }
        for (around, table) in far().zip(tables.of_differences.iter()) {
            for ((context, &base), &cell) in self.contexts.iter_mut().zip(&self.bases).zip(around) {
                let part = table[usize::from(cell.wrapping_sub(base))];
                *context += if cell == 0 { 0 } else { part };
            }
        }
    }
}

/// What happens at the places of a tile. Its methods are inlined into the loop over all places.
trait Visitor {
    /// Returns whether a place is coded.
    fn is_coded(&self, place: usize) -> bool;

    /// Codes a place, and returns its cell.
    fn code<const RELATIVE: bool>(&mut self, tables: &Tables, at: At) -> u8;
}

/// A place that is coded.
#[derive(Clone, Copy)]
struct At {
    lane: usize,
    place: usize,
    leaf: usize,
    base: u8,
}

/// Visits the places of a tile in the order in which they are coded. A slab has the rows that differ only in the second-last
/// coordinates, and a group has as many slabs as there are lanes. In a group, each slab is one row behind the slab before it, so that
/// all neighbours of a row in other rows are known.
///
/// The visitor is taken and returned, so that its state can stay in registers.
fn walk<V: Visitor>(model: &Model, grid: &Grid, cells: &mut [u8], visitor: V) -> V {
    match model.shape().is_relative {
        true => walk_as::<true, V>(model, grid, cells, visitor),
        false => walk_as::<false, V>(model, grid, cells, visitor),
    }
}

fn walk_as<const RELATIVE: bool, V: Visitor>(
    model: &Model,
    grid: &Grid,
    cells: &mut [u8],
    mut visitor: V,
) -> V {
    let (tables, default) = (model.tables(grid), model.shape().default);
    let (width, slabs, rows) = (grid.width(), grid.slabs(), grid.rows_of_slab());
    let mut ahead = [Ahead::NOTHING; LANES];
    for group in (0..slabs).step_by(LANES) {
        for step in 0..rows + LANES - 1 {
            // The lanes that have a row in this step are side by side.
            let lanes = step.saturating_sub(rows - 1)..=step.min(LANES - 1).min(slabs - 1 - group);
            let mut rows_of: [Row; LANES] = [Row::default(); LANES];
            for lane in lanes.clone() {
                let row = (group + lane) * rows + step - lane;
                rows_of[lane] = Row { first_place: row * width, first_cell: grid.first_cell(row) };
                ahead[lane].look::<RELATIVE>(tables, row, width, cells);
            }
            let mut step = Step { tables, default, cells, ahead: &ahead, visitor: &mut visitor };
            if lanes == (0..=LANES - 1) {
                for at in 0..width {
                    // The number of lanes is known here, so that the compiler can mix their instructions.
                    for (lane, row) in rows_of.iter().enumerate() {
                        step.visit::<RELATIVE>(lane, *row, at);
                    }
                }
            } else {
                for at in 0..width {
                    for lane in lanes.clone() {
                        step.visit::<RELATIVE>(lane, rows_of[lane], at);
                    }
                }
            }
        }
    }
    visitor
}

#[derive(Clone, Copy, Default)]
struct Row {
    first_place: usize,
    first_cell: usize,
}

/// One row of each lane.
struct Step<'a, V> {
    tables: &'a Tables,
    default: u8,
    cells: &'a mut [u8],
    ahead: &'a [Ahead; LANES],
    visitor: &'a mut V,
}

impl<V: Visitor> Step<'_, V> {
    /// Codes a place of a row, if it is coded.
    #[inline(always)]
    fn visit<const RELATIVE: bool>(&mut self, lane: usize, row: Row, at: usize) {
        let place = row.first_place + at;
        if !self.visitor.is_coded(place) {
            return;
        }
        let (tables, cell) = (self.tables, row.first_cell + at);
        let (mut context, mut base) = (self.ahead[lane].contexts[at], self.ahead[lane].bases[at]);
        if RELATIVE && base == 0 {
            let cells = tables.near.iter().map(|near| self.cells[cell - near.step]);
            base = cells.into_iter().find(|&cell| cell > 0).unwrap_or(self.default);
            context = tables.of_base[usize::from(base)];
        }
        for near in &tables.near {
            let around = self.cells[cell - near.step];
            context += if !RELATIVE {
                near.factor * u16::from(around)
            } else if around == 0 {
                0
            } else {
                near.of_differences[usize::from(around.wrapping_sub(base))]
            };
        }
        let leaf = tables.leaf(context);
        self.cells[cell] = self.visitor.code::<RELATIVE>(tables, At { lane, place, leaf, base });
    }
}

/// Chooses cells, and tells each coded number.
struct Choosing<'a, F> {
    model: &'a Model,
    wanted: &'a [Wanted],
    tell: F,
}

impl<F: FnMut(&Tables, At, u8)> Visitor for Choosing<'_, F> {
    fn is_coded(&self, place: usize) -> bool {
        self.wanted[place] != Wanted::Nothing
    }

    fn code<const RELATIVE: bool>(&mut self, tables: &Tables, at: At) -> u8 {
        let shape = self.model.shape();
        let cell = match self.wanted[at.place] {
            Wanted::Nothing => 0,
            // Of a relative model, not the likeliest number: that depends on the frequencies, and these are counted from the choice.
            Wanted::Anything if RELATIVE => at.base,
            Wanted::Anything => shape.cell::<RELATIVE>(tables.top(at.leaf), at.base),
            Wanted::Symbol(symbol) => symbol + 1,
            Wanted::AnyOf(set) => {
                let cells = (1..=shape.symbols).filter(|cell| set >> (cell - 1) & 1 == 1);
                let share = |cell: &u8| {
                    tables.slots(at.leaf, shape.coded(*cell, at.base)).map_or(0, |slots| slots.count)
                };
                cells.rev().max_by_key(share).unwrap_or(1)
            }
        };
        (self.tell)(tables, at, shape.coded(cell, at.base));
        cell
    }
}

/// Chooses the cells of a tile, and tells the coded number of each place that is coded.
fn choose(
    model: &Model,
    grid: &Grid,
    wanted: &[Wanted],
    cells: &mut Vec<u8>,
    tell: impl FnMut(&Tables, At, u8),
) {
    cells.clear();
    cells.resize(grid.cells(), 0);
    walk(model, grid, cells, Choosing { model, wanted, tell });
}

/// Counts the coded numbers of a tile by leaf.
pub(super) fn count(
    model: &Model,
    grid: &Grid,
    wanted: &[Wanted],
    cells: &mut Vec<u8>,
    counts: &mut [Vec<u64>],
) {
    choose(model, grid, wanted, cells, |_, at, coded| counts[at.leaf][usize::from(coded)] += 1);
}

/// Encodes a tile. Returns `None` if the model does not have a symbol.
pub(crate) fn encode(model: &Model, grid: &Grid, wanted: &[Wanted]) -> Option<Vec<u8>> {
    let (mut cells, mut steps, mut is_expected, mut is_known) = (Vec::new(), Vec::new(), true, true);
    choose(model, grid, wanted, &mut cells, |tables, at, coded| match tables.slots(at.leaf, coded) {
        Some(slots) => {
            is_expected &= tables.top(at.leaf) == coded;
            steps.push((at.lane, slots));
        }
        None => is_known = false,
    });
    if !is_known {
        return None;
    }
    if is_expected {
        return Some(AS_EXPECTED.to_vec());
    }
    let mut encoder = Encoder::new();
    steps.into_iter().rev().for_each(|(lane, slots)| encoder.push(lane, slots));
    Some(encoder.finish())
}

/// Gives every place the likeliest cell.
struct Expecting<'a, C> {
    model: &'a Model,
    is_coded: C,
}

impl<C: Fn(usize) -> bool> Visitor for Expecting<'_, C> {
    #[inline(always)]
    fn is_coded(&self, place: usize) -> bool {
        (self.is_coded)(place)
    }

    #[inline(always)]
    fn code<const RELATIVE: bool>(&mut self, tables: &Tables, at: At) -> u8 {
        self.model.shape().cell::<RELATIVE>(tables.top(at.leaf), at.base)
    }
}

/// Gives every place the cell that a stream tells.
struct Decoding<'a, C> {
    model: &'a Model,
    is_coded: C,
    decoder: Decoder<'a>,
}

impl<C: Fn(usize) -> bool> Visitor for Decoding<'_, C> {
    #[inline(always)]
    fn is_coded(&self, place: usize) -> bool {
        (self.is_coded)(place)
    }

    #[inline(always)]
    fn code<const RELATIVE: bool>(&mut self, tables: &Tables, at: At) -> u8 {
        let (coded, slots) = tables.find(at.leaf, self.decoder.slot(at.lane));
        self.decoder.advance(at.lane, slots);
        self.model.shape().cell::<RELATIVE>(coded, at.base)
    }
}

/// Decodes a tile into one byte for each place: its symbol plus one, or 0 where nothing is coded. Returns `None` if the stream is
/// not one that [`encode`] writes.
pub(crate) fn decode(
    model: &Model,
    grid: &Grid,
    stream: &[u8],
    is_coded: impl Fn(usize) -> bool,
) -> Option<Vec<u8>> {
    let mut cells = vec![0; grid.cells()];
    if stream == AS_EXPECTED {
        walk(model, grid, &mut cells, Expecting { model, is_coded });
    } else {
        let decoding = Decoding { model, is_coded, decoder: Decoder::new(stream)? };
        if !walk(model, grid, &mut cells, decoding).decoder.is_done() {
            return None;
        }
    }
    // Without the margins.
    for row in 0..grid.rows() {
        let first = grid.first_cell(row);
        cells.copy_within(first..first + grid.width(), row * grid.width());
    }
    cells.truncate(grid.places());
    Some(cells)
}
