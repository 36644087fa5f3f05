//! Corrections of the static estimate: by how much it was wrong in positions with the same structure.

use crate::score::Score;

const PLACES: usize = 1 << 14;
/// A hundredth of a pawn.
const GRAIN: i32 = 256;
/// No correction is greater than this, in hundredths of a pawn.
const MOST: i32 = 80;

/// The corrections for one side to move.
pub(crate) struct Corrections(Box<[i32]>);

impl Corrections {
    pub fn new() -> Self {
        Self(vec![0; PLACES].into_boxed_slice())
    }

    /// Forgets everything.
    pub fn clear(&mut self) {
        self.0.fill(0);
    }

    /// The corrected estimate of a position with this structure.
    #[inline]
    pub fn corrected(&self, structure: u64, estimate: Score) -> Score {
        Score::estimate(estimate.hundredths() + self.0[structure as usize % PLACES] / GRAIN)
    }

    /// A search to this depth found a score that differs from the corrected estimate by so many hundredths of a pawn.
    #[inline]
    pub fn learn(&mut self, structure: u64, difference: i32, depth: i32) {
        let place = &mut self.0[structure as usize % PLACES];
        let weight = (depth + 1).min(16);
        let wanted = *place + difference.clamp(-MOST, MOST) * GRAIN;
        *place = (*place + (wanted - *place) * weight / 256).clamp(-MOST * GRAIN, MOST * GRAIN);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn corrections_come_near_to_the_error_and_stay_within_bounds() {
        let (mut corrections, estimate) = (Corrections::new(), Score::estimate(10));
        for _ in 0..2_000 {
            let found = corrections.corrected(7, estimate).hundredths();
            corrections.learn(7, 40 - found, 8);
        }
        let found = corrections.corrected(7, estimate).hundredths();
        assert!((38..=42).contains(&found), "{found}");
        assert_eq!(corrections.corrected(8, estimate), estimate);
        (0..2_000).for_each(|_| corrections.learn(7, 1_000, 20));
        assert_eq!(corrections.corrected(7, estimate), estimate + MOST);
    }
}
