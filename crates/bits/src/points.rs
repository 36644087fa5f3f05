//! Boards of up to 15 × 16 points in 256 bits.
//!
//! A rank takes sixteen bits, of which the last is never a point: what leaves the board to one side falls there and is
//! dropped, and never enters the board on the other side. So a step in any of the eight directions is one shift and one
//! mask, for all points of a set at once.

use crate::{Drawable, Lanes, drawing};
use std::fmt;
use std::hash::{Hash, Hasher};
use std::iter::FusedIterator;
use std::ops::{BitAnd, BitAndAssign, BitOr, BitOrAssign, BitXor, BitXorAssign, Not, Sub, SubAssign};

/// The bits of a rank.
const WIDTH: u8 = 16;

/// A point of a board with so many files and ranks.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
#[repr(transparent)]
pub struct Point<const FILES: u8, const RANKS: u8>(u8);

/// One of the eight directions, north being up the board.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
#[repr(u8)]
#[allow(missing_docs)] // a compass says it all
pub enum Direction {
    North,
    East,
    South,
    West,
    NorthEast,
    NorthWest,
    SouthEast,
    SouthWest,
}

impl Direction {
    /// All eight, those along files and ranks first.
    pub const ALL: [Self; 8] = [
        Self::North,
        Self::East,
        Self::South,
        Self::West,
        Self::NorthEast,
        Self::NorthWest,
        Self::SouthEast,
        Self::SouthWest,
    ];

    /// Files to the right and ranks up.
    #[inline]
    pub const fn delta(self) -> (i8, i8) {
        match self {
            Self::North => (0, 1),
            Self::East => (1, 0),
            Self::South => (0, -1),
            Self::West => (-1, 0),
            Self::NorthEast => (1, 1),
            Self::NorthWest => (-1, 1),
            Self::SouthEast => (1, -1),
            Self::SouthWest => (-1, -1),
        }
    }

    /// Along neither a file nor a rank.
    #[inline]
    pub const fn is_diagonal(self) -> bool {
        self as u8 >= Self::NorthEast as u8
    }

    /// The way back.
    #[inline]
    #[must_use]
    pub const fn reversed(self) -> Self {
        match self {
            Self::North => Self::South,
            Self::East => Self::West,
            Self::South => Self::North,
            Self::West => Self::East,
            Self::NorthEast => Self::SouthWest,
            Self::NorthWest => Self::SouthEast,
            Self::SouthEast => Self::NorthWest,
            Self::SouthWest => Self::NorthEast,
        }
    }
}

impl<const FILES: u8, const RANKS: u8> Point<FILES, RANKS> {
    /// Numbers go up to this one, exclusively; those of the last files stand for no point.
    pub const NUMBERS: usize = {
        assert!(FILES > 0 && FILES < WIDTH && RANKS > 0 && RANKS <= WIDTH, "a board of up to 15 x 16 points");
        WIDTH as usize * RANKS as usize
    };

    /// The point on a file and a rank, both counted from 0.
    ///
    /// # Panics
    /// If it is off the board.
    #[inline]
    pub const fn at(file: u8, rank: u8) -> Self {
        assert!(file < FILES && rank < RANKS, "point off the board");
        Self(WIDTH * rank + file)
    }

    /// The point with this number, if the board has it.
    #[inline]
    pub const fn from_index(index: u8) -> Option<Self> {
        if index % WIDTH < FILES && index / WIDTH < RANKS { Some(Self(index)) } else { None }
    }

    /// Its number: 16 times the rank, plus the file.
    #[inline]
    pub const fn index(self) -> usize {
        self.0 as usize
    }

    /// Its file, from 0.
    #[inline]
    pub const fn file(self) -> u8 {
        self.0 % WIDTH
    }

    /// Its rank, from 0.
    #[inline]
    pub const fn rank(self) -> u8 {
        self.0 / WIDTH
    }

    /// The point `dx` files to the right and `dy` ranks up, unless that leaves the board.
    pub const fn offset(self, dx: i8, dy: i8) -> Option<Self> {
        let (file, rank) = (self.file() as i8 + dx, self.rank() as i8 + dy);
        if file < 0 || rank < 0 || file >= FILES as i8 || rank >= RANKS as i8 {
            return None;
        }
        Some(Self::at(file as u8, rank as u8))
    }

    /// The next point in a direction, unless that leaves the board.
    #[inline]
    pub const fn next(self, direction: Direction) -> Option<Self> {
        let (dx, dy) = direction.delta();
        self.offset(dx, dy)
    }

