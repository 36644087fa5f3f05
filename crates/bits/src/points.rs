//! A set of points of a board of up to 15 × 16, in 256 bits.
//!
//! A rank takes sixteen bits, and the last of them is never a point. A point that steps off the board to one side lands
//! there and is dropped, so it never enters the board on the other side. So a step in any of the eight directions is a
//! shift and a mask, for all points of a set at once.

use crate::point::WIDTH;
use crate::{Direction, Drawable, Lanes, Point, drawing};
use std::fmt;
use std::hash::{Hash, Hasher};
use std::iter::FusedIterator;
use std::ops::{BitAnd, BitAndAssign, BitOr, BitOrAssign, BitXor, BitXorAssign, Not, Sub, SubAssign};

/// A set of points with the set operations `a & b`, `a | b`, `a ^ b`, `a - b` and `!a`. Each of them is one instruction
/// on machines with 256-bit vectors.
///
/// [`SquareSet`](crate::SquareSet) is the counterpart for boards that fit into a machine word. For a board of more than
/// 64 squares this type is faster, and it supports rays.
///
/// ```
/// use endspiel_bits::{Direction, PointSet};
///
/// type Points = PointSet<11, 12>;
/// let corner: Points = ["a1", "b1", "k12"].iter().map(|name| name.parse().unwrap()).collect();
/// assert_eq!(corner.step(Direction::West).names(), "a1 j12");
/// assert_eq!(corner.step(Direction::North).names(), "a2 b2", "k13 is off the board");
/// assert_eq!((corner.len(), (!corner).len()), (3, 129));
/// assert_eq!(corner & corner.step(Direction::East), Points::of("b1".parse().unwrap()));
/// ```
#[derive(Clone, Copy)]
#[repr(transparent)]
pub struct PointSet<const FILES: u8, const RANKS: u8>(pub(crate) Lanes);

/// `SINGLES[index]` has only the bit `index` set. Writing one word of a vector in memory would make the next read of
/// the whole vector wait for that write. Reading all four words from a table avoids this.
static SINGLES: [[u64; 4]; 256] = {
    let mut singles = [[0; 4]; 256];
    let mut index = 0;
    while index < 256 {
        singles[index][index / 64] = 1 << (index % 64);
        index += 1;
    }
    singles
};

impl<const FILES: u8, const RANKS: u8> PointSet<FILES, RANKS> {
    /// The empty set.
    pub const EMPTY: Self = {
        let _ = Point::<FILES, RANKS>::NUMBERS;
        Self(Lanes::new([0; 4]))
    };

    /// The set of all points of the board.
    pub const FULL: Self = {
        let mut ranks = [0; 16];
        let mut index = 0;
        while index < Point::<FILES, RANKS>::NUMBERS {
            ranks[index / WIDTH as usize] = (1 << FILES) - 1;
            index += WIDTH as usize;
        }
        Self(Lanes::from_ranks(ranks))
    };

    /// The number of words that can have points. On a board of twelve ranks the fourth word is always empty, and the
    /// compiler can skip it.
    const WORDS: usize = (RANKS as usize).div_ceil(4);

    /// Returns the set with these bits, or `None` if a bit stands for no point of the board.
    ///
    /// ```
    /// # use endspiel_bits::PointSet;
    /// let set = PointSet::<11, 12>::from_words([1 << 10 | 1 << 16, 0, 0, 0]).unwrap();
    /// assert_eq!(set.names(), "k1 a2");
    /// assert_eq!(PointSet::<11, 12>::from_words([1 << 11, 0, 0, 0]), None, "there is no l1");
    /// ```
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

    /// The 256 bits of the set. Bit n stands for the point with the number n.
    #[inline]
    pub const fn words(self) -> [u64; 4] {
        self.0.to_array()
    }

    /// The set with one point.
    #[inline]
    pub const fn of(point: Point<FILES, RANKS>) -> Self {
        Self(Lanes::new(SINGLES[point.index()]))
    }

    /// The set with a point added. It is a `const fn`, so it also works in constant tables.
    ///
    /// ```
    /// # use endspiel_bits::{Point, PointSet};
    /// const CASTLES: PointSet<8, 8> = PointSet::EMPTY.with(Point::at(0, 0)).with(Point::at(7, 0));
    /// assert_eq!(CASTLES.names(), "a1 h1");
    /// ```
    #[inline]
    #[must_use]
    pub const fn with(self, point: Point<FILES, RANKS>) -> Self {
        let ([a, b, c, d], [e, f, g, h]) = (self.words(), SINGLES[point.index()]);
        Self(Lanes::new([a | e, b | f, c | g, d | h]))
    }

