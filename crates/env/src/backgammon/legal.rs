//! The legal actions with a roll.

use backgammon::{Field, Roll, Twins, places};
use std::convert::Infallible;
use std::ops::ControlFlow;

/// The place that means: the die moves nothing.
const PASS: u32 = 25;

/// A roll, and the field as seen by the player who has to play the roll.
#[derive(Clone, Copy)]
pub(super) struct Dice<'a> {
    pub(super) field: &'a Field,
    pub(super) roll: Roll,
}

impl Dice<'_> {
    /// Calls `visit` with all legal actions in rows, in ascending order. A row is a first place and the set of the
    /// second places that go with it. Place 25 means that the die moves nothing, as in [`Action`](super::Action).
    #[inline]
    pub(super) fn rows(self, mut visit: impl FnMut(u32, u32)) {
        let only_pass = 1 << PASS;
        if self.roll.is_double() {
            let firsts = self.field.steps(self.roll.high());
            return match firsts {
                0 => visit(PASS, only_pass),
                _ => places(firsts).for_each(|first| match self.steps_after(first) {
                    0 => visit(first, only_pass),
                    seconds => visit(first, seconds),
                }),
            };
        }
        let mut any = false;
        let ControlFlow::Continue(()) = self.field.visit_pairs(self.roll, Twins::Kept, |first, seconds| {
            any = true;
            visit(first, seconds);
            ControlFlow::<Infallible>::Continue(())
        });
        if any {
            return;
        }
        match self.field.single_die(self.roll) {
            None => visit(PASS, only_pass),
            Some((die, from)) if die == self.roll.high() => {
                places(from).for_each(|from| visit(from, only_pass));
            }
            Some((_, from)) => visit(PASS, from),
        }
    }

    /// Returns whether both of two different dice can be played.
    #[inline]
    fn plays_both(self) -> bool {
        self.field.visit_pairs(self.roll, Twins::Kept, |_, _| ControlFlow::Break(())).is_break()
    }

    /// The places from which the die of a double can step after a first step from `first`.
    #[inline]
    fn steps_after(self, first: u32) -> u32 {
        after(self.field, first, self.roll.high()).steps(self.roll.high())
    }

    /// Returns whether the action with these places is legal, without listing the other actions.
    #[inline]
    pub(super) fn allow(self, first: u32, second: u32) -> bool {
        let Self { field, roll } = self;
        if roll.is_double() {
            let firsts = field.steps(roll.high());
            return match first {
                PASS => firsts == 0 && second == PASS,
                _ if !has(firsts, first) => false,
                _ => match self.steps_after(first) {
                    0 => second == PASS,
                    seconds => has(seconds, second),
                },
            };
        }
        let (high, low) = (roll.high(), roll.low());
        if first != PASS && second != PASS {
            let with_high =
                has(field.steps(high), first) && has(after(field, first, high).steps(low), second);
            return with_high
                || has(field.steps(low), second) && has(after(field, second, low).steps(high), first);
        }
        match field.single_die(roll) {
            _ if self.plays_both() => false,
            None => first == PASS && second == PASS,
            Some((die, from)) if die == high => has(from, first) && second == PASS,
            Some((_, from)) => first == PASS && has(from, second),
        }
    }

    /// Returns whether neither die can move anything.
    #[inline]
    pub(super) fn dance(self) -> bool {
        self.field.steps(self.roll.high()) | self.field.steps(self.roll.low()) == 0
    }

    /// The number of steps that will be made. With a double it is at most `most_of_double`.
    #[inline]
    pub(super) fn playable(self, most_of_double: u32) -> u32 {
        let Self { field, roll } = self;
        if roll.is_double() {
            return field.double_steps(roll.high(), most_of_double);
        }
        let (high, low) = (field.steps(roll.high()), field.steps(roll.low()));
        // If no checker is on the bar, two checkers that each play one die do not hinder each other.
        let one_checker_for_both = high == low && high.count_ones() == 1 && high & field.twice == 0;
        if field.own & 1 == 0 && high != 0 && low != 0 && !one_checker_for_both {
            return 2;
        }
        match high | low {
            0 => 0,
            _ if self.plays_both() => 2,
            _ => 1,
        }
    }
}

/// The field after one step. Its `twice` is still the set before the step, because only a further step would need it.
#[inline]
fn after(field: &Field, from: u32, die: u8) -> Field {
    let mut next = *field;
    next.own = field.own_after(from, die);
    next
}

#[inline]
const fn has(set: u32, place: u32) -> bool {
    set >> place & 1 != 0
}
