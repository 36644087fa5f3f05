//! Finds a model for the symbols of many tiles.

use super::grid::{Grid, Steps};
use super::growth::{GoOn, Sample, gains, grow};
use super::logarithm::{BIT, n_log_n};
use super::model::{Model, Shape, Weights};
use super::plane::{self, Wanted};
use super::tree::Tree;
use game::parallel;
use std::io;
use std::sync::{Mutex, PoisonError};

/// The most tiles of a sample, and about how many of their places are in it.
const SAMPLED_TILES: usize = 256;
const SAMPLED_PLACES: usize = 400_000;
/// The sample with which neighbours are chosen is smaller, because it has the features of all candidates.
const PLACES_FOR_CHOICE: usize = 120_000;
/// The leaves of the tree with which neighbours are chosen.
const LEAVES_FOR_CHOICE: usize = 80;
/// How often places that can have several symbols are chosen again for a better model.
const ROUNDS: usize = 3;

/// A model with the frequencies of a sample.
#[derive(Debug)]
pub(crate) struct Draft {
    model: Model,
    /// About how many bits all symbols take.
    pub bits: u64,
}

/// A model, and what an encoder needs in addition.
#[derive(Debug)]
pub(crate) struct Trained {
    pub model: Model,
    /// Differs from the model in its frequencies only. Places that can have several symbols get the likeliest by these frequencies.
    /// Those of the model are counted after this choice, so the model has every number that is coded.
    pub chooser: Model,
}

/// Writes what is wanted at each place of a tile to an empty vector. It is called several times for each tile, from all threads.
pub(crate) type Load<'a> = dyn Fn(usize, &mut Vec<Wanted>) -> io::Result<()> + Sync + 'a;

/// A tile of the sample, as it will be coded.
struct Tile {
    wanted: Vec<Wanted>,
    cells: Vec<u8>,
}

/// Finds a model for the symbols below `symbols` of `tiles` tiles, from a sample.
///
/// # Errors
/// Returns an error if `load` or `go_on` does.
pub(crate) fn draft(
    grid: &Grid,
    symbols: u8,
    is_relative: bool,
    tiles: usize,
    load: &Load<'_>,
    go_on: GoOn<'_>,
) -> io::Result<Draft> {
    let count = tiles.min(SAMPLED_TILES);
    let mut sample = parallel::try_map(count, |i| {
        let mut wanted = Vec::with_capacity(grid.places());
        load(i * tiles / count, &mut wanted)?;
        let cells = first_cells(grid, &wanted);
        Ok::<_, io::Error>(Tile { wanted, cells })
    })?;
    let shape = choose_shape(grid, symbols, is_relative, &sample, go_on)?;
    let has_choice = sample
        .iter()
        .any(|tile| tile.wanted.iter().any(|wanted| matches!(wanted, Wanted::AnyOf(_) | Wanted::Anything)));
    let rounds = if has_choice { ROUNDS } else { 1 };
    let mut round = 1;
    loop {
        let (places, scale) = places_of(grid, &shape, &sample, SAMPLED_PLACES, tiles);
        let tree = grow(&places, symbols.into(), scale, go_on)?;
        go_on()?;
        let (model, bits) = weighted(&shape, &tree, grid, &sample)?;
        if round == rounds {
            return Ok(Draft { model, bits: bits * tiles as u64 / count.max(1) as u64 });
        }
        sample = parallel::map(sample.len(), |i| {
            let mut cells = Vec::new();
            plane::fill(&model, grid, &sample[i].wanted, &mut cells);
            Tile { wanted: sample[i].wanted.clone(), cells }
        });
        round += 1;
    }
}

impl Draft {
    /// The model with the frequencies of all tiles. Returns `None` if nothing is coded.
    ///
    /// # Errors
    /// Returns an error if `load` does.
    pub(crate) fn finish(self, grid: &Grid, tiles: usize, load: &Load<'_>) -> io::Result<Option<Trained>> {
        let chooser = self.model;
        let counts = counted(&chooser, grid, tiles, load)?;
        if counts.iter().flatten().all(|&count| count == 0) {
            return Ok(None);
        }
        // To choose again by these frequencies, and count again, saves nothing.
        let model = with_counts(chooser.shape(), chooser.tree(), counts);
        Ok(Some(Trained { model, chooser }))
    }
}