    /// The set with a point removed. It is a `const fn`, so it also works in constant tables.
    #[inline]
    #[must_use]
    pub const fn without(self, point: Point<FILES, RANKS>) -> Self {
        let ([a, b, c, d], [e, f, g, h]) = (self.words(), SINGLES[point.index()]);
        Self(Lanes::new([a & !e, b & !f, c & !g, d & !h]))
    }

    /// True if the set contains the point.
    #[inline]
    pub const fn contains(&self, point: Point<FILES, RANKS>) -> bool {
        self.words()[point.index() / 64] >> (point.index() % 64) & 1 != 0
    }

    /// Adds a point.
    #[inline]
    pub fn insert(&mut self, point: Point<FILES, RANKS>) {
        *self = self.with(point);
    }

    /// Removes a point.
    #[inline]
    pub fn remove(&mut self, point: Point<FILES, RANKS>) {
        *self = self.without(point);
    }

    /// True if the set has no points.
    #[inline]
    pub fn is_empty(self) -> bool {
        self.0.is_disjoint(self.0)
    }

    /// True if the set has exactly one point.
    ///
    /// ```
    /// # use endspiel_bits::PointSet;
    /// let corner = PointSet::<11, 12>::of("k12".parse()?);
    /// assert!(corner.is_single());
    /// assert!(!corner.with("a1".parse()?).is_single() && !PointSet::<11, 12>::EMPTY.is_single());
    /// # Ok::<(), endspiel_bits::NoSuchSquare>(())
    /// ```
    #[inline]
    pub fn is_single(self) -> bool {
        self.len() == 1
    }

    /// True if the two sets have a point in common. This is cheaper than testing whether `a & b` is empty.
    #[inline]
    pub fn intersects(self, other: Self) -> bool {
        !self.0.is_disjoint(other.0)
    }

    /// Number of points.
    #[inline]
    pub fn len(self) -> u32 {
        self.words()[..Self::WORDS].iter().map(|word| word.count_ones()).sum()
    }

    /// Total number of points of all the sets. For many sets this is faster than adding up [`len`](Self::len).
    ///
    /// ```
    /// # use endspiel_bits::PointSet;
    /// assert_eq!(PointSet::total(&[PointSet::<11, 12>::FULL; 100]), 13_200);
    /// ```
    #[inline]
    pub fn total(sets: &[Self]) -> u32 {
        Lanes::total(sets, |set| set.0)
    }

    /// The number of points of each set, in their order. [`total`](Self::total) adds them up, and is faster for that.
    ///
    /// ```
    /// # use endspiel_bits::PointSet;
    /// type Points = PointSet<11, 12>;
    /// assert_eq!(Points::counts(&[Points::FULL, Points::EMPTY, Points::of("c4".parse()?)]), [132, 0, 1]);
    /// # Ok::<(), endspiel_bits::NoSuchSquare>(())
    /// ```
    pub fn counts(sets: &[Self]) -> Vec<u32> {
        sets.iter().map(|set| set.len()).collect()
    }

    /// The point with the lowest number, or `None` if the set is empty.
    #[inline]
    pub fn first(self) -> Option<Point<FILES, RANKS>> {
        self.iter().next()
    }

    /// The point with the highest number, or `None` if the set is empty.
    #[inline]
    pub fn last(self) -> Option<Point<FILES, RANKS>> {
        self.iter().next_back()
    }

    /// Iterates over the points, lowest number first. `for_each` and `fold` are a little faster than a `for` loop.
    #[inline]
    pub fn iter(self) -> Points<FILES, RANKS> {
        let [word, rest @ ..] = self.words();
        Points { word, start: 0, rest }
    }

    /// Moves every point to the next one in a direction. Points that leave the board are dropped; they never wrap
    /// around.
    ///
    /// This takes one to four instructions if the compiler knows the direction, see [`Direction::each`]. In a chain of
    /// steps, each step waits for the one before it (two to six cycles). So several sets at once cost little more than
    /// one.
    ///
    /// ```
    /// # use endspiel_bits::{Direction, PointSet};
    /// let king = PointSet::<5, 5>::of("b1".parse()?);
    /// let steps = Direction::each(|direction| king.step(direction));
    /// let around = steps.into_iter().fold(PointSet::EMPTY, |all, step| all | step);
    /// assert_eq!(around.names(), "a1 c1 a2 b2 c2");
    /// # Ok::<(), endspiel_bits::NoSuchSquare>(())
    /// ```
    #[inline]
    #[must_use]
    pub fn step(self, direction: Direction) -> Self {
        // Points that leave the board down or to the left are shifted out of the lanes or out of their rank. Points
        // that leave it up or to the right land on bits that are no points, and the mask drops them.
        let lanes = self.0;
        match direction {
            Direction::North => Self(lanes.rank_up()) & Self::FULL,
            Direction::East => Self(lanes.file_up()) & Self::FULL,
            Direction::South => Self(lanes.rank_down()),
            Direction::West => Self(lanes.file_down()),
            Direction::NorthEast => Self(lanes.rank_up().file_up()) & Self::FULL,
            Direction::NorthWest => Self(lanes.rank_up().file_down()) & Self::FULL,
            Direction::SouthEast => Self(lanes.rank_down().file_up()) & Self::FULL,
            Direction::SouthWest => Self(lanes.rank_down().file_down()),
        }
    }

