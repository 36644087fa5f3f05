//! The plan of a run: its groups, and the memory and disk that they take.

use crate::defences::Defences;
use crate::inverse::Inverse;
use crate::offsets::CHUNK;
use crate::outside::LEAST_CACHE;
use crate::tally::Due;
use game::{Endgame, Index, Location};
use std::collections::BTreeSet;
use std::ops::ControlFlow;

/// A group that has to be solved.
#[derive(Clone, Debug)]
pub struct PlannedGroup<S> {
    /// The slices of the group.
    pub slices: Vec<S>,
    /// The slices of other groups that the group needs.
    pub needs: Vec<S>,
    /// The number of indices of the group.
    pub indices: u64,
    /// The memory that solving takes with narrow cells, in bytes.
    pub memory: u64,
    /// The part of `memory` for the group itself, in bytes. The rest is for the decompressed tables that it needs.
    pub own_memory: u64,
    /// The disk space that solving takes, in bytes.
    pub disk: u64,
    /// The way in which the group is solved.
    pub way: Way,
}

/// The way in which a group is solved.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Way {
    /// With the unmoves of the game.
    Unmoves,
    /// With inverted moves. Every position is visited several times.
    Inverted,
    /// By the kernel of the game.
    Kernel,
    /// The group is solved, and its whole tables are packed into small ones.
    Pack,
}

impl<S: std::fmt::Display> PlannedGroup<S> {
    /// The names of the slices, joined by `+`.
    pub fn name(&self) -> String {
        self.slices.iter().map(S::to_string).collect::<Vec<_>>().join("+")
    }
}

impl<S> PlannedGroup<S> {
    /// Reduces the memory to a limit, if possible. Then the needed tables are read block by block, and few blocks are kept.
    pub(crate) fn within(mut self, memory: u64) -> Self {
        self.memory = self.memory.min(memory.max(self.least_memory()));
        self
    }

    /// The least memory with which the group can be solved, in bytes.
    pub(crate) fn least_memory(&self) -> u64 {
        self.memory.min(self.own_memory + LEAST_CACHE)
    }
}

/// The groups of the slices and all groups that they need, in the order of solving.
pub fn groups<G: Endgame>(game: &G, wanted: &[G::Slice]) -> Vec<PlannedGroup<G::Slice>> {
    let groups = game.groups();
    let group_of = |slice: &G::Slice| {
        groups.iter().position(|group| group.contains(slice)).expect("every slice is in a group")
    };
    let mut to_solve = BTreeSet::new();
    let mut open: Vec<usize> = wanted.iter().map(group_of).collect();
    while let Some(group) = open.pop() {
        if to_solve.insert(group) {
            open.extend(
                groups[group].iter().flat_map(|&slice| game.needs(slice)).map(|slice| group_of(&slice)),
            );
        }
    }
    to_solve.into_iter().map(|group| plan(game, &groups[group])).collect()
}

/// Plans a group: finds the slices that it needs. The memory, disk and way are only placeholders.
fn plan<G: Endgame>(game: &G, slices: &[G::Slice]) -> PlannedGroup<G::Slice> {
    let mut needs: Vec<_> = slices.iter().flat_map(|&slice| game.needs(slice)).collect();
    needs.sort();
    needs.dedup();
    let indices: u64 = slices.iter().map(|&slice| game.size(slice)).sum();
    let (slices, way) = (slices.to_vec(), Way::Unmoves);
    PlannedGroup { slices, needs, indices, memory: indices, own_memory: indices, disk: indices, way }
}

impl<S: Copy> PlannedGroup<S> {
    /// Sets the memory, disk and way for the generic solver.
    pub(crate) fn for_generic_solver<G: Endgame<Slice = S>>(self, game: &G, inverts: bool) -> Self {
        let indices = self.indices;
        let needed: u64 = self.needs.iter().map(|&slice| game.size(slice)).sum();
        let sample = Sample::of(game, &self.slices);
        let moves = if inverts { Inverse::bytes(indices, sample.moves) } else { 0 };
        let crossings = sample.crossings * size_of::<u64>() as u64;
        let due = indices / CHUNK as u64 * size_of::<Due>() as u64;
        let own_memory = indices + Defences::bytes(indices) + due + moves + crossings + FIXED;
        let way = if inverts { Way::Inverted } else { Way::Unmoves };
        Self { memory: own_memory + needed, own_memory, disk: indices, way, ..self }
    }
}

/// The memory for blocks that are being written, for threads and for the program itself, in bytes.
const FIXED: u64 = 16 << 20;

/// Estimated counts of a group, from a sample of its positions.
struct Sample {
    /// The number of moves.
    moves: u64,
    /// The number of positions with a move into a position that has no index.
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
