//! What a player may do, numbered from 1 to 680.
//!
//! | numbers | what |
//! |---|---|
//! | 1–676 | `26 a + b + 1`: the higher die moves a checker from place a, the lower one from place b |
//! | 677, 678 | roll without doubling, double |
//! | 679, 680 | take the double, drop it |
//!
//! A place is 0 for the bar, 1 to 24 for the [`Canonical`] points, 25 for a die that moves nothing; 676 is the turn of who
//! can move nothing at all. A double is two actions of up to two steps, in which a is stepped from before b. Masks have
//! 680 entries, that of an action at its number less one.

use backgammon::Canonical;
use std::fmt;
use std::ops::Deref;

/// An action, by its number.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct Action(u16);

/// What an action is.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Kind {
    /// The dice move checkers from these places, [`Canonical::OFF`] where none is moved: of two different dice the
    /// higher and the lower, of a double the first step and the second.
    Play(Canonical, Canonical),
    /// Roll, without doubling.
    Roll,
    /// Double.
    Double,
    /// Take the double.
    Take,
    /// Decline it.
    Drop,
}

/// What is wrong with an action.
#[derive(Clone, Copy, PartialEq, Eq, Debug, thiserror::Error)]
pub enum ActionError {
    /// There is none of that number.
    #[error("there is no action {number}: they are numbered from 1 to {}", Action::COUNT)]
    Number {
        /// The number.
        number: i64,
    },
    /// The rules forbid it here.
    #[error("action {} ({action}) is not legal here", action.number())]
    Illegal {
        /// The action.
        action: Action,
    },
    /// Nobody may act before the dice are rolled.
    #[error("action {} ({action}) has to wait: the dice are to be rolled first", action.number())]
    AwaitsChance {
        /// The action.
        action: Action,
    },
    /// Nobody may act any more.
    #[error("action {} ({action}) comes too late: the game is over", action.number())]
    Over {
        /// The action.
        action: Action,
    },
    /// A turn that cannot be played in this position.
    #[error("that turn cannot be played here")]
    NoSuchTurn,
}

/// The numbers of a place.
const PLACES: u16 = 26;

impl Action {
    /// How many there are: the entries of a mask.
    pub const COUNT: usize = 680;
    /// Neither die can move anything.
    pub const PASS: Self = Self(676);
    /// Roll, without doubling.
    pub const ROLL: Self = Self(677);
    /// Double.
    pub const DOUBLE: Self = Self(678);
    /// Take the double.
    pub const TAKE: Self = Self(679);
    /// Decline it.
    pub const DROP: Self = Self(680);

    /// The action of this number.
    ///
    /// # Errors
    /// If there is none.
    pub fn new(number: impl Into<i64>) -> Result<Self, ActionError> {
        let number = number.into();
        match u16::try_from(number) {
            Ok(small @ 1..=680) => Ok(Self(small)),
            _ => Err(ActionError::Number { number }),
        }
    }

    /// The action of this entry in a mask, from 0: what [`Action::index`] gives.
    ///
    /// # Errors
    /// If there is none; the error names the number, which is one more.
    pub fn from_index(index: usize) -> Result<Self, ActionError> {
        Self::new(i64::try_from(index).unwrap_or(i64::MAX).saturating_add(1))
    }

    /// That of these places, [`Canonical::OFF`] for what is not moved.
    #[inline]
    pub const fn of(first: Canonical, second: Canonical) -> Self {
        Self::at(first.number() as u32, second.number() as u32)
    }

    /// The same, from numbers that are known to be places.
    #[inline]
    pub(crate) const fn at(first: u32, second: u32) -> Self {
        Self(first as u16 * PLACES + second as u16 + 1)
    }

    /// All of them, ascending.
    pub fn all() -> impl Iterator<Item = Self> {
        (1..=Self::COUNT as u16).map(Self)
    }

    /// Its number, from 1.
    #[inline]
    pub const fn number(self) -> u16 {
        self.0
    }

    /// Its entry in a mask, from 0: its number less one.
    #[inline]
    pub const fn index(self) -> usize {
        self.0 as usize - 1
    }

    /// The places it moves from, if it moves: of which 25 is none.
    #[inline]
    pub(crate) const fn places(self) -> Option<(u32, u32)> {
        let index = self.0 - 1;
        match self.0 <= Self::PASS.0 {
            true => Some(((index / PLACES) as u32, (index % PLACES) as u32)),
            false => None,
        }
    }

    /// What it is.
    pub fn kind(self) -> Kind {
        match (self.places(), self) {
            (Some((first, second)), _) => Kind::Play(place(first), place(second)),
            (None, Self::ROLL) => Kind::Roll,
            (None, Self::DOUBLE) => Kind::Double,
            (None, Self::TAKE) => Kind::Take,
            (None, _) => Kind::Drop,
        }
    }
}

