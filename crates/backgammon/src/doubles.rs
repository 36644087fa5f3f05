//! Turns of a double: the same die, played up to four times.
//!
//! All steps use the same die, so no step blocks another one. Whatever the order, the number of steps is the same if
//! the player steps as long as possible. Steps that are sorted from the rear can always be played, and different
//! sorted steps lead to different boards. So the sorted sequences give every board exactly once.

use crate::field::{Field, OUTSIDE, POINT_SET, heaped, places, steps};
use crate::moves::Turn;
use std::ops::ControlFlow;

/// The checkers of the side to move in the middle of a double: the sets of places with at least one, two, three and
/// four checkers. Larger numbers are not needed, since at most four checkers move.
#[derive(Clone, Copy)]
struct Stepping([u32; 4]);

impl Stepping {
    #[inline]
    fn new(field: &Field) -> Self {
        let (three, four) = heaped(field.counts);
        Self([field.own, field.twice, three, four])
    }

    #[inline]
    fn after(self, from: u32, die: u8) -> Self {
        let Self([one, two, three, four]) = self;
        let (left, reached) = (1 << from, 1u32 << from << die & POINT_SET);
        Self([
            one & !(left & !two) | reached,
            two & !(left & !three) | reached & one,
            three & !(left & !four) | reached & two,
            // A place of this set may have had more than four checkers. One has left and at most three more can
            // leave.
            four & !left | reached & three,
        ])
    }

    /// Returns whether a checker might be borne off with this number of steps. It cannot if as many checkers have to
    /// come home first.
    #[inline]
    fn may_bear_off(self, steps: u32) -> bool {
        self.0.iter().map(|set| (set & OUTSIDE).count_ones()).sum::<u32>() < steps
    }
}

impl Field {
    /// Returns how many steps are possible with a die, at most `most`.
    #[inline]
    pub fn double_steps(&self, die: u8, most: u32) -> u32 {
        let mut stepping = Stepping::new(self);
        for done in 0..most {
            let from = steps(stepping.0[0], self.open, die);
            if from == 0 {
                return done;
            }
            stepping = stepping.after(from.trailing_zeros(), die);
        }
        most
    }

    /// Visits every turn of a double, one for each board that can be reached.
    #[inline]
    pub(crate) fn visit_double<B>(
        &self,
        die: u8,
        mut visit: impl FnMut(Turn) -> ControlFlow<B>,
    ) -> ControlFlow<B> {
        let number = self.double_steps(die, 4);
        let (mut stepping, mut turn, mut done) = (Stepping::new(self), Turn::DANCE, 0);
        if number == 0 {
            return visit(Turn::DANCE);
        }
        // Checkers on the bar must move first, without a choice. Afterwards the bar is empty and is not checked
        // again.
        while stepping.0[0] & 1 != 0 {
            if done + 1 == number {
                return visit(turn.with(done, 0));
            }
            turn = turn.with(done, 0);
            stepping = stepping.after(0, die);
            done += 1;
        }
        let (open, landing) = (self.open, self.open >> die);
        match stepping.may_bear_off(number - done) {
            false => {
                Doubling { sources: |own| own & landing, die, number, visit }.go_on(stepping, turn, done, 0)
            }
            true => Doubling { sources: |own| steps(own, open, die), die, number, visit }
                .go_on(stepping, turn, done, 0),
        }
    }

    /// The number of turns that `visit_double` visits.
    pub(crate) fn count_double(&self, die: u8) -> u64 {
        match self.double_steps(die, 4) {
            0 => 1,
            number => self.count_steps(Stepping::new(self), die, number, 0),
        }
    }

    fn count_steps(&self, stepping: Stepping, die: u8, left: u32, rearmost: u32) -> u64 {
        let from = steps(stepping.0[0], self.open, die) & (!0 << rearmost);
        match left {
            1 => from.count_ones().into(),
            _ => places(from)
                .map(|from| self.count_steps(stepping.after(from, die), die, left - 1, from))
                .sum(),
        }
    }
}

/// The data that stay the same while the turns of a double are visited.
struct Doubling<S, V> {
    /// Returns the places that a checker can step from, given the places of the player's checkers.
    sources: S,
    die: u8,
    /// The number of steps in every turn.
    number: u32,
    visit: V,
}

impl<B, S: Fn(u32) -> u32, V: FnMut(Turn) -> ControlFlow<B>> Doubling<S, V> {
    fn go_on(&mut self, stepping: Stepping, turn: Turn, done: u32, rearmost: u32) -> ControlFlow<B> {
        let from = (self.sources)(stepping.0[0]) & (!0 << rearmost);
        match self.number - done {
            1 => self.finish(from, turn, done),
            // Most of the work is here, so this case avoids the recursive call.
            2 => places(from).try_for_each(|from| {
                let Stepping([own, ..]) = stepping.after(from, self.die);
                let last = (self.sources)(own) & (!0 << from);
                self.finish(last, turn.with(done, from), done + 1)
            }),
            _ => places(from).try_for_each(|from| {
                self.go_on(stepping.after(from, self.die), turn.with(done, from), done + 1, from)
            }),
        }
    }

    /// Visits the turns with the last step from any of these places.
    #[inline]
    fn finish(&mut self, from: u32, turn: Turn, done: u32) -> ControlFlow<B> {
        places(from).try_for_each(|from| (self.visit)(turn.with(done, from)))
    }
}
