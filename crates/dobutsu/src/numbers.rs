//! A number for every position with both lions on the board.
//!
//! Numbers are relative to the side to move: the board is turned so that it is Black and plays up. A number has two parts.
//! A solver uses them separately:
//!
//! - the **lions**: 12 squares for the lion of the side to move, 11 for the other. A solver can leave out a whole pair that
//!   decides the game (such as the lion of the side to move on its far row), and can fold a pair with its mirror image;
//! - the **arrangement** of the six small pieces: on the 10 squares that the lions leave free, and in the two hands.
//!
//! There are 11,878,227 arrangements and 1,567,925,964 positions. Every number is used.
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

/// The squares of the two lions as the side to move sees them: it plays up the board.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct Lions {
    /// The lion of the side to move.
    pub own: Square,
    /// The opponent's lion, on another square.
    pub other: Square,
}

impl Lions {
    /// The number of pairs.
    pub const COUNT: u32 = 12 * OTHER_SQUARES;

    /// The number of the pair, below [`COUNT`](Self::COUNT).
    #[inline]
    pub const fn number(self) -> u32 {
        let (own, other) = (self.own.index() as u32, self.other.index() as u32);
        own * OTHER_SQUARES + other - (other > own) as u32
    }

    /// The pair with this number.
    ///
    /// # Panics
    /// Panics if there is no pair with this number.
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

    /// The pair on the board turned by 180 degrees. The owners of the lions do not change.
    #[inline]
    pub(crate) const fn rotate_squares(self) -> Self {
        Self { own: self.own.rotate(), other: self.other.rotate() }
    }

    /// The mirror image of the pair.
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

/// The number of a position. The lions are its first part, the arrangement its second.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct Index(u32);

impl Index {
    /// The number of positions with two lions on the board and Black to move.
    pub const COUNT: u32 = Lions::COUNT * Arrangement::COUNT;

    /// The index with this number. Returns `None` if the number is too large.
    #[inline]
    pub const fn from_number(number: u32) -> Option<Self> {
        if number < Self::COUNT { Some(Self(number)) } else { None }
    }

    /// The number of the index, below [`COUNT`](Self::COUNT).
    #[inline]
    pub const fn number(self) -> u32 {
        self.0
    }

    /// The index of these two parts.
    #[inline]
    pub fn new(lions: Lions, arrangement: Arrangement) -> Self {
        Self(lions.number() * Arrangement::COUNT + arrangement.number())
    }

    /// The first part: the lions.
    #[inline]
    pub fn lions(self) -> Lions {
        Lions::from_number(self.0 / Arrangement::COUNT)
    }

    /// The second part: the arrangement.
    #[inline]
    pub fn arrangement(self) -> Arrangement {
        Arrangement::from_number(self.0 % Arrangement::COUNT).expect("a remainder is smaller")
    }
}

const _: () = assert!(Arrangement::COUNT == 11_878_227 && Index::COUNT == 1_567_925_964);

/// The index of a position. Returns `None` if a lion has been caught. A position and its [`rotate`](Position::rotate) have
/// the same index. It takes about 10 ns, a little more if White is to move, because the board is turned first.
#[inline]
pub fn rank(position: &Position) -> Option<Index> {
    let view = View::of(position, position.turn)?;
    Some(Index::new(view.lions, Arrangement::of(view)))
}

/// The position with this index, with Black to move: `unrank(rank(p))` is `p`, turned if White is to move. It takes about
/// 30 ns for scattered indices.
#[inline]
pub fn unrank(index: Index) -> Position {
    index.arrangement().place(index.lions())
}

/// The smaller index of a position and its mirror image: the same one for all positions that a symmetry makes equal.
#[inline]
pub fn folded_rank(position: &Position) -> Option<Index> {
    let index = rank(position)?;
    let lions = index.lions();
    match lions.cmp(&lions.mirror()) {
        std::cmp::Ordering::Less => Some(index),
        // The lions say which index is smaller, unless both stand on the middle file.
        std::cmp::Ordering::Greater => rank(&position.mirror()),
        std::cmp::Ordering::Equal => rank(&position.mirror()).map(|mirrored| index.min(mirrored)),
    }
}
