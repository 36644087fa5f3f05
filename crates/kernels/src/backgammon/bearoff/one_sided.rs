//! Solves the bear-off of one side alone: in how many rolls it bears off all checkers, and in how many the first of fifteen.
//!
//! The plays are those with the fewest expected rolls, which may be different plays for the two. Probabilities are whole numbers of steps,
//! which are so fine that the sum over 36 rolls just fits 32 bits. The sum is exact, and rounded once, by at most half a step.
//!
//! # The error of a probability
//!
//! The probability of *k* rolls, for *k* from 1 to 30, is the average of probabilities of *k* − 1 rolls. That of no roll is exact, and averages do not
//! enlarge errors. So its error is at most *k*/2 steps.
//!
//! The last number, of 31 rolls and more, is the average of sums of two numbers: that of 30 rolls, with an error of up to 15 steps, and itself.
//! So with each turn its error can grow by 15½ steps. It is exactly 0 for boards that never need more than 30 rolls. A turn takes two pips at least, or
//! it is the last one, so a board with *p* pips needs at most ⌈*p*/2⌉ turns, and this error is at most 15½ · (⌈*p*/2⌉ − 30) steps.

use super::rules::STEPS;
use backgammon::{BearOff, CHECKERS, HomeBoard, Roll};
use solve::Stop;
use std::array;
use std::sync::atomic::{AtomicBool, Ordering::Relaxed};

/// The numbers of rolls that are told apart. The last one stands for more rolls as well.
pub const ROLLS: usize = 32;

/// The stored number that stands for certainty. The greatest number of 16 bits stands for nothing.
pub const UNIT: u32 = u16::MAX as u32 - 1;

/// The probability of each number of rolls, in steps.
pub type Distribution = [u32; ROLLS];

/// Certainty, in steps.
const CERTAIN: u32 = UNIT * STEPS as u32;

/// No rolls are needed.
const DONE: Distribution = {
    let mut done = [0; ROLLS];
    done[0] = CERTAIN;
    done
};

/// The solved distributions.
pub struct OneSided {
    /// The rolls to bear off all checkers.
    all: Half,
    /// The rolls to bear off the first of fifteen checkers.
    first: Half,
}

/// The distributions of the boards from one on. Those before it need no roll.
struct Half {
    begin: u32,
    distributions: Vec<Distribution>,
}

impl Half {
    fn solve(numbering: BearOff, begin: u32, interrupt: &AtomicBool) -> Result<Self, Stop> {
        const BETWEEN_LOOKS: usize = 1 << 10;
        let distributions = Vec::with_capacity((numbering.boards() - begin) as usize);
        let mut solved = Self { begin, distributions };
        each_choice(numbering, begin, |_, chosen| {
            if solved.distributions.len().is_multiple_of(BETWEEN_LOOKS) && interrupt.load(Relaxed) {
                return Err(Stop::Interrupted);
            }
            let next = after(&chosen.map(|board| solved.of(board)));
            solved.distributions.push(next);
            Ok(())
        })?;
        Ok(solved)
    }

    fn of(&self, board: u32) -> &Distribution {
        board.checked_sub(self.begin).map_or(&DONE, |place| &self.distributions[place as usize])
    }
}

impl OneSided {
    /// Solves all boards.
    ///
    /// # Errors
    /// Returns an error if the run is interrupted.
    pub fn solve(numbering: BearOff, interrupt: &AtomicBool) -> Result<Self, Stop> {
        let solve = |begin| Half::solve(numbering, begin, interrupt);
        let [all, first] = begins(numbering);
        let (all, first) = rayon::join(|| solve(all), || solve(first));
        Ok(Self { all: all?, first: first? })
    }

    /// A bound of the errors of all probabilities, in steps: see the [module](self).
    pub fn error(numbering: BearOff) -> f64 {
        const LAST_AVERAGE: u32 = ROLLS as u32 - 2;
        let pips = u32::from(numbering.points()) * u32::from(numbering.checkers());
        let turns = pips.div_ceil(2);
        let of_average = f64::from(turns.min(LAST_AVERAGE)) / 2.0;
        let growth = f64::from(LAST_AVERAGE) / 2.0 + 0.5;
        of_average.max(growth * f64::from(turns.saturating_sub(LAST_AVERAGE)))
    }

    /// The memory to solve all boards, in bytes.
    pub fn memory(numbering: BearOff) -> u64 {
        Self::memory_to_choose(numbering) + halves(numbering) * size_of::<Distribution>() as u64
    }

    /// The memory to choose the plays of all boards and to keep all stored numbers, in bytes.
    pub fn memory_to_verify(numbering: BearOff) -> u64 {
        Self::memory_to_choose(numbering)
            + u64::from(numbering.boards()) * size_of::<[i32; 2 * ROLLS]>() as u64
    }

    /// The memory to choose the plays of all boards, in bytes.
    pub fn memory_to_choose(numbering: BearOff) -> u64 {
        halves(numbering) * (size_of::<Steps>() + size_of::<f64>()) as u64
    }