    /// The set as the other side sees the board: every point is [flipped](Point::flip), all ranks at once.
    #[inline]
    #[must_use]
    pub fn flipped(self) -> Self {
        let ranks = self.0.to_ranks();
        let count = usize::from(RANKS);
        Self(Lanes::from_ranks(std::array::from_fn(|i| if i < count { ranks[count - 1 - i] } else { 0 })))
    }

    /// Draws the board under a label and the number of points.
    ///
    /// ```
    /// # use endspiel_bits::PointSet;
    /// let ships = PointSet::<3, 2>::of("a1".parse()?).with("c2".parse()?);
    /// assert_eq!(ships.labelled("ships"), "ships: 2\n2 . . x\n1 x . .\n  a b c\n");
    /// # Ok::<(), endspiel_bits::NoSuchSquare>(())
    /// ```
    pub fn labelled(self, label: &str) -> String {
        format!("{label}: {}\n{self}", self.len())
    }

    /// The names of the points, separated by spaces.
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

/// Iterator over the points of a set, lowest number first. It can also run backwards.
#[derive(Clone, Debug)]
pub struct Points<const FILES: u8, const RANKS: u8> {
    /// The current word. Most steps need no other.
    word: u64,
    /// The number of the lowest bit of the current word.
    start: u32,
    /// The words after the current one.
    rest: [u64; 3],
}

impl<const FILES: u8, const RANKS: u8> Iterator for Points<FILES, RANKS> {
    type Item = Point<FILES, RANKS>;

    #[inline]
    fn next(&mut self) -> Option<Point<FILES, RANKS>> {
        while self.word == 0 {
            if self.rest == [0; 3] {
                return None;
            }
            [self.word, self.rest[0], self.rest[1], self.rest[2]] =
                [self.rest[0], self.rest[1], self.rest[2], 0];
            self.start += 64;
        }
        let bit = self.word.trailing_zeros();
        self.word &= self.word - 1;
        Some(Point::of_bit(self.start + bit))
    }

    #[inline]
    fn size_hint(&self) -> (usize, Option<usize>) {
        let len = self.rest.iter().fold(self.word.count_ones(), |len, word| len + word.count_ones());
        (len as usize, Some(len as usize))
    }

    /// Works word by word, so that a step need not test whether the current word is used up and load the next one.
    #[inline]
    fn fold<B, F: FnMut(B, Self::Item) -> B>(self, init: B, mut f: F) -> B {
        let [second, third, fourth] = self.rest;
        let words = [self.word, second, third, fourth].into_iter().take(PointSet::<FILES, RANKS>::WORDS);
        let (folded, _) = words.fold((init, self.start), |(mut folded, start), mut word| {
            while word != 0 {
                folded = f(folded, Point::of_bit(start + word.trailing_zeros()));
                word &= word - 1;
            }
            (folded, start + 64)
        });
        folded
    }
}

impl<const FILES: u8, const RANKS: u8> DoubleEndedIterator for Points<FILES, RANKS> {
    #[inline]
    fn next_back(&mut self) -> Option<Point<FILES, RANKS>> {
        let [second, third, fourth] = &mut self.rest;
        let words = [&mut self.word, second, third, fourth];
        for (number, word) in words.into_iter().enumerate().take(PointSet::<FILES, RANKS>::WORDS).rev() {
            if *word != 0 {
                let bit = word.ilog2();
                *word ^= 1 << bit;
                return Some(Point::of_bit(self.start + 64 * number as u32 + bit));
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

/// The complement: all points of the board that are not in the set.
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

/// Draws the board, highest rank first. [`side_by_side`](crate::side_by_side) draws several sets.
impl<const FILES: u8, const RANKS: u8> fmt::Display for PointSet<FILES, RANKS> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        drawing::draw(*self, f)
    }
}

/// The names of the points.
impl<const FILES: u8, const RANKS: u8> fmt::Debug for PointSet<FILES, RANKS> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_set().entries(self.iter()).finish()
    }
}
