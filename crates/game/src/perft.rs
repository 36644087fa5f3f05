//! Perft: counts the sequences of moves. This is the standard test of a move generator.
//!
//! `perft(n)` is the number of sequences of exactly n moves. Between the moves, every outcome of chance is followed. It
//! counts once or by its weight, and is not a move itself. The last ply is counted in bulk by
//! [`Position::count_moves`], unless [`Counting::plain`] is set. Counts saturate at `u64::MAX`, which then means this
//! number or any larger one. Only a count with a transposition table ([`Counting::hash`]) can get that far.

mod memory;
#[cfg(feature = "threads")]
mod parallel;
mod sides;
mod stack;

#[cfg(feature = "threads")]
pub use parallel::{count_parallel, divide, divide_chances};
pub use sides::{Count, Walk, count_by_sides, play_by_sides};
pub use stack::NoThreads;
#[cfg(feature = "testing")]
pub(crate) use stack::with_stack;

use crate::Position;
use memory::Memory;
use std::hint::black_box;
use std::ops::ControlFlow;

/// Options for a count: which sequences count, and how they are counted.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Counting {
    /// Also count, once each, the sequences that ended the game before they reached the depth.
    pub ended: bool,
    /// At each node, follow only one of the moves that lead to the same position.
    pub unique: bool,
    /// Also play the last move of each sequence and count one by one. The result is the same; this is a benchmark of
    /// making moves.
    pub plain: bool,
    /// Count each outcome of chance by its weight, not once.
    pub weighted: bool,
    /// Use a transposition table of this many bytes. The result is the same. It is faster if many sequences lead to the
    /// same positions.
    pub hash: Option<u64>,
}

/// Returns the number of sequences of exactly `depth` moves.
///
/// # Panics
/// Panics where [`count()`] returns an error.
pub fn perft<P: Position>(position: &P, depth: u32) -> u64 {
    count(position, depth, Counting::default()).expect("a thread")
}

/// Returns the number of sequences of `depth` moves, counted with these options.
///
/// # Errors
/// A deep count runs on a thread of its own, which has enough stack. Returns an error if the system cannot start it.
pub fn count<P: Position>(position: &P, depth: u32, counting: Counting) -> Result<u64, NoThreads> {
    let counter = Counter::new(counting);
    stack::with_stack(depth, || counter.count(position, depth))
}

/// Counts as [`count()`] does, with a tiny transposition table that is used at every depth. Its entries must replace
/// each other. So the laws can test the table within a few moves.
#[cfg(feature = "testing")]
pub(crate) fn count_forgetfully<P: Position>(position: &P, depth: u32, counting: Counting) -> u64 {
    const BUCKETS: u64 = 3;
    let memory = Memory::new(BUCKETS * Memory::<P>::LEAST_BYTES);
    Counter { counting, memory, least_depth: 1 }.count(position, depth)
}

