//! A number for every position with both lions on the board.
//!
//! Numbers are relative to the mover: the board is turned so that he is Black and plays up. A number is made of two
//! parts, and those who solve the game use them apart:
//!
//! - the **lions**: 12 squares for the mover's, 11 for the other. A pair can be left out as a whole when it decides
//!   the game (the mover's lion on its far row), and folded onto its mirror image;
//! - the **arrangement** of the six small pieces over the 10 squares that the lions leave free and the two hands.
//!
//! There are 11,878,227 arrangements and 1,567,925,964 positions, and no number is left unused.
//!
//! ```
//! use endspiel_dobutsu::{Dobutsu, numbers};
//! use game::Game;
//!
//! let start = Dobutsu.start();
//! let number = numbers::rank(&start).unwrap();
//! assert_eq!(numbers::unrank(number), start);
//! ```

use crate::view::View;
use crate::{Position, Square, SquareSet};

pub use crate::arrangement::Arrangement;

/// Where the two lions stand, seen by the mover who plays up the board.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct Lions {
    /// The mover's.
    pub own: Square,
    /// The other, on another square.
    pub other: Square,
}

impl Lions {
    /// Number of pairs.
    pub const COUNT: u32 = 12 * OTHER_SQUARES;

    /// Its number, below [`COUNT`](Self::COUNT).
    #[inline]
    pub const fn number(self) -> u32 {
        let (own, other) = (self.own.index() as u32, self.other.index() as u32);
        own * OTHER_SQUARES + other - (other > own) as u32
    }

    /// The pair with this number.
    ///
    /// # Panics
    /// If there is none.
    #[inline]
    pub const fn from_number(number: u32) -> Self {
        let (own, other) = (number / OTHER_SQUARES, number % OTHER_SQUARES);
        Self { own: square(own), other: square(other + (other >= own) as u32) }
    }

    /// All pairs, in order.
    pub fn all() -> impl Iterator<Item = Self> {
        (0..Self::COUNT).map(Self::from_number)
    }

    /// The two squares.
    #[inline]
    pub(crate) fn squares(self) -> SquareSet {
        SquareSet::from(self.own) | self.other.into()
    }

    /// The pair on the turned board, each lion still its owner's.
    #[inline]
    pub(crate) const fn rotate_squares(self) -> Self {
        Self { own: self.own.rotate(), other: self.other.rotate() }
    }

    /// The pair in the mirror.
    #[inline]
    #[must_use]
    pub const fn mirror(self) -> Self {
        Self { own: self.own.mirror(), other: self.other.mirror() }
    }
}

const OTHER_SQUARES: u32 = 11;

const fn square(index: u32) -> Square {
    Square::from_index(index as u8).expect("a lion pair's number is below 132")
}

/// The number of a position: its lions first, then its arrangement.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct Index(u32);

impl Index {
    /// Number of positions with two lions on the board, whoever moves being Black.
    pub const COUNT: u32 = Lions::COUNT * Arrangement::COUNT;

    /// The index with this number, if there is one.
    #[inline]
    pub const fn from_number(number: u32) -> Option<Self> {
        if number < Self::COUNT { Some(Self(number)) } else { None }
    }

    /// Its number, below [`COUNT`](Self::COUNT).
    #[inline]
    pub const fn number(self) -> u32 {
        self.0
    }

    /// The index of these two parts.
    #[inline]
    pub fn new(lions: Lions, arrangement: Arrangement) -> Self {
        Self(lions.number() * Arrangement::COUNT + arrangement.number())
    }

    /// Its first part.
    #[inline]
    pub fn lions(self) -> Lions {
        Lions::from_number(self.0 / Arrangement::COUNT)
    }

    /// Its second part.
    #[inline]
    pub fn arrangement(self) -> Arrangement {
        Arrangement::from_number(self.0 % Arrangement::COUNT).expect("a remainder is smaller")
    }
}

const _: () = assert!(Arrangement::COUNT == 11_878_227 && Index::COUNT == 1_567_925_964);

/// The index of a position; nothing if a lion has been caught. A position and its [`rotate`](Position::rotate) have
/// the same one. About 10 ns; a little more at White's turn, when the board is turned first.
#[inline]
pub fn rank(position: &Position) -> Option<Index> {
    let view = View::of(position, position.turn)?;
    Some(Index::new(view.lions, Arrangement::of(view)))
}

/// The position with this index, Black to move: `unrank(rank(p))` is `p` turned so. About 30 ns for scattered indices.
#[inline]
pub fn unrank(index: Index) -> Position {
    index.arrangement().place(index.lions())
}

/// The smaller index of a position and its mirror image: one for each class of positions that look alike.
#[inline]
pub fn folded_rank(position: &Position) -> Option<Index> {
    let index = rank(position)?;
    let lions = index.lions();
    match lions.cmp(&lions.mirror()) {
        std::cmp::Ordering::Less => Some(index),
        // The lions decide unless both stand on the middle file.
        std::cmp::Ordering::Greater => rank(&position.mirror()),
        std::cmp::Ordering::Equal => rank(&position.mirror()).map(|mirrored| index.min(mirrored)),
    }
}