/// A first choice of cells: where there is a choice, the symbol of the place before, or else the greatest below it.
fn first_cells(grid: &Grid, wanted: &[Wanted]) -> Vec<u8> {
    let mut cells = vec![0; grid.cells()];
    for row in 0..grid.rows() {
        let mut last = 1;
        for at in 0..grid.width() {
            let cell = match wanted[row * grid.width() + at] {
                Wanted::Nothing => continue,
                Wanted::Anything => last,
                Wanted::Symbol(symbol) => symbol + 1,
                Wanted::AnyOf(set) => (1..=last)
                    .rev()
                    .find(|cell| set >> (cell - 1) & 1 == 1)
                    .unwrap_or(1 + set.trailing_zeros() as u8),
            };
            cells[grid.first_cell(row) + at] = cell;
            last = cell;
        }
    }
    cells
}

/// Visits the cells of a tile that have a symbol, by row and place in the row.
fn each_coded(grid: &Grid, tile: &Tile, mut visit: impl FnMut(usize, usize, u8)) {
    for row in 0..grid.rows() {
        for (at, &cell) in tile.cells[grid.first_cell(row)..][..grid.width()].iter().enumerate() {
            if cell > 0 {
                visit(row, at, cell);
            }
        }
    }
}

/// The features and coded numbers of about `most` places of the sample, and how many places of all tiles each stands for.
fn places_of(grid: &Grid, shape: &Shape, sample: &[Tile], most: usize, tiles: usize) -> (Sample, u64) {
    let coded: Vec<usize> = parallel::map(sample.len(), |i| {
        let mut coded = 0;
        each_coded(grid, &sample[i], |_, _, _| coded += 1);
        coded
    });
    let all: usize = coded.iter().sum();
    let step = (all / most).max(1);
    let width = 1 + shape.neighbours.len();
    let parts = parallel::map(sample.len(), |i| {
        let mut part = Sample::of_width(width);
        let (mut passed, cells) = (coded[..i].iter().sum::<usize>(), &sample[i].cells);
        let mut around = Vec::with_capacity(width);
        each_coded(grid, &sample[i], |row, at, cell| {
            passed += 1;
            if passed % step == 0 {
                let neighbour = |steps: &Steps| cells[grid.first_neighbour(row, steps) + at];
                around.clear();
                around.extend(shape.neighbours.iter().map(neighbour));
                let base = shape.base(&around);
                part.features[0].push(shape.feature_of_base(base));
                let features = part.features[1..].iter_mut().zip(&around);
                features.for_each(|(to, &cell)| to.push(shape.feature_of(cell, base)));
                part.symbols.push(shape.coded(cell, base));
            }
        });
        part
    });
    let scale = (step * tiles / sample.len().max(1)).max(1);
    (parts.into_iter().fold(Sample::of_width(width), Sample::join), scale as u64)
}

/// Chooses the neighbours that a model looks at: those by which a small tree saves most.
fn choose_shape(
    grid: &Grid,
    symbols: u8,
    is_relative: bool,
    sample: &[Tile],
    go_on: GoOn<'_>,
) -> io::Result<Shape> {
    let mut counts = vec![0u64; usize::from(symbols) + 1];
    sample.iter().for_each(|tile| each_coded(grid, tile, |_, _, cell| counts[usize::from(cell)] += 1));
    // The symbol in the middle of all.
    let (mut passed, all) = (0, counts.iter().sum::<u64>());
    let middle = counts.iter().position(|count| {
        passed += count;
        2 * passed >= all.max(1)
    });
    let default = middle.unwrap_or(1).clamp(1, symbols.into()) as u8;
    let of = |neighbours| Shape { symbols, is_relative, default, neighbours };
    let mut neighbours = grid.candidates();
    if is_relative {
        let costs = parallel::try_map(neighbours.len(), |i| {
            go_on().map(|()| cost_of_base(grid, &of(vec![neighbours[i].clone()]), sample))
        })?;
        // A base in another row can be found for many places at once.
        let best = (0..neighbours.len()).min_by_key(|&i| (!grid.is_far(&neighbours[i]), costs[i]));
        if let Some(best) = best {
            neighbours[..=best].rotate_right(1);
        }
    }
    // The base stays, even if nothing is compared with it. Neighbours that tell the same share what they save, so the worst are
    // dropped in steps.
    let kept = usize::from(is_relative);
    for most in [24, 16, 12, 10, Shape::most_neighbours(symbols, is_relative)] {
        let (places, scale) =
            places_of(grid, &of(neighbours.clone()), sample, PLACES_FOR_CHOICE, sample.len());
        let gains = gains(&places, symbols.into(), scale, LEAVES_FOR_CHOICE, go_on)?;
        let gain_of = |neighbour: usize| gains.get(1 + neighbour).copied().unwrap_or(0);
        let mut order: Vec<usize> = (kept..neighbours.len()).filter(|&i| gain_of(i) > 0).collect();
        order.sort_by_key(|&i| -gain_of(i));
        order.truncate(most - kept);
        neighbours = (0..kept.min(neighbours.len())).chain(order).map(|i| neighbours[i].clone()).collect();
    }
    // Those in other rows come first. This keeps the base in its place, because it is one of them if there are any.
    neighbours.sort_by_key(|steps| !grid.is_far(steps));
    Ok(of(neighbours))
}

