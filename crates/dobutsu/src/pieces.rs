//! The pieces, and the hand that keeps the taken ones.

use game::Side;
use std::ops::{Index, IndexMut};

/// What a piece is. The first three can be held in hand.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
#[repr(u8)]
pub enum Kind {
    /// One step straight in four directions.
    Giraffe,
    /// One step diagonally.
    Elephant,
    /// One step forward; becomes a hen when it steps onto the last row.
    Chick,
    /// A grown chick: one step in any direction but diagonally back. Taken, it is a chick again.
    Hen,
    /// One step in any direction. Who loses it loses the game.
    Lion,
}

impl Kind {
    /// All kinds, in the order of their numbers.
    pub const ALL: [Self; 5] = [Self::Giraffe, Self::Elephant, Self::Chick, Self::Hen, Self::Lion];

    /// The small kinds: all but the lion.
    pub const SMALL: [Self; 4] = [Self::Giraffe, Self::Elephant, Self::Chick, Self::Hen];

    /// The kinds a hand can hold, in the order in which hands are written.
    pub const IN_HAND: [Self; 3] = [Self::Giraffe, Self::Elephant, Self::Chick];

    /// As in a position's text, upper case: `G`, `E`, `C`, `L`, and `+C` for a hen.
    pub const fn text(self) -> &'static str {
        match self {
            Self::Giraffe => "G",
            Self::Elephant => "E",
            Self::Chick => "C",
            Self::Hen => "+C",
            Self::Lion => "L",
        }
    }

    /// The kind with this letter in either case; hens have none of their own.
    pub const fn from_letter(letter: char) -> Option<Self> {
        match letter.to_ascii_uppercase() {
            'G' => Some(Self::Giraffe),
            'E' => Some(Self::Elephant),
            'C' => Some(Self::Chick),
            'L' => Some(Self::Lion),
            _ => None,
        }
    }
}

/// A piece and whose it is.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct Piece {
    /// Its owner.
    pub side: Side,
    /// What it is.
    pub kind: Kind,
}

/// One `T` for each kind.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug, Default)]
pub struct ByKind<T>(pub [T; Kind::ALL.len()]);

impl<T> ByKind<T> {
    /// Each mapped.
    #[inline]
    pub fn map<U>(self, f: impl FnMut(T) -> U) -> ByKind<U> {
        ByKind(self.0.map(f))
    }
}

impl<T> Index<Kind> for ByKind<T> {
    type Output = T;

    #[inline]
    fn index(&self, kind: Kind) -> &T {
        &self.0[kind as usize]
    }
}

impl<T> IndexMut<Kind> for ByKind<T> {
    #[inline]
    fn index_mut(&mut self, kind: Kind) -> &mut T {
        &mut self.0[kind as usize]
    }
}

/// The pieces that a side has taken and may drop: up to two of each kind, two bits per kind.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug, Default)]
pub struct Hand(u8);

impl Hand {
    /// What one piece of a kind adds to a hand when it is taken: a hen counts as a chick, and a lion as nothing,
    /// since the game is over.
    const ONE: ByKind<u8> = ByKind([1, 1 << 2, 1 << 4, 1 << 4, 0]);

    /// Nothing in hand.
    pub const EMPTY: Self = Self(0);

    /// How many of a kind; 0 for hens and lions, which are never held.
    #[inline]
    pub const fn count(self, kind: Kind) -> u8 {
        match kind {
            Kind::Hen | Kind::Lion => 0,
            _ => self.0 >> (2 * kind as u8) & 0b11,
        }
    }

    /// The hand with one piece more; what becomes of hens and lions is said at their kinds.
    #[inline]
    #[must_use]
    pub(crate) const fn with(self, taken: Kind) -> Self {
        Self(self.0.wrapping_add(Self::ONE.0[taken as usize]))
    }

    /// The hand with one piece fewer. The caller knows that it has one.
    #[inline]
    #[must_use]
    pub(crate) const fn without(self, dropped: Kind) -> Self {
        Self(self.0.wrapping_sub(Self::ONE.0[dropped as usize]))
    }

    /// The hand without all of another, which it contains.
    #[inline]
    #[must_use]
    pub(crate) const fn minus(self, other: Self) -> Self {
        Self(self.0.wrapping_sub(other.0))
    }

    /// The hand with these counts of giraffes, elephants and chicks, each at most 2.
    #[inline]
    pub(crate) const fn from_counts([giraffes, elephants, chicks]: [u8; 3]) -> Self {
        Self(giraffes | elephants << 2 | chicks << 4)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn hands_count_what_they_hold() {
        for kind in Kind::IN_HAND {
            let one = Hand::EMPTY.with(kind);
            assert_eq!(Kind::ALL.map(|k| one.count(k)), Kind::ALL.map(|k| u8::from(k == kind)));
            assert_eq!(one.with(kind).count(kind), 2);
            assert_eq!(one.without(kind), Hand::EMPTY);
        }
        assert_eq!(Hand::EMPTY.with(Kind::Hen), Hand::EMPTY.with(Kind::Chick));
        assert_eq!(Hand::EMPTY.with(Kind::Lion), Hand::EMPTY);
        assert_eq!(
            Hand::from_counts([0, 1, 2]),
            Hand::EMPTY.with(Kind::Chick).with(Kind::Hen).with(Kind::Elephant)
        );
    }

    #[test]
    fn letters_name_kinds() {
        for kind in [Kind::Giraffe, Kind::Elephant, Kind::Chick, Kind::Lion] {
            let letter = kind.text().chars().next().unwrap();
            assert_eq!(Kind::from_letter(letter), Some(kind));
            assert_eq!(Kind::from_letter(letter.to_ascii_lowercase()), Some(kind));
        }
        assert_eq!(Kind::from_letter('H'), None);
    }
}
