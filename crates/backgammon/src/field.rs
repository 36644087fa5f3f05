//! The board as sets of places of the side to move. A few shifts of these sets give the legal steps.

use crate::board::{Board, Seen};
use crate::dice::Roll;
use crate::moves::Turn;
use bits::pext;
use game::Side;
use std::ops::ControlFlow;

/// A board as the side to move sees it. Each set has one bit per [`Canonical`](crate::Canonical) place; bit 0 is the
/// bar.
#[derive(Clone, Copy, Debug)]
pub struct Field {
    /// The places where the side to move has a checker.
    pub own: u32,
    /// The places where the side to move has two or more checkers.
    pub twice: u32,
    /// The points to land on: the opponent has at most one checker there.
    pub open: u32,
    /// The points where landing hits a blot.
    pub blots: u32,
    /// The checkers of the side to move, four bits per place.
    pub(crate) counts: u128,
}

/// The set of the 24 points.
pub const POINT_SET: u32 = 0x01ff_fffe;
/// The bar and the points outside the home board. No checker is borne off while one is still here.
pub(crate) const OUTSIDE: u32 = 0x0007_ffff;

impl Field {
    /// The board as a side sees it.
    #[inline]
    pub fn new(board: &Board, mover: Side) -> Self {
        let Seen { mine, theirs } = board.seen_by(mover);
        let (own, twice) = occupied(mine);
        let (taken, blocked) = occupied(theirs);
        let on_board = POINT_SET | 1;
        Self {
            own: own & on_board,
            twice: twice & on_board,
            open: POINT_SET & !blocked,
            blots: POINT_SET & taken & !blocked,
            counts: mine,
        }
    }

    /// The field of a side with these checkers on its places, bar first, against an opponent who has a blot on every point
    /// that is not blocked. Its turns are different whenever one of them lands on a point that another does not touch.
    pub fn among_blots(counts: &[u8; 25], blocked: u32) -> Self {
        let counts = counts.iter().rev().fold(0, |counts: u128, &count| counts << 4 | u128::from(count));
        let (own, twice) = occupied(counts);
        let open = POINT_SET & !blocked;
        Self { own, twice, open, blots: open, counts }
    }

    /// The places from which a die can move a checker.
    #[inline]
    pub fn steps(&self, die: u8) -> u32 {
        steps(self.own, self.open, die)
    }

    /// The set `own` after a checker moved from one of its places by a die.
    #[inline]
    pub fn own_after(&self, from: u32, die: u8) -> u32 {
        let left = self.own & !(1 << from & !self.twice);
        left | 1 << (from + u32::from(die)) & POINT_SET
    }

    /// Visits every turn with a roll, one for each board that can be reached. If no checker can move, the only turn
    /// is a dance.
    #[inline]
    pub fn visit_turns<B>(&self, roll: Roll, visit: impl FnMut(Turn) -> ControlFlow<B>) -> ControlFlow<B> {
        match roll.is_double() {
            true => self.visit_double(roll.high(), visit),
            false => self.visit_two(roll, visit),
        }
    }

    /// The number of turns with a roll: at least one.
    #[inline]
    pub fn count_turns(&self, roll: Roll) -> u64 {
        match roll.is_double() {
            true => self.count_double(roll.high()),
            false => self.count_two(roll),
        }
    }

    /// Returns whether a checker might be borne off with two different dice, by the first die or after it. This is
    /// not possible while two checkers have to come home.
    #[inline]
    pub(crate) fn may_bear_off(&self) -> bool {
        let outside = self.own & OUTSIDE;
        outside.count_ones() <= 1 && outside & self.twice == 0
    }
}

/// The places with one checker or more, and those with two or more.
#[inline]
fn occupied(nibbles: u128) -> (u32, u32) {
    two_sets(nibbles, |word| {
        let two = word >> 1 | word >> 2 | word >> 3;
        (word | two, two)
    })
}

/// The places with three checkers or more, and those with four or more.
#[inline]
pub(crate) fn heaped(nibbles: u128) -> (u32, u32) {
    two_sets(nibbles, |word| {
        let four = word >> 2 | word >> 3;
        (word & word >> 1 | four, four)
    })
}

/// Makes two sets of places. `half` gets the nibbles of half the places and returns two words. The lowest bit of each
/// nibble in a word says whether the place is in that set.
#[inline]
fn two_sets(nibbles: u128, half: impl Fn(u64) -> (u64, u64)) -> (u32, u32) {
    const LOWEST: u64 = 0x1111_1111_1111_1111;
    let (low, high) = (half(nibbles as u64), half((nibbles >> 64) as u64));
    let set = |low, high| (pext(low, LOWEST) | pext(high, LOWEST) << 16) as u32;
    (set(low.0, high.0), set(low.1, high.1))
}

/// The places from which a die can move a checker. `own` are the places of the checkers, `open` the points where they
/// may land.
#[inline]
pub(crate) fn steps(own: u32, open: u32, die: u8) -> u32 {
    let landing = open >> die;
    if own & 1 != 0 {
        return landing & 1;
    }
    let on_board = own & landing;
    if own & OUTSIDE != 0 {
        return on_board;
    }
    // All checkers are home. The die bears off a checker at its exact distance. If no checker is as far away or
    // farther, it bears off the rearmost one.
    let exact = 1 << (25 - die);
    let rearmost = own & own.wrapping_neg();
    on_board | own & exact | if rearmost > exact { rearmost } else { 0 }
}

/// The places of a set in ascending order.
#[inline]
pub fn places(set: u32) -> impl Iterator<Item = u32> {
    Places(set)
}

struct Places(u32);

impl Iterator for Places {
    type Item = u32;

    #[inline]
    fn next(&mut self) -> Option<u32> {
        if self.0 == 0 {
            return None;
        }
        let place = self.0.trailing_zeros();
        self.0 &= self.0 - 1;
        Some(place)
    }
}