/// What a sample costs if only the base is known, in some unit.
fn cost_of_base(grid: &Grid, shape: &Shape, sample: &[Tile]) -> u64 {
    let mut counts = vec![0u64; shape.symbols.into()];
    let origins: Vec<usize> =
        (0..grid.rows()).map(|row| grid.first_neighbour(row, &shape.neighbours[0])).collect();
    for tile in sample {
        each_coded(grid, tile, |row, at, cell| {
            let base = shape.base(&[tile.cells[origins[row] + at]]);
            counts[usize::from(shape.coded(cell, base))] += 1;
        });
    }
    n_log_n(counts.iter().sum()) - counts.iter().map(|&count| n_log_n(count)).sum::<u64>()
}

/// A model with the frequencies of the cells of a sample, and the bits that these take.
fn weighted(shape: &Shape, tree: &Tree, grid: &Grid, sample: &[Tile]) -> io::Result<(Model, u64)> {
    let equal = Weights::of_counts(&vec![1; shape.symbols.into()]);
    let model = Model::new(shape.clone(), tree.clone(), &vec![equal; tree.leaves()]);
    let counts = counted(&model, grid, sample.len(), &|i, wanted| {
        let chosen = |cell: &u8| cell.checked_sub(1).map_or(Wanted::Nothing, Wanted::Symbol);
        for row in 0..grid.rows() {
            wanted.extend(sample[i].cells[grid.first_cell(row)..][..grid.width()].iter().map(chosen));
        }
        Ok(())
    })?;
    let cost = |counts: &Vec<u64>| {
        n_log_n(counts.iter().sum()) - counts.iter().map(|&count| n_log_n(count)).sum::<u64>()
    };
    let bits = counts.iter().map(cost).sum::<u64>() / BIT;
    Ok((with_counts(shape, tree, counts), bits))
}

/// The counts of all coded numbers, by leaf.
fn counted(model: &Model, grid: &Grid, tiles: usize, load: &Load<'_>) -> io::Result<Vec<Vec<u64>>> {
    /// The most sums that are kept at once, because one takes up to half a megabyte. Threads seldom wait for each other: to add the
    /// numbers of a tile takes much less time than to find them.
    const SUMS: usize = 4;
    let symbols = usize::from(model.symbols());
    let sums: [Mutex<Vec<u64>>; SUMS] =
        std::array::from_fn(|_| Mutex::new(vec![0; model.tree().leaves() * symbols]));
    parallel::try_map(tiles, |tile| {
        let (mut wanted, mut cells) = (Vec::with_capacity(grid.places()), Vec::new());
        load(tile, &mut wanted)?;
        let mut coded = Vec::with_capacity(grid.places());
        plane::each_coded(model, grid, &wanted, &mut cells, |leaf, number| {
            // There are at most 255 of each.
            coded.push((leaf * symbols + usize::from(number)) as u16);
        });
        let mut sum = sums[tile % SUMS].lock().unwrap_or_else(PoisonError::into_inner);
        coded.into_iter().for_each(|at| sum[usize::from(at)] += 1);
        Ok::<_, io::Error>(())
    })?;
    let all = sums.map(|sum| sum.into_inner().unwrap_or_else(PoisonError::into_inner)).into_iter();
    let all = all.reduce(|mut all, sum| {
        all.iter_mut().zip(sum).for_each(|(all, sum)| *all += sum);
        all
    });
    Ok(all.unwrap_or_default().chunks(symbols).map(<[u64]>::to_vec).collect())
}

/// The model with the frequencies of these counts.
fn with_counts(shape: &Shape, tree: &Tree, mut counts: Vec<Vec<u64>>) -> Model {
    // A leaf to which no place comes must have some frequencies.
    let unused = counts.iter_mut().filter(|counts| counts.iter().all(|&count| count == 0));
    unused.for_each(|counts| counts.fill(1));
    let leaves: Vec<Weights<'_>> = counts.iter().map(|counts| Weights::of_counts(counts)).collect();
    Model::new(shape.clone(), tree.clone(), &leaves)
}
