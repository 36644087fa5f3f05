//! The eleven kinds of pieces, and the abilities of each, heroic or not.

use crate::grid::{GROUND, NAVIGABLE, Point, PointSet};

/// A kind of piece, in the order in which stacks are written: a carrier comes before the pieces that it carries.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
#[repr(u8)]
pub enum Kind {
    /// N
    Navy,
    /// F
    AirForce,
    /// T
    Tank,
    /// E
    Engineer,
    /// H
    Headquarters,
    /// C
    Commander,
    /// I
    Infantry,
    /// M
    Militia,
    /// A
    Artillery,
    /// G
    AntiAir,
    /// S
    Missile,
}

impl Kind {
    /// All kinds.
    pub const ALL: [Self; 11] = [
        Self::Navy,
        Self::AirForce,
        Self::Tank,
        Self::Engineer,
        Self::Headquarters,
        Self::Commander,
        Self::Infantry,
        Self::Militia,
        Self::Artillery,
        Self::AntiAir,
        Self::Missile,
    ];

    /// Its letter, in upper case.
    pub const fn letter(self) -> char {
        match self {
            Self::Navy => 'N',
            Self::AirForce => 'F',
            Self::Tank => 'T',
            Self::Engineer => 'E',
            Self::Headquarters => 'H',
            Self::Commander => 'C',
            Self::Infantry => 'I',
            Self::Militia => 'M',
            Self::Artillery => 'A',
            Self::AntiAir => 'G',
            Self::Missile => 'S',
        }
    }

    /// The kind with this letter, in upper case.
    pub fn from_letter(letter: char) -> Option<Self> {
        Self::ALL.into_iter().find(|kind| kind.letter() == letter)
    }

    /// The points where a stack with this carrier may stand.
    #[inline]
    pub(crate) const fn ground(self) -> PointSet {
        match self {
            Self::Navy => NAVIGABLE,
            _ => GROUND,
        }
    }

    /// Returns whether a stack with this carrier may stand on the point.
    #[inline]
    pub(crate) const fn can_stand(self, point: Point) -> bool {
        self.ground().contains(point)
    }

    /// Returns whether the kind crosses the river on the bridges only.
    #[inline]
    pub(crate) const fn is_heavy(self) -> bool {
        matches!(self, Self::Artillery | Self::AntiAir | Self::Missile)
    }

    /// Returns whether the kind captures over other pieces.
    #[inline]
    pub(crate) const fn reaches_over(self) -> bool {
        matches!(self, Self::Artillery | Self::Missile | Self::AirForce | Self::Navy)
    }
}

/// A kind of piece, heroic or not, with its abilities.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct Piece {
    pub kind: Kind,
    pub is_heroic: bool,
}

impl Piece {
    /// The number of different pieces. Heroic ones count as different.
    pub const COUNT: usize = 2 * Kind::ALL.len();

    /// Its number, below [`COUNT`](Self::COUNT).
    #[inline]
    pub const fn number(self) -> usize {
        2 * self.kind as usize + self.is_heroic as usize
    }

    /// The piece with this number.
    pub const fn from_number(number: usize) -> Self {
        Self { kind: Kind::ALL[number / 2], is_heroic: number % 2 == 1 }
    }

    /// Returns whether it moves and captures along diagonals.
    #[inline]
    pub const fn goes_diagonally(self) -> bool {
        self.is_heroic
            || matches!(
                self.kind,
                Kind::Militia | Kind::Artillery | Kind::Missile | Kind::AirForce | Kind::Navy
            )
    }

    /// How far it moves.
    #[inline]
    pub const fn move_range(self, is_diagonal: bool) -> u8 {
        let range = match self.kind {
            Kind::Commander => return u8::MAX,
            Kind::Headquarters => return self.is_heroic as u8,
            Kind::Missile if is_diagonal => 1,
            Kind::Infantry | Kind::Militia | Kind::Engineer | Kind::AntiAir => 1,
            Kind::Tank | Kind::Missile => 2,
            Kind::Artillery => 3,
            Kind::AirForce | Kind::Navy => 4,
        };
        range + self.is_heroic as u8
    }

    /// How far it captures. `of_navy` tells whether the carrier of the captured stack is a ship.
    #[inline]
    pub const fn capture_range(self, is_diagonal: bool, of_navy: bool) -> u8 {
        match self.kind {
            Kind::Commander => 1,
            Kind::Navy if !of_navy => 3 + self.is_heroic as u8,
            _ => self.move_range(is_diagonal),
        }
    }

    /// How far its air defence reaches; 0 if it has none.
    #[inline]
    pub const fn air_defence(self) -> u8 {
        let level = match self.kind {
            Kind::AntiAir | Kind::Navy => 1,
            Kind::Missile => 2,
            _ => return 0,
        };
        level + self.is_heroic as u8
    }
}
