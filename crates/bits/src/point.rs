//! A point of a board whose ranks take sixteen bits each.

use crate::square::{offset, parse_name};
use crate::{Direction, NoSuchSquare, PointSet, Points};
use std::fmt;
use std::str::FromStr;

/// The number of bits of a rank.
pub(crate) const WIDTH: u8 = 16;

/// A point of a board with `FILES` files (at most 15) and `RANKS` ranks (at most 16), in one byte.
///
/// The number of a point is 16 times its rank plus its file, as in a [`PointSet`]. So file and rank take half a byte
/// each, and a table indexed by points has 256 entries for every board.
///
/// ```
/// use endspiel_bits::{Direction, Point};
///
/// let corner: Point<11, 12> = "k12".parse()?;
/// assert_eq!((corner.file(), corner.rank(), corner.index()), (10, 11, 186));
/// assert_eq!(corner.next(Direction::West).unwrap().to_string(), "j12");
/// assert_eq!(corner.next(Direction::North), None);
/// assert_eq!(corner.flip(), Point::at(10, 0));
/// # Ok::<(), endspiel_bits::NoSuchSquare>(())
/// ```
///
/// A board cannot have 16 files: points that step off its edge need an unused bit in each rank.
///
/// ```compile_fail
/// endspiel_bits::Point::<16, 12>::at(0, 0);
/// ```
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
#[repr(transparent)]
pub struct Point<const FILES: u8, const RANKS: u8>(u8);

impl<const FILES: u8, const RANKS: u8> Point<FILES, RANKS> {
    /// All point numbers are smaller than this. Numbers beyond the last file of a rank stand for no point.
    ///
    /// Its definition checks the size of the board at compile time. Therefore every constructor of points and sets of
    /// points refers to it.
    pub const NUMBERS: usize = {
        assert!(FILES > 0 && FILES < WIDTH && RANKS > 0 && RANKS <= WIDTH, "a board of up to 15 x 16 points");
        WIDTH as usize * RANKS as usize
    };

    /// The point on a file and a rank, both counted from 0.
    ///
    /// # Panics
    /// Panics if the point is off the board.
    #[inline]
    pub const fn at(file: u8, rank: u8) -> Self {
        let _ = Self::NUMBERS;
        assert!(file < FILES && rank < RANKS, "point off the board");
        Self(WIDTH * rank + file)
    }

    /// Returns the point with this number, or `None` if the board has no such point.
    #[inline]
    pub const fn from_index(index: u8) -> Option<Self> {
        if index % WIDTH < FILES && (index as usize) < Self::NUMBERS { Some(Self(index)) } else { None }
    }

    /// The point of a bit of a set. It is always on the board, because sets have no other bits.
    #[inline]
    pub(crate) const fn of_bit(bit: u32) -> Self {
        Self(bit as u8)
    }

    /// The number of the point: 16 times the rank, plus the file.
    #[inline]
    pub const fn index(self) -> usize {
        self.0 as usize
    }

    /// The file of the point, counted from 0.
    #[inline]
    pub const fn file(self) -> u8 {
        self.0 % WIDTH
    }

    /// The rank of the point, counted from 0.
    #[inline]
    pub const fn rank(self) -> u8 {
        self.0 / WIDTH
    }

    /// The point `dx` files to the right and `dy` ranks up, or `None` if that is off the board.
    #[inline]
    pub const fn offset(self, dx: i8, dy: i8) -> Option<Self> {
        match (offset(self.file(), dx, FILES), offset(self.rank(), dy, RANKS)) {
            (Some(file), Some(rank)) => Some(Self::at(file, rank)),
            _ => None,
        }
    }

    /// The next point in a direction, or `None` if that is off the board. [`PointSet::step`] moves many points at once.
    #[inline]
    pub const fn next(self, direction: Direction) -> Option<Self> {
        let (dx, dy) = direction.delta();
        self.offset(dx, dy)
    }

    /// The point with the ranks in reverse order, as the other side sees the board. The file stays the same.
    #[inline]
    #[must_use]
    pub const fn flip(self) -> Self {
        Self(WIDTH * (RANKS - 1 - self.rank()) + self.file())
    }

    /// Iterates over all points, rank by rank from the lower left corner.
    pub fn all() -> Points<FILES, RANKS> {
        PointSet::FULL.iter()
    }
}

/// A name such as `e4`: a letter for the file and a number for the rank. `a1` is the lower left corner.
impl<const FILES: u8, const RANKS: u8> fmt::Display for Point<FILES, RANKS> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}{}", char::from(b'a' + self.file()), self.rank() + 1)
    }
}

impl<const FILES: u8, const RANKS: u8> fmt::Debug for Point<FILES, RANKS> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Display::fmt(self, f)
    }
}

/// Parses the name of a point as `Display` writes it.
impl<const FILES: u8, const RANKS: u8> FromStr for Point<FILES, RANKS> {
    type Err = NoSuchSquare;

    fn from_str(text: &str) -> Result<Self, NoSuchSquare> {
        let (file, rank) = parse_name(text, FILES, RANKS)?;
        Ok(Self::at(file, rank))
    }
}
