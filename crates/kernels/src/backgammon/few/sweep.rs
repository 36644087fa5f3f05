//! Sweeps over all positions: each gives every position the mean over the rolls of what its best play promises.

use super::plays::{Play, Plays};
use super::real::Real;
use backgammon::Roll;
use game::parallel;
use std::ops::Range;

/// The number of sets whose positions are computed from the same numbers, before they replace the old ones. The result depends on
/// it, but not on the number of threads.
pub const BLOCK: usize = 64;

/// Numbers for all positions after a play, seen by the player who made it: `values[mine * sets + theirs]`. The first row is that of a
/// player who has borne off all checkers; it is given by the rules.
pub type After<R> = Vec<R>;

/// What is computed for each position from the means of *K* numbers.
pub trait Rule<const K: usize>: Sync {
    /// The new numbers of a position, as the opponent sees it who played to it.
    fn after(&self, means: [f64; K]) -> [f64; K];
}

/// The buffers of a set.
struct Scratch<R> {
    best: Vec<R>,
    saved: Vec<R>,
}

/// The mean over the rolls of the best numbers after a play, for one set of the side to move and all sets of the opponent.
fn means<R: Real>(plays: &Plays, after: &[R], set: usize, means: &mut [R], scratch: &mut Scratch<R>) {
    means.fill(R::from(0.0));
    for (number, roll) in Roll::ALL.into_iter().enumerate() {
        best(plays, after, set, number, scratch);
        let weight = R::from(roll.weight() as f32);
        means.iter_mut().zip(&scratch.best).for_each(|(mean, &best)| *mean += weight * best);
    }
    means.iter_mut().for_each(|mean| *mean /= R::from(36.0));
}

/// The best numbers after a play of one roll.
fn best<R: Real>(plays: &Plays, after: &[R], set: usize, roll: usize, scratch: &mut Scratch<R>) {
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
        best.iter_mut().zip(row).for_each(|(best, &value)| *best = best.larger(value));
        for (&(theirs, hit), &saved) in hits.iter().zip(saved.iter()) {
            best[usize::from(theirs)] = saved.larger(row[usize::from(hit)]);
        }
    }
    for (blockers, list) in plays.blocked(set, roll) {
        blockers.iter().for_each(|blocker| best[usize::from(blocker.set)] = R::from(f32::NEG_INFINITY));
        for &play in list {
            let (row, points) = (row(play), plays.points(play));
            for blocker in blockers {
                let best = &mut best[usize::from(blocker.set)];
                *best = best.larger(row[blocker.after(points)]);
            }
        }
    }
}

/// Computes new numbers for all positions. Each block of sets uses the new numbers of the blocks before it. Returns the largest change.
pub fn sweep<R: Real, const K: usize>(plays: &Plays, after: &mut [After<R>; K], rule: &impl Rule<K>) -> f64 {
    let mut change: f64 = 0.0;
    for block in blocks(plays.sets()) {
        let rows = rows(plays, after, &Vec::from_iter(block.clone()), rule);
        change = change.max(replace(plays, after, block, &rows));
    }
    change
}

/// What one step from the present numbers gives for all positions.
pub fn step<R: Real, const K: usize>(
    plays: &Plays,
    after: &[After<R>; K],
    rule: &impl Rule<K>,
) -> [After<R>; K] {
    let mut new = after.clone();
    for block in blocks(plays.sets()) {
        let rows = rows(plays, after, &Vec::from_iter(block.clone()), rule);
        replace(plays, &mut new, block, &rows);
    }
    new
}

/// Visits all positions with the numbers that they have after a play, and those that one step from the present numbers gives, both as
/// the opponent sees them who played to it. Returns the largest of the results.
pub fn compare<R: Real, const K: usize>(
    plays: &Plays,
    after: &[After<R>; K],
    rule: &impl Rule<K>,
    sets_of_mover: &[usize],
    difference: impl Fn(usize, usize, [f64; K], [f64; K]) -> f64 + Sync,
) -> f64 {
    let sets = plays.sets();
    let mut largest: f64 = 0.0;
    for block in sets_of_mover.chunks(BLOCK) {
        let rows = rows(plays, after, block, rule);
        let of_row = |at: usize| {
            let (row, mine) = (&rows[at], block[at]);
            let positions = (1..sets).filter(|&theirs| plays.is_position(mine, theirs));
            let differences = positions.map(|theirs| {
                let old = std::array::from_fn(|k| after[k][theirs * sets + mine].into());
                difference(mine, theirs, old, row[theirs])
            });
            differences.fold(0.0, f64::max)
        };
        largest = parallel::map(rows.len(), of_row).into_iter().fold(largest, f64::max);
    }
    largest
}

/// The blocks of sets. The set without checkers is in none.
fn blocks(sets: usize) -> impl Iterator<Item = Range<usize>> {
    (1..sets).step_by(BLOCK).map(move |start| start..(start + BLOCK).min(sets))
}

/// The new numbers of the positions in which the side to move has one of these sets.
fn rows<R: Real, const K: usize>(
    plays: &Plays,
    after: &[After<R>; K],
    movers: &[usize],
    rule: &impl Rule<K>,
) -> Vec<Vec<[f64; K]>> {
    let sets = plays.sets();
    let of_set = |at: usize| {
        let empty = || vec![R::from(0.0); sets];
        let mut scratch = Scratch { best: empty(), saved: empty() };
        let mut of_k = [(); K].map(|()| empty());
        for (of_k, after) in of_k.iter_mut().zip(after) {
            means(plays, after, movers[at], of_k, &mut scratch);
        }
        (0..sets).map(|theirs| rule.after(std::array::from_fn(|k| of_k[k][theirs].into()))).collect()
    };
    parallel::map(movers.len(), of_set)
}

/// Replaces the numbers of a block. Returns the largest change of a position.
fn replace<R: Real, const K: usize>(
    plays: &Plays,
    after: &mut [After<R>; K],
    block: Range<usize>,
    rows: &[Vec<[f64; K]>],
) -> f64 {
    let sets = plays.sets();
    let mut largest: f64 = 0.0;
    for (k, after) in after.iter_mut().enumerate() {
        // The row of a player who has borne off all checkers stays.
        let changes = parallel::map_items(after.chunks_mut(sets).skip(1), |before, row| {
            let (theirs, mut change) = (before + 1, 0.0_f64);
            for (mine, rows) in block.clone().zip(rows) {
                let (new, old): (f64, f64) = (rows[theirs][k], row[mine].into());
                if plays.is_position(mine, theirs) {
                    change = change.max((new - old).abs());
                }
                row[mine] = R::nearest(new);
            }
            change
        });
        largest = changes.into_iter().fold(largest, f64::max);
    }
    largest
}
