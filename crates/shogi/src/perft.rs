//! Counting sequences of moves, with the sides known to the compiler.

use crate::legality::Sink;
use crate::moves::Move;
use crate::position::Position;
use crate::state::State;
use game::Side;
use std::convert::Infallible;
use std::hint::black_box;
use std::ops::ControlFlow;

/// What is walked through.
trait Node {
    /// Are the last moves of a sequence counted, not played?
    const BULK: bool;

    fn state(&self) -> &State;

    fn play<const BLACK: bool>(&self, m: Move) -> Self;
}

/// The bare state will do to count.
impl Node for State {
    const BULK: bool = true;

    #[inline(always)]
    fn state(&self) -> &State {
        self
    }

    #[inline(always)]
    fn play<const BLACK: bool>(&self, m: Move) -> Self {
        State::play::<BLACK>(self, m)
    }
}

/// Moves that are played are played in full, with clocks and key.
impl Node for Position {
    const BULK: bool = false;

    #[inline(always)]
    fn state(&self) -> &State {
        &self.state
    }

    #[inline(always)]
    fn play<const BLACK: bool>(&self, m: Move) -> Self {
        self.played::<BLACK>(m)
    }
}

impl Position {
    /// The number of sequences of so many moves.
    pub(crate) fn counted_sequences(&self, depth: u32) -> u64 {
        match self.turn {
            Side::First => sequences::<true, _>(&self.state, depth),
            Side::Second => sequences::<false, _>(&self.state, depth),
        }
    }

    /// The same with every move played, the last included.
    pub(crate) fn played_sequences(&self, depth: u32) -> u64 {
        match self.turn {
            Side::First => sequences::<true, _>(self, depth),
            Side::Second => sequences::<false, _>(self, depth),
        }
    }
}

fn sequences<const BLACK: bool, N: Node>(node: &N, depth: u32) -> u64 {
    match depth {
        0 => 1,
        1 if N::BULK => count::<BLACK>(node.state()),
        _ => {
            let mut branches = Branches::<BLACK, N> { node, rest: depth - 1, sequences: 0 };
            let _ = node.state().visit::<BLACK, _>(&mut branches);
            branches.sequences
        }
    }
}

/// Apart from the walk, which would otherwise carry the registers that counting needs through every node.
#[inline(never)]
fn count<const BLACK: bool>(state: &State) -> u64 {
    state.count::<BLACK>()
}

/// Plays each move and counts what follows.
struct Branches<'a, const BLACK: bool, N> {
    node: &'a N,
    rest: u32,
    sequences: u64,
}

impl<const BLACK: bool, N: Node> Sink for Branches<'_, BLACK, N> {
    type Stop = Infallible;

    #[inline(always)]
    fn one(&mut self, m: Move) -> ControlFlow<Infallible> {
        let next = self.node.play::<BLACK>(m);
        self.sequences += match (BLACK, self.rest) {
            // A move that nobody looks at would not be made at all.
            (_, 0) => {
                black_box(&next);
                1
            }
            (true, 1) if N::BULK => count::<false>(next.state()),
            (false, 1) if N::BULK => count::<true>(next.state()),
            (true, rest) => sequences::<false, N>(&next, rest),
            (false, rest) => sequences::<true, N>(&next, rest),
        };
        ControlFlow::Continue(())
    }
}
