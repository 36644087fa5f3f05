//! Turns of two different dice: pairs of places, one for each die, shown in rows of bits.

use crate::dice::Roll;
use crate::field::{Field, places, steps};
use crate::moves::Turn;
use std::ops::ControlFlow;

/// Of pairs that lead to the same board, which are meant?
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Twins {
    /// All: whoever numbers pairs wants every one.
    Kept,
    /// One for each board: the first, by the place of the higher die.
    Left,
}

impl Field {
    /// Shows the pairs of places that two different dice can move checkers from: for a place of the higher die, the set of
    /// those of the lower. Where nothing is shown, only one die can be played, or none.
    ///
    /// A pair is the same in whichever order the dice are played: what they move and hit is the same.
    #[inline]
    pub fn visit_pairs<B>(
        &self,
        roll: Roll,
        twins: Twins,
        visit: impl FnMut(u32, u32) -> ControlFlow<B>,
    ) -> ControlFlow<B> {
        let (high, low) = (roll.high(), roll.low());
        if self.may_bear_off() {
            self.visit_bearing_off(high, low, twins, visit)
        } else if self.own & 1 != 0 {
            self.visit_entering(high, low, twins, visit)
        } else {
            self.visit_running(high, low, twins, visit)
        }
    }

    /// From where the one die moves that can be played where not both can: the higher, if either could.
    #[inline]
    pub fn single_die(&self, roll: Roll) -> Option<(u8, u32)> {
        let dice = [roll.high(), roll.low()];
        dice.into_iter().map(|die| (die, self.steps(die))).find(|&(_, from)| from != 0)
    }

    /// Nothing on the bar, and nothing can be borne off.
    #[inline]
    fn visit_running<B>(
        &self,
        high: u8,
        low: u8,
        twins: Twins,
        mut visit: impl FnMut(u32, u32) -> ControlFlow<B>,
    ) -> ControlFlow<B> {
        let (after_high, after_low) = (self.open >> high, self.open >> low);
        let (with_high, with_low) = (self.own & after_high, self.own & after_low);
        // The lower die first, and the same checker on from a point that was not held.
        let on_after_low = with_low << low & after_high & !self.own;
        let twin = self.twins_to_leave(high, low, twins) << low;
        for first in places(with_high | on_after_low) {
            let bit = 1 << first;
            let came_by_low = bit >> low;
            let mut seconds = 0;
            if with_high & bit != 0 {
                // The other die moves another checker, or the same one on.
                seconds = with_low & !(bit & !self.twice) | bit << high & after_low;
            }
            if on_after_low & bit != 0 {
                seconds |= came_by_low;
            }
            if twin & bit != 0 {
                seconds &= !came_by_low;
            }
            if seconds != 0 {
                visit(first, seconds)?;
            }
        }
        ControlFlow::Continue(())
    }

    /// From the bar, and nothing can be borne off.
    #[inline]
    fn visit_entering<B>(
        &self,
        high: u8,
        low: u8,
        twins: Twins,
        mut visit: impl FnMut(u32, u32) -> ControlFlow<B>,
    ) -> ControlFlow<B> {
        let (after_high, after_low) = (self.open >> high, self.open >> low);
        if self.twice & 1 != 0 {
            return if after_high & after_low & 1 != 0 { visit(0, 1) } else { ControlFlow::Continue(()) };
        }
        let entered = self.own & !1;
        let seconds = (entered | 1 << high) & after_low;
        if after_high & 1 != 0 && seconds != 0 {
            visit(0, seconds)?;
        }
        if after_low & 1 != 0 {
            let twin = self.twins_to_leave(high, low, twins) << low;
            places((entered | 1 << low) & after_high & !twin).try_for_each(|first| visit(first, 1))?;
        }
        ControlFlow::Continue(())
    }

    #[inline]
    fn twins_to_leave(&self, high: u8, low: u8, twins: Twins) -> u32 {
        match twins {
            Twins::Kept => 0,
            Twins::Left => self.twin_runs(high, low),
        }
    }

    /// From where one checker can run with both dice, in either order, without a hit on the way: two pairs, one board.
    /// What is borne off is not among them.
    #[inline]
    fn twin_runs(&self, high: u8, low: u8) -> u32 {
        let quiet = self.open & !self.blots;
        let runs = self.own & quiet >> high & quiet >> low & self.open >> (high + low);
        // Who has a checker on the bar moves that; who has two moves both.
        match self.own & 1 {
            0 => runs,
            _ => runs & 1 & !self.twice,
        }
    }