    /// The stored numbers of a board: those of both distributions.
    pub fn stored(&self, board: u32) -> [i64; 2 * ROLLS] {
        let [all, first] = [&self.all, &self.first].map(|half| half.of(board));
        let steps = |at: usize| if at < ROLLS { all[at] } else { first[at - ROLLS] };
        array::from_fn(|at| i64::from((steps(at) + STEPS as u32 / 2) / STEPS as u32))
    }
}

/// The first boards that need a roll: to bear off all checkers, and to bear off the first of fifteen.
pub fn begins(numbering: BearOff) -> [u32; 2] {
    let some_off = match BearOff::new(numbering.points(), CHECKERS - 1) {
        Some(fewer) if numbering.checkers() == CHECKERS => fewer.boards(),
        _ => numbering.boards(),
    };
    [1, some_off]
}

/// The number of boards that need a roll, of both halves.
fn halves(numbering: BearOff) -> u64 {
    begins(numbering).into_iter().map(|begin| u64::from(numbering.boards() - begin)).sum()
}

/// The distribution one roll before these: one for each roll of the dice.
#[inline]
fn after(chosen: &[&Distribution; Roll::ALL.len()]) -> Distribution {
    let mut sums = [0; ROLLS];
    for (roll, distribution) in Roll::ALL.into_iter().zip(chosen) {
        for rolls in 0..ROLLS {
            sums[rolls] += roll.weight() * distribution[rolls];
        }
    }
    let average = |sum: u32| (sum + 18) / 36;
    let mut next = [0; ROLLS];
    for rolls in 1..ROLLS {
        next[rolls] = average(sums[rolls - 1]);
    }
    next[ROLLS - 1] = average(sums[ROLLS - 1] + sums[ROLLS - 2]);
    next
}

/// The boards to which the rolls lead, in the order of [`Roll::ALL`].
pub type Chosen = [u32; Roll::ALL.len()];

/// Visits the boards from `begin` on in the order of their numbers, with the boards that the rolls lead to if one before `begin` is to be
/// reached in the fewest rolls.
///
/// # Errors
/// Returns the first error of `visit`.
pub fn each_choice<E>(
    numbering: BearOff,
    begin: u32,
    mut visit: impl FnMut(u32, Chosen) -> Result<(), E>,
) -> Result<(), E> {
    let mut choices = Choices::new(numbering, begin);
    let mut expected: Vec<f64> = Vec::with_capacity((numbering.boards() - begin) as usize);
    for (number, board) in (0..).zip(numbering.iter()).skip(begin as usize) {
        let chosen = choices.choose(number, &board);
        let left = |board: u32| board.checked_sub(begin).map_or(0.0, |place| expected[place as usize]);
        let rolls = chosen.iter().zip(Roll::ALL).map(|(&board, roll)| f64::from(roll.weight()) * left(board));
        let rolls = 1.0 + rolls.sum::<f64>() / 36.0;
        expected.push(rolls);
        choices.add(number, rolls.to_bits());
        visit(number, chosen)?;
    }
    Ok(())
}

/// A board and its cost, of which the leading bits count. So expectations that differ by less than a thousand-millionth are equal.
#[derive(Clone, Copy)]
struct Choice(u64);

impl Choice {
    /// Enough bits for the boards of ten points.
    const BOARD: u64 = (1 << 22) - 1;
    const WORST: Self = Self(u64::MAX);
    /// A board that costs nothing.
    const FREE: Self = Self(0);

    fn new(board: u32, cost: u64) -> Self {
        Self(cost & !Self::BOARD | u64::from(board))
    }

    fn board(self) -> u32 {
        (self.0 & Self::BOARD) as u32
    }

    /// The cheaper one, or the first if both cost the same.
    #[inline]
    fn or(self, other: Self) -> Self {
        if other.0 | Self::BOARD < self.0 | Self::BOARD { other } else { self }
    }
}

/// The cheapest boards that can be reached from each board: with no, one, two or three steps of each die.
type Steps = [[Choice; 6]; 4];

/// Chooses the cheapest plays, for boards in the order of their numbers. Of plays that cost the same, it chooses the first in the
/// order of GNU Backgammon: the higher die comes first, and the rearmost checker.
pub struct Choices {
    numbering: BearOff,
    /// The boards before this one cost nothing.
    begin: u32,
    steps: Vec<Steps>,
    /// The cheapest boards after steps from the board that is next.
    next: Steps,
}

impl Choices {
    /// No board is known yet but those before `begin`, which cost nothing. There is at least the one without checkers.
    pub fn new(numbering: BearOff, begin: u32) -> Self {
        let boards = (numbering.boards() - begin) as usize;
        Self { numbering, begin, steps: Vec::with_capacity(boards), next: [[Choice::WORST; 6]; 4] }
    }

