//! The order of moves: what moves like these were worth in the search so far.

/// The greatest value of a history, and minus the least one.
const MOST: i32 = 16_384;

/// Values from `-MOST` to `MOST`. A change is the smaller, the nearer the value is to its end.
#[derive(Clone, Copy, Default)]
struct Average(i16);

impl Average {
    #[inline]
    fn add(&mut self, bonus: i32) {
        let old = i32::from(self.0);
        self.0 = (old + bonus - old * bonus.abs() / MOST) as i16;
    }
}

/// The worth of moves by their slots: alone, and after other moves.
pub(crate) struct Histories {
    slots: usize,
    quiet: Box<[Average]>,
    tactical: Box<[Average]>,
    /// The worth of quiet moves after the last move, and after the last own one.
    following: [Box<[Average]>; 2],
}

/// The moves before a position: the slot of the last move, and of the last own one. `None` at the beginning, or if it was a pass.
pub(crate) type Before = [Option<usize>; 2];

impl Histories {
    pub fn new(slots: usize) -> Self {
        let averages = |count| vec![Average::default(); count].into_boxed_slice();
        let following = [averages(slots * slots), averages(slots * slots)];
        Self { slots, quiet: averages(slots), tactical: averages(slots), following }
    }

    /// Forgets everything.
    pub fn clear(&mut self) {
        for averages in [&mut self.quiet, &mut self.tactical].into_iter().chain(&mut self.following) {
            averages.fill(Average::default());
        }
    }

    /// The worth of a quiet move.
    #[inline]
    pub fn of_quiet(&self, slot: usize, before: Before) -> i32 {
        let mut sum = i32::from(self.quiet[slot].0);
        for (following, before) in self.following.iter().zip(before) {
            if let Some(before) = before {
                sum += i32::from(following[before * self.slots + slot].0);
            }
        }
        sum
    }

    /// The worth of a tactical move.
    #[inline]
    pub fn of_tactical(&self, slot: usize) -> i32 {
        i32::from(self.tactical[slot].0)
    }

    /// A quiet move was better or worse than expected.
    pub fn add_to_quiet(&mut self, slot: usize, before: Before, bonus: i32) {
        self.quiet[slot].add(bonus);
        for (following, before) in self.following.iter_mut().zip(before) {
            if let Some(before) = before {
                following[before * self.slots + slot].add(bonus);
            }
        }
    }

    /// A tactical move was better or worse than expected.
    pub fn add_to_tactical(&mut self, slot: usize, bonus: i32) {
        self.tactical[slot].add(bonus);
    }
}

/// A move that is to be searched.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Candidate<M> {
    pub m: M,
    pub code: u16,
    pub slot: u16,
    pub is_tactical: bool,
    /// Whether it was searched, and not left out.
    pub was_tried: bool,
    /// Moves with a greater number come first.
    pub order: i32,
}

/// Moves the candidate with the greatest order to the front.
#[inline]
pub(crate) fn bring_best_forward<M>(candidates: &mut [Candidate<M>]) {
    let (mut best, mut most) = (0, i32::MIN);
    for (at, candidate) in candidates.iter().enumerate() {
        if candidate.order > most {
            (best, most) = (at, candidate.order);
        }
    }
    candidates.swap(0, best);
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn averages_stay_within_bounds() {
        let mut average = Average::default();
        for _ in 0..1_000 {
            average.add(2_000);
            assert!(i32::from(average.0) <= MOST);
        }
        assert!(i32::from(average.0) > MOST * 9 / 10);
        (0..1_000).for_each(|_| average.add(-2_000));
        assert!(i32::from(average.0) < -MOST * 9 / 10);
    }
}
