//! The statistics of a table of expected points.

use backgammon::{CubeAction, CubeEquities, CubeOwner};
use serde::Serialize;

/// What is in a table of expected points. As JSON: `{"game", "rules", "slice", "positions", "bytes", "error"}`, and `"points"` or
/// `"rolls"`.
#[derive(Clone, PartialEq, Debug, Serialize)]
pub struct EquityStats {
    /// The game's name.
    pub game: &'static str,
    /// The rules of the table.
    pub rules: String,
    /// The slice.
    pub slice: String,
    /// The number of positions.
    pub positions: u64,
    /// The size of the table, in bytes.
    pub bytes: u64,
    /// The largest error of a number in the table.
    pub error: f64,
    /// The expected points, if the table has them.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub points: Option<PointStats>,
    /// How long a side takes to bear off, if the table has this.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub rolls: Option<RollStats>,
}

/// The expected points of the side to move, over all positions of a table.
#[derive(Clone, PartialEq, Debug, Default, Serialize)]
pub struct PointStats {
    /// Their mean, without a cube.
    pub mean: f64,
    /// The number of positions by expected points without a cube: in twenty ranges of equal length, from [`least`](Self::least)
    /// to [`most`](Self::most).
    pub ranges: [u64; 20],
    /// Where the first range begins.
    pub least: f64,
    /// Where the last range ends.
    pub most: f64,
    /// What to do with a cube in the middle. `None` if the table has no cube.
    pub cube: Option<CubeStats>,
    #[serde(skip)]
    sum: ExactSum,
}

/// The number of positions by the best action with a cube in the middle.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default, Serialize)]
pub struct CubeStats {
    /// Roll.
    pub roll: u64,
    /// Double; the opponent takes.
    pub double_take: u64,
    /// Double; the opponent drops.
    pub double_drop: u64,
    /// Roll, because the position is too good for a double.
    pub too_good: u64,
}

/// How many rolls a side takes to bear off alone, over all its boards.
#[derive(Clone, PartialEq, Debug, Default, Serialize)]
pub struct RollStats {
    /// The mean over all boards of the mean number of rolls.
    pub mean: f64,
    /// The largest mean number of rolls.
    pub longest: f64,
    /// The number of boards by their mean number of rolls, rounded down.
    pub boards: Vec<u64>,
    #[serde(skip)]
    sum: ExactSum,
}

/// A sum of numbers, each rounded to 2⁻⁴⁰. So it does not depend on the order, which threads change.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
struct ExactSum(i128);

impl ExactSum {
    const UNIT: f64 = 1.0 / (1_u64 << 40) as f64;

    fn add(&mut self, number: f64) {
        self.0 += (number / Self::UNIT).round() as i128;
    }

    fn mean(self, count: u64) -> f64 {
        self.0 as f64 * Self::UNIT / count.max(1) as f64
    }
}

impl PointStats {
    /// The statistics of no positions. Their points are within this range.
    pub(crate) fn within(least: f64, most: f64, has_cube: bool) -> Self {
        let cube = has_cube.then(CubeStats::default);
        Self { ranges: [0; 20], least, most, cube, ..Self::default() }
    }

    /// The number of positions.
    pub(crate) fn positions(&self) -> u64 {
        self.ranges.iter().sum()
    }

    /// Adds a position. The mean follows with [`divided`](Self::divided).
    pub(crate) fn add(&mut self, cubeless: f64, cube: Option<CubeEquities>) {
        self.sum.add(cubeless);
        let ranges = self.ranges.len();
        let share = (cubeless - self.least) / (self.most - self.least);
        let range = ((share * ranges as f64).max(0.0) as usize).min(ranges - 1);
        self.ranges[range] += 1;
        let decision = cube.and_then(|cube| cube.decision(CubeOwner::Nobody));
        if let (Some(counts), Some(decision)) = (&mut self.cube, decision) {
            *match decision.action {
                CubeAction::Roll => &mut counts.roll,
                CubeAction::TooGood => &mut counts.too_good,
                CubeAction::DoubleTake => &mut counts.double_take,
                CubeAction::DoubleDrop => &mut counts.double_drop,
            } += 1;
        }
    }

    /// The sum of two parts of a table.
    #[must_use]
    pub(crate) fn and(mut self, other: &Self) -> Self {
        self.sum.0 += other.sum.0;
        self.ranges.iter_mut().zip(other.ranges).for_each(|(count, more)| *count += more);
        if let (Some(counts), Some(more)) = (&mut self.cube, other.cube) {
            counts.roll += more.roll;
            counts.double_take += more.double_take;
            counts.double_drop += more.double_drop;
            counts.too_good += more.too_good;
        }
        self
    }

    /// The statistics of all positions, with their mean.
    #[must_use]
    pub(crate) fn divided(mut self) -> Self {
        self.mean = self.sum.mean(self.positions());
        self
    }
}

impl RollStats {
    /// The number of boards.
    pub(crate) fn positions(&self) -> u64 {
        self.boards.iter().sum()
    }

    /// Adds a board with this mean number of rolls. The mean of all follows with [`divided`](Self::divided).
    pub(crate) fn add(&mut self, rolls: f64) {
        self.sum.add(rolls);
        self.longest = self.longest.max(rolls);
        let whole = rolls as usize;
        self.boards.resize(self.boards.len().max(whole + 1), 0);
        self.boards[whole] += 1;
    }

    /// The sum of two parts of a table.
    #[must_use]
    pub(crate) fn and(mut self, other: &Self) -> Self {
        self.sum.0 += other.sum.0;
        self.longest = self.longest.max(other.longest);
        self.boards.resize(self.boards.len().max(other.boards.len()), 0);
        self.boards.iter_mut().zip(&other.boards).for_each(|(count, more)| *count += more);
        self
    }

    /// The statistics of all boards, with their mean.
    #[must_use]
    pub(crate) fn divided(mut self) -> Self {
        self.mean = self.sum.mean(self.positions());
        self
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn parts_of_a_table_add_up() {
        let cube = |nobody, opponent| Some(CubeEquities { mover: nobody, nobody, opponent });
        let positions =
            [(-1.0, cube(-1.0, -1.0)), (1.0, cube(1.2, 1.0)), (0.1, cube(0.1, 0.2)), (0.9, cube(0.95, 0.6))];
        let counted = |positions: &[(f64, Option<CubeEquities>)]| {
            let mut stats = PointStats::within(-1.0, 1.0, true);
            positions.iter().for_each(|&(cubeless, cube)| stats.add(cubeless, cube));
            stats
        };
        let all = counted(&positions).divided();
        assert_eq!(counted(&positions[..1]).and(&counted(&positions[1..])).divided(), all);
        assert_eq!((all.mean, all.ranges[0], all.ranges[11], all.ranges[19]), (0.25, 1, 1, 2));
        assert_eq!(all.cube, Some(CubeStats { roll: 1, double_take: 1, double_drop: 1, too_good: 1 }));
    }

    #[test]
    fn boards_are_counted_by_whole_rolls() {
        let counted = |rolls: &[f64]| {
            let mut stats = RollStats::default();
            rolls.iter().for_each(|&rolls| stats.add(rolls));
            stats
        };
        let all = counted(&[1.0, 2.5]).and(&counted(&[4.0])).divided();
        assert_eq!((all.mean, all.longest, all.boards), (2.5, 4.0, vec![0, 1, 1, 0, 1]));
    }
}