    /// The cheapest boards after steps from a board.
    #[inline]
    fn after(&self, board: u32) -> &Steps {
        const FREE: Steps = [[Choice::FREE; 6]; 4];
        board.checked_sub(self.begin).map_or(&FREE, |place| &self.steps[place as usize])
    }

    /// Chooses the plays of the next board.
    pub fn choose(&mut self, number: u32, board: &HomeBoard) -> Chosen {
        // For each die: the best after one, two, three and four steps with it, and after a step with it and one with another die.
        let mut next = [[Choice::WORST; 6]; 4];
        let mut four = [Choice::WORST; 6];
        let mut mixed = [[Choice::WORST; 6]; 6];
        self.numbering.each_step(board, number, |die, after| {
            let (die, after) = (usize::from(die) - 1, self.after(after));
            for steps in 1..4 {
                next[steps][die] = next[steps][die].or(after[steps - 1][die]);
            }
            four[die] = four[die].or(after[3][die]);
            for other in 0..6 {
                mixed[die][other] = mixed[die][other].or(after[1][other]);
            }
        });
        self.next = next;
        array::from_fn(|roll| {
            let (high, low) =
                (usize::from(Roll::ALL[roll].high()) - 1, usize::from(Roll::ALL[roll].low()) - 1);
            let best = if high == low { four[high] } else { mixed[high][low].or(mixed[low][high]) };
            best.board()
        })
    }

    /// Adds the board for which plays were chosen, with its cost.
    pub fn add(&mut self, number: u32, cost: u64) {
        let own = Choice::new(number, cost);
        self.next[0] = [own; 6];
        self.steps.push(self.next);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::convert::Infallible;

    /// The same recursion in double precision. The first half is about all checkers, the second about the first of fifteen.
    fn plainly_solved(numbering: BearOff) -> Vec<[f64; 2 * ROLLS]> {
        let mut solved = vec![[0.0; 2 * ROLLS]; numbering.boards() as usize];
        for (begin, of_half) in begins(numbering).into_iter().zip([0, ROLLS]) {
            solved[..begin as usize].iter_mut().for_each(|done| done[of_half] = 1.0);
            let Ok(()) = each_choice(numbering, begin, |board, chosen| {
                for (roll, after) in Roll::ALL.into_iter().zip(chosen) {
                    for rolls in 0..ROLLS {
                        let later = of_half + (rolls + 1).min(ROLLS - 1);
                        let probability = solved[after as usize][of_half + rolls];
                        solved[board as usize][later] += f64::from(roll.weight()) / 36.0 * probability;
                    }
                }
                Ok::<_, Infallible>(())
            });
        }
        solved
    }

    /// The errors are below the bound, and the bound is not wide.
    fn stay_below(points: u8, least: f64) {
        let numbering = BearOff::new(points, CHECKERS).expect("a numbering");
        let solved = OneSided::solve(numbering, &AtomicBool::new(false)).expect("nobody interrupts it");
        let exact = plainly_solved(numbering);
        let (mut largest, mut largest_stored) = (0.0f64, 0.0f64);
        for (board, exact) in (0..).zip(&exact) {
            let steps = solved.all.of(board).iter().chain(solved.first.of(board));
            let stored = solved.stored(board);
            for ((&steps, stored), exact) in steps.zip(stored).zip(exact) {
                largest = largest.max((f64::from(steps) - exact * f64::from(CERTAIN)).abs());
                largest_stored = largest_stored.max((stored as f64 - exact * f64::from(UNIT)).abs());
            }
        }
        let most = OneSided::error(numbering);
        assert!(least < largest && largest <= most, "{points} points: {largest} of {most} steps");
        let most_stored = 0.5 + most / f64::from(STEPS);
        assert!(0.49 < largest_stored && largest_stored <= most_stored, "{largest_stored} of {most_stored}");
    }

    /// This is the error in the header of the tables.
    #[test]
    fn probabilities_are_those_of_double_precision() {
        stay_below(3, 1.0);
        stay_below(6, 1.0);
    }

    #[test]
    fn the_fewest_expected_rolls_are_chosen() {
        let numbering = BearOff::new(3, CHECKERS).expect("a numbering");
        let (mut rolls, mut plays) = (vec![0.0f64], Vec::new());
        let Ok(()) = each_choice(numbering, 1, |board, chosen| {
            let mut expected = 1.0;
            for (roll, chosen) in Roll::ALL.into_iter().zip(chosen) {
                numbering.plays(&numbering.unrank(board), roll, &mut plays);
                let least = plays.iter().map(|&after| rolls[after as usize]).fold(f64::MAX, f64::min);
                assert!(plays.contains(&chosen), "{board} {roll:?}");
                assert!(rolls[chosen as usize] < least + 1e-8, "{board} {roll:?}");
                expected += f64::from(roll.weight()) / 36.0 * least;
            }
            rolls.push(expected);
            Ok::<_, Infallible>(())
        });
        assert_eq!(rolls.len(), numbering.boards() as usize);
    }
}
