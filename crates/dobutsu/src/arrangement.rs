//! The second part of a position's number: where the six small pieces are, on the board and in the two hands.
//!
//! Arrangements are grouped into 27 classes by the number of giraffes, elephants and chicks (0 to 2 each) on the
//! board. Within a class an arrangement is a number with three digits, one for each kind, each in its own radix:
//!
//! ```text
//! digit   = ((squares · 2ⁿ + owners) · 2ⁿ + hens) · (3 - n) + held     chicks
//! digit   =  (squares · 2ⁿ + owners)              · (3 - n) + held     giraffes, elephants
//!
//! squares   the rank of the n squares among those that the kinds before leave free
//! owners    a bit per piece, from the lowest square: set if the piece belongs to the side to move
//! hens      a bit per piece: set if the piece is a hen
//! held      how many of the 2 - n pieces in the hands the side to move has
//! ```
//!
//! The rank of a set of squares does not depend on the number of squares to choose from ([`bits::subsets`]), so all
//! classes share one small table of digits.

use crate::numbers::Lions;
use crate::view::View;
use crate::{ByKind, Hand, Kind, Position, SquareSet};
use bits::{pdep, pext};
use game::{BySide, Side};

/// The number of an arrangement of the small pieces, for a given pair of lions.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct Arrangement(u32);

impl Arrangement {
    /// The number of arrangements. It is the same for every pair of lions.
    pub const COUNT: u32 = {
        let last = &CLASSES[CLASSES.len() - 1];
        last.first + digits(FREE_SQUARES, 2, PLAIN_BITS) * last.giraffe
    };

    /// The arrangement with this number. Returns `None` if the number is too large.
    #[inline]
    pub const fn from_number(number: u32) -> Option<Self> {
        if number < Self::COUNT { Some(Self(number)) } else { None }
    }

    /// The number of the arrangement, below [`COUNT`](Self::COUNT).
    #[inline]
    pub const fn number(self) -> u32 {
        self.0
    }

    /// The arrangement of a view, with Black to move.
    #[inline(always)] // a solver calls it in six places, a billion times each: 7 % of the walk
    pub(crate) fn of(view: View) -> Self {
        let (own, held) = (view.own, view.held);
        let hens = view.lanes.get(Kind::Hen);
        let [giraffes, elephants, chicks] = Kind::IN_HAND.map(|kind| view.lanes.get(kind));
        let chicks = chicks | hens;

        let free = !view.lions.squares();
        let [g, e, c] = [giraffes, elephants, chicks].map(SquareSet::len);
        // A shift by 2 - n multiplies by (3 - n): by 2 for one piece, by 1 for two. For no piece the bits are zero.
        let plain = |squares: SquareSet, free: SquareSet, n: u32| {
            u32::from(PLAIN_SQUARES[gather(squares, free) as usize]) + (gather(own, squares) << (2 - n))
        };
        let giraffe = plain(giraffes, free, g) + u32::from(held.count(Kind::Giraffe));
        let free = free ^ giraffes;
        let elephant = plain(elephants, free, e) + u32::from(held.count(Kind::Elephant));
        let free = free ^ elephants;
        let chick = u32::from(GROWING_SQUARES[gather(chicks, free) as usize])
            + ((gather(own, chicks) << c | gather(hens, chicks)) << (2 - c))
            + u32::from(held.count(Kind::Chick));

        let class = &CLASSES[(9 * g + 3 * e + c) as usize];
        Self(class.first + giraffe * class.giraffe + elephant * class.chick_digits.count + chick)
    }

    /// The position with these lions and this arrangement, with Black to move.
    #[inline(always)] // see `unrank` in `index`
    pub(crate) fn place(self, lions: Lions) -> Position {
        let class = Class::of(self);
        let (rest, chicks) = class.chick_digits.divide(self.0 - class.first);
        let (giraffes, elephants) = class.elephant_digits.divide(rest);
        let giraffes = &PLAIN[usize::from(class.digits[0]) + giraffes as usize];
        let elephants = &PLAIN[usize::from(class.digits[1]) + elephants as usize];
        let chicks = &GROWING[usize::from(class.digits[2]) + chicks as usize];

        let mut own = SquareSet::from(lions.own);
        let mut free = !lions.squares();
        let mut spread_digit = |digit: &Digit| {
            let squares = spread(digit.squares.into(), free);
            free ^= squares;
            own |= spread(digit.owners.into(), squares);
            squares
        };
        let [giraffe_squares, elephant_squares, chick_squares] =
            [spread_digit(giraffes), spread_digit(elephants), spread_digit(chicks)];
        let hens = spread(chicks.hens.into(), chick_squares);
        let held = Hand::from_counts([giraffes.held, elephants.held, chicks.held]);
        Position {
            kinds: ByKind([giraffe_squares, elephant_squares, chick_squares ^ hens, hens, lions.squares()]),
            sides: BySide { first: own, second: !(free | own) },
            hands: BySide { first: held, second: class.hands.minus(held) },
            turn: Side::First,
        }
    }
}

