//! Verifies tables of bear-offs: each number must follow from those after one turn.
//!
//! A stored number is at most *e* from the true one, where *e* is the error in the header. What follows from stored numbers of the
//! opponent is at most *e* from the truth as well, or 2 *e* if a double can be among them. So the two differ by at most 2 *e* or 3 *e*. The
//! sums over 36 rolls are whole numbers, so that the comparison is exact.

use super::one_sided::{Chosen, ROLLS, begins, each_choice};
use super::order::{LANES, Order};
use super::race::{Cell, Race, Row};
use super::two_sided::COLUMNS;
use crate::backgammon::verified::Parts;
use backgammon::{BearOff, CHECKERS, Roll};
use game::Rng;
use solve::Extent;
use std::array;
use std::convert::Infallible;
use table::{Error, NumberFormat, Numbers, Problem, Table, TableFile};

/// The most wrong entries that are shown.
const MOST_SHOWN: usize = 10;

/// The result of verifying a table.
#[derive(Clone, Debug)]
pub struct Verified {
    /// The number of positions that were checked.
    pub positions: u64,
    /// The first wrong entries, in the order of their indices. Empty if the table is right.
    pub wrong: Vec<Unlike>,
    /// The largest difference between a stored number and what follows from the others.
    pub largest_difference: f64,
}

/// A number that does not follow from the others.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Unlike {
    /// The index of the entry.
    pub index: u64,
    /// Which of its numbers it is.
    pub number: usize,
    /// The number in the table.
    pub stored: f64,
    /// The number that follows from the others.
    pub expected: f64,
}

/// How the numbers of a two-sided table follow from each other.
struct Kind<const N: usize, const KEPT: usize> {
    /// The rows of a cell, of which the first `N` are what the opponent makes of a position.
    cell: fn([i32; N], i32) -> [i32; KEPT],
    /// The rows with the stored numbers.
    columns: [usize; N],
    /// How many times the error of a number its difference from what follows may be.
    errors: [f64; N],
}

const CUBELESS: Kind<1, 1> = Kind { cell: |values, _unit| values, columns: [0], errors: [2.0] };

const CUBEFUL: Kind<4, 6> = Kind {
    cell: |[cubeless, own, centred, theirs], unit| {
        let double = unit.min(2 * theirs);
        [cubeless, theirs, centred.max(double), own.max(double), own, centred]
    },
    columns: COLUMNS,
    errors: [2.0, 2.0, 3.0, 3.0],
};

/// A table that is to be verified.
pub struct OfFile {
    /// The numbering of the boards.
    pub numbering: BearOff,
    /// The numbers as they should be.
    pub format: NumberFormat,
    /// The file.
    pub file: TableFile,
}

impl OfFile {
    /// Verifies a table without the cube.
    pub fn cubeless(self, extent: Extent, progress: &(dyn Fn(u64) + Sync)) -> Result<Verified, Error> {
        TwoSided { numbering: self.numbering, table: self.table()?, kind: CUBELESS }.verify(extent, progress)
    }

    /// Verifies a table with the cube.
    pub fn cubeful(self, extent: Extent, progress: &(dyn Fn(u64) + Sync)) -> Result<Verified, Error> {
        TwoSided { numbering: self.numbering, table: self.table()?, kind: CUBEFUL }.verify(extent, progress)
    }

    /// Opens the table, if its numbers have the right format. Otherwise its header could allow any error.
    fn table<const N: usize>(self) -> Result<Table<Numbers<N>>, Error> {
        let table = Table::<Numbers<N>>::of(self.file)?;
        if table.payload().format() == self.format {
            Ok(table)
        } else {
            Err(Problem::Payload.at(table.path()))
        }
    }
}

struct TwoSided<const N: usize, const KEPT: usize> {
    numbering: BearOff,
    table: Table<Numbers<N>>,
    kind: Kind<N, KEPT>,
}

/// What was found so far. Differences are 36 times as large as those of stored numbers.
#[derive(Default)]
struct Found {
    positions: u64,
    largest: i32,
    wrong: Vec<Unlike>,
}

/// A stored number for an entry without a position. It is larger than all others, so that it is found to be wrong.
const NOTHING: i32 = 1 << 16;

