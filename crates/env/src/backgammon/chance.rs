//! The 21 rolls as numbered outcomes of chance.

use backgammon::Roll;

/// An outcome of chance, by its number from 1 to 21: the place of the roll in [`Roll::ALL`], plus one.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct Chance(u8);

/// An outcome, and how likely it is.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct ChanceOutcome {
    /// Which.
    pub chance: Chance,
    /// In how many ways it comes; 0 if it cannot.
    pub weight: u32,
    /// Of how many ways that there are.
    pub of: u32,
}

/// What is wrong with an outcome.
#[derive(Clone, Copy, PartialEq, Eq, Debug, thiserror::Error)]
pub enum ChanceError {
    /// There is none of that number.
    #[error("there is no roll {number}: they are numbered from 1 to {}", Chance::COUNT)]
    Number {
        /// The number.
        number: i64,
    },
    /// A player is to act, or nobody any more.
    #[error("nobody is to roll here")]
    NotAwaited,
    /// These dice never fall so.
    #[error("{roll} cannot be rolled here")]
    Impossible {
        /// The roll.
        roll: Roll,
    },
}

impl Chance {
    /// How many there are.
    pub const COUNT: usize = Roll::ALL.len();

    /// All of them, ascending.
    pub fn all() -> impl Iterator<Item = Self> {
        Roll::ALL.into_iter().map(Self::from)
    }

    /// The outcome of this number.
    ///
    /// # Errors
    /// If there is none.
    pub fn new(number: impl Into<i64>) -> Result<Self, ChanceError> {
        let number = number.into();
        match u8::try_from(number) {
            Ok(small @ 1..=21) => Ok(Self(small)),
            _ => Err(ChanceError::Number { number }),
        }
    }

    /// Its number, from 1.
    pub const fn number(self) -> u8 {
        self.0
    }

    /// What the dice show.
    pub const fn roll(self) -> Roll {
        Roll::ALL[self.0 as usize - 1]
    }
}

impl From<Roll> for Chance {
    fn from(roll: Roll) -> Self {
        Self(roll.index() as u8 + 1)
    }
}

impl ChanceOutcome {
    /// How likely it is.
    pub fn probability(&self) -> f64 {
        f64::from(self.weight) / f64::from(self.of)
    }
}
