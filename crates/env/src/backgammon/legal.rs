//! Which actions are legal with a roll.

use backgammon::{Field, Roll, Twins, places};
use std::convert::Infallible;
use std::ops::ControlFlow;

/// The place that stands for a die that moves nothing.
const PASS: u32 = 25;

/// A roll, and the field as the player sees it who has to play the roll.
#[derive(Clone, Copy)]
pub(super) struct Dice<'a> {
    pub(super) field: &'a Field,
    pub(super) roll: Roll,
}

impl Dice<'_> {
    /// Shows every legal action, ascending, in rows: a first place, and the set of the second places that go with it.
    /// Place 25 is a die that moves nothing, here as in the actions.
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

    /// Can both of two different dice be played?
    #[inline]
    fn plays_both(self) -> bool {
        self.field.visit_pairs(self.roll, Twins::Kept, |_, _| ControlFlow::Break(())).is_break()
    }

    /// From where the die of a double can step when it has stepped from there.
    #[inline]
    fn steps_after(self, first: u32) -> u32 {
        after(self.field, first, self.roll.high()).steps(self.roll.high())
    }

    /// Is the action with these places legal? Asked without listing the others.
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

    /// Can nothing be moved?
    #[inline]
    pub(super) fn dance(self) -> bool {
        self.field.steps(self.roll.high()) | self.field.steps(self.roll.low()) == 0
    }

    /// How many steps will be made, of a double at most so many.
    #[inline]
    pub(super) fn playable(self, most_of_double: u32) -> u32 {
        let Self { field, roll } = self;
        if roll.is_double() {
            return field.double_steps(roll.high(), most_of_double);
        }
        let (high, low) = (field.steps(roll.high()), field.steps(roll.low()));
        // Where nobody waits on the bar, two checkers that each have a die do not hinder each other.
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

/// The field with one step made. Its `twice` is still that of before the step, because only a further step would need it.
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
