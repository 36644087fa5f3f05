//! Verifies tables of endgames with few checkers: one step from the stored numbers must give them again.

use super::chosen::{Chosen, Ending, opposite};
use super::cube::{Cubeless, Held};
use super::entries::{HYPER, LEFT, MOST_ERROR, UNIT, description, payload};
use super::plays::Plays;
use super::solve::{LISTS, Places, Points};
use super::sweep::{After, BLOCK, compare};
use crate::backgammon::verified::{Number, Parts, Unlike};
use backgammon::Few;
use game::{Index, Rng, parallel};
use solve::Extent;
use std::sync::Mutex;
use table::{Entries, Error, Numbers, Problem, Table, TableFile};

/// The result.
#[derive(Clone, PartialEq, Debug)]
pub struct Verified {
    /// The number of positions that were checked.
    pub positions: u64,
    /// The largest difference between a stored number and the step to it.
    pub largest: f64,
    /// The largest difference that is allowed: three times the error that the table states.
    pub allowed: f64,
    /// Numbers with a larger difference, or holes and positions that are mixed up; at most some of them.
    pub wrong: Vec<Unlike>,
}

/// The most wrong numbers that are listed.
const LISTED: usize = 16;

/// The memory to verify the table, in bytes.
pub fn memory_to_verify(few: Few) -> u64 {
    let cells = (few.sets() * few.sets()) as u64;
    let numbers = if few.has_gammons() { HYPER } else { LEFT };
    // All stored numbers, the cubeless equities, and four equities with the cube before and after doubling.
    cells * (4 * numbers + 8 + 2 * 4 * 8) as u64 + LISTS
}

/// Verifies the table in a file. All blocks and the content hash are checked, whatever the extent. A sample has at least so many positions: all those of
/// random sets of the side to move. `progress` gets the number of indices that were just finished.
///
/// # Errors
/// Returns an error if the file is damaged or another table, or if it allows larger errors than a solver does.
pub fn verify(
    few: Few,
    file: TableFile,
    extent: Extent,
    progress: &(dyn Fn(u64) + Sync),
) -> Result<Verified, Error> {
    file.expect(&description(few))?;
    file.check()?;
    match few.has_gammons() {
        true => verify_numbers::<HYPER>(few, file, extent, progress),
        false => verify_numbers::<LEFT>(few, file, extent, progress),
    }
}

