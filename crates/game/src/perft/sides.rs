//! Counting sequences with the side to move as a constant parameter, for games with separate move generators for the
//! two sides.

use crate::Side;
use std::hint::black_box;
use std::ops::ControlFlow;

/// A node of the count: a position, or the part of it that determines its moves. `FIRST` is true if the first side is
/// to move.
pub trait Walk: Sized {
    /// A move.
    type Move;

    /// Calls `visit` with every move. `visit` can stop the iteration.
    fn visit<const FIRST: bool, B>(&self, visit: impl FnMut(Self::Move) -> ControlFlow<B>) -> ControlFlow<B>;

    /// Returns the node after a move.
    #[must_use]
    fn played<const FIRST: bool>(&self, m: Self::Move) -> Self;
}

/// A node that can count its moves without generating each of them.
pub trait Count: Walk {
    /// The number of moves.
    fn count<const FIRST: bool>(&self) -> u64;
}

/// Returns the number of sequences of `depth` moves with the side `turn` to move first. The last moves are counted, not
/// played.
pub fn count_by_sides<W: Count>(node: &W, turn: Side, depth: u32) -> u64 {
    match turn {
        Side::First => counted::<true, W>(node, depth),
        Side::Second => counted::<false, W>(node, depth),
    }
}

/// Returns the number of sequences of `depth` moves with the side `turn` to move first. The last moves are played too.
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
                // Without it, the compiler would not make a move whose result is not used.
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

/// Calls `visit` with every move.
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

/// Counts the moves of a node. It is not inlined, because otherwise every node of the recursion would have to save the
/// registers that counting needs.
#[inline(never)]
fn count<const FIRST: bool, W: Count>(node: &W) -> u64 {
    node.count::<FIRST>()
}
