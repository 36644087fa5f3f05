//! Codes the symbols of one tile.

use super::grid::{Grid, MARGIN, ROW};
use super::model::{DIFFERENCES, Far, Levels, Model, NEAREST, NO_SYMBOL, Tables, WITH_SYMBOL, difference_at};
use super::rans::{Decoder, Encoder, LANES};
use std::ops::Range;

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
#[derive(Clone, Copy)]
struct Ahead {
    /// The parts of the contexts that other rows tell.
    contexts: [u16; ROW],
    /// The bases of a relative model, or 0 where the other rows have none.
    bases: [u8; ROW],
}

impl Ahead {
    const NOTHING: Self = Self { contexts: [0; ROW], bases: [0; ROW] };

    /// Looks at the neighbours in other rows, place by place. The compiler does that for many places at once.
    fn look<const RELATIVE: bool>(&mut self, tables: &Tables, row: usize, cells: &[u8]) {
        let Self { contexts, bases } = self;
        let far = || {
            let origins = tables.origins[row].iter();
            let rows = origins.filter_map(|&origin| cells[origin as usize..].first_chunk::<ROW>());
            tables.far.iter().zip(rows)
        };
        contexts.fill(0);
        if !RELATIVE {
            for (&Far { factor, .. }, around) in far() {
                let contexts = contexts.iter_mut().zip(around);
                contexts.for_each(|(context, &cell)| *context += factor * u16::from(cell));
            }
            return;
        }
        bases.fill(0);
        for (_, around) in far() {
            let bases = bases.iter_mut().zip(around);
            bases.for_each(|(base, &cell)| *base = if *base == 0 { cell } else { *base });
        }
        let mut levels = [0u8; ROW];
        for &cut in &tables.base.cuts {
            levels.iter_mut().zip(&*bases).for_each(|(level, &base)| *level += u8::from(base > cut));
        }
        add(contexts, &levels, tables.base.step);
        for (Far { levels: Levels { cuts, step }, .. }, around) in far() {
            let mut differences = [0i8; ROW];
            for ((difference, &cell), &base) in differences.iter_mut().zip(around).zip(&*bases) {
                *difference = (cell.wrapping_sub(base) as i8).max(-i8::MAX);
            }
            let mut levels = [0u8; ROW];
            for &cut in cuts {
                let cut = difference_at(cut);
                let levels = levels.iter_mut().zip(&differences);
                levels.for_each(|(level, &difference)| *level += u8::from(difference > cut));
            }
            let of_cells = levels.iter_mut().zip(around);
            of_cells.for_each(|(level, &cell)| *level = if cell == 0 { 0 } else { *level });
            add(contexts, &levels, *step);
        }
    }
}

/// Adds a step for each level to the contexts of a row.
#[inline(always)]
fn add(contexts: &mut [u16; ROW], levels: &[u8; ROW], step: u16) {
    contexts.iter_mut().zip(levels).for_each(|(context, &level)| *context += step * u16::from(level));
}

/// The places of a tile that are coded.
#[derive(Clone, Copy)]
pub(crate) enum Coded<'a> {
    /// All places.
    All,
    /// Those whose bit is set, 64 places in a word.
    Bits(&'a [u64]),
}

impl Coded<'_> {
    /// The places of a row, as bits. Rows do not cross words, because their width is a power of two.
    #[inline(always)]
    fn row(self, first: usize, width: usize) -> u64 {
        let all = u64::MAX >> (ROW - width);
        match self {
            Self::All => all,
            Self::Bits(words) => words[first / 64] >> (first % 64) & all,
        }
    }
}

/// What happens at the places of a tile. Its methods are inlined into the loop over all places.
trait Visitor {
    /// The places of a row that are coded, as bits.
    fn coded(&self, first: usize, width: usize) -> u64;

    /// Codes a place, and returns its cell.
    fn code<const RELATIVE: bool>(&mut self, tables: &Tables, at: At) -> u8;
}

