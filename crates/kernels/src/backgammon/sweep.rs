//! Sweeps over all positions: each gives every position the mean over the rolls of what its best play promises.

use super::plays::{Play, Plays};
use backgammon::Roll;
use rayon::prelude::*;
use std::ops::Range;

/// The number of sets whose positions are computed from the same numbers, before they replace the old ones. The result depends on
/// it, but not on the number of threads.
const BLOCK: usize = 64;

/// Numbers for all positions after a play, seen by the player who made it: `values[mine * sets + theirs]`. The first row is that of a
/// player who has borne off all checkers; it is given by the rules.
pub type After = Vec<f64>;

/// What is computed for each position from the means of *K* numbers.
pub trait Rule<const K: usize>: Sync {
    /// The new numbers of a position, as the opponent sees it who played to it.
    fn after(&self, means: [f64; K]) -> [f64; K];
}

/// The buffers of a thread.
pub struct Scratch {
    best: Vec<f64>,
    saved: Vec<f64>,
}

impl Scratch {
    /// Buffers for so many sets.
    pub fn new(sets: usize) -> Self {
        Self { best: vec![0.0; sets], saved: vec![0.0; sets] }
    }
}

/// The mean over the rolls of the best numbers after a play, for one set of the side to move and all sets of the opponent.
pub fn means(plays: &Plays, after: &[f64], set: usize, means: &mut [f64], scratch: &mut Scratch) {
    means.fill(0.0);
    for (number, roll) in Roll::ALL.into_iter().enumerate() {
        best(plays, after, set, number, scratch);
        let weight = f64::from(roll.weight());
        means.iter_mut().zip(&scratch.best).for_each(|(mean, best)| *mean += weight * best);
    }
    means.iter_mut().for_each(|mean| *mean /= 36.0);
}

/// The best numbers after a play of one roll.
fn best(plays: &Plays, after: &[f64], set: usize, roll: usize, scratch: &mut Scratch) {
    let sets = plays.sets();
    let row = |play: Play| &after[usize::from(play.own) * sets..][..sets];
    let Scratch { best, saved } = scratch;
    let Some((&first, others)) = plays.free(set, roll).split_first() else { return };
    best.copy_from_slice(row(first));
    for &(theirs, hit) in plays.hits(first) {
        best[usize::from(theirs)] = row(first)[usize::from(hit)];
    }
    for &play in others {
        let (row, hits) = (row(play), plays.hits(play));
        // Where a blot is hit, the number is that of another set.
        saved.clear();
        saved.extend(hits.iter().map(|&(theirs, _)| best[usize::from(theirs)]));
        best.iter_mut().zip(row).for_each(|(best, &value)| *best = larger(*best, value));
        for (&(theirs, hit), &saved) in hits.iter().zip(saved.iter()) {
            best[usize::from(theirs)] = larger(saved, row[usize::from(hit)]);
        }
    }
    for (blockers, list) in plays.blocked(set, roll) {
        for &theirs in blockers {
            let values = list.iter().map(|&play| row(play)[usize::from(plays.after_hits(play, theirs))]);
            best[usize::from(theirs)] = values.fold(f64::NEG_INFINITY, larger);
        }
    }
}

/// The larger of two numbers that are not NaN: a single instruction, other than [`f64::max`].
#[inline]
fn larger(one: f64, other: f64) -> f64 {
    if one > other { one } else { other }
}

/// Computes new numbers for all positions. Each block of sets uses the new numbers of the blocks before it. Returns the largest change.
pub fn sweep<const K: usize>(plays: &Plays, after: &mut [After; K], rule: &impl Rule<K>) -> f64 {
    let mut change: f64 = 0.0;
    for block in blocks(plays.sets()) {
        let rows = rows(plays, after, block.clone(), rule);
        change = change.max(replace(plays, after, block, &rows));
    }
    change
}

/// The largest change that a sweep would make if all positions were computed from the present numbers.
pub fn residual<const K: usize>(plays: &Plays, after: &[After; K], rule: &impl Rule<K>) -> f64 {
    let sets = plays.sets();
    let mut largest: f64 = 0.0;
    for block in blocks(sets) {
        let rows = rows(plays, after, block.clone(), rule);
        let of_row = |(place, row): (usize, &Vec<[f64; K]>)| {
            let mine = block.start + place;
            let positions = (1..sets).filter(|&theirs| plays.is_position(mine, theirs));
            let changes = positions.map(|theirs| {
                (0..K).map(|k| (row[theirs][k] - after[k][theirs * sets + mine]).abs()).fold(0.0, f64::max)
            });
            changes.fold(0.0, f64::max)
        };
        largest = largest.max(rows.par_iter().enumerate().map(of_row).reduce(|| 0.0, f64::max));
    }
    largest
}

/// The blocks of sets. The set without checkers is in none.
fn blocks(sets: usize) -> impl Iterator<Item = Range<usize>> {
    (1..sets).step_by(BLOCK).map(move |start| start..(start + BLOCK).min(sets))
}

/// The new numbers of the positions in which the side to move has a set of this block.
fn rows<const K: usize>(
    plays: &Plays,
    after: &[After; K],
    block: Range<usize>,
    rule: &impl Rule<K>,
) -> Vec<Vec<[f64; K]>> {
    let sets = plays.sets();
    let begin = || (Scratch::new(sets), std::array::from_fn::<Vec<f64>, K, _>(|_| vec![0.0; sets]));
    let of_set = |(scratch, of_k): &mut (Scratch, [Vec<f64>; K]), set: usize| {
        for (of_k, after) in of_k.iter_mut().zip(after) {
            means(plays, after, set, of_k, scratch);
        }
        (0..sets).map(|theirs| rule.after(std::array::from_fn(|k| of_k[k][theirs]))).collect()
    };
    block.into_par_iter().map_init(begin, of_set).collect()
}

/// Replaces the numbers of a block. Returns the largest change of a position.
fn replace<const K: usize>(
    plays: &Plays,
    after: &mut [After; K],
    block: Range<usize>,
    rows: &[Vec<[f64; K]>],
) -> f64 {
    let sets = plays.sets();
    let mut largest: f64 = 0.0;
    for (k, after) in after.iter_mut().enumerate() {
        let of_row = |(theirs, row): (usize, &mut [f64])| {
            let mut change: f64 = 0.0;
            for (mine, rows) in block.clone().zip(rows) {
                let new = rows[theirs][k];
                if plays.is_position(mine, theirs) {
                    change = change.max((new - row[mine]).abs());
                }
                row[mine] = new;
            }
            change
        };
        // The row of a player who has borne off all checkers stays.
        let changes = after.par_chunks_mut(sets).enumerate().skip(1).with_min_len(64).map(of_row);
        largest = largest.max(changes.reduce(|| 0.0, f64::max));
    }
    largest
}