impl<const N: usize, const KEPT: usize> TwoSided<N, KEPT> {
    fn verify(&self, extent: Extent, progress: &(dyn Fn(u64) + Sync)) -> Result<Verified, Error> {
        let found = match extent {
            Extent::All => self.verify_all(progress)?,
            Extent::Sample { positions, seed } => vec![self.verify_sample(positions, seed, progress)?],
        };
        let largest = found.iter().map(|found| found.largest).max().unwrap_or(0);
        let mut wrong: Vec<_> = found.iter().flat_map(|found| &found.wrong).copied().collect();
        wrong.sort_by_key(|wrong| (wrong.index, wrong.number));
        wrong.truncate(MOST_SHOWN);
        let largest_difference = f64::from(largest) / 36.0 / f64::from(self.unit());
        Ok(Verified { positions: found.iter().map(|found| found.positions).sum(), wrong, largest_difference })
    }

    fn unit(&self) -> i32 {
        self.table.payload().format().unit as i32
    }

    /// What the opponent's numbers mean if he has lost: a gammon costs two points.
    fn lost(&self, board: u32) -> i32 {
        if self.numbering.unrank(board).checkers() == CHECKERS { -2 * self.unit() } else { -self.unit() }
    }

    fn numbers(&self, entry: Option<[i64; N]>) -> [i32; N] {
        entry.map_or([NOTHING; N], |values| values.map(|value| value as i32))
    }

    /// The cells of a mover against all boards.
    fn cells(&self, mover: u32) -> Result<Vec<[i32; KEPT]>, Error> {
        let boards = u64::from(self.numbering.boards());
        let per_block = u64::from(self.table.layout().entries_per_block);
        let (mut index, end) = (u64::from(mover) * boards, u64::from(mover) * boards + boards);
        let mut cells = Vec::with_capacity(boards as usize);
        while index < end {
            let block = self.table.block(index / per_block)?;
            let stop = end.min((index / per_block + 1) * per_block);
            let entries = (index..stop).map(|index| block.get((index % per_block) as usize));
            cells.extend(entries.map(|entry| (self.kind.cell)(self.numbers(entry), self.unit())));
            index = stop;
        }
        Ok(cells)
    }

    fn verify_all(&self, progress: &(dyn Fn(u64) + Sync)) -> Result<Vec<Found>, Error> {
        let order = Order::new(self.numbering);
        let race = Race::of_values(&order, |board| self.cells(board))?;
        let boards = u64::from(self.numbering.boards());
        let mut found = race.check(&order, |found: &mut Found, mover, opponents, sums: [Row; N], cell| {
            self.check_cell(&order, found, mover, opponents, &sums, cell);
            if mover + 1 == order.len() {
                let with_board = (0..LANES).filter(|lane| order.board(opponents + lane).is_some());
                progress(boards * with_board.count() as u64);
            }
        });
        // The mover has won.
        let mut ends = Found::default();
        for them in 0..self.numbering.boards() {
            let expected = if them == 0 { NOTHING } else { -self.lost(them) };
            let values = self.kind.columns.map(|row| race.get(order.place(0), order.place(them), row));
            self.compare(&mut ends, them.into(), values, [-36 * expected; N], [0.0; N]);
        }
        found.push(ends);
        Ok(found)
    }

    fn check_cell(
        &self,
        order: &Order,
        found: &mut Found,
        mover: usize,
        opponents: usize,
        sums: &[Row; N],
        cell: &Cell<KEPT>,
    ) {
        let Some(us) = order.board(mover) else { return };
        for lane in 0..LANES {
            let Some(them) = order.board(opponents + lane) else { continue };
            let index = u64::from(us) * u64::from(self.numbering.boards()) + u64::from(them);
            let values = self.kind.columns.map(|row| cell[row][lane]);
            match them {
                0 => self.compare(found, index, values, [-36 * self.lost(us); N], [0.0; N]),
                _ => self.compare(found, index, values, sums.map(|row| row[lane]), self.kind.errors),
            }
        }
    }

    /// Compares the numbers of a position with the sums over the rolls of what the opponent has.
    fn compare(&self, found: &mut Found, index: u64, values: [i32; N], sums: [i32; N], errors: [f64; N]) {
        let format = self.table.payload().format();
        found.positions += 1;
        for number in 0..N {
            let difference = (36 * values[number] + sums[number]).abs();
            found.largest = found.largest.max(difference);
            let allowed = 36.0 * f64::from(format.unit) * format.error * errors[number];
            if f64::from(difference) > allowed && found.wrong.len() < MOST_SHOWN {
                let value = |raw: f64| raw / f64::from(format.unit);
                let (stored, expected) =
                    (value(values[number].into()), value(f64::from(-sums[number]) / 36.0));
                found.wrong.push(Unlike { index, number, stored, expected });
            }
        }
    }

