//! Turns of two different dice: pairs of places, one for each die. They are visited as a place of the higher die and
//! a set of places of the lower die.

use crate::dice::Roll;
use crate::field::{Field, places, steps};
use crate::moves::Turn;
use std::ops::ControlFlow;

/// Which pairs are visited if several of them lead to the same board.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Twins {
    /// All of them. Learning environments number the pairs and need every one.
    Kept,
    /// One for each board: the pair with the lowest place of the higher die.
    Left,
}

impl Field {
    /// Visits the pairs of places from which two different dice can move checkers: a place of the higher die, and the
    /// set of places of the lower die that go with it. If nothing is visited, at most one of the dice can be played.
    ///
    /// A pair leads to the same board in both orders of the dice: the moves and the hits are the same.
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

    /// Returns the die to play if not both can be played, and the places that it can move from. It is the higher die
    /// if that can be played. Returns `None` if neither can.
    #[inline]
    pub fn single_die(&self, roll: Roll) -> Option<(u8, u32)> {
        let dice = [roll.high(), roll.low()];
        dice.into_iter().map(|die| (die, self.steps(die))).find(|&(_, from)| from != 0)
    }

    /// Visits the pairs if no checker is on the bar and none can be borne off.
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
        // The lower die moves first. The higher die moves the same checker on, from a point where the player had no
        // checker before.
        let on_after_low = with_low << low & after_high & !self.own;
        let twin = self.twins_to_leave(high, low, twins) << low;
        for first in places(with_high | on_after_low) {
            let bit = 1 << first;
            let came_by_low = bit >> low;
            let mut seconds = 0;
            if with_high & bit != 0 {
                // The lower die moves another checker, or the same one on.
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

    /// Visits the pairs if a checker is on the bar and none can be borne off.
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

    /// The places from which one checker can run with both dice in either order, without a hit on the way. Two pairs
    /// then lead to the same board. Runs that bear the checker off are not included.
    #[inline]
    fn twin_runs(&self, high: u8, low: u8) -> u32 {
        let quiet = self.open & !self.blots;
        let runs = self.own & quiet >> high & quiet >> low & self.open >> (high + low);
        // A checker on the bar must move first. If there are two, both dice are needed for them.
        match self.own & 1 {
            0 => runs,
            _ => runs & 1 & !self.twice,
        }
    }

    /// Visits the pairs of any position, by playing one die and then the other, in both orders.
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

    /// Removes the twins where checkers can be borne off. Two pairs lead to the same board if one checker runs with
    /// both dice without a hit, or if either die bears off either of two checkers.
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

    /// Visits every turn of two different dice, one for each board that can be reached.
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

    /// The number of turns that `visit_two` visits. If no checker can be borne off, they are counted without visiting
    /// them.
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

    /// Counts the pairs that [`visit_running`](Self::visit_running) visits with [`Twins::Left`].
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

    /// Counts the pairs that [`visit_entering`](Self::visit_entering) visits with [`Twins::Left`].
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

/// For every place of the higher die, the set of places of the lower die.
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
