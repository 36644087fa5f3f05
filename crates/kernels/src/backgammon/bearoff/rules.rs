//! How the values of a race follow from those of the opponent: with and without the cube, and as GNU Backgammon rounds them.
//!
//! # The error of a value
//!
//! A solved value is a whole number of *steps*, of which [`STEPS`] are one stored number. Sums are exact. A value is rounded once, by at
//! most half a step. Averages and minima of values do not enlarge the errors of these values. So without the cube, the error grows by at most
//! half a step with each turn. Each turn but the last takes two pips at least, because two checkers move or the last one is borne off. So there
//! are at most 6 · checkers turns, and the error is at most 3 · checkers steps, and half a stored number when it is stored.
//!
//! With the cube, a double can double errors. The file `bounds.rs` computes a bound of them, which is not larger: 3 · checkers steps.

use super::order::LANES;
use super::race::{Cell, Row, Rule};

/// The number of steps in one stored number. 36 values of the largest size just fit 32 bits.
pub const STEPS: i32 = 1820;

/// The average of 36 numbers of the opponent, seen by the mover, rounded to the nearest. Division without signs is quick in vectors.
#[inline]
fn average(sums: Row) -> Row {
    const MOST: i32 = 36 * (i32::MAX / 36);
    let mut values = [0; LANES];
    for lane in 0..LANES {
        // −sum ≤ MOST, so this is from 0 to 2³².
        let raised = (MOST as u32 + 18).wrapping_sub(sums[lane] as u32);
        values[lane] = (raised / 36) as i32 - MOST / 36;
    }
    values
}

/// The points that the side to move can expect without the cube. With fifteen checkers there are gammons: a side that has borne off
/// none loses two points.
pub struct Cubeless {
    /// One point, in steps.
    unit: i32,
    /// The number of checkers of a side that has borne off none.
    all: u8,
}

impl Cubeless {
    /// The rule for races with up to so many checkers.
    pub fn new(checkers: u8) -> Self {
        Self { unit: STEPS * stored_unit(checkers), all: backgammon::CHECKERS }
    }
}

/// The stored number that stands for one point. With gammons, values are twice as large.
pub const fn stored_unit(checkers: u8) -> i32 {
    if checkers < backgammon::CHECKERS { i16::MAX as i32 } else { i16::MAX as i32 / 2 }
}

impl Rule<1, 1> for Cubeless {
    fn lost(&self, checkers: u8) -> [i32; 1] {
        [if checkers == self.all { -2 * self.unit } else { -self.unit }]
    }

    #[inline]
    fn values(&self, [sums]: [Row; 1]) -> Cell<1> {
        [average(sums)]
    }
}

/// The rows of a cell of [`Cubeful`] and [`Rounded`], if the mover does not double this turn. Two rows between them are of his best
/// decision, to double or not: with a centred cube and with an own one.
pub mod rows {
    /// Without the cube.
    pub const CUBELESS: usize = 0;
    /// The opponent of the mover owns the cube.
    pub const THEIRS: usize = 1;
    /// The mover owns the cube.
    pub const OWN: usize = 4;
    /// The cube is centred.
    pub const CENTRED: usize = 5;
}

/// Money play with the cube and without gammons, in units of the present cube. The opponent who was doubled drops if the double costs him
/// more than a point.
pub struct Cubeful;

impl Cubeful {
    const UNIT: i32 = STEPS * stored_unit(10);
}

impl Rule<4, 6> for Cubeful {
    fn lost(&self, _checkers: u8) -> [i32; 6] {
        [-Self::UNIT; 6]
    }

    /// The opponent's view of an own cube is that he does not own it.
    #[inline]
    fn values(&self, sums: [Row; 4]) -> Cell<6> {
        let [cubeless, own, centred, theirs] = sums.map(average);
        let (mut best_centred, mut best_own) = (centred, own);
        for lane in 0..LANES {
            let double = Self::UNIT.min(2 * theirs[lane]);
            best_centred[lane] = best_centred[lane].max(double);
            best_own[lane] = best_own[lane].max(double);
        }
        [cubeless, theirs, best_centred, best_own, own, centred]
    }
}