/// A place that is coded.
#[derive(Clone, Copy)]
struct At {
    lane: usize,
    place: usize,
    base: u8,
    leaf: usize,
    /// The likeliest cell, if the model is not relative.
    expected: u8,
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
            let lanes = step.saturating_sub(rows - 1)..(step + 1).min(LANES).min(slabs - group);
            let row_of = |lane: usize| (group + lane) * rows + step - lane;
            let (mut places, mut coded) = ([0; LANES], [0; LANES]);
            for lane in lanes.clone() {
                places[lane] = row_of(lane) * width;
                coded[lane] = visitor.coded(places[lane], width);
                if coded[lane] != 0 {
                    ahead[lane].look::<RELATIVE>(tables, row_of(lane), cells);
                }
            }
            if coded == [0; LANES] {
                continue;
            }
            let step = Step { tables, default, places, coded, ahead: &ahead };
            let columns = if RELATIVE || lanes.clone().any(|lane| coded[lane] != u64::MAX) {
                // The number of neighbours is known there, so that the compiler can mix what is done for them.
                match tables.near.len() {
                    0..=2 => step.code_places::<RELATIVE, 2, V>(&mut visitor),
                    3..=4 => step.code_places::<RELATIVE, 4, V>(&mut visitor),
                    5..=6 => step.code_places::<RELATIVE, 6, V>(&mut visitor),
                    _ => step.code_places::<RELATIVE, 8, V>(&mut visitor),
                }
            } else if lanes == (0..LANES) {
                // So are the lanes here.
                step.code_columns::<true, V>(lanes.clone(), &mut visitor)
            } else {
                step.code_columns::<false, V>(lanes.clone(), &mut visitor)
            };
            for lane in lanes {
                let to = &mut cells[grid.first_cell(row_of(lane))..][..width];
                to.iter_mut().zip(&columns).for_each(|(to, column)| *to = (column >> (16 * lane)) as u8);
            }
        }
    }
    visitor
}

/// The rows of all lanes in one step.
struct Step<'a> {
    tables: &'a Tables,
    default: u8,
    /// By lane: the first place of its row.
    places: [usize; LANES],
    /// By lane: the places of its row that are coded, as bits.
    coded: [u64; LANES],
    ahead: &'a [Ahead; LANES],
}

/// By place in the row: a number of 16 bits for each lane. The cell is in the lower eight.
type Columns = [u64; ROW];

