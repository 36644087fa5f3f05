//! Turns of two different dice: pairs of places, one for each die, as a matrix of bits.

use crate::dice::Roll;
use crate::field::{Field, places, steps};
use crate::places::Canonical;
use crate::turns::Turn;
use std::ops::ControlFlow;

/// Which pairs of places two dice can move checkers from: for every place of the higher die, those of the lower.
///
/// A pair is the same in whichever order the dice are played: what they move and hit is the same.
#[derive(Clone, Debug)]
pub struct Pairs {
    /// The rows that are not empty.
    firsts: u32,
    seconds: [u32; 25],
}

/// What two different dice can do.
#[derive(Clone, Debug)]
pub enum TwoDice {
    /// Both can be played, so both must.
    Both(Pairs),
    /// Only the higher can, from these places; it must be played where either could, but not both.
    High(u32),
    /// Only the lower can, from these places.
    Low(u32),
    /// None can.
    None,
}

impl Pairs {
    const EMPTY: Self = Self { firsts: 0, seconds: [0; 25] };

    /// Shows every place of the higher die, with the set of those of the lower.
    #[inline]
    pub fn rows(&self) -> impl Iterator<Item = (u32, u32)> {
        places(self.firsts).map(|first| (first, self.seconds[first as usize]))
    }

    #[inline]
    fn add(&mut self, first: u32, seconds: u32) {
        self.firsts |= u32::from(seconds != 0) << first;
        self.seconds[first as usize] |= seconds;
    }

    #[inline]
    fn contains(&self, first: u32, second: u32) -> bool {
        self.seconds[first as usize] >> second & 1 != 0
    }

    /// A row may be left empty, which does no harm.
    #[inline]
    fn remove(&mut self, first: u32, second: u32) {
        self.seconds[first as usize] &= !(1 << second);
    }
}

impl Field {
    /// What two different dice can do, by the places they move from. Two pairs may lead to the same board.
    #[inline]
    pub fn two_dice(&self, roll: Roll) -> TwoDice {
        let (high, low) = (roll.high(), roll.low());
        let pairs = match self.may_bear_off() {
            true => self.pairs_one_by_one(high, low),
            false => self.pairs_at_once(high, low),
        };
        self.with_single_dice(roll, pairs)
    }

    #[inline]
    fn with_single_dice(&self, roll: Roll, pairs: Pairs) -> TwoDice {
        if pairs.firsts != 0 {
            return TwoDice::Both(pairs);
        }
        match (self.steps(roll.high()), self.steps(roll.low())) {
            (0, 0) => TwoDice::None,
            (0, low) => TwoDice::Low(low),
            (high, _) => TwoDice::High(high),
        }
    }

    /// The same, of pairs that lead to the same board only the first.
    #[inline]
    fn two_dice_unique(&self, roll: Roll) -> TwoDice {
        let (high, low) = (roll.high(), roll.low());
        let pairs = match self.may_bear_off() {
            true => {
                let mut pairs = self.pairs_one_by_one(high, low);
                self.remove_twins_bearing_off(&mut pairs, high, low);
                pairs
            }
            false => {
                let mut pairs = self.pairs_at_once(high, low);
                places(self.twin_runs(high, low)).for_each(|from| pairs.remove(from + u32::from(low), from));
                pairs
            }
        };
        self.with_single_dice(roll, pairs)
    }

    /// Any pair, by playing the one die and then the other, in both orders.
    fn pairs_one_by_one(&self, high: u8, low: u8) -> Pairs {
        let mut pairs = Pairs::EMPTY;
        for first in places(self.steps(high)) {
            pairs.add(first, steps(self.own_after(first, high), self.open, low));
        }
        for second in places(self.steps(low)) {
            for first in places(steps(self.own_after(second, low), self.open, high)) {
                pairs.add(first, 1 << second);
            }
        }
        pairs
    }

