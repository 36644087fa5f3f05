//! What comes of the best plays: how often each side wins, and how. The plays are those with the best cubeless equity as the table
//! stores it. Of equal ones, it is the first in the order of [`Play`].

use super::plays::{Play, Plays};
use backgammon::Roll;
use game::parallel;

/// The numbers of each position after a play, seen by the player who made it: the probabilities to win, to win a gammon or more, to
/// win a backgammon, to lose a gammon or more, and to lose a backgammon; and the expected number of turns until the end.
pub type Ending = [f64; 6];

/// The sets of a block, as in [`sweep`](super::sweep).
const BLOCK: usize = 64;

/// The best play of each position and roll, as the place of the position after it.
pub struct Chosen {
    /// For each set of the side to move: the rolls, and for each of them the sets of the opponent.
    targets: Vec<Vec<u32>>,
}

impl Chosen {
    /// Finds the best plays by these raw equities after a play, for these sets of the side to move.
    pub fn new(plays: &Plays, raw: &[i32], movers: impl Fn(usize) -> bool + Sync) -> Self {
        let sets = plays.sets();
        let of_set = |set: usize| {
            if set == 0 || !movers(set) {
                return Vec::new();
            }
            let mut search = Search { best: vec![0; sets], saved: Vec::new() };
            let mut targets = vec![0; Roll::ALL.len() * sets];
            for (roll, targets) in targets.chunks_mut(sets).enumerate() {
                search.of_roll(plays, raw, (set, roll), targets);
            }
            targets
        };
        Self { targets: parallel::map(sets, of_set) }
    }

    /// What comes of the chosen plays of a position.
    pub fn step(&self, after: &[Ending], mine: usize, theirs: usize) -> Ending {
        let of_set = &self.targets[mine];
        let sets = of_set.len() / Roll::ALL.len();
        let mut sum = [0.0; 6];
        for (roll, targets) in Roll::ALL.into_iter().zip(of_set.chunks(sets)) {
            let weight = f64::from(roll.weight());
            let ending = &after[targets[theirs] as usize];
            sum.iter_mut().zip(ending).for_each(|(sum, number)| *sum += weight * number);
        }
        sum.map(|sum| sum / 36.0)
    }

    /// Computes new numbers for all positions, block by block. Returns the largest change of a probability, and of the number of turns.
    pub fn sweep(&self, plays: &Plays, after: &mut [Ending]) -> (f64, f64) {
        let sets = plays.sets();
        let mut largest = (0.0, 0.0);
        for start in (1..sets).step_by(BLOCK) {
            let block = start..(start + BLOCK).min(sets);
            let old = &*after;
            let rows = parallel::map(block.len(), |at| {
                (0..sets).map(|theirs| opposite(self.step(old, start + at, theirs))).collect::<Vec<_>>()
            });
            let changes = parallel::map_items(after.chunks_mut(sets).skip(1), |before, row| {
                let (theirs, mut change) = (before + 1, (0.0, 0.0));
                for (mine, rows) in block.clone().zip(&rows) {
                    if plays.is_position(mine, theirs) {
                        change = larger(change, changes(&rows[theirs], &row[mine]));
                    }
                    row[mine] = rows[theirs];
                }
                change
            });
            largest = changes.into_iter().fold(largest, larger);
        }
        largest
    }

    /// The largest change of a sweep that changes nothing.
    pub fn residual(&self, plays: &Plays, after: &[Ending]) -> (f64, f64) {
        let sets = plays.sets();
        let of_set = |before: usize| {
            let mine = before + 1;
            let positions = (1..sets).filter(|&theirs| plays.is_position(mine, theirs));
            let changes = positions.map(|theirs| {
                changes(&opposite(self.step(after, mine, theirs)), &after[theirs * sets + mine])
            });
            changes.fold((0.0, 0.0), larger)
        };
        parallel::map(sets - 1, of_set).into_iter().fold((0.0, 0.0), larger)
    }
}

/// The largest difference of a probability, and the difference of the numbers of turns.
fn changes(one: &Ending, other: &Ending) -> (f64, f64) {
    let difference = |k: usize| (one[k] - other[k]).abs();
    ((0..5).map(difference).fold(0.0, f64::max), difference(5))
}

fn larger(one: (f64, f64), other: (f64, f64)) -> (f64, f64) {
    (one.0.max(other.0), one.1.max(other.1))
}

/// The numbers of the side to move, seen by the opponent who played to the position. There is one more turn.
pub fn opposite([win, gammon, backgammon, lost_gammon, lost_backgammon, turns]: Ending) -> Ending {
    [1.0 - win, lost_gammon, lost_backgammon, gammon, backgammon, turns + 1.0]
}

/// The buffers of a search for the best plays of a set.
struct Search {
    best: Vec<i32>,
    saved: Vec<(i32, u32)>,
}

impl Search {
    /// Finds the best plays of a set with a roll. `targets` becomes the places of the positions after them.
    fn of_roll(&mut self, plays: &Plays, raw: &[i32], (set, roll): (usize, usize), targets: &mut [u32]) {
        let sets = plays.sets();
        let from = |play: Play| usize::from(play.own) * sets;
        let Self { best, saved } = self;
        best.fill(i32::MIN);
        for &play in plays.free(set, roll) {
            let (from, hits) = (from(play), plays.hits(play));
            let row = &raw[from..][..sets];
            saved.clear();
            saved.extend(hits.iter().map(|&(theirs, _)| {
                let theirs = usize::from(theirs);
                (best[theirs], targets[theirs])
            }));
            for (((best, target), &value), place) in
                best.iter_mut().zip(&mut *targets).zip(row).zip(from as u32..)
            {
                let is_better = value > *best;
                *best = if is_better { value } else { *best };
                *target = if is_better { place } else { *target };
            }
            for (&(theirs, hit), &saved) in hits.iter().zip(&*saved) {
                let (theirs, value) = (usize::from(theirs), row[usize::from(hit)]);
                let new = if value > saved.0 { (value, (from + usize::from(hit)) as u32) } else { saved };
                (best[theirs], targets[theirs]) = new;
            }
        }
        for (blockers, list) in plays.blocked(set, roll) {
            for blocker in blockers {
                let (theirs, mut most) = (usize::from(blocker.set), i32::MIN);
                for &play in list {
                    let place = from(play) + blocker.after(plays.points(play));
                    if raw[place] > most {
                        (most, targets[theirs]) = (raw[place], place as u32);
                    }
                }
            }
        }
    }
}