impl Step<'_> {
    /// Codes the places that are coded, one after the other. There is no guess whether a place is coded, because it would often be
    /// wrong.
    #[inline(always)]
    fn code_places<const RELATIVE: bool, const NEAR: usize, V: Visitor>(&self, visitor: &mut V) -> Columns {
        /// The cells of the rows and of their margins, and some that make the number a power of two. So an index needs no check.
        const SPAN: usize = LANES * 2 * ROW;
        let (tables, no_symbol) = (self.tables, if RELATIVE { NO_SYMBOL } else { 0 });
        let (mut contexts, mut bases) = ([0; LANES * ROW], [0; LANES * ROW]);
        for (at, contexts) in contexts.as_chunks_mut().0.iter_mut().enumerate() {
            *contexts = std::array::from_fn::<_, LANES, _>(|lane| self.ahead[lane].contexts[at]);
        }
        for (at, bases) in bases.as_chunks_mut().0.iter_mut().enumerate() {
            *bases = std::array::from_fn::<_, LANES, _>(|lane| self.ahead[lane].bases[at]);
        }
        let mut cells = [no_symbol; SPAN];
        let Some(near) = tables.near.first_chunk::<NEAR>() else { return [0; ROW] };
        for (part, mut coded) in interleaved(self.coded).into_iter().enumerate() {
            while coded != 0 {
                let i = part * ROW + coded.trailing_zeros() as usize;
                coded &= coded - 1;
                let cell_at = |step: usize| (LANES * (MARGIN - step) + i) % SPAN;
                let (mut context, mut base) = (contexts[i], bases[i]);
                if RELATIVE && base == 0 {
                    let around = near.iter().map(|near| cells[cell_at(near.step)]);
                    base = around
                        .into_iter()
                        .find(|&cell| cell != no_symbol)
                        .map_or(self.default, |cell| cell as u8);
                    context = tables.of_base[usize::from(base)];
                }
                for near in near {
                    let cell = cells[cell_at(near.step)];
                    context += match RELATIVE {
                        true => near.of_differences[usize::from(cell - u16::from(base)) % DIFFERENCES],
                        false => near.factor * cell,
                    };
                }
                let (lane, (leaf, expected)) = (i % LANES, tables.leaf(context));
                let place = self.places[lane] + i / LANES;
                let cell = visitor.code::<RELATIVE>(tables, At { lane, place, base, leaf, expected });
                cells[cell_at(0)] = if RELATIVE { WITH_SYMBOL + u16::from(cell) } else { cell.into() };
            }
        }
        std::array::from_fn(|at| {
            let cell = |lane: usize| u64::from(cells[LANES * (MARGIN + at) + lane]) << (16 * lane);
            (0..LANES).fold(0, |column, lane| column | cell(lane))
        })
    }

    /// Codes all places of some lanes, if the model is not relative and rows are long.
    ///
    /// The cells of a column are multiplied and added at once.
    #[inline(always)]
    fn code_columns<const ALL: bool, V: Visitor>(&self, lanes: Range<usize>, visitor: &mut V) -> Columns {
        let tables = self.tables;
        let mut contexts = [0u64; ROW];
        for (lane, ahead) in self.ahead.iter().enumerate() {
            let columns = contexts.iter_mut().zip(&ahead.contexts);
            columns.for_each(|(column, &context)| *column |= u64::from(context) << (16 * lane));
        }
        let mut cells = [0u64; MARGIN + ROW];
        let (mut first, mut second, mut third) = (0, 0, 0);
        for from in (0..ROW).step_by(NEAREST + 1) {
            // The neighbours that are not among the last three columns are known for four columns at once.
            for &(step, factor) in &tables.nearby {
                let contexts = contexts[from..=from + NEAREST].iter_mut();
                let around = &cells[MARGIN + from - step..][..=NEAREST];
                contexts.zip(around).for_each(|(context, cells)| *context += factor * cells);
            }
            for at in from..from + NEAREST + 1 {
                let [of_first, of_second, of_third] = tables.nearest;
                // The last column comes last, and without a product, because all wait for it.
                let context = contexts[at] + of_third * third + of_second * second + (of_first & first);
                let mut code = |lane: usize| {
                    let (leaf, expected) = tables.leaf((context >> (16 * lane)) as u16);
                    let at = At { lane, place: self.places[lane] + at, base: 0, leaf, expected };
                    u64::from(visitor.code::<false>(tables, at)) << (16 * lane)
                };
                let column = match ALL {
                    true => (code(0) | code(1)) | (code(2) | code(3)),
                    false => lanes.clone().fold(0, |column, lane| column | code(lane)),
                };
                (first, second, third) = (column, first, second);
                cells[MARGIN + at] = column;
            }
        }
        std::array::from_fn(|at| cells[MARGIN + at])
    }
}

/// The bits of all lanes in the order in which their places are coded: place by place, and lane by lane.
fn interleaved(of_lanes: [u64; LANES]) -> [u64; LANES] {
    // Moves sixteen bits apart, so that there are three others after each.
    let spread = |bits: u64| {
        let bits = (bits | bits << 24) & 0x0000_00FF_0000_00FF;
        let bits = (bits | bits << 12) & 0x000F_000F_000F_000F;
        let bits = (bits | bits << 6) & 0x0303_0303_0303_0303;
        (bits | bits << 3) & 0x1111_1111_1111_1111
    };
    std::array::from_fn(|part| {
        let bits = |lane: usize| spread(of_lanes[lane] >> (16 * part) & 0xFFFF) << lane;
        (0..LANES).fold(0, |all, lane| all | bits(lane))
    })
}

/// Chooses cells, and tells each coded number.
struct Choosing<'a, F> {
    /// By its frequencies, places that can have several symbols get theirs.
    chooser: &'a Model,
    wanted: &'a [Wanted],
    tell: F,
}

