//! Counting the sequences of moves: the test that every move generator must pass.
//!
//! `perft(n)` is the number of sequences of exactly n moves; whatever chance may bring between them is followed, once or
//! as often as it weighs, and is no move. The last ply is counted in bulk, by
//! [`Position::count_moves`], unless asked otherwise. No count exceeds `u64::MAX`, which stands for itself and for all
//! above it: only with a memory can one get there.

mod memory;
#[cfg(feature = "threads")]
mod parallel;
mod sides;

#[cfg(feature = "threads")]
pub use parallel::{count_parallel, divide, divide_chances};
pub use sides::{Count, Walk, count_by_sides, play_by_sides};

use crate::Position;
use memory::Memory;
use std::hint::black_box;
use std::ops::ControlFlow;

/// Which sequences count, and how they are counted.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Counting {
    /// Add, once each, the sequences that ended the game before they reached the depth.
    pub ended: bool,
    /// At each node take one move per resulting position.
    pub unique: bool,
    /// Play the last move of each sequence too and count one by one: the same answer, as a benchmark of making moves.
    pub plain: bool,
    /// Count what chance brings as often as it weighs, not once.
    pub weighted: bool,
    /// Remember in so many bytes what was counted, for positions that are met again: the same answer, sooner where
    /// many moves lead to few positions.
    pub hash: Option<u64>,
}

/// The number of sequences of exactly `depth` moves.
pub fn perft<P: Position>(position: &P, depth: u32) -> u64 {
    position.count_sequences(depth)
}

/// The number of sequences of `depth` moves, counted as asked.
pub fn count<P: Position>(position: &P, depth: u32, counting: Counting) -> u64 {
    Counter::new(counting).count(position, depth)
}

/// As [`count()`] with a memory of so few positions that they must replace each other, asked at every depth: what
/// the laws need to see it at work within a few moves.
#[cfg(feature = "testing")]
pub(crate) fn count_forgetfully<P: Position>(position: &P, depth: u32, counting: Counting) -> u64 {
    const BUCKETS: u64 = 3;
    let memory = Memory::new(BUCKETS * Memory::<P>::LEAST_BYTES);
    Counter { counting, memory, least_depth: 1 }.count(position, depth)
}

/// The bare count: nothing is asked on the way but the moves. `PLAIN` plays the last of them too.
pub(crate) fn sequences<P: Position, const PLAIN: bool>(position: &P, depth: u32) -> u64 {
    match depth {
        0 => {
            if PLAIN {
                // Else the compiler would see that nobody looks at the position, and not make the move.
                black_box(position);
            }
            1
        }
        1 if !PLAIN && position.awaits_chance() => position.count_moves_after_chance(),
        _ if position.awaits_chance() => {
            let mut nodes = 0;
            let _ = position.visit_chances(|outcome, _| {
                nodes += sequences::<P, PLAIN>(&position.play_chance_unchecked(outcome), depth);
                ControlFlow::<()>::Continue(())
            });
            nodes
        }
        1 if !PLAIN => position.count_moves(),
        _ => {
            let mut nodes = 0;
            let _ = position.visit_successors(|_, next| {
                nodes += sequences::<P, PLAIN>(&next, depth - 1);
                ControlFlow::<()>::Continue(())
            });
            nodes
        }
    }
}

/// A count under way: what is asked, and what is remembered.
struct Counter<P> {
    counting: Counting,
    memory: Option<Memory<P>>,
    /// With fewer moves to go, nothing is remembered.
    least_depth: u32,
}

impl Counting {
    /// How often something of this weight counts.
    fn weight(self, weight: u32) -> u64 {
        if self.weighted { weight.into() } else { 1 }
    }
}

impl<P: Position> Counter<P> {
    fn new(counting: Counting) -> Self {
        // Two moves are counted more quickly than their count is found: docs/experiments.md.
        const LEAST_DEPTH: u32 = 3;
        Self { counting, memory: counting.hash.and_then(Memory::new), least_depth: LEAST_DEPTH }
    }

    fn count(&self, position: &P, depth: u32) -> u64 {
        match &self.memory {
            Some(memory) if depth >= self.least_depth => {
                memory.recall(position, depth, || self.expand(position, depth))
            }
            _ => self.count_without_memory(position, depth),
        }
    }

    /// Also what lies below the least depth that is remembered.
    fn count_without_memory(&self, position: &P, depth: u32) -> u64 {
        match self.counting {
            Counting { ended: false, unique: false, weighted: false, plain: false, .. } => {
                perft(position, depth)
            }
            Counting { ended: false, unique: false, weighted: false, plain: true, .. } => {
                position.play_sequences(depth)
            }
            _ => self.expand(position, depth),
        }
    }

