//! Expected points over chance: value iteration for any game that numbers its positions, with a proven error.
//!
//! Every sweep gives each position the mean over chance of its best move. It uses the new numbers of the blocks before it, so it
//! comes near the solution quickly, and gives the same numbers on any number of threads. Then bounds are proven: an upper and a
//! lower one begin at the solution, and every sweep moves them apart by a slack, until one step from both stays between them.
//! Every other solution would be nearer to them after a step than it is, so there is none outside.

use crate::checkpoint::{Checkpoint, Loading, Saving};
use crate::run::{Run, Stop};
use game::{Expectation, Expected, Index, Position, parallel};
use std::io;
use std::ops::{ControlFlow, Range};
use std::time::{Duration, Instant};

/// The expected points of all positions of a slice.
#[derive(Clone, PartialEq, Debug)]
pub struct Expectations {
    /// The expected points of the side to move, by index. An index without a position has no number (`NaN`).
    pub points: Vec<f64>,
    /// The largest distance of a number from the true one.
    pub error: f64,
}

/// Sweeps end when no number changes by more than this.
const EXACT: f64 = 1e-11;
/// How far the bounds move apart with every sweep.
const SLACK: f64 = 1e-10;
/// Rounding in a step is far below this part of the slack.
const ROUNDING: f64 = 1e-3;
/// The number of indices that are computed from the same numbers, before they replace the old ones.
const BLOCK: usize = 1 << 12;
/// The most indices and ends: a successor is a number of 31 bits and the bit of its side.
const MOST: u64 = 1 << 31;

/// Solves the expected points of a slice. A run that is interrupted goes on from its checkpoint. It takes four bytes for each move.
///
/// # Errors
/// Returns an error if the run is interrupted, or if there are too many indices.
///
/// # Panics
/// Panics if a move leads out of the slice, against the law of [`Expectation`].
pub fn expectations<G: Expectation + Sync>(
    game: &G,
    slice: G::Slice,
    run: &Run<'_>,
    checkpoint: Option<(&Checkpoint, Duration)>,
) -> Result<Expectations, Stop>
where
    G::Position: Sync,
{
    let graph = Graph::new(game, slice)?;
    let name = slice.to_string();
    let size = graph.size();
    let found = checkpoint.and_then(|(checkpoint, _)| match checkpoint.load(|loading| load(loading, size)) {
        Ok(found) => found,
        Err(error) => {
            run.watch.warning(&format!("the checkpoint of {name} cannot be used: {error}"));
            None
        }
    });
    run.watch.group(&name, size as u64, found.is_some());
    let (mut sweeps, mut values) = found.unwrap_or_else(|| (0, vec![0.0; size]));
    values.extend_from_slice(&graph.ends);

    let mut saved = Instant::now();
    loop {
        let change =
            graph.sweep(&mut [&mut values], |graph, [values], index| [graph.step(index, values, values)]);
        sweeps += 1;
        run.watch.sweep(&name, sweeps as usize, size, size);
        if let Some((checkpoint, every)) = checkpoint
            && (run.is_interrupted() || saved.elapsed() >= every)
        {
            run.save(checkpoint, |saving| save(saving, sweeps, &values[..size]))?;
            saved = Instant::now();
        }
        if run.is_interrupted() {
            return Err(Stop::Interrupted);
        }
        if change <= EXACT {
            break;
        }
    }
    let (mut upper, mut lower) = (values.clone(), values);
    loop {
        let bounds = |graph: &Graph, [upper, lower]: [&[f64]; 2], index| {
            [graph.step(index, upper, lower) + SLACK, graph.step(index, lower, upper) - SLACK]
        };
        let change = graph.sweep(&mut [&mut upper, &mut lower], bounds);
        if run.is_interrupted() {
            return Err(Stop::Interrupted);
        }
        if change <= SLACK && graph.holds(&upper, &lower) {
            break;
        }
    }
    let both = || upper.iter().zip(&lower).take(size);
    let error = both().map(|(upper, lower)| upper - lower).fold(0.0, f64::max) / 2.0;
    let middle = |(index, (&upper, &lower)): (usize, (&f64, &f64))| match graph.is_position(index) {
        true => f64::midpoint(upper, lower),
        false => f64::NAN,
    };
    let points = both().enumerate().map(middle).collect();
    if let Some((checkpoint, _)) = checkpoint {
        run.discard(checkpoint);
    }
    Ok(Expectations { points, error })
}

/// One step in full precision: the expected points of the side to move, from those of the positions after its moves. `points` gives
/// them by index.
///
/// # Panics
/// Panics if a move leads out of the slice.
pub fn one_step<G: Expectation>(
    game: &G,
    slice: G::Slice,
    position: &G::Position,
    mut points: impl FnMut(Index) -> f64,
) -> f64 {
    let (mut sum, mut weights) = (0.0, 0);
    let _ = position.visit_chances(|outcome, weight| {
        let before = position.play_chance_unchecked(outcome);
        let mut best = f64::NEG_INFINITY;
        before.for_each_move(|m| {
            let next = before.play_unchecked(m);
            let value = match game.locate(slice, &next) {
                Expected::At(index) => points(index),
                Expected::Over(points) => points as f64,
                Expected::Beyond(why) => panic!("{next:?} is in no table: {why}"),
            };
            best = best.max(if next.turn() == before.turn() { value } else { -value });
        });
        sum += f64::from(weight) * best;
        weights += weight;
        ControlFlow::<()>::Continue(())
    });
    sum / f64::from(weights)
}