impl<F> Choosing<'_, F> {
    /// The likeliest of some cells. This is rare: most places can have the one that is expected.
    #[cold]
    fn likeliest(&self, tables: &Tables, at: At, is_allowed: impl Fn(&u8) -> bool) -> u8 {
        let shape = self.chooser.shape();
        let share =
            |cell: &u8| tables.slots(at.leaf, shape.coded(*cell, at.base)).map_or(0, |slots| slots.count);
        (1..=shape.symbols).filter(is_allowed).rev().max_by_key(share).unwrap_or(1)
    }
}

impl<F: FnMut(At, u8)> Visitor for Choosing<'_, F> {
    #[inline(always)]
    fn coded(&self, first: usize, width: usize) -> u64 {
        let places = self.wanted[first..first + width].iter().rev();
        places.fold(0, |bits, &wanted| bits << 1 | u64::from(wanted != Wanted::Nothing))
    }

    #[inline(always)]
    fn code<const RELATIVE: bool>(&mut self, tables: &Tables, at: At) -> u8 {
        let shape = self.chooser.shape();
        let cell = match self.wanted[at.place] {
            Wanted::Nothing => 0,
            Wanted::Anything => shape.cell::<RELATIVE>(tables.top(at.leaf), at.base),
            Wanted::Symbol(symbol) => symbol + 1,
            Wanted::AnyOf(set) => {
                let expected = shape.cell::<RELATIVE>(tables.top(at.leaf), at.base);
                let is_allowed = |cell: &u8| set >> (cell - 1) & 1 == 1;
                if is_allowed(&expected) { expected } else { self.likeliest(tables, at, is_allowed) }
            }
        };
        (self.tell)(at, shape.coded(cell, at.base));
        cell
    }
}

/// Chooses the cells of a tile, and tells the coded number of each place that is coded.
fn choose(chooser: &Model, grid: &Grid, wanted: &[Wanted], cells: &mut Vec<u8>, tell: impl FnMut(At, u8)) {
    cells.clear();
    cells.resize(grid.cells(), 0);
    walk(chooser, grid, cells, Choosing { chooser, wanted, tell });
}

/// Chooses the cells of a tile.
pub(super) fn fill(chooser: &Model, grid: &Grid, wanted: &[Wanted], cells: &mut Vec<u8>) {
    choose(chooser, grid, wanted, cells, |_, _| ());
}

/// Chooses the cells of a tile, and tells the leaf and the coded number of each place that is coded.
pub(super) fn each_coded(
    chooser: &Model,
    grid: &Grid,
    wanted: &[Wanted],
    cells: &mut Vec<u8>,
    mut tell: impl FnMut(usize, u8),
) {
    choose(chooser, grid, wanted, cells, |at, coded| tell(at.leaf, coded));
}

/// The places at which something is coded, 64 in a word.
pub(crate) fn coded_bits(wanted: &[Wanted]) -> Vec<u64> {
    let bit = |(at, &wanted): (usize, &Wanted)| u64::from(wanted != Wanted::Nothing) << at;
    wanted.chunks(64).map(|places| places.iter().enumerate().map(bit).sum()).collect()
}

/// Encodes a tile. The chooser differs from the model in its frequencies only, and chooses the symbols of places that can have
/// several. Returns `None` if the model does not have a symbol.
pub(crate) fn encode(model: &Model, chooser: &Model, grid: &Grid, wanted: &[Wanted]) -> Option<Vec<u8>> {
    let tables = model.tables(grid);
    let (mut cells, mut steps, mut is_expected, mut is_known) = (Vec::new(), Vec::new(), true, true);
    choose(chooser, grid, wanted, &mut cells, |at, coded| match tables.slots(at.leaf, coded) {
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
struct Expecting<'a> {
    model: &'a Model,
    coded: Coded<'a>,
}

impl Visitor for Expecting<'_> {
    #[inline(always)]
    fn coded(&self, first: usize, width: usize) -> u64 {
        self.coded.row(first, width)
    }

    #[inline(always)]
    fn code<const RELATIVE: bool>(&mut self, tables: &Tables, at: At) -> u8 {
        self.model.shape().cell::<RELATIVE>(tables.top(at.leaf), at.base)
    }
}

/// Gives every place the cell that a stream tells.
struct Decoding<'a> {
    model: &'a Model,
    coded: Coded<'a>,
    decoder: Decoder<'a>,
}