    /// The point as the other side sees it across the board: the first rank is the last.
    #[inline]
    #[must_use]
    pub const fn flip(self) -> Self {
        Self(WIDTH * (RANKS - 1 - self.rank()) + self.file())
    }

    /// All points, along the ranks from the lower left corner.
    pub fn all() -> impl DoubleEndedIterator<Item = Self> {
        PointSet::FULL.iter()
    }
}

/// A set of points: `a & b`, `a | b`, `a ^ b`, `a - b` and `!a` are what sets have.
///
/// ```
/// use endspiel_bits::{Direction, PointSet};
///
/// type Points = PointSet<11, 12>;
/// let corner: Points = ["a1", "b1", "k12"].iter().map(|name| name.parse().unwrap()).collect();
/// assert_eq!(corner.step(Direction::West).names(), "a1 j12");
/// assert_eq!(corner.step(Direction::North).names(), "a2 b2", "k13 is off the board");
/// assert_eq!((corner.len(), (!corner).len()), (3, 129));
/// ```
#[derive(Clone, Copy)]
#[repr(transparent)]
pub struct PointSet<const FILES: u8, const RANKS: u8>(Lanes);

impl<const FILES: u8, const RANKS: u8> PointSet<FILES, RANKS> {
    /// No point.
    pub const EMPTY: Self = Self(Lanes::new([0; 4]));

    /// Every point of the board.
    pub const FULL: Self = {
        let rank = (1 << FILES) - 1;
        let mut words = [0u64; 4];
        let mut i = 0;
        while i < RANKS {
            words[i as usize / 4] |= rank << (i % 4 * WIDTH);
            i += 1;
        }
        Self(Lanes::new(words))
    };

    /// The set with these bits, if the board has a point for each.
    pub const fn from_words(words: [u64; 4]) -> Option<Self> {
        let full = Self::FULL.words();
        let mut i = 0;
        while i < 4 {
            if words[i] & !full[i] != 0 {
                return None;
            }
            i += 1;
        }
        Some(Self(Lanes::new(words)))
    }

    /// Its bits: bit n of all 256 stands for the point with the number n.
    #[inline]
    pub const fn words(self) -> [u64; 4] {
        self.0.to_array()
    }

    /// One point.
    #[inline]
    pub const fn of(point: Point<FILES, RANKS>) -> Self {
        Self::EMPTY.with(point)
    }

    /// The set and a point; for constant tables as well.
    #[inline]
    #[must_use]
    pub const fn with(self, point: Point<FILES, RANKS>) -> Self {
        let mut words = self.words();
        words[point.index() / 64] |= 1 << (point.index() % 64);
        Self(Lanes::new(words))
    }

    /// The set without a point.
    #[inline]
    #[must_use]
    pub const fn without(self, point: Point<FILES, RANKS>) -> Self {
        let mut words = self.words();
        words[point.index() / 64] &= !(1 << (point.index() % 64));
        Self(Lanes::new(words))
    }

    /// Is the point in it?
    #[inline]
    pub const fn contains(&self, point: Point<FILES, RANKS>) -> bool {
        self.words()[point.index() / 64] >> (point.index() % 64) & 1 != 0
    }

    /// Puts a point in.
    #[inline]
    pub fn insert(&mut self, point: Point<FILES, RANKS>) {
        *self = self.with(point);
    }

    /// Takes a point out.
    #[inline]
    pub fn remove(&mut self, point: Point<FILES, RANKS>) {
        *self = self.without(point);
    }

    /// Has it no point?
    #[inline]
    pub fn is_empty(self) -> bool {
        self.0.is_disjoint(self.0)
    }

    /// Do the two sets share a point?
    #[inline]
    pub fn intersects(self, other: Self) -> bool {
        !self.0.is_disjoint(other.0)
    }

    /// Number of points.
    #[inline]
    pub fn len(self) -> u32 {
        self.0.count()
    }

    /// Number of points of all the sets together.
    pub fn total(sets: &[Self]) -> u32 {
        let (pairs, last) = sets.as_chunks::<2>();
        let of_pairs: u32 = pairs.iter().map(|[a, b]| a.0.count_with(b.0)).sum();
        of_pairs + last.iter().map(|set| set.len()).sum::<u32>()
    }

    /// The point with the lowest number, if there is one.
    #[inline]
    pub fn first(self) -> Option<Point<FILES, RANKS>> {
        self.iter().next()
    }

