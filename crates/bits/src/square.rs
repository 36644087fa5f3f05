//! A board's shape, and one square of it.

use crate::Word;
use std::fmt;
use std::hash::Hash;
use std::marker::PhantomData;
use std::str::FromStr;

/// The shape of a board: an empty type that a game defines once.
///
/// Squares are numbered along the ranks from the lower left corner: a1, b1, …, a2, ….
pub trait Geometry: Copy + Eq + Ord + Hash + fmt::Debug + Default + Send + Sync + 'static {
    /// The word that holds one bit per square.
    type Word: Word;
    /// Number of files (columns).
    const FILES: u8;
    /// Number of ranks (rows).
    const RANKS: u8;
    /// Number of squares.
    const SQUARES: u8 = Self::FILES * Self::RANKS;
}

/// A square of the board `G`.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Default)]
#[repr(transparent)]
pub struct Square<G: Geometry> {
    index: u8,
    board: PhantomData<G>,
}

impl<G: Geometry> Square<G> {
    /// The square on a file and a rank, both counted from 0.
    ///
    /// # Panics
    /// If it is off the board.
    #[inline]
    pub const fn at(file: u8, rank: u8) -> Self {
        assert!(file < G::FILES && rank < G::RANKS, "square off the board");
        Self { index: rank * G::FILES + file, board: PhantomData }
    }

    /// The square with this number, if the board has it.
    #[inline]
    pub const fn from_index(index: u8) -> Option<Self> {
        if index < G::SQUARES { Some(Self { index, board: PhantomData }) } else { None }
    }

    /// The square of a bit that a set has: on the board, since no set has others.
    #[inline]
    pub(crate) const fn of_bit(bit: u32) -> Self {
        Self { index: bit as u8, board: PhantomData }
    }

    /// Its number: 0 for a1, counted along the ranks.
    #[inline]
    pub const fn index(self) -> usize {
        self.index as usize
    }

    /// Its file, from 0.
    #[inline]
    pub const fn file(self) -> u8 {
        self.index % G::FILES
    }

    /// Its rank, from 0.
    #[inline]
    pub const fn rank(self) -> u8 {
        self.index / G::FILES
    }

    /// The square `dx` files to the right and `dy` ranks up, unless that leaves the board.
    pub const fn offset(self, dx: i8, dy: i8) -> Option<Self> {
        match (offset(self.file(), dx, G::FILES), offset(self.rank(), dy, G::RANKS)) {
            (Some(file), Some(rank)) => Some(Self::at(file, rank)),
            _ => None,
        }
    }

    /// The square seen from the other side of the table: the board turned by 180 degrees.
    #[inline]
    pub const fn rotate(self) -> Self {
        Self { index: G::SQUARES - 1 - self.index, board: PhantomData }
    }

    /// The square in the mirror: left and right exchanged.
    #[inline]
    pub const fn mirror(self) -> Self {
        Self::at(G::FILES - 1 - self.file(), self.rank())
    }

    /// All squares, in order.
    pub fn all() -> impl DoubleEndedIterator<Item = Self> + ExactSizeIterator {
        (0..G::SQUARES).map(|index| Self { index, board: PhantomData })
    }
}

/// A file or a rank of so many, moved by a distance.
#[inline]
pub(crate) const fn offset(place: u8, distance: i8, count: u8) -> Option<u8> {
    match place.checked_add_signed(distance) {
        Some(moved) if moved < count => Some(moved),
        _ => None,
    }
}

/// Algebraic, `a1` in the lower left corner; games that name their squares otherwise say so in their notation.
impl<G: Geometry> fmt::Display for Square<G> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}{}", char::from(b'a' + self.file()), self.rank() + 1)
    }
}

/// As it is displayed.
impl<G: Geometry> FromStr for Square<G> {
    type Err = NoSuchSquare;

    fn from_str(text: &str) -> Result<Self, NoSuchSquare> {
        let (file, rank) = parse_name(text, G::FILES, G::RANKS)?;
        Ok(Self::at(file, rank))
    }
}

/// The file and the rank, both from 0, of a name such as `e4` on a board with so many of each.
pub(crate) fn parse_name(text: &str, files: u8, ranks: u8) -> Result<(u8, u8), NoSuchSquare> {
    let bytes = text.as_bytes();
    let file = bytes.first().map(|letter| letter.wrapping_sub(b'a'));
    let digits = bytes
        .get(1..)
        .filter(|digits| digits.iter().all(u8::is_ascii_digit) && digits.first() != Some(&b'0'));
    let rank = digits.and_then(|digits| str::from_utf8(digits).ok()?.parse::<u8>().ok()?.checked_sub(1));
    match (file, rank) {
        (Some(file), Some(rank)) if file < files && rank < ranks => Ok((file, rank)),
        _ => Err(NoSuchSquare { text: text.to_owned() }),
    }
}

/// A text that names no square of a board.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct NoSuchSquare {
    /// The text.
    pub text: String,
}

impl std::error::Error for NoSuchSquare {}

impl fmt::Display for NoSuchSquare {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "`{}` is no square of this board", self.text.escape_debug())
    }
}

impl<G: Geometry> fmt::Debug for Square<G> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Display::fmt(self, f)
    }
}