impl Visitor for Decoding<'_> {
    #[inline(always)]
    fn coded(&self, first: usize, width: usize) -> u64 {
        self.coded.row(first, width)
    }

    #[inline(always)]
    fn code<const RELATIVE: bool>(&mut self, tables: &Tables, at: At) -> u8 {
        let slot = self.decoder.slot(at.lane);
        if RELATIVE {
            let (coded, slots) = tables.find(at.leaf, slot);
            self.decoder.advance::<false>(at.lane, slots);
            return self.model.shape().cell::<RELATIVE>(coded, at.base);
        }
        let (cell, slots) = match tables.expected(at.leaf, slot) {
            Some(slots) => (at.expected, slots),
            None => tables.find_unexpected(at.leaf, slot),
        };
        self.decoder.advance::<true>(at.lane, slots);
        cell
    }
}

/// Decodes a tile into one byte for each place: its symbol plus one, or 0 where nothing is coded. Returns `None` if the stream is
/// not one that [`encode`] writes.
pub(crate) fn decode(model: &Model, grid: &Grid, stream: &[u8], coded: Coded<'_>) -> Option<Vec<u8>> {
    let mut cells = vec![0; grid.cells()];
    if stream == AS_EXPECTED {
        walk(model, grid, &mut cells, Expecting { model, coded });
    } else {
        let decoding = Decoding { model, coded, decoder: Decoder::new(stream)? };
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

#[cfg(test)]
mod tests {
    use super::super::model::{Shape, Weights};
    use super::super::tree::{Node, Tree};
    use super::*;
    use game::Rng;

    /// The context of a place in the tree, by the definitions.
    fn context(model: &Model, grid: &Grid, cells: &[u8], place: usize) -> usize {
        let (row, at, shape) = (place / grid.width(), place % grid.width(), model.shape());
        let around: Vec<u8> =
            shape.neighbours.iter().map(|steps| cells[grid.first_neighbour(row, steps) + at]).collect();
        let base = shape.base(&around);
        let features = around.iter().map(|&cell| shape.feature_of(cell, base));
        let parts = model.tree().parts();
        let levels = [shape.feature_of_base(base)].into_iter().chain(features).zip(&parts);
        levels.map(|(feature, part)| usize::from(part[usize::from(feature)])).sum()
    }

    /// A model with these cuts for each neighbour and a leaf for each level of one of them.
    fn model(shape: Shape, cuts: &[u8]) -> Model {
        let neighbours = shape.neighbours.len();
        let all = [vec![vec![9, 100]], vec![cuts.to_vec(); neighbours]].concat();
        let split = |feature: usize| (0..cuts.len()).map(move |cut| (feature, cut));
        // Each node has a leaf for what is low, so every feature is asked about if the ones before it are high.
        let splits = [(0, 0), (0, 1)].into_iter().chain((1..=neighbours).flat_map(split));
        let nodes = splits
            .flat_map(|(feature, cut)| [Node::Split { feature: feature as u8, cut: cut as u8 }, Node::Leaf]);
        let nodes: Vec<Node> = nodes.chain([Node::Leaf]).collect();
        let tree = Tree::new(all, nodes).expect("a tree");
        let mut rng = Rng::new(1);
        let mut weights =
            || Weights::of_counts(&(0..shape.symbols).map(|_| 1 + rng.below(999)).collect::<Vec<_>>());
        let weights: Vec<Weights<'_>> = (0..tree.leaves()).map(|_| weights()).collect();
        Model::new(shape, tree, &weights)
    }

    #[test]
    fn leaves_are_those_of_the_definitions() {
        for (symbols, is_relative, cuts) in
            [(3, false, &[0, 1, 2][..]), (200, true, &[0, 25, 61]), (40, true, &[10, 31, 33])]
        {
            for (bits, share) in [([3, 2, 6], 100), ([3, 2, 6], 60), ([3, 2, 6], 2), ([1, 3, 4], 70)] {
                let grid = Grid::new(&bits);
                let steps = |steps: [u8; 3]| steps.into();
                let neighbours =
                    [[1, 0, 0], [0, 1, 1], [1, 1, 0], [0, 0, 2], [0, 0, 1], [0, 0, 8], [0, 0, 3]];
                let neighbours = neighbours.map(steps).to_vec();
                let model = model(Shape { symbols, is_relative, default: 2, neighbours }, cuts);
                let mut rng = Rng::new(2);
                let wanted: Vec<Wanted> = (0..grid.places())
                    .map(|_| match rng.below(100) < share {
                        true => Wanted::Symbol(rng.below(symbols.into()) as u8),
                        false => Wanted::Nothing,
                    })
                    .collect();
                let (mut cells, mut leaves) = (Vec::new(), Vec::new());
                choose(&model, &grid, &wanted, &mut cells, |at, _| leaves.push((at.place, at.leaf)));
                assert_eq!(leaves.len(), wanted.iter().filter(|&&wanted| wanted != Wanted::Nothing).count());
                // Cells that are coded later are no neighbours.
                let of_context = model.tree().leaf_of_context();
                let leaf = |place: usize| usize::from(of_context[context(&model, &grid, &cells, place)]);
                assert!(leaves.iter().all(|&(place, of)| of == leaf(place)));
                let stream = encode(&model, &model, &grid, &wanted).expect("all symbols have weights");
                let decoded = decode(&model, &grid, &stream, Coded::Bits(&coded_bits(&wanted)));
                let cells = wanted.iter().map(|wanted| match wanted {
                    Wanted::Symbol(symbol) => symbol + 1,
                    _ => 0,
                });
                assert_eq!(decoded, Some(cells.collect()));
            }
        }
    }

    /// The chooser has other frequencies than the model, so they expect other numbers.
    #[test]
    fn a_chooser_fills_the_places_that_have_a_choice() {
        let grid = Grid::new(&[3, 2, 6]);
        for is_relative in [false, true] {
            let neighbours = [[1, 0, 0], [0, 0, 1]].map(|steps: [u8; 3]| steps.into()).to_vec();
            let shape = Shape { symbols: 5, is_relative, default: 2, neighbours };
            let chooser = model(shape.clone(), &[1, 31]);
            let tree = chooser.tree().clone();
            let mut rng = Rng::new(3);
            let wanted: Vec<Wanted> = (0..grid.places())
                .map(|_| match rng.below(4) {
                    0 => Wanted::Nothing,
                    1 => Wanted::Symbol(rng.below(5) as u8),
                    2 => Wanted::AnyOf(1 + rng.below(31) as u8),
                    _ => Wanted::Anything,
                })
                .collect();
            let (mut cells, mut counts) = (Vec::new(), vec![vec![0; 5]; tree.leaves()]);
            each_coded(&chooser, &grid, &wanted, &mut cells, |leaf, number| {
                counts[leaf][usize::from(number)] += 1;
            });
            // The model has only the numbers that come to a leaf, and the rarest is the likeliest.
            let inverted = |counts: &Vec<u64>| match counts.iter().max() {
                Some(&most) if most > 0 => {
                    counts.iter().map(|&count| if count > 0 { 1 + most - count } else { 0 }).collect()
                }
                _ => vec![1; 5],
            };
            let weights: Vec<Weights<'_>> =
                counts.iter().map(|counts| Weights::of_counts(&inverted(counts))).collect();
            let other = Model::new(shape, tree, &weights);
            let stream = encode(&other, &chooser, &grid, &wanted).expect("all numbers were counted");
            let decoded = decode(&other, &grid, &stream, Coded::Bits(&coded_bits(&wanted)));
            let decoded = decoded.expect("what was encoded");
            for (place, (&cell, wanted)) in decoded.iter().zip(&wanted).enumerate() {
                assert_eq!(cell, cells[grid.first_cell(place / 64) + place % 64]);
                assert!(match wanted {
                    Wanted::Nothing => cell == 0,
                    Wanted::Symbol(symbol) => cell == symbol + 1,
                    Wanted::AnyOf(set) => set >> (cell - 1) & 1 == 1,
                    Wanted::Anything => cell > 0,
                });
            }
        }
    }
}