/// The integers of GNU Backgammon: −32768 to 32767, and the opponent of a value *e* has −1 − *e*. The average is cut off towards zero.
pub struct Rounded;

impl Rounded {
    /// The value of a won position.
    pub const WON: i32 = i16::MAX as i32;
}

impl Rule<4, 6> for Rounded {
    fn lost(&self, _checkers: u8) -> [i32; 6] {
        [i16::MIN.into(); 6]
    }

    /// Half of an odd value is cut off before it is compared, so that a double can be preferred that is one less.
    #[inline]
    fn values(&self, sums: [Row; 4]) -> Cell<6> {
        let [cubeless, own, centred, theirs] = sums.map(cut_off);
        let best = |value: Row| -> Row {
            std::array::from_fn(|lane| match theirs[lane] {
                theirs if theirs < value[lane] / 2 => value[lane],
                theirs if theirs >= Self::WON / 2 => Self::WON,
                theirs => 2 * theirs,
            })
        };
        [cubeless, theirs, best(centred), best(own), own, centred]
    }
}

/// The average of 36 integers of GNU Backgammon, seen by the mover.
#[inline]
fn cut_off(sums: Row) -> Row {
    sums.map(|sum| (-36 - sum) / 36)
}

/// The same without the cube.
pub struct RoundedCubeless;

impl Rule<1, 1> for RoundedCubeless {
    fn lost(&self, _checkers: u8) -> [i32; 1] {
        [i16::MIN.into()]
    }

    #[inline]
    fn values(&self, [sums]: [Row; 1]) -> Cell<1> {
        [cut_off(sums)]
    }
}

#[cfg(test)]
mod tests {
    use super::super::order::Order;
    use super::super::race::Race;
    use super::*;
    use backgammon::{BearOff, Roll};

    /// All fifteen checkers are on the first two points, so that gammons are near.
    #[test]
    fn gammons_count_twice() {
        let numbering = BearOff::new(2, 15).expect("a numbering");
        let (order, rule) = (Order::new(numbering), Cubeless::new(15));
        let mut race = Race::new(&order, &rule);
        (1..order.levels().len()).for_each(|_| race.solve_level(&order, &rule));
        let boards = numbering.boards() as usize;
        let all_on = |board: usize| numbering.unrank(board as u32).checkers() == 15;
        let points = |loser: usize| if all_on(loser) { 2.0 } else { 1.0 };
        let mut plays = Vec::new();
        // The plain way: positions in the order of their numbers, in double precision.
        let mut expected = vec![vec![0.0f64; boards]; boards];
        for sum in 1..2 * boards {
            for us in (1..boards).filter(|us| *us <= sum && sum - us < boards) {
                let them = sum - us;
                expected[us][them] = match them {
                    0 => -points(us),
                    _ => {
                        let value = |roll: Roll| {
                            numbering.plays(&numbering.unrank(us as u32), roll, &mut plays);
                            let worth = |&after: &u32| match after {
                                0 => points(them),
                                _ => -expected[them][after as usize],
                            };
                            f64::from(roll.weight()) * plays.iter().map(worth).fold(f64::MIN, f64::max)
                        };
                        Roll::ALL.into_iter().map(value).sum::<f64>() / 36.0
                    }
                };
            }
        }
        let (mut certain, mut uncertain) = (0, 0);
        for (us, expected) in expected.iter().enumerate().skip(1) {
            for (them, expected) in expected.iter().enumerate() {
                let found = race.get(order.place(us as u32), order.place(them as u32), 0);
                let found = f64::from(found) / f64::from(STEPS * stored_unit(15));
                assert!((found - expected).abs() < 1e-6, "{us} {them}: {found}");
                certain += u32::from(found > 1.999);
                uncertain += u32::from(found > 1.001 && found < 1.999);
            }
        }
        assert!(certain > 10 && uncertain > 10, "{certain} {uncertain}");
    }
}
