//! The pieces, and the hand that holds the captured ones.

use game::Side;
use std::ops::{Index, IndexMut};

/// The kind of a piece. The first three kinds can be held in hand.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
#[repr(u8)]
pub enum Kind {
    /// Moves one step straight, in four directions.
    Giraffe,
    /// Moves one step diagonally, in four directions.
    Elephant,
    /// Moves one step forward. It becomes a hen when it steps onto the last row.
    Chick,
    /// A promoted chick. It moves one step in any direction except diagonally back. When captured, it is a chick again.
    Hen,
    /// Moves one step in any direction. A player who loses the lion loses the game.
    Lion,
}

impl Kind {
    /// All kinds, in the order of their numbers.
    pub const ALL: [Self; 5] = [Self::Giraffe, Self::Elephant, Self::Chick, Self::Hen, Self::Lion];

    /// The small kinds: all except the lion.
    pub const SMALL: [Self; 4] = [Self::Giraffe, Self::Elephant, Self::Chick, Self::Hen];

    /// The kinds that a hand can hold, in the order in which hands are written.
    pub const IN_HAND: [Self; 3] = [Self::Giraffe, Self::Elephant, Self::Chick];

    /// The kind in a position's text, in upper case: `G`, `E`, `C`, `L`, and `+C` for a hen.
    pub const fn text(self) -> &'static str {
        match self {
            Self::Giraffe => "G",
            Self::Elephant => "E",
            Self::Chick => "C",
            Self::Hen => "+C",
            Self::Lion => "L",
        }
    }

    /// The kind with this letter, in upper or lower case. Hens have no letter of their own.
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

/// A piece: its kind and its owner.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct Piece {
    /// The owner of the piece.
    pub side: Side,
    /// The kind of the piece.
    pub kind: Kind,
}

/// One `T` for each kind.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug, Default)]
pub struct ByKind<T>(pub [T; Kind::ALL.len()]);

impl<T> ByKind<T> {
    /// Applies a function to each item.
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

/// The pieces that a side has captured and may drop: up to two of each kind, two bits per kind.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug, Default)]
pub struct Hand(u8);

impl Hand {
    /// The number that a captured piece adds to a hand. A hen counts as a chick. A lion adds nothing, because the game is
    /// over.
    const ONE: ByKind<u8> = ByKind([1, 1 << 2, 1 << 4, 1 << 4, 0]);

    /// The empty hand.
    pub const EMPTY: Self = Self(0);

    /// The number of pieces of a kind. It is 0 for hens and lions, which are never in a hand.
    #[inline]
    pub const fn count(self, kind: Kind) -> u8 {
        match kind {
            Kind::Hen | Kind::Lion => 0,
            _ => self.0 >> (2 * kind as u8) & 0b11,
        }
    }

    /// The hand with one piece more. A hen counts as a chick, and a lion adds nothing.
    #[inline]
    #[must_use]
    pub(crate) const fn with(self, taken: Kind) -> Self {
        Self(self.0.wrapping_add(Self::ONE.0[taken as usize]))
    }

    /// The hand with one piece fewer. The hand must have such a piece.
    #[inline]
    #[must_use]
    pub(crate) const fn without(self, dropped: Kind) -> Self {
        Self(self.0.wrapping_sub(Self::ONE.0[dropped as usize]))
    }

    /// The hand without the pieces of `other`. This hand must contain all of them.
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