/// The arrangements with the same number of giraffes, elephants and chicks on the board.
#[derive(Clone, Copy)]
struct Class {
    /// The number of the first arrangement of the class.
    first: u32,
    /// The place value of the giraffes' digit: the number of arrangements for each of its values.
    giraffe: u32,
    elephant_digits: Radix,
    chick_digits: Radix,
    /// The places where the digits of giraffes, elephants and chicks begin in [`PLAIN`], [`PLAIN`] and [`GROWING`].
    digits: [u16; 3],
    /// The pieces of both hands together.
    hands: Hand,
}

/// The 27 classes. The place of a class is `9 · giraffes + 3 · elephants + chicks` on the board.
static CLASSES: [Class; 27] = {
    let none = Radix::new(1);
    let empty = Class {
        first: 0,
        giraffe: 0,
        elephant_digits: none,
        chick_digits: none,
        digits: [0; 3],
        hands: Hand::EMPTY,
    };
    let mut classes = [empty; 27];
    let mut first = 0;
    let mut class = 0;
    while class < classes.len() {
        let [g, e, c] = [class as u32 / 9, class as u32 / 3 % 3, class as u32 % 3];
        let elephant_digits = digits(FREE_SQUARES - g, e, PLAIN_BITS);
        let chick_digits = digits(FREE_SQUARES - g - e, c, GROWING_BITS);
        classes[class] = Class {
            first,
            giraffe: elephant_digits * chick_digits,
            elephant_digits: Radix::new(elephant_digits),
            chick_digits: Radix::new(chick_digits),
            digits: [first_digit(g, PLAIN_BITS), first_digit(e, PLAIN_BITS), first_digit(c, GROWING_BITS)],
            hands: Hand::from_counts([2 - g as u8, 2 - e as u8, 2 - c as u8]),
        };
        first += digits(FREE_SQUARES, g, PLAIN_BITS) * classes[class].giraffe;
        class += 1;
    }
    classes
};

impl Class {
    /// The class of an arrangement.
    #[inline]
    fn of(Arrangement(number): Arrangement) -> &'static Self {
        let mut class = usize::from(CLASS_OF_BUCKET[(number >> BUCKET_BITS) as usize]);
        while CLASSES.get(class + 1).is_some_and(|next| next.first <= number) {
            class += 1;
        }
        &CLASSES[class]
    }
}

/// A bucket has 2¹² consecutive arrangements. Nearly all buckets lie within one class.
const BUCKET_BITS: u32 = 12;

/// The class of the first arrangement of each bucket.
static CLASS_OF_BUCKET: [u8; (Arrangement::COUNT >> BUCKET_BITS) as usize + 1] = {
    let mut classes = [0; (Arrangement::COUNT >> BUCKET_BITS) as usize + 1];
    let mut class = 0;
    let mut bucket = 0;
    while bucket < classes.len() {
        while class + 1 < CLASSES.len() && CLASSES[class + 1].first <= (bucket as u32) << BUCKET_BITS {
            class += 1;
        }
        classes[bucket] = class as u8;
        bucket += 1;
    }
    classes
};

/// The radix of a digit, with its inverse, so that a multiplication replaces the division by it.
#[derive(Clone, Copy)]
struct Radix {
    count: u32,
    /// 2³⁶ divided by `count`, rounded up.
    inverse: u64,
}

impl Radix {
    const SHIFT: u32 = 36;

    const fn new(count: u32) -> Self {
        Self { count, inverse: (1u64 << Self::SHIFT).div_ceil(count as u64) }
    }