/// The place of this number; where there is none, off the board.
#[inline]
pub(crate) fn place(number: u32) -> Canonical {
    Canonical::new(number as u8).unwrap_or(Canonical::OFF)
}

impl From<Kind> for Action {
    fn from(kind: Kind) -> Self {
        match kind {
            Kind::Play(first, second) => Self::of(first, second),
            Kind::Roll => Self::ROLL,
            Kind::Double => Self::DOUBLE,
            Kind::Take => Self::TAKE,
            Kind::Drop => Self::DROP,
        }
    }
}

impl From<Action> for i64 {
    fn from(action: Action) -> Self {
        action.0.into()
    }
}

/// The places and no more, such as `bar | 5`: what can be said without knowing the dice.
impl fmt::Display for Action {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let place = |place: Canonical| match place {
            Canonical::BAR => "bar".to_owned(),
            Canonical::OFF => "pass".to_owned(),
            point => point.number().to_string(),
        };
        match self.kind() {
            Kind::Play(first, second) => write!(f, "{} | {}", place(first), place(second)),
            Kind::Roll => f.write_str("roll"),
            Kind::Double => f.write_str("double"),
            Kind::Take => f.write_str("take"),
            Kind::Drop => f.write_str("drop"),
        }
    }
}

/// A list of actions, as long as any position needs: nothing is allocated. Keep one and fill it again and again.
#[derive(Clone, Debug)]
pub struct Actions {
    length: usize,
    list: [Action; Self::MOST + SLACK],
}

/// How many are written at once, and room for what is too many.
const SLACK: usize = 4;

impl Actions {
    /// No position has more. Fifteen checkers on as many places give the higher die 15 sources, each with 15 for the lower one,
    /// and 15 more where the lower die goes first and the same checker goes on: 240.
    pub const MOST: usize = 256;

    /// An empty list.
    pub const fn new() -> Self {
        Self { length: 0, list: [Action::PASS; Self::MOST + SLACK] }
    }

    /// Forgets all.
    #[inline]
    pub fn clear(&mut self) {
        self.length = 0;
    }

    /// Forgets all, and takes what is written.
    #[inline]
    pub(super) fn fill(&mut self, write: impl FnOnce(&mut Writer<'_>)) {
        let mut writer = Writer { list: &mut self.list, length: 0 };
        write(&mut writer);
        self.length = writer.length.min(Self::MOST);
    }
}

/// What fills a list. Its length is its own, so that it stays in a register.
pub(super) struct Writer<'a> {
    list: &'a mut [Action; Actions::MOST + SLACK],
    length: usize,
}

impl Writer<'_> {
    /// Appends one.
    #[inline]
    pub(super) fn push(&mut self, action: Action) {
        if let Some(slot) = self.list.get_mut(self.length) {
            *slot = action;
            self.length += 1;
        }
    }

    /// Appends those with this first place and each second one of a set.
    ///
    /// Most sets are small and of no foreseeable size, so four are written whatever there is, and what was too many
    /// is written over by the next or left beyond the end.
    #[inline]
    pub(super) fn push_row(&mut self, first: u32, mut seconds: u32) {
        let end = self.length + seconds.count_ones() as usize;
        debug_assert!(end <= Actions::MOST);
        let mut at = self.length;
        while let Some(slots) = self.list.get_mut(at..at + SLACK) {
            for slot in slots {
                *slot = Action::at(first, seconds.trailing_zeros());
                seconds &= seconds.wrapping_sub(1);
            }
            at += SLACK;
            if seconds == 0 {
                break;
            }
        }
        self.length = end;
    }
}

impl Default for Actions {
    fn default() -> Self {
        Self::new()
    }
}

impl Deref for Actions {
    type Target = [Action];

    #[inline]
    fn deref(&self) -> &[Action] {
        self.list.get(..self.length).unwrap_or_default()
    }
}

impl<'a> IntoIterator for &'a Actions {
    type Item = &'a Action;
    type IntoIter = std::slice::Iter<'a, Action>;

    fn into_iter(self) -> Self::IntoIter {
        self.iter()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_number_leads_back() {
        assert_eq!(Action::all().count(), Action::COUNT);
        for (index, action) in Action::all().enumerate() {
            assert_eq!(Action::new(action.number()), Ok(action));
            assert_eq!((action.index(), Action::from_index(index)), (index, Ok(action)));
            assert_eq!(Action::from(action.kind()), action);
        }
        for number in [-1, 0, 681, 65_537, i64::MAX] {
            assert_eq!(Action::new(number), Err(ActionError::Number { number }));
        }
        for (index, number) in [(680, 681), (usize::MAX, i64::MAX)] {
            assert_eq!(Action::from_index(index), Err(ActionError::Number { number }));
        }
        assert_eq!(Action::of(Canonical::OFF, Canonical::OFF), Action::PASS);
        assert_eq!(Action::new(6).map(|action| action.to_string()), Ok("bar | 5".to_owned()));
    }
}