/// The successors of all positions.
struct Graph {
    /// For each index, its part of `chances`.
    positions: Vec<Range<u32>>,
    /// For each outcome of chance, its weight and its part of `moves`.
    chances: Vec<(u32, Range<u32>)>,
    /// The position after each move: twice its number, and 1 if the same side is to move. The ends have the numbers after the
    /// indices.
    moves: Vec<u32>,
    /// The points of the ends.
    ends: Vec<f64>,
}

impl Graph {
    fn new<G: Expectation + Sync>(game: &G, slice: G::Slice) -> Result<Self, Stop> {
        let size = game.size(slice);
        let too_many = Stop::TooManyForChance { indices: size };
        let of_index = |index: u64| {
            let mut chances: Vec<(u32, Vec<(Expected, bool)>)> = Vec::new();
            let Some(position) = game.unrank(slice, Index(index)) else { return chances };
            let _ = position.visit_chances(|outcome, weight| {
                let before = position.play_chance_unchecked(outcome);
                let mut moves = Vec::new();
                before.for_each_move(|m| {
                    let next = before.play_unchecked(m);
                    moves.push((game.locate(slice, &next), next.turn() == before.turn()));
                });
                chances.push((weight, moves));
                ControlFlow::<()>::Continue(())
            });
            chances
        };
        let mut graph =
            Self { positions: Vec::new(), chances: Vec::new(), moves: Vec::new(), ends: Vec::new() };
        if size >= MOST {
            return Err(too_many);
        }
        for start in (0..size).step_by(BLOCK) {
            let count = (size - start).min(BLOCK as u64) as usize;
            for chances in parallel::map(count, |i| of_index(start + i as u64)) {
                let from = graph.chances.len() as u32;
                for (weight, moves) in chances {
                    let first = graph.moves.len() as u32;
                    for (expected, is_same) in moves {
                        let number = match expected {
                            Expected::At(Index(index)) => index,
                            Expected::Over(points) => size + graph.end(points as f64),
                            Expected::Beyond(why) => panic!("a position after {start} is in no table: {why}"),
                        };
                        graph.moves.push((number as u32) << 1 | u32::from(is_same));
                    }
                    graph.chances.push((weight, first..graph.moves.len() as u32));
                }
                graph.positions.push(from..graph.chances.len() as u32);
            }
            if graph.moves.len() as u64 >= u64::from(u32::MAX) {
                return Err(too_many);
            }
        }
        Ok(graph)
    }

    /// The number of an end with these points.
    fn end(&mut self, points: f64) -> u64 {
        let known = self.ends.iter().position(|&known| known == points);
        known.unwrap_or_else(|| {
            self.ends.push(points);
            self.ends.len() - 1
        }) as u64
    }

    fn size(&self) -> usize {
        self.positions.len()
    }

    fn is_position(&self, index: usize) -> bool {
        !self.positions[index].is_empty()
    }

    /// The mean over chance of the best move. `mine` are the points of positions in which the same side moves on, `theirs` those in
    /// which the opponent is to move.
    fn step(&self, index: usize, mine: &[f64], theirs: &[f64]) -> f64 {
        let Range { start, end } = self.positions[index];
        let (mut sum, mut weights) = (0.0, 0);
        for (weight, moves) in &self.chances[start as usize..end as usize] {
            let moves = &self.moves[moves.start as usize..moves.end as usize];
            let value = |&next: &u32| match next & 1 {
                1 => mine[(next >> 1) as usize],
                _ => -theirs[(next >> 1) as usize],
            };
            sum += f64::from(*weight) * moves.iter().map(value).fold(f64::NEG_INFINITY, f64::max);
            weights += weight;
        }
        sum / f64::from(weights)
    }

    /// Computes new numbers for all positions, block by block. Returns the largest change.
    fn sweep<const K: usize>(
        &self,
        values: &mut [&mut Vec<f64>; K],
        step: impl Fn(&Self, [&[f64]; K], usize) -> [f64; K] + Sync,
    ) -> f64 {
        let mut change: f64 = 0.0;
        for start in (0..self.size()).step_by(BLOCK) {
            let count = (self.size() - start).min(BLOCK);
            let old: [&[f64]; K] = std::array::from_fn(|k| values[k].as_slice());
            let new =
                parallel::map(count, |i| self.is_position(start + i).then(|| step(self, old, start + i)));
            for (index, new) in (start..).zip(new).filter_map(|(index, new)| Some((index, new?))) {
                for (values, new) in values.iter_mut().zip(new) {
                    change = change.max((new - values[index]).abs());
                    values[index] = new;
                }
            }
        }
        change
    }

    /// Returns whether one step from both bounds stays between them, by more than rounding.
    fn holds(&self, upper: &[f64], lower: &[f64]) -> bool {
        let least = ROUNDING * SLACK;
        let stays = |index: usize| {
            !self.is_position(index)
                || self.step(index, upper, lower) + least <= upper[index]
                    && self.step(index, lower, upper) - least >= lower[index]
        };
        parallel::fold(self.size(), || true, |all, index| *all &= stays(index), |one, other| one && other)
    }
}

fn save(saving: &mut Saving, sweeps: u64, values: &[f64]) -> io::Result<()> {
    saving.number(sweeps)?;
    let bytes: Vec<u8> = values.iter().flat_map(|value| value.to_le_bytes()).collect();
    saving.bytes(&bytes)
}

fn load(loading: &mut Loading, size: usize) -> io::Result<Option<(u64, Vec<f64>)>> {
    let sweeps = loading.number()?;
    let mut bytes = vec![0; 8 * size];
    loading.bytes(&mut bytes)?;
    let values = bytes.as_chunks::<8>().0.iter().map(|&value| f64::from_le_bytes(value)).collect();
    Ok(Some((sweeps, values)))
}
