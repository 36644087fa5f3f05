//! Comes near a fixed point: sweeps, with a leap from time to time.
//!
//! Near the solution, each sweep reduces the error by about the same factor. When two sweeps in a row show the same factor, a leap
//! adds what all later sweeps would add.

use super::plays::Plays;
use super::real::Real;
use super::sweep::{After, Rule, sweep};
use game::parallel;

/// The state of the sweeps. The numbers themselves are elsewhere.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Approach {
    /// The number of sweeps so far.
    pub sweeps: u64,
    /// The largest change of the last sweep.
    pub change: f64,
    /// The factor between the changes of the last two sweeps.
    pub factor: f64,
    /// The number of sweeps since the last leap.
    pub since_leap: u64,
}

/// Two factors are the same if they differ by no more than this.
const SAME: f64 = 0.02;
/// No leap is made while numbers change by more than this, because the best plays change with them.
const FAR: f64 = 0.05;
/// The number of sweeps after a leap until their factor means something.
const REST: u64 = 3;

impl Approach {
    /// Nothing is known yet.
    pub const START: Self = Self { sweeps: 0, change: f64::INFINITY, factor: f64::INFINITY, since_leap: 0 };

    /// Sweeps once, and leaps if that is promising.
    #[must_use]
    pub fn next<R: Real, const K: usize>(
        self,
        plays: &Plays,
        after: &mut [After<R>; K],
        rule: &impl Rule<K>,
    ) -> Self {
        let before = (self.since_leap >= REST).then(|| after.clone());
        let change = sweep(plays, after, rule);
        let factor = change / self.change;
        let sweeps = self.sweeps + 1;
        match before {
            Some(before) if (factor - self.factor).abs() < SAME && factor < 0.9 && change < FAR => {
                let further = factor / (1.0 - factor);
                for (after, before) in after.iter_mut().zip(before) {
                    leap(after, &before, further);
                }
                Self { sweeps, change, factor, since_leap: 0 }
            }
            _ => Self { sweeps, change, factor, since_leap: self.since_leap + 1 },
        }
    }
}

/// Adds a multiple of the last change to all numbers.
fn leap<R: Real>(after: &mut [R], before: &[R], further: f64) {
    const PART: usize = 1 << 12;
    parallel::map_items(after.chunks_mut(PART).zip(before.chunks(PART)), |_, (after, before)| {
        for (value, &before) in after.iter_mut().zip(before) {
            let (now, before): (f64, f64) = ((*value).into(), before.into());
            *value = R::nearest(now + further * (now - before));
        }
    });
}
