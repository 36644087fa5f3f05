//! The shape of a board, and a square of it.

use crate::Word;
use std::fmt;
use std::hash::Hash;
use std::marker::PhantomData;
use std::str::FromStr;

/// The shape of a board. A game implements it once, for an empty type.
///
/// Squares are numbered rank by rank from the lower left corner: a1, b1, …, a2, ….
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
    /// Panics if the square is off the board.
    #[inline]
    pub const fn at(file: u8, rank: u8) -> Self {
        assert!(file < G::FILES && rank < G::RANKS, "square off the board");
        Self { index: rank * G::FILES + file, board: PhantomData }
    }

    /// Returns the square with this number, or `None` if the board has no such square.
    #[inline]
    pub const fn from_index(index: u8) -> Option<Self> {
        if index < G::SQUARES { Some(Self { index, board: PhantomData }) } else { None }
    }

    /// The square of a bit of a set. It is always on the board, because sets have no other bits.
    #[inline]
    pub(crate) const fn of_bit(bit: u32) -> Self {
        Self { index: bit as u8, board: PhantomData }
    }

    /// The number of the square. It is 0 for a1; squares are counted rank by rank.
    #[inline]
    pub const fn index(self) -> usize {
        self.index as usize
    }

    /// The file of the square, counted from 0.
    #[inline]
    pub const fn file(self) -> u8 {
        self.index % G::FILES
    }

    /// The rank of the square, counted from 0.
    #[inline]
    pub const fn rank(self) -> u8 {
        self.index / G::FILES
    }

    /// The square `dx` files to the right and `dy` ranks up, or `None` if that is off the board.
    pub const fn offset(self, dx: i8, dy: i8) -> Option<Self> {
        match (offset(self.file(), dx, G::FILES), offset(self.rank(), dy, G::RANKS)) {
            (Some(file), Some(rank)) => Some(Self::at(file, rank)),
            _ => None,
        }
    }

    /// The square as the other side of the table sees it: the board is turned by 180 degrees.
    #[inline]
    pub const fn rotate(self) -> Self {
        Self { index: G::SQUARES - 1 - self.index, board: PhantomData }
    }

    /// The mirror image of the square: left and right are exchanged.
    #[inline]
    pub const fn mirror(self) -> Self {
        Self::at(G::FILES - 1 - self.file(), self.rank())
    }

    /// Iterates over all squares in the order of their numbers.
    pub fn all() -> impl DoubleEndedIterator<Item = Self> + ExactSizeIterator {
        (0..G::SQUARES).map(|index| Self { index, board: PhantomData })
    }
}

/// Moves a file or rank number by a distance. Returns `None` if the result is not in `0..count`.
#[inline]
pub(crate) const fn offset(place: u8, distance: i8, count: u8) -> Option<u8> {
    match place.checked_add_signed(distance) {
        Some(moved) if moved < count => Some(moved),
        _ => None,
    }
}

/// The algebraic name: `a1` is the lower left corner. Games with other names write them in their own notation.
impl<G: Geometry> fmt::Display for Square<G> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}{}", char::from(b'a' + self.file()), self.rank() + 1)
    }
}

/// Parses the name of a square as `Display` writes it.
impl<G: Geometry> FromStr for Square<G> {
    type Err = NoSuchSquare;

    fn from_str(text: &str) -> Result<Self, NoSuchSquare> {
        let (file, rank) = parse_name(text, G::FILES, G::RANKS)?;
        Ok(Self::at(file, rank))
    }
}

/// Parses a name such as `e4` into file and rank, both counted from 0, on a board with `files` files and `ranks` ranks.
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

/// The error for a text that names no square of the board.
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