    /// The pairs where nothing can be borne off, from sets alone.
    #[inline]
    fn pairs_at_once(&self, high: u8, low: u8) -> Pairs {
        let mut pairs = Pairs::EMPTY;
        let (after_high, after_low) = (self.open >> high, self.open >> low);
        if self.own & 1 != 0 {
            if self.twice & 1 != 0 {
                pairs.add(0, after_high & after_low & 1);
                return pairs;
            }
            let entered = self.own & !1;
            if after_high & 1 != 0 {
                pairs.add(0, (entered | 1 << high) & after_low);
            }
            if after_low & 1 != 0 {
                places((entered | 1 << low) & after_high).for_each(|first| pairs.add(first, 1));
            }
            return pairs;
        }
        let (with_high, with_low) = (self.own & after_high, self.own & after_low);
        for first in places(with_high) {
            // The other die moves another checker, or the same one on.
            let other = with_low & !(1 << first & !self.twice);
            pairs.add(first, other | 1 << (first + u32::from(high)) & after_low);
        }
        // The lower die first, and the same checker on from a point that was not held.
        for first in places(with_low << low & after_high & !self.own) {
            pairs.add(first, 1 << (first - u32::from(low)));
        }
        pairs
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

    /// Where checkers are borne off, pairs lead to the same board if one checker runs with both dice without a hit, or
    /// if either die bears off either of two checkers.
    fn remove_twins_bearing_off(&self, pairs: &mut Pairs, high: u8, low: u8) {
        let (high, low) = (u32::from(high), u32::from(low));
        let hits = |point: u32| self.blots >> point & 1 != 0;
        for (from, seconds) in pairs.clone().rows() {
            let (by_high, by_low) = (from + high, from + low);
            let runs_both_ways =
                by_high < 25 && pairs.contains(from, by_high) && pairs.contains(by_low, from);
            if runs_both_ways && !hits(by_high) && !hits(by_low) {
                pairs.remove(by_low, from);
            }
            if by_low >= 25 {
                for farther in places(seconds & !((2 << from) - 1)) {
                    pairs.remove(farther, from);
                }
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
        let place = |number: u32| Canonical::at(number as u8);
        match self.two_dice_unique(roll) {
            TwoDice::Both(pairs) => {
                for (first, seconds) in pairs.rows() {
                    for second in places(seconds) {
                        visit(Turn::of_two(place(first), place(second)))?;
                    }
                }
                ControlFlow::Continue(())
            }
            TwoDice::High(from) => {
                places(from).try_for_each(|from| visit(Turn::of_two(place(from), Canonical::OFF)))
            }
            TwoDice::Low(from) => {
                places(from).try_for_each(|from| visit(Turn::of_two(Canonical::OFF, place(from))))
            }
            TwoDice::None => visit(Turn::DANCE),
        }
    }

    /// How many there are: where nothing can be borne off, without looking at them.
    #[inline]
    pub(crate) fn count_two(&self, roll: Roll) -> u64 {
        let (high, low) = (roll.high(), roll.low());
        let size = |set: u32| u64::from(set.count_ones());
        let pairs = if self.may_bear_off() {
            let mut pairs = self.pairs_one_by_one(high, low);
            self.remove_twins_bearing_off(&mut pairs, high, low);
            pairs.rows().map(|(_, seconds)| size(seconds)).sum()
        } else if self.own & 1 != 0 {
            self.count_entering(high, low)
        } else {
            let (after_high, after_low) = (self.open >> high, self.open >> low);
            let (with_high, with_low) = (self.own & after_high, self.own & after_low);
            let same_checker_twice = with_high & with_low & !self.twice;
            let on_after_high = with_high << high & after_low & !self.own;
            let on_after_low = with_low << low & after_high & !self.own;
            size(with_high) * size(with_low) + size(on_after_high) + size(on_after_low)
                - size(same_checker_twice)
                - size(self.twin_runs(high, low))
        };
        if pairs != 0 {
            return pairs;
        }
        match (self.steps(high), self.steps(low)) {
            (0, 0) => 1,
            (0, low) => size(low),
            (high, _) => size(high),
        }
    }

    /// The pairs of who has a checker on the bar.
    #[inline]
    fn count_entering(&self, high: u8, low: u8) -> u64 {
        let (after_high, after_low) = (self.open >> high, self.open >> low);
        if self.twice & 1 != 0 {
            return u64::from(after_high & after_low & 1);
        }
        let size = |set: u32| u64::from(set.count_ones());
        let entered = self.own & !1;
        u64::from(after_high & 1) * size((entered | 1 << high) & after_low)
            + u64::from(after_low & 1) * size((entered | 1 << low) & after_high)
            - size(self.twin_runs(high, low))
    }
}
