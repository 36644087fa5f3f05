//! The points that an agent loses against perfect play, per decision.

use crate::agent::AgentError;
use crate::judge::{Decision, Judge, Verdict};
use crate::tally::{Estimate, Z};
use game::{Notation, Position};
use serde::Serialize;

/// The losses of an agent, moves and decisions about the cube apart.
#[derive(Clone, PartialEq, Debug)]
pub struct Losses<P: Position> {
    /// The losses by moves.
    pub moves: LossSum<P>,
    /// The losses by decisions about the cube.
    pub cube: LossSum<P>,
    /// The number of choices with nothing to choose.
    pub forced: u64,
    /// The number of choices that the judge could not judge.
    pub unknown: u64,
}

/// A sum of losses.
#[derive(Clone, PartialEq, Debug)]
pub struct LossSum<P: Position> {
    /// The number of decisions.
    pub decisions: u64,
    /// The number of decisions that lose more than the values are rounded.
    pub errors: u64,
    /// The decision that loses the most; the first of several. `None` if none loses anything.
    pub worst: Option<Worst<P>>,
    sum: f64,
    squares: f64,
}

/// The worst decision.
#[derive(Clone, PartialEq, Debug)]
pub struct Worst<P: Position> {
    /// The position.
    pub position: P,
    /// The choice.
    pub chosen: P::Move,
    /// The expected points that the choice loses.
    pub lost: f64,
}

impl<P: Position> Default for LossSum<P> {
    fn default() -> Self {
        Self { decisions: 0, errors: 0, worst: None, sum: 0.0, squares: 0.0 }
    }
}

impl<P: Position> Default for Losses<P> {
    fn default() -> Self {
        Self { moves: LossSum::default(), cube: LossSum::default(), forced: 0, unknown: 0 }
    }
}

impl<P: Position> Losses<P> {
    /// Adds a choice, as `judge` judges it.
    ///
    /// # Errors
    /// Returns the error of the judge.
    pub fn judge(
        &mut self,
        judge: &(impl Judge<P> + ?Sized),
        position: &P,
        chosen: P::Move,
    ) -> Result<(), AgentError> {
        self.add(position, chosen, judge.verdict(position, chosen)?);
        Ok(())
    }

    pub(crate) fn add(&mut self, position: &P, chosen: P::Move, verdict: Verdict) {
        let (decision, lost, tolerance) = match verdict {
            Verdict::Forced => return self.forced += 1,
            Verdict::Unknown => return self.unknown += 1,
            Verdict::Lost { decision, points, tolerance } => (decision, points, tolerance),
        };
        let sum = match decision {
            Decision::Move => &mut self.moves,
            Decision::Cube => &mut self.cube,
        };
        sum.decisions += 1;
        sum.errors += u64::from(lost > tolerance);
        sum.sum += lost;
        sum.squares += lost * lost;
        if lost > sum.worst.as_ref().map_or(0.0, |worst| worst.lost) {
            sum.worst = Some(Worst { position: position.clone(), chosen, lost });
        }
    }

    /// The same in a form that can be printed, with the worst decisions as text.
    pub fn report<G: Notation<Position = P>>(&self, game: &G) -> LossReport {
        LossReport {
            moves: self.moves.report(game),
            cube: self.cube.report(game),
            forced: self.forced,
            unknown: self.unknown,
        }
    }
}

impl<P: Position> LossSum<P> {
    /// The expected points that all decisions together lose.
    pub const fn points(&self) -> f64 {
        self.sum
    }

    /// The mean loss of a decision, with its 95 % confidence interval.
    pub fn mean(&self) -> Estimate {
        let n = self.decisions as f64;
        let value = self.sum / n.max(1.0);
        // One decision tells nothing about the spread.
        let spread = match self.decisions {
            0 | 1 => f64::INFINITY,
            _ => Z * ((self.squares - n * value * value).max(0.0) / (n - 1.0) / n).sqrt(),
        };
        Estimate { value, low: value - spread, high: value + spread }
    }

    fn report<G: Notation<Position = P>>(&self, game: &G) -> LossSumReport {
        let mean = self.mean();
        let worst = self.worst.as_ref().map(|worst| WorstReport {
            position: game.position_text(&worst.position),
            chosen: game.move_text(&worst.position, worst.chosen),
            lost: worst.lost,
        });
        LossSumReport {
            decisions: self.decisions,
            errors: self.errors,
            mean: mean.value,
            interval: mean.low.is_finite().then_some([mean.low, mean.high]),
            worst,
        }
    }
}

/// The losses of an agent, to be printed.
#[derive(Clone, PartialEq, Debug, Serialize)]
pub struct LossReport {
    /// The losses by moves.
    pub moves: LossSumReport,
    /// The losses by decisions about the cube.
    pub cube: LossSumReport,
    /// The number of choices with nothing to choose.
    pub forced: u64,
    /// The number of choices that the judge could not judge.
    pub unknown: u64,
}

/// A sum of losses, to be printed.
#[derive(Clone, PartialEq, Debug, Serialize)]
pub struct LossSumReport {
    /// The number of decisions.
    pub decisions: u64,
    /// The number of decisions that lose more than the values are rounded.
    pub errors: u64,
    /// The mean loss of a decision, in points.
    pub mean: f64,
    /// Its 95 % confidence interval. `None` if there are fewer than two decisions.
    pub interval: Option<[f64; 2]>,
    /// The decision that loses the most. `None` if none loses anything.
    pub worst: Option<WorstReport>,
}

/// The worst decision, as text.
#[derive(Clone, PartialEq, Debug, Serialize)]
pub struct WorstReport {
    /// The position.
    pub position: String,
    /// The choice.
    pub chosen: String,
    /// The expected points that the choice loses.
    pub lost: f64,
}
