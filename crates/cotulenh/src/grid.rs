//! The 132 points, on a grid sixteen wide: what leaves the board on one side never enters it on the other.

use std::fmt;
use std::str::FromStr;

/// Files of the board, a to k.
pub const FILES: u8 = 11;
/// Ranks of the board, 1 to 12.
pub const RANKS: u8 = 12;
/// Points of the grid, those beside the board included.
pub(crate) const GRID: usize = 16 * RANKS as usize;

/// A point of the board.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Point(u8);

impl Point {
    /// The point on a file and a rank, both counted from 0.
    ///
    /// # Panics
    /// If it is off the board.
    pub const fn at(file: u8, rank: u8) -> Self {
        assert!(file < FILES && rank < RANKS, "point off the board");
        Self(16 * rank + file)
    }

    /// Its file, from 0.
    #[inline]
    pub const fn file(self) -> u8 {
        self.0 % 16
    }

    /// Its rank, from 0.
    #[inline]
    pub const fn rank(self) -> u8 {
        self.0 / 16
    }

    /// Its number on the grid.
    #[inline]
    pub(crate) const fn index(self) -> usize {
        self.0 as usize
    }

    /// The next point in a direction, unless that leaves the board.
    #[inline]
    pub(crate) const fn next(self, direction: Direction) -> Option<Self> {
        let (file, rank) = (self.file() as i8 + direction.dx, self.rank() as i8 + direction.dy);
        if file < 0 || rank < 0 || file >= FILES as i8 || rank >= RANKS as i8 {
            return None;
        }
        Some(Self(16 * rank as u8 + file as u8))
    }

    /// All points, from a1 along the ranks.
    pub fn all() -> impl Iterator<Item = Self> {
        (0..RANKS).flat_map(|rank| (0..FILES).map(move |file| Self::at(file, rank)))
    }

    /// Only ships stand here.
    pub(crate) const fn is_deep(self) -> bool {
        self.file() < 2
    }

    /// Anything stands here.
    pub(crate) const fn is_mixed(self) -> bool {
        self.file() == 2 || (self.file() == 3 || self.file() == 4) && (self.rank() == 5 || self.rank() == 6)
    }

    /// On Red's side of the river?
    pub(crate) const fn is_south(self) -> bool {
        self.rank() < 6
    }

    /// The square of the distance.
    pub(crate) const fn distance_squared(self, other: Self) -> u32 {
        let dx = self.file().abs_diff(other.file()) as u32;
        let dy = self.rank().abs_diff(other.rank()) as u32;
        dx * dx + dy * dy
    }
}

/// A step from point to point.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct Direction {
    pub dx: i8,
    pub dy: i8,
}

impl Direction {
    pub const ALL: [Self; 8] = [
        Self { dx: 0, dy: 1 },
        Self { dx: 1, dy: 0 },
        Self { dx: 0, dy: -1 },
        Self { dx: -1, dy: 0 },
        Self { dx: 1, dy: 1 },
        Self { dx: -1, dy: 1 },
        Self { dx: 1, dy: -1 },
        Self { dx: -1, dy: -1 },
    ];

    #[inline]
    pub const fn is_diagonal(self) -> bool {
        self.dx != 0 && self.dy != 0
    }

    #[inline]
    pub const fn reversed(self) -> Self {
        Self { dx: -self.dx, dy: -self.dy }
    }
}

impl fmt::Display for Point {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}{}", char::from(b'a' + self.file()), self.rank() + 1)
    }
}

impl fmt::Debug for Point {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Display::fmt(self, f)
    }
}

/// No point of the board.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct NoSuchPoint;

impl FromStr for Point {
    type Err = NoSuchPoint;

    fn from_str(text: &str) -> Result<Self, NoSuchPoint> {
        let (file, rank) = text.split_at_checked(1).ok_or(NoSuchPoint)?;
        let file = file.as_bytes()[0].wrapping_sub(b'a');
        let is_plain = !rank.starts_with('0') && rank.bytes().all(|byte| byte.is_ascii_digit());
        let rank = rank.parse::<u8>().ok().filter(|_| is_plain).and_then(|rank| rank.checked_sub(1));
        match rank {
            Some(rank) if file < FILES && rank < RANKS => Ok(Self::at(file, rank)),
            _ => Err(NoSuchPoint),
        }
    }
}
