//! What many games amount to, and how sure one can be of it.

use crate::encounter::AnyEncounter;
use game::{BySide, Side};
use std::collections::BTreeMap;

/// The sums over the encounters of a contest.
#[derive(Clone, Debug, Default)]
pub struct Tally {
    /// Games, or matches.
    pub encounters: u64,
    /// Won by each.
    pub wins: BySide<u64>,
    /// Won by nobody.
    pub draws: u64,
    /// Points of each.
    pub points: BySide<u64>,
    /// Moves.
    pub moves: u64,
    /// Games that each has won, by the rule that ended them.
    by_rule: BySide<BTreeMap<&'static str, u64>>,
    /// The squares of the differences in points, for their spread.
    squares: f64,
}

/// An estimate with the interval that holds the truth 95 times in 100.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Estimate {
    /// The estimate.
    pub value: f64,
    /// The lower end.
    pub low: f64,
    /// The upper end.
    pub high: f64,
}

/// Two-sided 95 %, of the normal distribution.
const Z: f64 = 1.959_963_984_540_054;

impl Tally {
    /// Adds an encounter.
    pub fn add(&mut self, encounter: &impl AnyEncounter) {
        self.encounters += 1;
        match encounter.winner() {
            Some(winner) => self.wins[winner] += 1,
            None => self.draws += 1,
        }
        let points = encounter.points().map(u64::from);
        for side in Side::ALL {
            self.points[side] += points[side];
        }
        let difference = points.first as f64 - points.second as f64;
        self.squares += difference * difference;
        self.moves += u64::from(encounter.moves());
        for (winner, by) in encounter.ends() {
            if let Some(winner) = winner {
                *self.by_rule[winner].entry(by).or_default() += 1;
            }
        }
    }

    /// The games that a side has won by this rule.
    pub fn won_by(&self, side: Side, rule: &str) -> u64 {
        self.by_rule[side].get(rule).copied().unwrap_or_default()
    }

    /// How much of them a side wins, with Wilson's interval, which stays within 0 and 1.
    pub fn win_rate(&self, side: Side) -> Estimate {
        let n = self.encounters as f64;
        if n == 0.0 {
            return Estimate { value: 0.0, low: 0.0, high: 1.0 };
        }
        let value = self.wins[side] as f64 / n;
        let middle = (value + Z * Z / (2.0 * n)) / (1.0 + Z * Z / n);
        let spread = Z / (1.0 + Z * Z / n) * (value * (1.0 - value) / n + Z * Z / (4.0 * n * n)).sqrt();
        Estimate { value, low: (middle - spread).max(0.0), high: (middle + spread).min(1.0) }
    }

    /// The points that a side gains of the other in one of them.
    pub fn gain(&self, side: Side) -> Estimate {
        let n = self.encounters as f64;
        let value = (self.points[side] as f64 - self.points[side.other()] as f64) / n.max(1.0);
        // One game tells nothing about the spread.
        let spread = match self.encounters {
            0 | 1 => f64::INFINITY,
            _ => Z * ((self.squares - n * value * value).max(0.0) / (n - 1.0) / n).sqrt(),
        };
        Estimate { value, low: value - spread, high: value + spread }
    }

    /// Moves in one of them.
    pub fn average_moves(&self) -> f64 {
        self.moves as f64 / (self.encounters as f64).max(1.0)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// One game, won for so many points.
    struct Won(Option<Side>, u32);

    impl AnyEncounter for Won {
        fn winner(&self) -> Option<Side> {
            self.0
        }

        fn points(&self) -> BySide<u32> {
            BySide::from_fn(|side| if self.0 == Some(side) { self.1 } else { 0 })
        }

        fn moves(&self) -> u32 {
            50
        }

        fn ends(&self) -> Vec<(Option<Side>, &'static str)> {
            vec![(self.0, if self.1 == 2 { "gammon" } else { "single" })]
        }

        fn games(&self) -> Vec<serde_json::Value> {
            Vec::new()
        }
    }

    /// The textbook's: 10 of 20 is 0.5, from 0.299 to 0.701 by Wilson.
    #[test]
    fn intervals_are_those_of_the_textbook() {
        let mut tally = Tally::default();
        (0..10).for_each(|_| tally.add(&Won(Some(Side::First), 2)));
        (0..10).for_each(|_| tally.add(&Won(Some(Side::Second), 1)));
        let rate = tally.win_rate(Side::First);
        assert!((rate.low - 0.299).abs() < 5e-4 && (rate.high - 0.701).abs() < 5e-4, "{rate:?}");
        // Ten times +2, ten times −1: the mean is 0.5, the deviation 1.539, over the root of 20 times 1.96.
        let gain = tally.gain(Side::First);
        assert!((gain.value - 0.5).abs() < 1e-12 && (gain.high - 0.5 - 0.6745).abs() < 1e-3, "{gain:?}");
        assert_eq!(tally.gain(Side::Second).value, -0.5);
        assert_eq!((tally.won_by(Side::First, "gammon"), tally.won_by(Side::Second, "single")), (10, 10));
        assert_eq!((tally.won_by(Side::First, "single"), tally.draws), (0, 0));
        assert_eq!(tally.average_moves(), 50.0);
    }

    #[test]
    fn draws_are_won_by_nobody() {
        let mut tally = Tally::default();
        tally.add(&Won(None, 0));
        tally.add(&Won(Some(Side::Second), 1));
        assert_eq!((tally.draws, tally.wins), (1, BySide { first: 0, second: 1 }));
        assert_eq!(tally.win_rate(Side::First).value + tally.win_rate(Side::Second).value, 0.5);
        assert_eq!(tally.gain(Side::Second).value, 0.5);
    }
}
