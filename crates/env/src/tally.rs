//! Sums over many matches, and the confidence intervals of the estimates made from them.

use crate::match_result::AnyMatchResult;
use game::{BySide, Side};
use std::collections::BTreeMap;

/// The sums over the matches of a series.
#[derive(Clone, Debug, Default)]
pub struct Tally {
    /// The number of matches.
    pub matches: u64,
    /// The matches that each side won.
    pub wins: BySide<u64>,
    /// The matches that nobody won.
    pub draws: u64,
    /// The points of each side.
    pub points: BySide<u64>,
    /// The number of moves in all games.
    pub moves: u64,
    /// The games that each side won, by the rule that ended them.
    by_rule: BySide<BTreeMap<&'static str, u64>>,
    /// The sum of the squared differences in points, for their variance.
    squares: f64,
}

/// An estimate with its 95 % confidence interval.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Estimate {
    /// The estimate.
    pub value: f64,
    /// The lower end of the interval.
    pub low: f64,
    /// The upper end of the interval.
    pub high: f64,
}

/// The two-sided 95 % quantile of the normal distribution.
pub(crate) const Z: f64 = 1.959_963_984_540_054;

impl Tally {
    /// Adds the result of a match.
    pub fn add(&mut self, result: &impl AnyMatchResult) {
        self.matches += 1;
        match result.winner() {
            Some(winner) => self.wins[winner] += 1,
            None => self.draws += 1,
        }
        let points = result.points().map(u64::from);
        for side in Side::ALL {
            self.points[side] += points[side];
        }
        let difference = points.first as f64 - points.second as f64;
        self.squares += difference * difference;
        self.moves += u64::from(result.moves());
        for (winner, by) in result.ends() {
            if let Some(winner) = winner {
                *self.by_rule[winner].entry(by).or_default() += 1;
            }
        }
    }

    /// The number of games that a side has won by this rule.
    pub fn won_by(&self, side: Side, rule: &str) -> u64 {
        self.by_rule[side].get(rule).copied().unwrap_or_default()
    }

    /// The share of the matches that a side wins, with Wilson's interval, which stays between 0 and 1.
    pub fn win_rate(&self, side: Side) -> Estimate {
        let n = self.matches as f64;
        if n == 0.0 {
            return Estimate { value: 0.0, low: 0.0, high: 1.0 };
        }
        let value = self.wins[side] as f64 / n;
        let middle = (value + Z * Z / (2.0 * n)) / (1.0 + Z * Z / n);
        let spread = Z / (1.0 + Z * Z / n) * (value * (1.0 - value) / n + Z * Z / (4.0 * n * n)).sqrt();
        Estimate { value, low: (middle - spread).max(0.0), high: (middle + spread).min(1.0) }
    }

    /// The mean difference in points per match: those of the side minus those of its opponent.
    pub fn gain(&self, side: Side) -> Estimate {
        let n = self.matches as f64;
        let value = (self.points[side] as f64 - self.points[side.other()] as f64) / n.max(1.0);
        // One match tells nothing about the spread.
        let spread = match self.matches {
            0 | 1 => f64::INFINITY,
            _ => Z * ((self.squares - n * value * value).max(0.0) / (n - 1.0) / n).sqrt(),
        };
        Estimate { value, low: value - spread, high: value + spread }
    }

    /// The mean number of moves per match.
    pub fn average_moves(&self) -> f64 {
        self.moves as f64 / (self.matches as f64).max(1.0)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A match of one game: its winner and the points of the winner.
    struct Won(Option<Side>, u32);

    impl AnyMatchResult for Won {
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

    /// The textbook example: 10 of 20 is 0.5, with Wilson's interval from 0.299 to 0.701.
    #[test]
    fn intervals_are_those_of_the_textbook() {
        let mut tally = Tally::default();
        (0..10).for_each(|_| tally.add(&Won(Some(Side::First), 2)));
        (0..10).for_each(|_| tally.add(&Won(Some(Side::Second), 1)));
        let rate = tally.win_rate(Side::First);
        assert!((rate.low - 0.299).abs() < 5e-4 && (rate.high - 0.701).abs() < 5e-4, "{rate:?}");
        // Ten times +2 and ten times −1: the mean is 0.5, the standard deviation 1.539. So half the interval is
        // 1.96 · 1.539 / √20 = 0.6745.
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