fn verify_numbers<const N: usize>(
    few: Few,
    file: TableFile,
    extent: Extent,
    progress: &(dyn Fn(u64) + Sync),
) -> Result<Verified, Error>
where
    Numbers<N>: Entries<Entry = Option<[i64; N]>>,
{
    let table = Table::<Numbers<N>>::of(file)?;
    let format = table.payload().format();
    if format != payload::<N>(format.error).format() || format.error > MOST_ERROR {
        return Err(Problem::Payload.at(table.path()));
    }
    let plays = Plays::new(few);
    let movers = movers(&plays, extent);
    let wrong = Mutex::new(Vec::new());
    let note = |unlike: Unlike| {
        let mut wrong = wrong.lock().expect("no thread has failed");
        if wrong.len() < LISTED {
            wrong.push(unlike);
        }
    };
    let numbers = read(&table, &plays, &|index| note(Unlike { index, numbers: None }))?;
    // A step changes errors into each other, and a double doubles one.
    let allowed = 3.0 * format.error;
    // Compares numbers of a position: which ones they are, what is stored, and what follows.
    let worst = |mine: usize, theirs: usize, numbers: &mut dyn Iterator<Item = (usize, f64, f64)>| {
        let mut largest = 0.0f64;
        for (place, stored, expected) in numbers {
            let difference = (stored - expected).abs();
            largest = largest.max(difference);
            if difference > allowed {
                let index = few.index(plays.numbers[mine], plays.numbers[theirs]);
                let number = |value| Number { slice: few.slice(), place, value };
                note(Unlike { index, numbers: Some((number(stored), number(expected))) });
            }
        }
        largest
    };
    let passes = if N == HYPER { 3 } else { 2 };
    let blocks = || movers.chunks(BLOCK);
    let parts = Parts::new(progress, extent, table.entries(), passes * blocks().len());

    let points = Points::of(few, &plays);
    let filled = |k: usize, end: &dyn Fn(f64) -> f64| -> After<f64> {
        let mut after = points.rows(&plays, end);
        let raw = &numbers[k * plays.sets() * plays.sets()..];
        let rest = after.iter_mut().zip(raw).skip(plays.sets());
        rest.for_each(|(after, &raw)| *after = -f64::from(raw) / f64::from(UNIT));
        after
    };
    let same = |points: f64| points;
    // Where the numbers begin that do not depend on the best cubeless plays.
    let first = N - if N == HYPER { 5 } else { 4 };
    let cubeless = [filled(first, &same)];
    let mut largest = 0.0f64;
    for block in blocks() {
        let of_block = compare(&plays, &cubeless, &Cubeless, block, |mine, theirs, [old], [new]| {
            worst(mine, theirs, &mut [(first, -old, -new)].into_iter())
        });
        largest = largest.max(of_block);
        parts.next();
    }
    {
        // The opponent's cube, an own cube, centred, Jacoby: who owns the cube after a play is the opponent of the side to move.
        let jacoby = if N == HYPER { first + 3 } else { first + 2 };
        let places = [N - 1, first + 1, first + 2, jacoby];
        // Without gammons, Jacoby changes nothing.
        let kinds = if N == HYPER { 4 } else { 3 };
        let held = [
            filled(places[0], &same),
            filled(places[1], &same),
            filled(places[2], &same),
            filled(places[3], if N == HYPER { &|_| 1.0 } else { &same }),
        ];
        let mut cube = held.clone();
        for place in plays.sets()..cube[0].len() {
            let doubling = Held::with_doubling(std::array::from_fn(|k| held[k][place]));
            cube.iter_mut().zip(doubling).for_each(|(cube, number)| cube[place] = number);
        }
        for block in blocks() {
            let of_block = compare(&plays, &cube, &Held, block, |mine, theirs, _, new: [f64; 4]| {
                let place = theirs * plays.sets() + mine;
                worst(mine, theirs, &mut (0..kinds).map(|k| (places[k], -held[k][place], -new[k])))
            });
            largest = largest.max(of_block);
            parts.next();
        }
    }
    if N == HYPER {
        let endings: Vec<Ending> = endings(&plays, &numbers, &points);
        let raw: Vec<i32> =
            cubeless[0].iter().map(|equity| (equity * f64::from(UNIT)).round() as i32).collect();
        for block in blocks() {
            let chosen = Chosen::new(&plays, &raw, |set| block.contains(&set));
            let of_set = |at: usize| {
                let mine = block[at];
                let positions = (1..plays.sets()).filter(|&theirs| plays.is_position(mine, theirs));
                let differences = positions.map(|theirs| {
                    let stored = opposite(endings[theirs * plays.sets() + mine]);
                    let expected = chosen.step(&endings, mine, theirs);
                    worst(mine, theirs, &mut (0..5).map(|k| (k, stored[k], expected[k])))
                });
                differences.fold(0.0, f64::max)
            };
            largest = parallel::map(block.len(), of_set).into_iter().fold(largest, f64::max);
            parts.next();
        }
    }
    let of_set =
        |&mine: &usize| (1..plays.sets()).filter(|&theirs| plays.is_position(mine, theirs)).count() as u64;
    let mut wrong = wrong.into_inner().expect("no thread has failed");
    wrong.sort_by_key(|unlike| (unlike.index, unlike.numbers.map(|(stored, _)| stored.place)));
    Ok(Verified { positions: movers.iter().map(of_set).sum(), largest, allowed, wrong })
}

/// The sets of the side to move whose positions are verified.
fn movers(plays: &Plays, extent: Extent) -> Vec<usize> {
    let all = 1..plays.sets();
    match extent {
        Extent::All => all.collect(),
        Extent::Sample { positions, seed } => {
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