    /// Random positions in which both sides have checkers. It looks up each position, and not boards in their order.
    fn verify_sample(
        &self,
        positions: u64,
        seed: u64,
        progress: &(dyn Fn(u64) + Sync),
    ) -> Result<Found, Error> {
        let (mut rng, mut found, mut plays) = (Rng::new(seed), Found::default(), Vec::new());
        let boards = u64::from(self.numbering.boards());
        for _ in 0..positions {
            let [us, them] = array::from_fn(|_| 1 + rng.below(boards - 1));
            let opponent = self.cells(them as u32)?;
            let mut sums = [0; N];
            for roll in Roll::ALL {
                self.numbering.plays(&self.numbering.unrank(us as u32), roll, &mut plays);
                for (row, sum) in sums.iter_mut().enumerate() {
                    let least = plays.iter().map(|&play| opponent[play as usize][row]).min();
                    *sum += roll.weight() as i32 * least.unwrap_or(0);
                }
            }
            let values = self.numbers(self.table.entry(us * boards + them)?);
            self.compare(&mut found, us * boards + them, values, sums, self.kind.errors);
            progress(1);
        }
        Ok(found)
    }
}

impl OfFile {
    /// Verifies a one-sided table: all distributions follow from those of the boards that the best plays lead to. The plays are found
    /// again.
    pub fn one_sided(self, extent: Extent, progress: &(dyn Fn(u64) + Sync)) -> Result<Verified, Error> {
        const TOGETHER: u32 = 1 << 10;
        let numbering = self.numbering;
        let table = self.table::<{ 2 * ROLLS }>()?;
        let parts = 2 * numbering.boards().div_ceil(TOGETHER) as usize;
        let parts = Parts::new(progress, extent, table.entries(), parts);
        let tell = |board: u32| {
            if board.is_multiple_of(TOGETHER) {
                parts.next();
            }
        };
        let mut stored = Vec::with_capacity(table.entries() as usize);
        for block in table.iter_blocks() {
            let raw =
                |entry: Option<[i64; 2 * ROLLS]>| entry.map_or([NOTHING; _], |raw| raw.map(|raw| raw as i32));
            stored.extend(block?.iter().map(raw));
        }
        let mut check = Distributions { stored, format: table.payload().format(), found: Found::default() };
        for (begin, of_half) in begins(numbering).into_iter().zip([0, ROLLS]) {
            for board in 0..begin {
                check.check(board, of_half, None);
                tell(board);
            }
            let Ok(()) = each_choice(numbering, begin, |board, chosen| {
                check.check(board, of_half, Some(&chosen));
                tell(board);
                Ok::<_, Infallible>(())
            });
        }
        let Found { largest, mut wrong, .. } = check.found;
        wrong.sort_by_key(|wrong| (wrong.index, wrong.number));
        let positions = table.entries();
        let largest_difference = f64::from(largest) / 36.0 / f64::from(check.format.unit);
        Ok(Verified { positions, wrong, largest_difference })
    }
}

/// The numbers of a one-sided table, while they are checked.
struct Distributions {
    stored: Vec<[i32; 2 * ROLLS]>,
    format: NumberFormat,
    found: Found,
}

impl Distributions {
    /// Checks one of the two distributions of a board, which begins at number `begin`. `chosen` has the boards that the rolls lead to, or is
    /// `None` if no roll is needed.
    fn check(&mut self, board: u32, begin: usize, chosen: Option<&Chosen>) {
        let unit = self.format.unit as i32;
        let mut sums = [0; ROLLS];
        match chosen {
            None => sums[0] = 36 * unit,
            Some(chosen) => {
                for (roll, &after) in Roll::ALL.into_iter().zip(chosen) {
                    for rolls in 0..ROLLS {
                        let later = (rolls + 1).min(ROLLS - 1);
                        sums[later] += roll.weight() as i32 * self.stored[after as usize][begin + rolls];
                    }
                }
            }
        }
        for (rolls, sum) in sums.into_iter().enumerate() {
            let stored = self.stored[board as usize][begin + rolls];
            let difference = (36 * stored - sum).abs();
            self.found.largest = self.found.largest.max(difference);
            // The last number follows from two.
            let errors = match chosen {
                None => 0.0,
                Some(_) if rolls + 1 == ROLLS => 3.0,
                Some(_) => 2.0,
            };
            let allowed = 36.0 * f64::from(unit) * self.format.error * errors;
            if f64::from(difference) > allowed && self.found.wrong.len() < MOST_SHOWN {
                let value = |raw: f64| raw / f64::from(unit);
                let (stored, expected) = (value(stored.into()), value(f64::from(sum) / 36.0));
                let (index, number) = (board.into(), begin + rolls);
                self.found.wrong.push(Unlike { index, number, stored, expected });
            }
        }
    }
}