/// Counts without further options: only the moves are generated. `PLAIN` also plays the last move of each sequence.
pub(crate) fn sequences<P: Position, const PLAIN: bool>(position: &P, depth: u32) -> u64 {
    match depth {
        0 => {
            if PLAIN {
                // Without it, the compiler would see that the position is not used, and would not make the move.
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

/// A count in progress, with its options and its transposition table.
struct Counter<P> {
    counting: Counting,
    memory: Option<Memory<P>>,
    /// With fewer remaining moves than this, the transposition table is not used.
    least_depth: u32,
}

impl Counting {
    /// Counting without options, with each of them, and with all of them.
    #[cfg(any(test, feature = "testing"))]
    pub(crate) const WAYS: [Self; 7] = {
        let none = Self { ended: false, unique: false, plain: false, weighted: false, hash: None };
        let hash = Some(1 << 20);
        [
            none,
            Self { ended: true, ..none },
            Self { unique: true, ..none },
            Self { plain: true, ..none },
            Self { weighted: true, ..none },
            Self { hash, ..none },
            Self { ended: true, unique: true, plain: true, weighted: true, hash },
        ]
    };

    /// How often an outcome of chance with this weight counts.
    fn weight(self, weight: u32) -> u64 {
        if self.weighted { weight.into() } else { 1 }
    }
}

impl<P: Position> Counter<P> {
    fn new(counting: Counting) -> Self {
        // Counting two moves is faster than looking up their count: docs/experiments.md.
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

    /// Counts without the transposition table at this node, also below the smallest depth that is stored.
    fn count_without_memory(&self, position: &P, depth: u32) -> u64 {
        match self.counting {
            Counting { ended: false, unique: false, weighted: false, plain: false, .. } => {
                position.count_sequences(depth)
            }
            Counting { ended: false, unique: false, weighted: false, plain: true, .. } => {
                position.play_sequences(depth)
            }
            _ => self.expand(position, depth),
        }
    }

    /// Plays every move, and adds up the counts of the successors.
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

    /// A token on a board of 4 x 4 squares that moves one square in any of four directions. A move off the board ends
    /// the game if `ends` is set; otherwise the token stays where it is.
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

    /// A position that is so large that the usual stack of a thread is too small for a deep count. It has `branches`
    /// sequences of any greater number of moves: one move begins a branch that has no others, the other one leaves one
    /// branch less.
    #[derive(Clone, PartialEq, Eq, Hash, Debug)]
    pub(super) struct Large {
        branches: u64,
        ballast: [u64; 255],
    }

    /// It has more branches than a count on several threads has parts.
    pub(super) const LARGE: Large = Large { branches: 300, ballast: [0; 255] };

    impl Position for Large {
        type Move = bool;
        type Chance = NoChance;

        fn turn(&self) -> Side {
            Side::First
        }

        fn outcome(&self) -> Option<Outcome> {
            None
        }

        fn visit_moves<B>(&self, mut visit: impl FnMut(bool) -> ControlFlow<B>) -> ControlFlow<B> {
            if self.branches > 1 {
                visit(false)?;
            }
            visit(true)
        }

        fn play_unchecked(&self, begins_branch: bool) -> Self {
            let branches = if begins_branch { 0 } else { self.branches - 1 };
            black_box(Self { branches, ..self.clone() })
        }
    }

    #[test]
    fn a_deep_count_has_enough_stack() {
        assert_eq!(perft(&LARGE, 1000), 300);
        for counting in Counting::WAYS {
            assert_eq!(count(&LARGE, 1000, counting).expect("a thread"), 300, "{counting:?}");
        }
    }

    pub(super) const STAYS: Walk = Walk { at: (0, 1), ends: false };
    pub(super) const ENDS: Walk = Walk { at: (1, 2), ends: true };

    /// Sizes of the transposition table that hold two positions, a few, and all.
    pub(super) const SIZES: [u64; 3] =
        [Memory::<Walk>::LEAST_BYTES, 7 * Memory::<Walk>::LEAST_BYTES, 1 << 20];

    #[test]
    fn a_memory_of_any_size_gives_the_same_count() {
        for walk in [STAYS, ENDS] {
            for bits in 0..8 {
                let [ended, unique, plain] = [bits & 1 > 0, bits & 2 > 0, bits & 4 > 0];
                let counting = Counting { ended, unique, plain, ..Counting::default() };
                let without = count(&walk, 9, counting).expect("a thread");
                for hash in SIZES.map(Some) {
                    let counting = Counting { hash, ..counting };
                    let with = count(&walk, 9, counting).expect("a thread");
                    assert_eq!(with, without, "{walk:?} {counting:?}");
                }
            }
        }
    }

    /// There are always four moves, so there are 4ⁿ sequences of n moves, but only 16 positions.
    #[test]
    fn depths_out_of_reach_come_within_it() {
        let counting = Counting { hash: Some(1 << 20), ..Counting::default() };
        let counted = |depth| count(&STAYS, depth, counting).expect("a thread");
        assert_eq!(counted(31), 1 << 62);
        assert_eq!(counted(32), u64::MAX, "more than a number holds");
    }

    #[test]
    fn a_memory_too_small_for_a_position_is_none() {
        assert!(Memory::<Walk>::new(Memory::<Walk>::LEAST_BYTES - 1).is_none());
        assert!(Memory::<Walk>::new(u64::MAX).is_some(), "it costs nothing before it is used");
        let counting = Counting { hash: Some(0), ..Counting::default() };
        assert_eq!(count(&STAYS, 5, counting).expect("a thread"), 1 << 10);
    }
}