    /// One move, and the count of what follows.
    fn expand(&self, position: &P, depth: u32) -> u64 {
        let Counting { ended, unique, plain, .. } = self.counting;
        if depth == 0 {
            return sequences::<P, true>(position, 0);
        }
        if position.awaits_chance() {
            let mut nodes = 0u64;
            let _ = position.visit_chances(|outcome, weight| {
                let next = position.play_chance_unchecked(outcome);
                let counted = self.count(&next, depth).saturating_mul(self.counting.weight(weight));
                nodes = nodes.saturating_add(counted);
                ControlFlow::<()>::Continue(())
            });
            return nodes;
        }
        if ended && position.outcome().is_some() {
            return 1;
        }
        if depth == 1 && !unique && !plain {
            return position.count_moves();
        }
        let mut nodes = 0u64;
        let mut add = |next: &P| nodes = nodes.saturating_add(self.count(next, depth - 1));
        match unique {
            true => position.unique_successors().iter().for_each(|(_, next)| add(next)),
            false => {
                let _ = position.visit_successors(|_, next| {
                    add(&next);
                    ControlFlow::<()>::Continue(())
                });
            }
        }
        nodes
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{NoChance, Outcome, Side};

    /// A token on a board of 4 x 4 squares walks a square in any of four directions; at the edge it ends, or stays.
    #[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
    pub(super) struct Walk {
        at: (i8, i8),
        ends: bool,
    }

    impl Walk {
        fn is_inside(self) -> bool {
            [self.at.0, self.at.1].iter().all(|at| (0..4).contains(at))
        }
    }

    impl Position for Walk {
        type Move = (i8, i8);
        type Chance = NoChance;

        fn turn(&self) -> Side {
            Side::First
        }

        fn outcome(&self) -> Option<Outcome> {
            (!self.is_inside()).then(|| Outcome::draw("edge"))
        }

        fn visit_moves<B>(&self, mut visit: impl FnMut((i8, i8)) -> ControlFlow<B>) -> ControlFlow<B> {
            if !self.is_inside() {
                return ControlFlow::Continue(());
            }
            [(0, 1), (1, 0), (0, -1), (-1, 0)].into_iter().try_for_each(&mut visit)
        }

        fn play_unchecked(&self, (right, up): (i8, i8)) -> Self {
            let next = Self { at: (self.at.0 + right, self.at.1 + up), ..*self };
            if next.is_inside() || self.ends { next } else { *self }
        }
    }

    pub(super) const STAYS: Walk = Walk { at: (0, 1), ends: false };
    pub(super) const ENDS: Walk = Walk { at: (1, 2), ends: true };

    /// Sizes that remember two positions, a few, and all.
    pub(super) const SIZES: [u64; 3] =
        [Memory::<Walk>::LEAST_BYTES, 7 * Memory::<Walk>::LEAST_BYTES, 1 << 20];

    #[test]
    fn a_memory_of_any_size_gives_the_same_count() {
        for walk in [STAYS, ENDS] {
            for bits in 0..8 {
                let [ended, unique, plain] = [bits & 1 > 0, bits & 2 > 0, bits & 4 > 0];
                let counting = Counting { ended, unique, plain, ..Counting::default() };
                let without = count(&walk, 9, counting);
                for hash in SIZES.map(Some) {
                    let counting = Counting { hash, ..counting };
                    assert_eq!(count(&walk, 9, counting), without, "{walk:?} {counting:?}");
                }
            }
        }
    }

    /// Four moves everywhere: 4ⁿ sequences, however deep, of 16 positions.
    #[test]
    fn depths_out_of_reach_come_within_it() {
        let counting = Counting { hash: Some(1 << 20), ..Counting::default() };
        assert_eq!(count(&STAYS, 31, counting), 1 << 62);
        assert_eq!(count(&STAYS, 32, counting), u64::MAX, "more than a number holds");
    }

    #[test]
    fn a_memory_too_small_for_a_position_is_none() {
        assert!(Memory::<Walk>::new(Memory::<Walk>::LEAST_BYTES - 1).is_none());
        assert!(Memory::<Walk>::new(u64::MAX).is_some(), "it costs nothing before it is used");
        let counting = Counting { hash: Some(0), ..Counting::default() };
        assert_eq!(count(&STAYS, 5, counting), 1 << 10);
    }
}