    /// The point with the highest number, if there is one.
    #[inline]
    pub fn last(self) -> Option<Point<FILES, RANKS>> {
        self.iter().next_back()
    }

    /// The points, lowest number first.
    #[inline]
    pub fn iter(self) -> Points<FILES, RANKS> {
        Points(self.words())
    }

    /// Every point moved to the next one in a direction; those that leave the board are dropped, none wraps.
    #[inline]
    #[must_use]
    pub fn step(self, direction: Direction) -> Self {
        let moved = match direction {
            Direction::North => self.0.raised::<16>(),
            Direction::East => self.0.raised::<1>(),
            Direction::South => self.0.lowered::<16>(),
            Direction::West => self.0.lowered::<1>(),
            Direction::NorthEast => self.0.raised::<17>(),
            Direction::NorthWest => self.0.raised::<15>(),
            Direction::SouthEast => self.0.lowered::<15>(),
            Direction::SouthWest => self.0.lowered::<17>(),
        };
        Self(moved) & Self::FULL
    }

    /// `RAYS[direction][point]`.
    const RAYS: &'static [[Self; 256]; 8] = &{
        let mut rays = [[Self::EMPTY; 256]; 8];
        let mut direction = 0;
        while direction < 8 {
            let mut index = 0;
            while index < 256 {
                if let Some(point) = Point::from_index(index as u8) {
                    let mut at: Point<FILES, RANKS> = point;
                    while let Some(next) = at.next(Direction::ALL[direction]) {
                        rays[direction][index] = rays[direction][index].with(next);
                        at = next;
                    }
                }
                index += 1;
            }
            direction += 1;
        }
        rays
    };

    /// The points from one on in a direction to the edge of the board, without the first.
    #[inline]
    pub fn ray(from: Point<FILES, RANKS>, direction: Direction) -> Self {
        Self::RAYS[direction as usize][from.index()]
    }

    /// The same up to the first of these points, and that one.
    #[inline]
    pub fn ray_to(from: Point<FILES, RANKS>, direction: Direction, stops: Self) -> Self {
        let ray = Self::ray(from, direction);
        let mut met = (ray & stops).iter();
        let is_upward = matches!(
            direction,
            Direction::North | Direction::East | Direction::NorthEast | Direction::NorthWest
        );
        match if is_upward { met.next() } else { met.next_back() } {
            Some(stop) => ray - Self::ray(stop, direction),
            None => ray,
        }
    }

    /// The set as the other side sees it across the board, every point [flipped](Point::flip).
    #[must_use]
    pub fn flipped(self) -> Self {
        self.iter().map(Point::flip).collect()
    }

    /// The names of its points, one after the other.
    pub fn names(self) -> String {
        self.iter().map(|point| point.to_string()).collect::<Vec<_>>().join(" ")
    }
}

impl<const FILES: u8, const RANKS: u8> Default for PointSet<FILES, RANKS> {
    fn default() -> Self {
        Self::EMPTY
    }
}

impl<const FILES: u8, const RANKS: u8> PartialEq for PointSet<FILES, RANKS> {
    #[inline]
    fn eq(&self, other: &Self) -> bool {
        (*self ^ *other).is_empty()
    }
}

impl<const FILES: u8, const RANKS: u8> Eq for PointSet<FILES, RANKS> {}

impl<const FILES: u8, const RANKS: u8> Hash for PointSet<FILES, RANKS> {
    fn hash<H: Hasher>(&self, hasher: &mut H) {
        self.words().hash(hasher);
    }
}

impl<const FILES: u8, const RANKS: u8> From<Point<FILES, RANKS>> for PointSet<FILES, RANKS> {
    #[inline]
    fn from(point: Point<FILES, RANKS>) -> Self {
        Self::of(point)
    }
}

impl<const FILES: u8, const RANKS: u8> FromIterator<Point<FILES, RANKS>> for PointSet<FILES, RANKS> {
    fn from_iter<I: IntoIterator<Item = Point<FILES, RANKS>>>(points: I) -> Self {
        points.into_iter().fold(Self::EMPTY, Self::with)
    }
}

impl<const FILES: u8, const RANKS: u8> IntoIterator for PointSet<FILES, RANKS> {
    type Item = Point<FILES, RANKS>;
    type IntoIter = Points<FILES, RANKS>;

    #[inline]
    fn into_iter(self) -> Points<FILES, RANKS> {
        self.iter()
    }
}

