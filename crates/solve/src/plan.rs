//! What a run will do and what it takes, known before it begins.

use crate::inverse::Inverse;
use crate::layout::CHUNK;
use crate::outside::LEAST_CACHE;
use crate::tally::Due;
use game::{Endgame, Index, Location};
use std::collections::BTreeSet;
use std::ops::ControlFlow;

/// A batch to be solved.
#[derive(Clone, Debug)]
pub struct PlannedBatch<S> {
    /// Its slices.
    pub slices: Vec<S>,
    /// What they need of other batches.
    pub needs: Vec<S>,
    /// The number of their indices.
    pub indices: u64,
    /// The memory that solving them takes, in bytes; with narrow cells.
    pub memory: u64,
    /// How much of that is for themselves. The rest holds what they need, unpacked.
    pub own_memory: u64,
    /// The disk that it takes, in bytes.
    pub disk: u64,
    /// How it is solved.
    pub way: Way,
}

/// How a batch is solved.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Way {
    /// With the game's moves back.
    MovesBack,
    /// With its moves turned round: every position is looked at several times.
    Inverted,
    /// By the game's special solver.
    Kernel,
}

impl<S: std::fmt::Display> PlannedBatch<S> {
    /// The slices' names.
    pub fn name(&self) -> String {
        self.slices.iter().map(S::to_string).collect::<Vec<_>>().join("+")
    }
}

impl<S> PlannedBatch<S> {
    /// Where memory is short, the tables of what is needed are read block by block, and few blocks are kept.
    pub(crate) fn within(mut self, memory: u64) -> Self {
        self.memory = self.memory.min(memory.max(self.least_memory()));
        self
    }

    /// It cannot do with less.
    pub(crate) fn least_memory(&self) -> u64 {
        self.memory.min(self.own_memory + LEAST_CACHE)
    }
}

/// The batches of the slices and of all that they need, in solving order.
pub fn batches<G: Endgame>(game: &G, wanted: &[G::Slice]) -> Vec<PlannedBatch<G::Slice>> {
    let batches = game.batches();
    let batch_of = |slice: &G::Slice| {
        batches.iter().position(|batch| batch.contains(slice)).expect("every slice is in a batch")
    };
    let mut to_solve = BTreeSet::new();
    let mut open: Vec<usize> = wanted.iter().map(batch_of).collect();
    while let Some(batch) = open.pop() {
        if to_solve.insert(batch) {
            open.extend(
                batches[batch].iter().flat_map(|&slice| game.needs(slice)).map(|slice| batch_of(&slice)),
            );
        }
    }
    to_solve.into_iter().map(|batch| plan(game, &batches[batch])).collect()
}

/// A batch of which is known what it leads to, and not yet how it is solved.
fn plan<G: Endgame>(game: &G, slices: &[G::Slice]) -> PlannedBatch<G::Slice> {
    let mut needs: Vec<_> = slices.iter().flat_map(|&slice| game.needs(slice)).collect();
    needs.sort();
    needs.dedup();
    let indices: u64 = slices.iter().map(|&slice| game.size(slice)).sum();
    let (slices, way) = (slices.to_vec(), Way::MovesBack);
    PlannedBatch { slices, needs, indices, memory: indices, own_memory: indices, disk: indices, way }
}

impl<S: Copy> PlannedBatch<S> {
    /// What the generic solver takes for it.
    pub(crate) fn for_generic_solver<G: Endgame<Slice = S>>(self, game: &G, inverts: bool) -> Self {
        let indices = self.indices;
        let needed: u64 = self.needs.iter().map(|&slice| game.size(slice)).sum();
        let sample = Sample::of(game, &self.slices);
        let moves = if inverts { Inverse::bytes(indices, sample.moves) } else { 0 };
        let crossings = sample.crossings * size_of::<u64>() as u64;
        let due = indices / CHUNK as u64 * size_of::<Due>() as u64;
        let own_memory = indices + due + moves + crossings + FIXED;
        let way = if inverts { Way::Inverted } else { Way::MovesBack };
        Self { memory: own_memory + needed, own_memory, disk: indices, way, ..self }
    }
}

/// Blocks on their way to the file, threads and the program itself.
const FIXED: u64 = 16 << 20;

/// How much there is in a batch, from a sample of its positions.
struct Sample {
    /// Moves.
    moves: u64,
    /// Positions with a move into one that has no index.
    crossings: u64,
}

impl Sample {
    fn of<G: Endgame>(game: &G, slices: &[G::Slice]) -> Self {
        const SAMPLES: u64 = 4096;
        let mut sum = Self { moves: 0, crossings: 0 };
        for &slice in slices {
            let size = game.size(slice);
            let step = (size / SAMPLES).max(1);
            let indices = (0..size).step_by(step as usize);
            for position in indices.filter_map(|index| game.unrank(slice, Index(index))) {
                let mut crosses = false;
                let _ = game.successors(&position, |location| {
                    sum.moves += step;
                    crosses |= location == Location::Through;
                    ControlFlow::<()>::Continue(())
                });
                sum.crossings += if crosses { step } else { 0 };
            }
        }
        sum
    }
}
