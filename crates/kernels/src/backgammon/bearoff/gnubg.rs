//! Writes databases in the format of GNU Backgammon, byte for byte: with its rounding, so that it can use them in place of its own.

use super::one_sided::{Choices, Chosen, OneSided, ROLLS, begins};
use super::order::Order;
use super::race::{Race, Rule};
use super::rules::{Rounded, RoundedCubeless};
use super::two_sided::COLUMNS;
use backgammon::{BearOff, Roll};
use std::array;
use std::io::{self, Write};

/// The length of the header.
const HEADER: usize = 40;

/// Writes the header: a text, filled up to a line.
pub(super) fn write_header(to: &mut impl Write, text: &str) -> io::Result<()> {
    writeln!(to, "{text:x<width$}", width = HEADER - 1)
}

/// Writes a two-sided database of up to so many checkers on six points, without the cube.
///
/// # Errors
/// Returns an error if an I/O operation fails.
pub fn write_cubeless(
    numbering: BearOff,
    to: &mut impl Write,
    progress: &(dyn Fn(u64) + Sync),
) -> io::Result<()> {
    write_two_sided(numbering, &RoundedCubeless, [0], to, progress)
}

/// Writes a two-sided database of up to so many checkers on six points, with the cube.
///
/// # Errors
/// Returns an error if an I/O operation fails.
pub fn write_cubeful(
    numbering: BearOff,
    to: &mut impl Write,
    progress: &(dyn Fn(u64) + Sync),
) -> io::Result<()> {
    write_two_sided(numbering, &Rounded, COLUMNS, to, progress)
}

fn write_two_sided<const READ: usize, const KEPT: usize, const N: usize>(
    numbering: BearOff,
    rule: &impl Rule<READ, KEPT>,
    columns: [usize; N],
    to: &mut impl Write,
    progress: &(dyn Fn(u64) + Sync),
) -> io::Result<()> {
    let order = Order::new(numbering);
    let mut race = Race::new(&order, rule);
    let mut done = 0;
    while race.solved() < order.levels().len() {
        race.solve_level(&order, rule);
        let now = order.boards_to(race.solved()).pow(2);
        progress(now - done);
        done = now;
    }
    let (points, checkers) = (numbering.points(), numbering.checkers());
    write_header(to, &format!("gnubg-TS-{points:02}-{checkers:02}-{}", u8::from(N > 1)))?;
    let mut record = Vec::new();
    for us in 0..numbering.boards() {
        record.clear();
        for them in 0..numbering.boards() {
            for column in columns {
                let value = match us {
                    0 => Rounded::WON,
                    _ => race.get(order.place(us), order.place(them), column),
                };
                record.extend(((value + 0x8000) as u16).to_le_bytes());
            }
        }
        to.write_all(&record)?;
    }
    Ok(())
}

/// Certainty in a one-sided database.
const CERTAIN: u16 = u16::MAX;

/// The probability of each number of rolls.
type Distribution = [u16; ROLLS];

const DONE: Distribution = {
    let mut done = [0; ROLLS];
    done[0] = CERTAIN;
    done
};

/// Writes a one-sided database of up to fifteen checkers.
///
/// # Errors
/// Returns an error if an I/O operation fails.
pub fn write_one_sided(
    numbering: BearOff,
    compressed: bool,
    to: &mut impl Write,
    progress: &(dyn Fn(u64) + Sync),
) -> io::Result<()> {
    let (points, checkers) = (numbering.points(), numbering.checkers());
    write_header(to, &format!("gnubg-OS-{points:02}-{checkers:02}-1-{}-0", u8::from(compressed)))?;
    let distributions = one_sided(numbering, progress);
    if compressed { write_compressed(&distributions, to) } else { write_plain(&distributions, to) }
}

/// The memory to write a one-sided database, in bytes: the distributions, the file, and what it takes to choose the plays.
pub fn memory_to_write_one_sided(numbering: BearOff) -> u64 {
    const INDEX: usize = 8;
    let of_board = 2 * size_of::<[Distribution; 2]>() + INDEX;
    u64::from(numbering.boards()) * of_board as u64 + OneSided::memory_to_choose(numbering)
}

/// The distributions of all boards: the rolls to bear off all checkers, and the first of fifteen.
fn one_sided(numbering: BearOff, progress: &(dyn Fn(u64) + Sync)) -> Vec<[Distribution; 2]> {
    const TOGETHER: u32 = 1 << 10;
    let begins = begins(numbering);
    let mut choices = begins.map(|begin| Choices::new(numbering, begin));
    let mut distributions: Vec<[Distribution; 2]> = Vec::with_capacity(numbering.boards() as usize);
    for (number, board) in (0..).zip(numbering.iter()) {
        let both = array::from_fn(|half| {
            if number < begins[half] {
                return DONE;
            }
            let chosen = choices[half].choose(number, &board);
            let found = after(&distributions, half, &chosen);
            // The cost is compared without its lowest bits.
            choices[half].add(number, total_rolls(&found) << u32::BITS);
            found
        });
        distributions.push(both);
        if number.is_multiple_of(TOGETHER) {
            progress(TOGETHER.min(numbering.boards() - number).into());
        }
    }
    distributions
}

/// The expected number of rolls, in units of the probabilities.
fn total_rolls(distribution: &Distribution) -> u64 {
    distribution.iter().zip(0..).map(|(&probability, rolls)| u64::from(probability) * rolls).sum()
}

/// The distribution one roll before those of the chosen boards. It is rounded, and what is missing is added to the most probable number
/// of rolls, so that the sum is certainty.
fn after(distributions: &[[Distribution; 2]], half: usize, chosen: &Chosen) -> Distribution {
    let mut sums = [18u32; ROLLS];
    for (roll, &board) in Roll::ALL.into_iter().zip(chosen) {
        let distribution = &distributions[board as usize][half];
        for rolls in 1..ROLLS {
            sums[rolls] += roll.weight() * u32::from(distribution[rolls - 1]);
        }
    }
    let mut found = sums.map(|sum| (sum / 36) as u16);
    // The first one, if several are equal.
    let likeliest = (0..ROLLS).rev().max_by_key(|&rolls| found[rolls]).unwrap_or(0);
    let missing = i32::from(CERTAIN) - found.iter().map(|&probability| i32::from(probability)).sum::<i32>();
    found[likeliest] = (i32::from(found[likeliest]) + missing) as u16;
    found
}

/// Writes all numbers of all boards.
fn write_plain(distributions: &[[Distribution; 2]], to: &mut impl Write) -> io::Result<()> {
    let mut record = Vec::new();
    for probability in distributions.iter().flatten().flatten() {
        record.extend(probability.to_le_bytes());
    }
    to.write_all(&record)
}

/// Writes an index of the boards, and then the numbers between the first and the last that is not 0.
fn write_compressed(distributions: &[[Distribution; 2]], to: &mut impl Write) -> io::Result<()> {
    let (mut index, mut numbers, mut offset) = (Vec::new(), Vec::new(), 0u32);
    for both in distributions {
        index.extend(offset.to_le_bytes());
        for distribution in both {
            let first = distribution.iter().position(|&probability| probability > 0).unwrap_or(0);
            let last = distribution.iter().rposition(|&probability| probability > 0).unwrap_or(0);
            let some = &distribution[first..=last];
            index.extend([some.len() as u8, first as u8]);
            numbers.extend(some.iter().flat_map(|probability| probability.to_le_bytes()));
            offset += some.len() as u32;
        }
    }
    to.write_all(&index)?;
    to.write_all(&numbers)
}
