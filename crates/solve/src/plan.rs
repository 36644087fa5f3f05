//! What a run will do and what it takes, known before it begins.

use crate::inverse::Inverse;
use crate::layout::CHUNK;
use crate::tally::Due;
use game::{Endgame, Index};
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

/// The batches of the slices and of all that they need, in solving order.
pub fn batches<G: Endgame>(game: &G, wanted: &[G::Slice], inverts: bool) -> Vec<PlannedBatch<G::Slice>> {
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
    to_solve.into_iter().map(|batch| plan(game, &batches[batch], inverts)).collect()
}

fn plan<G: Endgame>(game: &G, slices: &[G::Slice], inverts: bool) -> PlannedBatch<G::Slice> {
    let mut needs: Vec<_> = slices.iter().flat_map(|&slice| game.needs(slice)).collect();
    needs.sort();
    needs.dedup();
    let indices: u64 = slices.iter().map(|&slice| game.size(slice)).sum();
    let needed: u64 = needs.iter().map(|&slice| game.size(slice)).sum();
    let moves = if inverts { Inverse::bytes(indices, moves_of(game, slices)) } else { 0 };
    let due = indices / CHUNK as u64 * size_of::<Due>() as u64;
    let memory = indices + needed + due + moves + FIXED;
    let way = if inverts { Way::Inverted } else { Way::MovesBack };
    PlannedBatch { slices: slices.to_vec(), needs, indices, memory, disk: indices, way }
}

/// Blocks on their way to the file, threads and the program itself.
const FIXED: u64 = 16 << 20;

/// The number of moves inside a batch, from a sample of its positions.
fn moves_of<G: Endgame>(game: &G, slices: &[G::Slice]) -> u64 {
    const SAMPLES: u64 = 4096;
    let mut moves = 0;
    for &slice in slices {
        let size = game.size(slice);
        let step = (size / SAMPLES).max(1);
        let mut seen = 0;
        for index in (0..size).step_by(step as usize) {
            if let Some(position) = game.unrank(slice, Index(index)) {
                let _ = game.successors(&position, |_| {
                    seen += 1;
                    ControlFlow::<()>::Continue(())
                });
            }
        }
        moves += seen * step;
    }
    moves
}
