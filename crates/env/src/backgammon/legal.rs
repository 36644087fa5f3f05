//! Which actions are legal with a roll.

use super::actions::Action;
use backgammon::{Field, Roll, Twins, places};
use std::convert::Infallible;
use std::ops::ControlFlow;

/// The place that stands for a die that moves nothing.
const PASS: u32 = 25;

/// A roll to be played by who sees this field.
#[derive(Clone, Copy)]
pub(super) struct Dice<'a> {
    pub(super) field: &'a Field,
    pub(super) roll: Roll,
}

impl Dice<'_> {
    /// Shows every legal action, ascending.
    #[inline]
    pub(super) fn visit(self, mut visit: impl FnMut(Action)) {
        if self.roll.is_double() {
            return self.visit_double(visit);
        }
        let mut any = false;
        let ControlFlow::Continue(()) = self.field.visit_pairs(self.roll, Twins::Kept, |first, seconds| {
            any = true;
            places(seconds).for_each(|second| visit(Action::at(first, second)));
            ControlFlow::<Infallible>::Continue(())
        });
        match self.field.single_die(self.roll) {
            _ if any => {}
            None => visit(Action::PASS),
            Some((die, from)) if die == self.roll.high() => {
                places(from).for_each(|from| visit(Action::at(from, PASS)));
            }
            Some((_, from)) => places(from).for_each(|from| visit(Action::at(PASS, from))),
        }
    }

    /// Can both of two different dice be played?
    #[inline]
    fn plays_both(self) -> bool {
        self.field.visit_pairs(self.roll, Twins::Kept, |_, _| ControlFlow::Break(())).is_break()
    }

    /// Up to two steps, in the order in which they are made: a half of the turn.
    #[inline]
    fn visit_double(self, mut visit: impl FnMut(Action)) {
        let firsts = self.field.steps(self.roll.high());
        if firsts == 0 {
            return visit(Action::PASS);
        }
        for first in places(firsts) {
            match self.steps_after(first) {
                0 => visit(Action::at(first, PASS)),
                seconds => places(seconds).for_each(|second| visit(Action::at(first, second))),
            }
        }
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

/// The field with one step made. What it says of places held twice is still of before, which only a further step would need.
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
