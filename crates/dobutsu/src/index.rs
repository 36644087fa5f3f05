//! A number for every position with both lions on the board.
//!
//! Numbers are relative to the mover: the board is turned so that he is Black and plays up. A number is made of two
//! parts, and those who solve the game use them apart:
//!
//! - the **lions**: 12 squares for the mover's, 11 for the other. A pair can be left out as a whole when it decides
//!   the game (the mover's lion on its far row), and folded onto its mirror image;
//! - the **arrangement** of the six small pieces over the 10 squares that the lions leave free and the two hands.
//!
//! Arrangements are grouped into 27 classes by how many giraffes, elephants and chicks (0 to 2 each) are on the
//! board. Within a class an arrangement is a number of three digits, one per kind, each in its own radix:
//!
//! ```text
//! digit   = ((squares · 2ⁿ + owners) · 2ⁿ + hens) · (3 - n) + held     chicks
//! digit   =  (squares · 2ⁿ + owners)              · (3 - n) + held     giraffes, elephants
//!
//! squares   the rank of the n squares among those that the kinds before it leave free
//! owners    a bit per piece, from the lowest square: is it the mover's?
//! hens      a bit per piece: is it a hen?
//! held      of the 2 - n pieces in hand, how many the mover has
//! ```
//!
//! The rank of a set of squares does not depend on how many squares there are to choose from
//! ([`bits::subsets`]), so one small table of digits serves all classes. There are 11,878,227 arrangements and
//! 1,567,925,964 positions, and no number is left unused.
//!
//! ```
//! use endspiel_dobutsu::{Dobutsu, index};
//! use game::Game;
//!
//! let start = Dobutsu.start();
//! let number = index::rank(&start).unwrap();
//! assert_eq!(index::unrank(number), start);
//! ```

use crate::{ByKind, Hand, Kind, Position, Square, SquareSet};
use bits::{pdep, pext};
use game::{BySide, Side};

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
    pub fn number(self) -> u32 {
        let (own, other) = (self.own.index() as u32, self.other.index() as u32);
        own * OTHER_SQUARES + other - u32::from(other > own)
    }

    /// The pair with this number.
    ///
    /// # Panics
    /// If there is none.
    #[inline]
    pub fn from_number(number: u32) -> Self {
        let (own, other) = (number / OTHER_SQUARES, number % OTHER_SQUARES);
        let square = |index: u32| Square::from_index(index as u8).expect("a lion pair's number is below 132");
        Self { own: square(own), other: square(other + u32::from(other >= own)) }
    }

    /// All pairs, in order.
    pub fn all() -> impl Iterator<Item = Self> {
        (0..Self::COUNT).map(Self::from_number)
    }

    /// The pair in the mirror.
    #[inline]
    #[must_use]
    pub fn mirror(self) -> Self {
        Self { own: self.own.mirror(), other: self.other.mirror() }
    }
}

const OTHER_SQUARES: u32 = 11;

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
        Self(lions.number() * Arrangement::COUNT + arrangement.0)
    }

    /// Its first part.
    #[inline]
    pub fn lions(self) -> Lions {
        Lions::from_number(self.0 / Arrangement::COUNT)
    }

    /// Its second part.
    #[inline]
    pub fn arrangement(self) -> Arrangement {
        Arrangement(self.0 % Arrangement::COUNT)
    }
}

/// The number of an arrangement of the small pieces, given where the lions are.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct Arrangement(u32);

impl Arrangement {
    /// Number of arrangements; the same for every pair of lions.
    pub const COUNT: u32 =
        CLASSES[26].first + CLASSES[26].giraffes * CLASSES[26].elephants * CLASSES[26].chicks;

    /// The arrangement with this number, if there is one.
    #[inline]
    pub const fn from_number(number: u32) -> Option<Self> {
        if number < Self::COUNT { Some(Self(number)) } else { None }
    }

    /// Its number, below [`COUNT`](Self::COUNT).
    #[inline]
    pub const fn number(self) -> u32 {
        self.0
    }
}

const _: () = assert!(Arrangement::COUNT == 11_878_227 && Index::COUNT == 1_567_925_964);

