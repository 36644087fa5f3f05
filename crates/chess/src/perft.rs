//! Counting sequences of moves on bare states, without turns, clocks and keys.

use crate::legality::Sink;
use crate::moves::Move;
use crate::position::Position;
use crate::state::State;
use game::Side;
use std::convert::Infallible;
use std::hint::black_box;
use std::ops::ControlFlow;

impl Position {
    /// The number of sequences of so many moves; without `BULK` the last of each is played too.
    pub(crate) fn sequences<const BULK: bool>(&self, depth: u32) -> u64 {
        match self.turn {
            Side::First => sequences::<true, BULK>(&self.state, depth),
            Side::Second => sequences::<false, BULK>(&self.state, depth),
        }
    }
}

fn sequences<const WHITE: bool, const BULK: bool>(state: &State, depth: u32) -> u64 {
    match depth {
        0 => 1,
        1 if BULK => count::<WHITE>(state),
        _ => {
            let mut branches = Branches::<WHITE, BULK> { state, rest: depth - 1, sequences: 0 };
            let _ = state.visit::<WHITE, _>(&mut branches);
            branches.sequences
        }
    }
}

/// Apart from the walk, which would otherwise carry the registers that counting needs through every node.
#[inline(never)]
fn count<const WHITE: bool>(state: &State) -> u64 {
    state.count::<WHITE>()
}

/// Plays each move and counts what follows.
struct Branches<'a, const WHITE: bool, const BULK: bool> {
    state: &'a State,
    rest: u32,
    sequences: u64,
}

impl<const WHITE: bool, const BULK: bool> Sink for Branches<'_, WHITE, BULK> {
    type Stop = Infallible;

    #[inline(always)]
    fn one(&mut self, m: Move) -> ControlFlow<Infallible> {
        let next = self.state.play::<WHITE>(m);
        self.sequences += match (WHITE, self.rest) {
            // A move that nobody looks at would not be made at all.
            (_, 0) => {
                black_box(&next);
                1
            }
            (true, 1) if BULK => count::<false>(&next),
            (false, 1) if BULK => count::<true>(&next),
            (true, rest) => sequences::<false, BULK>(&next, rest),
            (false, rest) => sequences::<true, BULK>(&next, rest),
        };
        ControlFlow::Continue(())
    }
}
