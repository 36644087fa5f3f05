//! Verifies tables of endgames with few checkers: one step from the stored numbers must give them again.

use super::chosen::{Chosen, Ending, opposite};
use super::cube::{Cubeless, Held};
use super::entries::{HYPER, LEFT, UNIT, description};
use super::plays::Plays;
use super::solve::{Places, Points};
use super::sweep::{After, compare};
use backgammon::Few;
use game::{Index, Rng};
use solve::Error;
use std::sync::Mutex;
use table::{Entries, Library, Numbers, Table};

/// How much of a table is verified.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Amount {
    /// Every position.
    All,
    /// At least so many positions: all those of random sets of the side to move. The same seed gives the same ones.
    Sample {
        /// The number of positions.
        positions: u64,
        /// The seed.
        seed: u64,
    },
}

/// The result.
#[derive(Clone, PartialEq, Debug)]
pub struct Verified {
    /// The number of positions that were checked.
    pub positions: u64,
    /// The largest difference between a stored number and the step to it.
    pub largest: f64,
    /// The largest difference that is allowed: three times the error that the table states.
    pub allowed: f64,
    /// Positions with a larger difference, or holes and positions that are mixed up; at most some of them.
    pub wrong: Vec<Index>,
}

/// The most wrong positions that are listed.
const LISTED: usize = 16;

/// Verifies the table. All blocks are read and checked, whatever the amount.
///
/// # Errors
/// Returns an error if the table is damaged. The result is `None` if there is none.
pub fn verify(few: Few, library: &Library, amount: Amount) -> Result<Option<Verified>, Error> {
    match few.has_gammons() {
        true => verify_numbers::<HYPER>(few, library, amount),
        false => verify_numbers::<LEFT>(few, library, amount),
    }
}

fn verify_numbers<const N: usize>(
    few: Few,
    library: &Library,
    amount: Amount,
) -> Result<Option<Verified>, Error>
where
    Numbers<N>: Entries<Entry = Option<[i64; N]>>,
{
    let Some(table) = library.described_of::<Numbers<N>>(&description(few))? else { return Ok(None) };
    let plays = Plays::new(few);
    let movers = movers(&plays, amount);
    let wrong = Mutex::new(Vec::new());
    let note = |index: Index| {
        let mut wrong = wrong.lock().expect("no thread has failed");
        if wrong.len() < LISTED {
            wrong.push(index);
        }
    };
    let numbers = read(&table, &plays, &note)?;
    let error = table.payload().format().error;
    // A step changes errors into each other, and a double doubles one.
    let allowed = 3.0 * error;
    let points = Points::of(few, &plays);
    let filled = |k: usize, end: &dyn Fn(f64) -> f64| -> After<f64> {
        let mut after = points.rows(&plays, end);
        let raw = &numbers[k * plays.sets() * plays.sets()..];
        let rest = after.iter_mut().zip(raw).skip(plays.sets());
        rest.for_each(|(after, &raw)| *after = -f64::from(raw) / f64::from(UNIT));
        after
    };
    let worst = |mine: usize, theirs: usize, differences: &mut dyn Iterator<Item = f64>| {
        let difference = differences.fold(0.0, f64::max);
        if difference > allowed {
            note(few.index(plays.numbers[mine], plays.numbers[theirs]));
        }
        difference
    };
    let same = |points: f64| points;
    // Where the numbers begin that do not depend on the best cubeless plays.
    let first = N - if N == HYPER { 5 } else { 4 };
    let cubeless = [filled(first, &same)];
    let mut largest = compare(&plays, &cubeless, &Cubeless, &movers, |mine, theirs, [old], [new]| {
        worst(mine, theirs, &mut [(old - new).abs()].into_iter())
    });
    // The opponent's cube, an own cube, centred, Jacoby: who owns the cube after a play is the opponent of the side to move.
    let jacoby = if N == HYPER { first + 3 } else { first + 2 };
    let held = [
        filled(N - 1, &same),
        filled(first + 1, &same),
        filled(first + 2, &same),
        filled(jacoby, if N == HYPER { &|_| 1.0 } else { &same }),
    ];
    let mut cube = held.clone();
    for place in plays.sets()..cube[0].len() {
        let doubling = Held::with_doubling(std::array::from_fn(|k| held[k][place]));
        cube.iter_mut().zip(doubling).for_each(|(cube, number)| cube[place] = number);
    }
    largest = largest.max(compare(&plays, &cube, &Held, &movers, |mine, theirs, _, new: [f64; 4]| {
        let place = theirs * plays.sets() + mine;
        worst(mine, theirs, &mut (0..4).map(|k| (held[k][place] - new[k]).abs()))
    }));
    if N == HYPER {
        let endings: Vec<Ending> = endings(&plays, &numbers, &points);
        let raw: Vec<i32> =
            cubeless[0].iter().map(|equity| (equity * f64::from(UNIT)).round() as i32).collect();
        let is_mover = {
            let mut is_mover = vec![false; plays.sets()];
            movers.iter().for_each(|&mover| is_mover[mover] = true);
            is_mover
        };
        let chosen = Chosen::new(&plays, &raw, |set| is_mover[set]);
        for &mine in &movers {
            for theirs in (1..plays.sets()).filter(|&theirs| plays.is_position(mine, theirs)) {
                let new = opposite(chosen.step(&endings, mine, theirs));
                let old = endings[theirs * plays.sets() + mine];
                largest = largest.max(worst(mine, theirs, &mut (0..5).map(|k| (old[k] - new[k]).abs())));
            }
        }
    }
    let of_set =
        |&mine: &usize| (1..plays.sets()).filter(|&theirs| plays.is_position(mine, theirs)).count() as u64;
    let mut wrong = wrong.into_inner().expect("no thread has failed");
    wrong.sort();
    wrong.dedup();
    Ok(Some(Verified { positions: movers.iter().map(of_set).sum(), largest, allowed, wrong }))
}

