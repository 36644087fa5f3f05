//! Turns of a double: one die, played up to four times.
//!
//! With one die no step closes the way of another, so whoever steps while he can makes the same number of steps,
//! whatever the order. Steps sorted from the rear can always be played, and different sorted steps lead to different
//! boards: showing the sorted ones shows every board once.

use crate::field::{Field, POINT_SET, places, steps};
use crate::places::Canonical;
use crate::turns::Turn;
use std::ops::ControlFlow;

/// A mover in the middle of a double.
#[derive(Clone, Copy)]
struct Stepping {
    own: u32,
    counts: u128,
}

impl Stepping {
    #[inline]
    fn after(self, from: u32, die: u8) -> Self {
        let to = from + u32::from(die);
        let is_last = (self.counts >> (4 * from)) as u32 & 15 == 1;
        let (to_point, one) = (1 << to & POINT_SET, |place: u32| 1u128 << (4 * place));
        Self {
            own: self.own & !(u32::from(is_last) << from) | to_point,
            // What is borne off need not be counted.
            counts: self.counts - one(from) + if to_point != 0 { one(to) } else { 0 },
        }
    }
}

impl Field {
    #[inline]
    fn stepping(&self) -> Stepping {
        Stepping { own: self.own, counts: self.counts }
    }

    /// How often a die can be stepped with, up to so many times.
    pub fn double_steps(&self, die: u8, most: u32) -> u32 {
        let mut stepping = self.stepping();
        for done in 0..most {
            let from = steps(stepping.own, self.open, die);
            if from == 0 {
                return done;
            }
            stepping = stepping.after(from.trailing_zeros(), die);
        }
        most
    }

    /// Shows every turn of a double, one for each board that they can lead to.
    pub(crate) fn visit_double<B>(
        &self,
        die: u8,
        mut visit: impl FnMut(Turn) -> ControlFlow<B>,
    ) -> ControlFlow<B> {
        match self.double_steps(die, 4) {
            0 => visit(Turn::DANCE),
            number => self.step_on(self.stepping(), die, number, 0, [Canonical::OFF; 4], 0, &mut visit),
        }
    }

    #[expect(clippy::too_many_arguments, reason = "the state of a recursion, hot")]
    #[inline]
    fn step_on<B>(
        &self,
        stepping: Stepping,
        die: u8,
        left: u32,
        rearmost: u32,
        mut sources: [Canonical; 4],
        done: usize,
        visit: &mut impl FnMut(Turn) -> ControlFlow<B>,
    ) -> ControlFlow<B> {
        for from in places(steps(stepping.own, self.open, die) & (!0 << rearmost)) {
            sources[done] = Canonical::at(from as u8);
            match left {
                1 => visit(Turn::of_double(sources))?,
                _ => {
                    self.step_on(stepping.after(from, die), die, left - 1, from, sources, done + 1, visit)?
                }
            }
        }
        ControlFlow::Continue(())
    }

    /// How many there are.
    #[inline]
    pub(crate) fn count_double(&self, die: u8) -> u64 {
        match self.double_steps(die, 4) {
            0 => 1,
            number => self.count_steps(self.stepping(), die, number, 0),
        }
    }

    fn count_steps(&self, stepping: Stepping, die: u8, left: u32, rearmost: u32) -> u64 {
        let from = steps(stepping.own, self.open, die) & (!0 << rearmost);
        match left {
            1 => u64::from(from.count_ones()),
            _ => places(from)
                .map(|from| self.count_steps(stepping.after(from, die), die, left - 1, from))
                .sum(),
        }
    }
}
