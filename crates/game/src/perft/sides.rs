//! Counting sequences with the sides known to the compiler: for games that generate the moves of either side apart.

use crate::Side;
use std::hint::black_box;

/// What is walked through. `FIRST` says that the first side is to move.
pub trait Walk: Sized {
    /// A move.
    type Move;

    /// Are the last moves of a sequence counted, not played?
    const BULK: bool;

    /// The number of moves.
    fn count<const FIRST: bool>(&self) -> u64;

    /// Shows every move.
    fn visit<const FIRST: bool>(&self, visit: impl FnMut(Self::Move));

    /// After a move.
    fn play<const FIRST: bool>(&self, m: Self::Move) -> Self;
}

/// The number of sequences of so many moves, of which this side has the first.
pub fn sequences_by_sides<W: Walk>(node: &W, turn: Side, depth: u32) -> u64 {
    match turn {
        Side::First => sequences::<true, W>(node, depth),
        Side::Second => sequences::<false, W>(node, depth),
    }
}

fn sequences<const FIRST: bool, W: Walk>(node: &W, depth: u32) -> u64 {
    match depth {
        0 => 1,
        1 if W::BULK => count::<FIRST, W>(node),
        _ => {
            let rest = depth - 1;
            let mut found = 0;
            node.visit::<FIRST>(
                #[inline(always)]
                |m| {
                    let next = node.play::<FIRST>(m);
                    found += match (FIRST, rest) {
                        // A move that nobody looks at would not be made at all.
                        (_, 0) => {
                            black_box(&next);
                            1
                        }
                        (true, 1) if W::BULK => count::<false, W>(&next),
                        (false, 1) if W::BULK => count::<true, W>(&next),
                        (true, rest) => sequences::<false, W>(&next, rest),
                        (false, rest) => sequences::<true, W>(&next, rest),
                    };
                },
            );
            found
        }
    }
}

/// Apart from the walk, which would otherwise carry the registers that counting needs through every node.
#[inline(never)]
fn count<const FIRST: bool, W: Walk>(node: &W) -> u64 {
    node.count::<FIRST>()
}