/// The sets of the side to move whose positions are verified.
fn movers(plays: &Plays, amount: Amount) -> Vec<usize> {
    let all = 1..plays.sets();
    match amount {
        Amount::All => all.collect(),
        Amount::Sample { positions, seed } => {
            let (mut left, mut rng, mut movers) = (positions, Rng::new(seed), Vec::new());
            let mut open: Vec<usize> = all.collect();
            while left > 0 && !open.is_empty() {
                let mine = open.swap_remove(rng.below(open.len() as u64) as usize);
                let found = (1..plays.sets()).filter(|&theirs| plays.is_position(mine, theirs)).count();
                left = left.saturating_sub(found as u64);
                movers.push(mine);
            }
            movers.sort_unstable();
            movers
        }
    }
}

/// The raw numbers of all entries at the places of the positions: first all first numbers, and so on. A hole that should be a
/// position, or the other way round, is noted.
fn read<const N: usize>(
    table: &Table<Numbers<N>>,
    plays: &Plays,
    note: &dyn Fn(Index),
) -> Result<Vec<i32>, Error>
where
    Numbers<N>: Entries<Entry = Option<[i64; N]>>,
{
    let cells = plays.sets() * plays.sets();
    let mut numbers = vec![0; N * cells];
    let places = Places::of(plays);
    let mut index = 0;
    for block in table.iter_blocks() {
        for entry in block?.iter() {
            match (entry, places.get(index)) {
                (Some(raw), Some(place)) => {
                    (0..N).for_each(|k| numbers[k * cells + place] = raw[k] as i32);
                }
                (None, None) => {}
                _ => note(Index(index)),
            }
            index += 1;
        }
    }
    Ok(numbers)
}

/// The endings of all positions after a play, from the stored probabilities. They do not tell the number of turns.
fn endings(plays: &Plays, numbers: &[i32], points: &Points) -> Vec<Ending> {
    let cells = plays.sets() * plays.sets();
    let at_least = |least: f64| points.rows(plays, |points| f64::from(u8::from(points >= least)));
    let ends = [at_least(1.0), at_least(2.0), at_least(3.0)];
    let ending = |place: usize| {
        if place < plays.sets() {
            return [ends[0][place], ends[1][place], ends[2][place], 0.0, 0.0, 0.0];
        }
        let number = |k: usize| f64::from(numbers[k * cells + place]) / f64::from(UNIT);
        opposite([number(0), number(1), number(2), number(3), number(4), 0.0])
    };
    (0..cells).map(ending).collect()
}
