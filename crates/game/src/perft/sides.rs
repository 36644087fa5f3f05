//! Counting sequences with the sides known to the compiler: for games that generate the moves of either side apart.

use crate::Side;
use std::hint::black_box;
use std::ops::ControlFlow;

/// What is walked through: a position, or the part of it that decides its moves. `FIRST` says that the first side is to
/// move.
pub trait Walk: Sized {
    /// A move.
    type Move;

    /// Shows every move to `visit`, which may stop the walk.
    fn visit<const FIRST: bool, B>(&self, visit: impl FnMut(Self::Move) -> ControlFlow<B>) -> ControlFlow<B>;

    /// After a move.
    #[must_use]
    fn played<const FIRST: bool>(&self, m: Self::Move) -> Self;
}

/// What counts its moves without looking at each.
pub trait Count: Walk {
    /// The number of moves.
    fn count<const FIRST: bool>(&self) -> u64;
}

/// The number of sequences of so many moves, of which this side has the first. The last moves are counted, not played.
pub fn count_by_sides<W: Count>(node: &W, turn: Side, depth: u32) -> u64 {
    match turn {
        Side::First => counted::<true, W>(node, depth),
        Side::Second => counted::<false, W>(node, depth),
    }
}

/// The same, but the last moves are played too.
pub fn play_by_sides<W: Walk>(node: &W, turn: Side, depth: u32) -> u64 {
    match turn {
        Side::First => played::<true, W>(node, depth),
        Side::Second => played::<false, W>(node, depth),
    }
}

fn counted<const FIRST: bool, W: Count>(node: &W, depth: u32) -> u64 {
    match depth {
        0 => 1,
        1 => count::<FIRST, W>(node),
        _ => {
            let mut found = 0;
            for_each::<FIRST, W>(
                node,
                #[inline(always)]
                |m| {
                    let next = node.played::<FIRST>(m);
                    found += match (FIRST, depth - 1) {
                        (true, 1) => count::<false, W>(&next),
                        (false, 1) => count::<true, W>(&next),
                        (true, rest) => counted::<false, W>(&next, rest),
                        (false, rest) => counted::<true, W>(&next, rest),
                    };
                },
            );
            found
        }
    }
}

fn played<const FIRST: bool, W: Walk>(node: &W, depth: u32) -> u64 {
    let Some(rest) = depth.checked_sub(1) else { return 1 };
    let mut found = 0;
    for_each::<FIRST, W>(
        node,
        #[inline(always)]
        |m| {
            let next = node.played::<FIRST>(m);
            found += match (FIRST, rest) {
                // A move that nobody looks at would not be made at all.
                (_, 0) => {
                    black_box(&next);
                    1
                }
                (true, rest) => played::<false, W>(&next, rest),
                (false, rest) => played::<true, W>(&next, rest),
            };
        },
    );
    found
}

/// Shows every move.
#[inline(always)]
fn for_each<const FIRST: bool, W: Walk>(node: &W, mut visit: impl FnMut(W::Move)) {
    let _ = node.visit::<FIRST, ()>(
        #[inline(always)]
        |m| {
            visit(m);
            ControlFlow::Continue(())
        },
    );
}

/// Apart from the walk, which would otherwise carry the registers that counting needs through every node.
#[inline(never)]
fn count<const FIRST: bool, W: Count>(node: &W) -> u64 {
    node.count::<FIRST>()
}
