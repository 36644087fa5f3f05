//! The actions of a player, numbered from 0 to 679.
//!
//! | index | what |
//! |---|---|
//! | 0–675 | `26 a + b`: the higher die moves a checker from place a, the lower one from place b |
//! | 676, 677 | roll without doubling, double |
//! | 678, 679 | take the double, drop it |
//!
//! A place is 0 for the bar, 1 to 24 for the [`Canonical`] points, and 25 for a die that moves nothing. Action 675 is a
//! pass: neither die moves anything. A double is two actions of up to two steps each; the step from a is made before
//! the step from b.
//!
//! BackgammonNet.jl counts the same actions from 1; [`Action::number`] and [`Action::from_number`] convert. Arrays, batches
//! and masks use the [index](Action::index).

use crate::error::ActionError;
use crate::numbered::Numbered;
use backgammon::Canonical;
use std::fmt;
use std::ops::Deref;

/// An action, by its index.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct Action(u16);

/// The meaning of an action.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Kind {
    /// The dice move checkers from these two places. With two different dice they are the places of the higher and the lower
    /// die; with a double, those of the first and the second step. [`Canonical::OFF`] means that no checker is moved.
    Play(Canonical, Canonical),
    /// Roll, without doubling.
    Roll,
    /// Double.
    Double,
    /// Take the double.
    Take,
    /// Decline the double.
    Drop,
}

/// The number of places.
const PLACES: u16 = 26;

impl Action {
    /// The number of actions, which is the length of an action mask.
    pub const COUNT: usize = 680;
    /// Pass: neither die can move anything.
    pub const PASS: Self = Self(675);
    /// Roll, without doubling.
    pub const ROLL: Self = Self(676);
    /// Double.
    pub const DOUBLE: Self = Self(677);
    /// Take the double.
    pub const TAKE: Self = Self(678);
    /// Decline the double.
    pub const DROP: Self = Self(679);

    /// The action with this number in BackgammonNet.jl, which counts from 1.
    ///
    /// # Errors
    /// Returns an error if no action has this number.
    pub fn from_number(number: impl Into<i64>) -> Result<Self, ActionError> {
        let number = number.into();
        match u16::try_from(number) {
            Ok(small @ 1..=680) => Ok(Self(small - 1)),
            _ => Err(ActionError::Number { number, first: 1, last: Self::COUNT as i64 }),
        }
    }

    /// The action that moves checkers from these places. [`Canonical::OFF`] means that no checker is moved.
    #[inline]
    pub const fn of(first: Canonical, second: Canonical) -> Self {
        Self::at(first.number() as u32, second.number() as u32)
    }

    /// The action that moves checkers from these places. The numbers must be places; they are not checked.
    #[inline]
    pub(crate) const fn at(first: u32, second: u32) -> Self {
        Self(first as u16 * PLACES + second as u16)
    }

    /// The number of the action in BackgammonNet.jl, which counts from 1: the index plus one.
    #[inline]
    pub const fn number(self) -> u16 {
        self.0 + 1
    }

    /// The index of the action in arrays and masks, from 0.
    #[inline]
    pub const fn index(self) -> usize {
        self.0 as usize
    }

    /// The places that the action moves checkers from; place 25 moves none. Returns `None` for actions of the cube.
    #[inline]
    pub(crate) const fn places(self) -> Option<(u32, u32)> {
        match self.0 <= Self::PASS.0 {
            true => Some(((self.0 / PLACES) as u32, (self.0 % PLACES) as u32)),
            false => None,
        }
    }

    /// The meaning of the action.
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

/// The place with this number, or [`Canonical::OFF`] if there is none.
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

impl Numbered for Action {
    const COUNT: usize = Self::COUNT;

    #[inline]
    fn index(self) -> usize {
        Self::index(self)
    }

    #[inline]
    fn from_index(index: usize) -> Option<Self> {
        (index < Self::COUNT).then_some(Self(index as u16))
    }

    fn text(self) -> String {
        self.to_string()
    }
}

/// Writes only the places, such as `bar | 5`, because an action does not know the dice.
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

/// A list of actions with room for those of any position. It allocates nothing. Keep one list and fill it again and again.
#[derive(Clone, Debug)]
pub struct Actions {
    length: usize,
    list: [Action; Self::MOST + SLACK],
}

/// The number of actions that are written at once, and the room for those that are written beyond the end.
const SLACK: usize = 4;

impl Actions {
    /// No position has more actions. Fifteen checkers on fifteen places give the higher die 15 sources, each with 15
    /// sources for the lower die. There are 15 more where the lower die is played first and the same checker goes on.
    /// This makes 240.
    pub const MOST: usize = 256;

    /// An empty list.
    pub const fn new() -> Self {
        Self { length: 0, list: [Action::PASS; Self::MOST + SLACK] }
    }

    /// Removes all actions.
    #[inline]
    pub fn clear(&mut self) {
        self.length = 0;
    }

    /// Replaces the content of the list with the actions that `write` writes.
    #[inline]
    pub(super) fn fill(&mut self, write: impl FnOnce(&mut Writer<'_>)) {
        let mut writer = Writer { list: &mut self.list, length: 0 };
        write(&mut writer);
        self.length = writer.length.min(Self::MOST);
    }
}

/// A writer that fills a list. It has its own copy of the length, so that the length stays in a register.
pub(super) struct Writer<'a> {
    list: &'a mut [Action; Actions::MOST + SLACK],
    length: usize,
}

impl Writer<'_> {
    /// Appends an action.
    #[inline]
    pub(super) fn push(&mut self, action: Action) {
        if let Some(slot) = self.list.get_mut(self.length) {
            *slot = action;
            self.length += 1;
        }
    }

    /// Appends the actions with this first place and each second place of a set.
    ///
    /// Most sets are small, and their sizes are hard to predict. So four actions are always written at once. Those that
    /// were too many are overwritten by the next call, or remain beyond the end of the list.
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
            assert_eq!((action.index(), Action::from_index(index)), (index, Some(action)));
            assert_eq!(Action::from(action.kind()), action);
            // The number in BackgammonNet.jl is the index plus one.
            assert_eq!(usize::from(action.number()), index + 1);
            assert_eq!(Action::from_number(action.number()), Ok(action));
        }
        for number in [-1, 0, 681, 65_537, i64::MAX] {
            let error = ActionError::Number { number, first: 1, last: 680 };
            assert_eq!(Action::from_number(number), Err(error));
        }
        assert_eq!((Action::from_index(680), Action::from_index(usize::MAX)), (None, None));
        assert_eq!(Action::of(Canonical::OFF, Canonical::OFF), Action::PASS);
        assert_eq!(Action::from_number(6).map(|action| action.to_string()), Ok("bar | 5".to_owned()));
    }
}