/// The points of a set, lowest number first.
#[derive(Clone, Debug)]
pub struct Points<const FILES: u8, const RANKS: u8>([u64; 4]);

impl<const FILES: u8, const RANKS: u8> Iterator for Points<FILES, RANKS> {
    type Item = Point<FILES, RANKS>;

    #[inline]
    fn next(&mut self) -> Option<Point<FILES, RANKS>> {
        // A board of twelve ranks has nothing in the last word, and the compiler knows.
        for (number, word) in self.0.iter_mut().enumerate().take(usize::from(RANKS).div_ceil(4)) {
            if *word != 0 {
                let index = 64 * number as u32 + word.trailing_zeros();
                *word &= *word - 1;
                return Some(Point(index as u8));
            }
        }
        None
    }

    fn size_hint(&self) -> (usize, Option<usize>) {
        let len = self.0.iter().map(|word| word.count_ones() as usize).sum();
        (len, Some(len))
    }

    /// Word by word: no step begins with the search for a word that has something.
    #[inline]
    fn fold<B, F: FnMut(B, Self::Item) -> B>(self, init: B, mut f: F) -> B {
        let mut folded = init;
        for (number, mut word) in self.0.into_iter().enumerate().take(usize::from(RANKS).div_ceil(4)) {
            while word != 0 {
                folded = f(folded, Point((64 * number as u32 + word.trailing_zeros()) as u8));
                word &= word - 1;
            }
        }
        folded
    }
}

impl<const FILES: u8, const RANKS: u8> DoubleEndedIterator for Points<FILES, RANKS> {
    #[inline]
    fn next_back(&mut self) -> Option<Point<FILES, RANKS>> {
        for (number, word) in self.0.iter_mut().enumerate().rev() {
            if *word != 0 {
                let bit = word.ilog2();
                *word ^= 1 << bit;
                return Some(Point((64 * number as u32 + bit) as u8));
            }
        }
        None
    }
}

impl<const FILES: u8, const RANKS: u8> ExactSizeIterator for Points<FILES, RANKS> {}
impl<const FILES: u8, const RANKS: u8> FusedIterator for Points<FILES, RANKS> {}

macro_rules! impl_operator {
    ($trait:ident $method:ident, $assign_trait:ident $assign_method:ident, $lanes:ident) => {
        impl<const FILES: u8, const RANKS: u8> $trait for PointSet<FILES, RANKS> {
            type Output = Self;
            #[inline]
            fn $method(self, other: Self) -> Self {
                Self(self.0.$lanes(other.0))
            }
        }
        impl<const FILES: u8, const RANKS: u8> $assign_trait for PointSet<FILES, RANKS> {
            #[inline]
            fn $assign_method(&mut self, other: Self) {
                *self = self.$method(other);
            }
        }
    };
}

impl_operator!(BitAnd bitand, BitAndAssign bitand_assign, bitand);
impl_operator!(BitOr bitor, BitOrAssign bitor_assign, bitor);
impl_operator!(BitXor bitxor, BitXorAssign bitxor_assign, bitxor);
impl_operator!(Sub sub, SubAssign sub_assign, without);

/// The other points of the board.
impl<const FILES: u8, const RANKS: u8> Not for PointSet<FILES, RANKS> {
    type Output = Self;
    #[inline]
    fn not(self) -> Self {
        Self::FULL - self
    }
}

impl<const FILES: u8, const RANKS: u8> Drawable for PointSet<FILES, RANKS> {
    const FILES: u8 = FILES;
    const RANKS: u8 = RANKS;

    fn has(&self, file: u8, rank: u8) -> bool {
        self.contains(Point::at(file, rank))
    }
}

/// A drawn board, highest rank first; [`side_by_side`](crate::side_by_side) draws several.
impl<const FILES: u8, const RANKS: u8> fmt::Display for PointSet<FILES, RANKS> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        drawing::draw(*self, f)
    }
}

/// Its points' names.
impl<const FILES: u8, const RANKS: u8> fmt::Debug for PointSet<FILES, RANKS> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_set().entries(self.iter()).finish()
    }
}

/// `a1` in the lower left corner.
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

/// As it is displayed.
impl<const FILES: u8, const RANKS: u8> std::str::FromStr for Point<FILES, RANKS> {
    type Err = crate::NoSuchSquare;

    fn from_str(text: &str) -> Result<Self, crate::NoSuchSquare> {
        let (file, rank) = crate::square::parse_name(text, FILES, RANKS)?;
        Ok(Self::at(file, rank))
    }
}