    /// The quotient and the remainder. They are exact, because arrangements are below 2²⁴ and digits below 2¹².
    #[inline]
    fn divide(self, number: u32) -> (u32, u32) {
        let quotient = ((u64::from(number) * self.inverse) >> Self::SHIFT) as u32;
        (quotient, number - quotient * self.count)
    }
}

const FREE_SQUARES: u32 = 10;

/// The number of bits for a giraffe or an elephant: one for its owner.
const PLAIN_BITS: u32 = 1;
/// The number of bits for a chick: one for its owner, one for whether it is a hen.
const GROWING_BITS: u32 = 2;

/// The number of digit values of a kind with `n` pieces on `free` squares and `bits` bits for each piece.
const fn digits(free: u32, n: u32, bits: u32) -> u32 {
    let subsets = match n {
        0 => 1,
        1 => free,
        _ => free * (free - 1) / 2,
    };
    subsets * digits_per_set(n, bits)
}

/// The number of digit values that share a set of squares.
const fn digits_per_set(n: u32, bits: u32) -> u32 {
    (3 - n) << (n * bits)
}

/// The meaning of a digit value. Squares are numbered among the free ones, pieces from the lowest square.
#[derive(Clone, Copy)]
struct Digit {
    squares: u16,
    owners: u8,
    hens: u8,
    held: u8,
}

/// The table of all digit values of a kind with `BITS` bits per piece: those with 0 pieces on the board, then 1, then 2.
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

/// The place where the digit values with `n` pieces on the board begin, in the table of a kind with `bits` bits per piece.
const fn first_digit(n: u32, bits: u32) -> u16 {
    let mut first = 0;
    let mut fewer = 0;
    while fewer < n {
        first += digits(FREE_SQUARES, fewer, bits);
        fewer += 1;
    }
    first as u16
}

/// The digit values of giraffes and of elephants.
static PLAIN: [Digit; first_digit(3, PLAIN_BITS) as usize] = digit_table::<PLAIN_BITS, _>();
/// The digit values of chicks and hens.
static GROWING: [Digit; first_digit(3, GROWING_BITS) as usize] = digit_table::<GROWING_BITS, _>();

/// For each set of at most two free squares, the first digit value with it, counted among those with as many squares.
const fn squares_table(bits: u32) -> [u16; 1 << FREE_SQUARES] {
    let mut table = [0; 1 << FREE_SQUARES];
    let mut n = 1;
    while n <= 2 {
        let mut squares = (1u64 << n) - 1;
        let mut digit = 0;
        while squares < 1 << FREE_SQUARES {
            table[squares as usize] = digit as u16;
            digit += digits_per_set(n, bits);
            squares = bits::subsets::next(squares);
        }
        n += 1;
    }
    table
}

static PLAIN_SQUARES: [u16; 1 << FREE_SQUARES] = squares_table(PLAIN_BITS);
static GROWING_SQUARES: [u16; 1 << FREE_SQUARES] = squares_table(GROWING_BITS);

/// The squares of `set`, numbered among those of `mask`.
#[inline]
fn gather(set: SquareSet, mask: SquareSet) -> u32 {
    pext(set.word().into(), mask.word().into()) as u32
}

/// The squares of `mask` that have these numbers. The inverse of [`gather`].
#[inline]
fn spread(gathered: u32, mask: SquareSet) -> SquareSet {
    SquareSet::from_word(pdep(gathered.into(), mask.word().into()) as u16)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Checks the first and the last number of every quotient.
    #[test]
    fn division_is_exact() {
        for class in &CLASSES {
            for radix in [class.elephant_digits, class.chick_digits] {
                for first in (0..Arrangement::COUNT).step_by(radix.count as usize) {
                    let quotient = first / radix.count;
                    assert_eq!(radix.divide(first), (quotient, 0));
                    assert_eq!(radix.divide(first + radix.count - 1), (quotient, radix.count - 1));
                }
            }
        }
    }

    #[test]
    fn every_arrangement_finds_its_class() {
        for (i, class) in CLASSES.iter().enumerate() {
            let end = CLASSES.get(i + 1).map_or(Arrangement::COUNT, |next| next.first);
            for number in [class.first, class.first.midpoint(end), end - 1] {
                assert_eq!(Class::of(Arrangement(number)).first, class.first, "{number}");
            }
        }
    }
}