    /// Any pair, by playing the one die and then the other, in both orders.
    fn visit_bearing_off<B>(
        &self,
        high: u8,
        low: u8,
        twins: Twins,
        mut visit: impl FnMut(u32, u32) -> ControlFlow<B>,
    ) -> ControlFlow<B> {
        let mut pairs = Pairs([0; 25]);
        for first in places(self.steps(high)) {
            pairs.add(first, steps(self.own_after(first, high), self.open, low));
        }
        for second in places(self.steps(low)) {
            places(steps(self.own_after(second, low), self.open, high))
                .for_each(|first| pairs.add(first, 1 << second));
        }
        if twins == Twins::Left {
            self.leave_twins_bearing_off(&mut pairs, high, low);
        }
        (0..)
            .zip(pairs.0)
            .filter(|&(_, seconds)| seconds != 0)
            .try_for_each(|(first, seconds)| visit(first, seconds))
    }

    /// Where checkers are borne off, pairs lead to the same board if one checker runs with both dice without a hit, or
    /// if either die bears off either of two checkers.
    fn leave_twins_bearing_off(&self, pairs: &mut Pairs, high: u8, low: u8) {
        let (high, low) = (u32::from(high), u32::from(low));
        let hits = |point: u32| self.blots >> point & 1 != 0;
        for from in places(self.own) {
            let (by_high, by_low) = (from + high, from + low);
            let runs_both_ways =
                by_high < 25 && pairs.contains(from, by_high) && pairs.contains(by_low, from);
            if runs_both_ways && !hits(by_high) && !hits(by_low) {
                pairs.remove(by_low, from);
            }
            if by_low >= 25 {
                let farther = pairs.0[from as usize] & !((2 << from) - 1);
                places(farther).for_each(|farther| pairs.remove(farther, from));
            }
        }
    }

    /// Shows every turn of two different dice, one for each board that they can lead to.
    #[inline]
    pub(crate) fn visit_two<B>(
        &self,
        roll: Roll,
        mut visit: impl FnMut(Turn) -> ControlFlow<B>,
    ) -> ControlFlow<B> {
        let mut any = false;
        self.visit_pairs(roll, Twins::Left, |first, seconds| {
            any = true;
            let turn = Turn::DANCE.with(0, first);
            places(seconds).try_for_each(|second| visit(turn.with(1, second)))
        })?;
        match self.single_die(roll) {
            _ if any => ControlFlow::Continue(()),
            None => visit(Turn::DANCE),
            Some((die, from)) => {
                let entry = u32::from(die == roll.low());
                places(from).try_for_each(|from| visit(Turn::DANCE.with(entry, from)))
            }
        }
    }

    /// How many there are: where nothing can be borne off, without looking at them.
    #[inline]
    pub(crate) fn count_two(&self, roll: Roll) -> u64 {
        let (high, low) = (roll.high(), roll.low());
        let pairs = if self.may_bear_off() {
            let mut pairs = 0;
            let _ = self.visit_bearing_off(high, low, Twins::Left, |_, seconds| {
                pairs += size(seconds);
                ControlFlow::<()>::Continue(())
            });
            pairs
        } else if self.own & 1 != 0 {
            self.count_entering(high, low)
        } else {
            self.count_running(high, low)
        };
        match pairs {
            0 => self.single_die(roll).map_or(1, |(_, from)| size(from)),
            _ => pairs,
        }
    }

    /// As many as [`visit_running`](Self::visit_running) shows.
    #[inline]
    fn count_running(&self, high: u8, low: u8) -> u64 {
        let (after_high, after_low) = (self.open >> high, self.open >> low);
        let (with_high, with_low) = (self.own & after_high, self.own & after_low);
        let one_checker_twice = with_high & with_low & !self.twice;
        let on_after_high = with_high << high & after_low & !self.own;
        let on_after_low = with_low << low & after_high & !self.own;
        size(with_high) * size(with_low) + size(on_after_high) + size(on_after_low)
            - size(one_checker_twice)
            - size(self.twin_runs(high, low))
    }

    /// As many as [`visit_entering`](Self::visit_entering) shows.
    #[inline]
    fn count_entering(&self, high: u8, low: u8) -> u64 {
        let (after_high, after_low) = (self.open >> high, self.open >> low);
        if self.twice & 1 != 0 {
            return u64::from(after_high & after_low & 1);
        }
        let entered = self.own & !1;
        u64::from(after_high & 1) * size((entered | 1 << high) & after_low)
            + u64::from(after_low & 1) * size((entered | 1 << low) & after_high)
            - size(self.twin_runs(high, low))
    }
}

#[inline]
fn size(set: u32) -> u64 {
    set.count_ones().into()
}

/// For every place of the higher die, the places of the lower.
struct Pairs([u32; 25]);

impl Pairs {
    fn add(&mut self, first: u32, seconds: u32) {
        self.0[first as usize] |= seconds;
    }

    fn contains(&self, first: u32, second: u32) -> bool {
        self.0[first as usize] >> second & 1 != 0
    }

    fn remove(&mut self, first: u32, second: u32) {
        self.0[first as usize] &= !(1 << second);
    }
}
