//! How far solved values with the cube can be from the true ones.
//!
//! A double can double the errors of values, so no simple bound holds. Instead, this solves the race once more with intervals: the lower
//! end is rounded down and the upper end up. By induction over the turns, the true value and the solved one are both in the interval, because
//! the solved one is rounded to one of the whole numbers between which the exact sum lies.

use super::order::{LANES, Order};
use super::race::{Cell, Race, Row, Rule};
use super::rules::{STEPS, stored_unit};
use backgammon::BearOff;

/// Money play with the cube, in intervals. A cell has the lower and upper ends of: the opponent of the mover owns the cube; the best
/// decisions with a centred and an own cube; and the values without these decisions.
struct Bounded;

/// The average of 36 numbers of the opponent, seen by the mover, rounded down.
fn lower(sums: Row) -> Row {
    sums.map(|sum| -(sum + 35).div_euclid(36))
}

/// The same, rounded up.
fn upper(sums: Row) -> Row {
    sums.map(|sum| -sum.div_euclid(36))
}

impl Bounded {
    const UNIT: i32 = STEPS * stored_unit(10);
}

impl Rule<6, 10> for Bounded {
    fn lost(&self, _checkers: u8) -> [i32; 10] {
        [-Self::UNIT; 10]
    }

    fn values(&self, sums: [Row; 6]) -> Cell<10> {
        let [theirs_low, theirs_high, centred_low, centred_high, own_low, own_high] = sums;
        // A mover expects least when the opponent expects most.
        let (own, centred) =
            ([lower(theirs_high), upper(theirs_low)], [lower(centred_high), upper(centred_low)]);
        let theirs = [lower(own_high), upper(own_low)];
        let best = |value: Row, theirs: Row| -> Row {
            std::array::from_fn(|lane| value[lane].max(Self::UNIT.min(2 * theirs[lane])))
        };
        let [best_centred, best_own] =
            [centred, own].map(|[low, high]| [best(low, theirs[0]), best(high, theirs[1])]);
        let [[a, b], [c, d], [e, f], [g, h], [i, j]] = [theirs, best_centred, best_own, own, centred];
        [a, b, c, d, e, f, g, h, i, j]
    }
}

/// The length of the longest interval of a value with the cube, in steps.
fn longest_interval(numbering: BearOff) -> i32 {
    let order = Order::new(numbering);
    let mut race = Race::new(&order, &Bounded);
    for _ in 1..order.levels().len() {
        race.solve_level(&order, &Bounded);
    }
    let mut longest = 0;
    for mover in LANES..order.len() {
        for opponent in 0..order.len() {
            for low in [0, 6, 8] {
                longest = longest.max(race.get(mover, opponent, low + 1) - race.get(mover, opponent, low));
            }
        }
    }
    longest
}

fn stay_below(checkers: impl IntoIterator<Item = u8>) {
    for checkers in checkers {
        let longest = longest_interval(BearOff::new(6, checkers).expect("a numbering"));
        assert!(longest <= 3 * i32::from(checkers), "{checkers} checkers: {longest} steps");
    }
}

/// This is the error in the header of tables with the cube.
#[test]
fn intervals_stay_short() {
    stay_below(1..=6);
}

#[test]
#[ignore = "takes a minute and 3 GB"]
fn intervals_of_large_tables_stay_short() {
    stay_below(7..=10);
}
