//! The 21 rolls as numbered outcomes of chance.

use crate::numbered::Numbered;
use backgammon::Roll;
use std::fmt;

/// An outcome of chance, by its index from 0 to 20: the place of the roll in [`Roll::ALL`].
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct Chance(u8);

/// An outcome of chance with its probability.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct ChanceOutcome {
    /// The outcome.
    pub chance: Chance,
    /// The number of ways in which the dice give this outcome; 0 if it is impossible.
    pub weight: u32,
    /// The sum of the weights of all outcomes.
    pub of: u32,
}

impl Chance {
    /// The roll of the dice.
    pub const fn roll(self) -> Roll {
        Roll::ALL[self.0 as usize]
    }

    /// The number of the outcome in BackgammonNet.jl, which counts from 1: the index plus one.
    pub const fn number(self) -> u8 {
        self.0 + 1
    }
}

impl Numbered for Chance {
    const COUNT: usize = Roll::ALL.len();

    #[inline]
    fn index(self) -> usize {
        self.0.into()
    }

    #[inline]
    fn from_index(index: usize) -> Option<Self> {
        (index < Self::COUNT).then_some(Self(index as u8))
    }

    fn text(self) -> String {
        self.to_string()
    }
}

impl From<Roll> for Chance {
    fn from(roll: Roll) -> Self {
        Self(roll.index() as u8)
    }
}

/// Writes the roll, the higher die first.
impl fmt::Display for Chance {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.roll().fmt(f)
    }
}

impl ChanceOutcome {
    /// The probability of the outcome.
    pub fn probability(&self) -> f64 {
        f64::from(self.weight) / f64::from(self.of)
    }
}