/// The index of a position; nothing if a lion has been caught. A position and its [`rotate`](Position::rotate) have
/// the same one. About 10 ns; a little more at White's turn, when the board is turned first.
#[inline]
pub fn rank(position: &Position) -> Option<Index> {
    let seen = if position.turn == Side::First { *position } else { position.rotate() };
    let lions = Lions { own: seen.lion(Side::First)?, other: seen.lion(Side::Second)? };
    Some(Index::new(lions, arrangement(&seen)))
}

/// The position with this index, Black to move: `unrank(rank(p))` is `p` turned so. About 30 ns for scattered indices.
#[inline]
pub fn unrank(index: Index) -> Position {
    place(index.lions(), index.arrangement())
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

/// The positions with the same number of giraffes, elephants and chicks on the board.
#[derive(Clone, Copy)]
struct Class {
    /// The first of its arrangements.
    first: u32,
    /// How many digits each kind has.
    giraffes: u32,
    elephants: u32,
    chicks: u32,
}

/// The 27 classes by `9 · giraffes + 3 · elephants + chicks` on the board.
static CLASSES: [Class; 27] = {
    let mut classes = [Class { first: 0, giraffes: 0, elephants: 0, chicks: 0 }; 27];
    let mut next = 0;
    let mut class = 0;
    while class < classes.len() {
        let [giraffes, elephants, chicks] = on_board(class);
        let free = FREE_SQUARES;
        let this = Class {
            first: next,
            giraffes: digits(free, giraffes, 1),
            elephants: digits(free - giraffes, elephants, 1),
            chicks: digits(free - giraffes - elephants, chicks, 2),
        };
        next += this.giraffes * this.elephants * this.chicks;
        classes[class] = this;
        class += 1;
    }
    classes
};

const FREE_SQUARES: u32 = 10;

/// How many of each kind are on the board in a class.
const fn on_board(class: usize) -> [u32; 3] {
    [class as u32 / 9, class as u32 / 3 % 3, class as u32 % 3]
}

/// How many digits a kind has with `n` pieces on `free` squares and `bits` to say about each of them.
const fn digits(free: u32, n: u32, bits: u32) -> u32 {
    let subsets = match n {
        0 => 1,
        1 => free,
        _ => free * (free - 1) / 2,
    };
    (subsets << (n * bits)) * (3 - n)
}

/// What one digit says about its kind. Squares are counted among the free ones, pieces from the lowest square.
#[derive(Clone, Copy)]
struct Digit {
    squares: u16,
    owners: u8,
    hens: u8,
    held: u8,
}

/// The digits of a kind with `BITS` bits per piece; those of 0, 1 and 2 pieces on the board follow each other.
const fn digit_table<const BITS: u32, const LENGTH: usize>() -> [Digit; LENGTH] {
    let mut table = [Digit { squares: 0, owners: 0, hens: 0, held: 0 }; LENGTH];
    let mut i = 0;
    let mut n = 0;
    while n <= 2 {
        let mut squares = (1u64 << n) - 1;
        while squares < 1 << FREE_SQUARES {
            let mut bits = 0u8;
            while bits < 1 << (n * BITS) {
                let mut held = 0;
                while held < 3 - n {
                    let (owners, hens) =
                        if BITS == 2 { (bits >> n, bits & ((1 << n) - 1)) } else { (bits, 0) };
                    table[i] = Digit { squares: squares as u16, owners, hens, held: held as u8 };
                    i += 1;
                    held += 1;
                }
                bits += 1;
            }
            squares = if n == 0 { 1 << FREE_SQUARES } else { bits::subsets::next(squares) };
        }
        n += 1;
    }
    assert!(i == LENGTH);
    table
}

/// Where the digits for n pieces on the board begin in the table of a kind with `bits` per piece.
const fn first_digit(n: u32, bits: u32) -> usize {
    let mut first = 0;
    let mut fewer = 0;
    while fewer < n {
        first += digits(FREE_SQUARES, fewer, bits);
        fewer += 1;
    }
    first as usize
}

/// For giraffes and for elephants.
static PLAIN: [Digit; first_digit(3, 1)] = digit_table::<1, { first_digit(3, 1) }>();
/// For chicks and hens.
static GROWING: [Digit; first_digit(3, 2)] = digit_table::<2, { first_digit(3, 2) }>();
static FIRST_PLAIN: [usize; 3] = [first_digit(0, 1), first_digit(1, 1), first_digit(2, 1)];
static FIRST_GROWING: [usize; 3] = [first_digit(0, 2), first_digit(1, 2), first_digit(2, 2)];

/// The rank of each set of at most two free squares among those of its size.
static SQUARES_RANK: [u8; 1 << FREE_SQUARES] = {
    let mut table = [0; 1 << FREE_SQUARES];
    let mut n = 1;
    while n <= 2 {
        let mut squares = (1u64 << n) - 1;
        let mut rank = 0;
        while squares < 1 << FREE_SQUARES {
            table[squares as usize] = rank;
            rank += 1;
            squares = bits::subsets::next(squares);
        }
        n += 1;
    }
    table
};

/// The bits of `set` on the squares of `mask`, moved together.
#[inline]
fn gather(set: SquareSet, mask: SquareSet) -> u32 {
    pext(set.word().into(), mask.word().into()) as u32
}

/// The inverse of [`gather`].
#[inline]
fn spread(gathered: u32, mask: SquareSet) -> SquareSet {
    SquareSet::from_word(pdep(gathered.into(), mask.word().into()) as u16)
}

/// The arrangement of a position with Black to move.
#[inline]
fn arrangement(position: &Position) -> Arrangement {
    let own = position.sides.first;
    let held = position.hands.first;
    let hens = position.kinds[Kind::Hen];
    let mut free = !position.kinds[Kind::Lion];
    let mut class = 0;
    let mut digit = |kind: Kind, squares: SquareSet| {
        let n = squares.len();
        class = 3 * class + n;
        let mut digit = u32::from(SQUARES_RANK[gather(squares, free) as usize]) << n | gather(own, squares);
        if kind == Kind::Chick {
            digit = digit << n | gather(hens, squares);
        }
        free ^= squares;
        digit * (3 - n) + u32::from(held.count(kind))
    };
    let giraffes = digit(Kind::Giraffe, position.kinds[Kind::Giraffe]);
    let elephants = digit(Kind::Elephant, position.kinds[Kind::Elephant]);
    let chicks = digit(Kind::Chick, position.kinds[Kind::Chick] | hens);
    let class = &CLASSES[class as usize];
    Arrangement(class.first + (giraffes * class.elephants + elephants) * class.chicks + chicks)
}

/// The position of these lions and this arrangement, Black to move.
#[inline]
fn place(lions: Lions, arrangement: Arrangement) -> Position {
    let number = CLASSES.partition_point(|class| class.first <= arrangement.0) - 1;
    let class = &CLASSES[number];
    let on_board = on_board(number);
    let rest = arrangement.0 - class.first;
    let (rest, chicks) = (rest / class.chicks, rest % class.chicks);
    let (giraffes, elephants) = (rest / class.elephants, rest % class.elephants);

    let mut own = SquareSet::from(lions.own);
    let both = own | lions.other.into();
    let mut free = !both;
    let mut spread_digit = |digit: &Digit| {
        let squares = spread(digit.squares.into(), free);
        free ^= squares;
        own |= spread(digit.owners.into(), squares);
        squares
    };
    let giraffes = &PLAIN[FIRST_PLAIN[on_board[0] as usize] + giraffes as usize];
    let elephants = &PLAIN[FIRST_PLAIN[on_board[1] as usize] + elephants as usize];
    let chicks = &GROWING[FIRST_GROWING[on_board[2] as usize] + chicks as usize];
    let [giraffe_squares, elephant_squares, chick_squares] =
        [spread_digit(giraffes), spread_digit(elephants), spread_digit(chicks)];
    let hens = spread(chicks.hens.into(), chick_squares);

    let held = [giraffes.held, elephants.held, chicks.held];
    let rest: [u8; 3] = std::array::from_fn(|i| 2 - on_board[i] as u8 - held[i]);
    Position {
        kinds: ByKind([giraffe_squares, elephant_squares, chick_squares ^ hens, hens, both]),
        sides: BySide { first: own, second: !(free | own) },
        hands: BySide { first: Hand::from_counts(held), second: Hand::from_counts(rest) },
        turn: Side::First,
    }
}
