//! Two dice.

use game::Rng;
use std::fmt;

/// A roll of two dice. The order of the dice does not matter, so there are 21 rolls.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct Roll {
    high: u8,
    low: u8,
}

/// Which rolls are possible.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Default)]
pub enum Dice {
    /// All 21 rolls.
    #[default]
    Any,
    /// Only the six doubles, all equally likely.
    Doubles,
}

impl Roll {
    /// All rolls, sorted by the lower die, then by the higher one. Learning environments number them in this order
    /// from 0; BackgammonNet.jl counts from 1.
    pub const ALL: [Self; 21] = {
        let mut all = [Self { high: 0, low: 0 }; 21];
        let (mut low, mut at) = (1, 0);
        while low <= 6 {
            let mut high = low;
            while high <= 6 {
                all[at] = Self { high, low };
                at += 1;
                high += 1;
            }
            low += 1;
        }
        all
    };

    /// Returns the roll of two dice, in any order, or `None` if one of them is not from 1 to 6.
    pub fn new(one: u8, other: u8) -> Option<Self> {
        let is_die = |die| (1..=6).contains(&die);
        (is_die(one) && is_die(other)).then(|| Self { high: one.max(other), low: one.min(other) })
    }

    /// The higher die.
    #[inline]
    pub const fn high(self) -> u8 {
        self.high
    }

    /// The lower die. In a double both dice are equal.
    #[inline]
    pub const fn low(self) -> u8 {
        self.low
    }

    /// Returns whether both dice are equal. A double is played four times.
    #[inline]
    pub const fn is_double(self) -> bool {
        self.high == self.low
    }

    /// The number of ways to throw this roll, out of 36.
    #[inline]
    pub const fn weight(self) -> u32 {
        if self.is_double() { 1 } else { 2 }
    }

    /// The index of the roll in [`Roll::ALL`].
    pub fn index(self) -> usize {
        let before = usize::from(self.low - 1);
        // 6 + 5 + … rolls have a smaller lower die.
        before * (13 - before) / 2 + usize::from(self.high - self.low)
    }
}

impl Dice {
    /// Rolls the dice at random. Each roll has its true probability.
    #[inline]
    pub fn roll(self, rng: &mut Rng) -> Roll {
        let die = |number: u64| number as u8 + 1;
        match self {
            Self::Any => {
                let way = rng.below(36);
                let (one, other) = (die(way / 6), die(way % 6));
                Roll { high: one.max(other), low: one.min(other) }
            }
            Self::Doubles => {
                let both = die(rng.below(6));
                Roll { high: both, low: both }
            }
        }
    }

    /// The weight of a roll; 0 if it is not possible with these dice.
    pub const fn weight(self, roll: Roll) -> u32 {
        match self {
            Self::Any => roll.weight(),
            Self::Doubles => roll.is_double() as u32,
        }
    }
}

impl fmt::Display for Roll {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}{}", self.high, self.low)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_roll_is_where_it_says() {
        for (at, roll) in Roll::ALL.into_iter().enumerate() {
            assert_eq!(roll.index(), at);
            assert_eq!(Roll::new(roll.low(), roll.high()), Some(roll));
        }
        assert_eq!(Roll::ALL.map(Roll::weight).iter().sum::<u32>(), 36);
        assert_eq!((Roll::new(0, 3), Roll::new(3, 7)), (None, None));
    }

    #[test]
    fn dice_are_fair() {
        let mut rng = Rng::new(1);
        let mut seen = [0u32; 21];
        (0..36_000).for_each(|_| seen[Dice::Any.roll(&mut rng).index()] += 1);
        let is_fair = |roll: Roll| seen[roll.index()].abs_diff(1_000 * roll.weight()) < 150;
        assert!(Roll::ALL.into_iter().all(is_fair), "{seen:?}");
        assert!((0..100).all(|_| Dice::Doubles.roll(&mut rng).is_double()));
    }
}
