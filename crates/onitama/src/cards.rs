//! The sixteen cards of the base game.

use crate::grid::{BySquare, Square, SquareSet};
use bits::Geometry;
use game::{BySide, Side, quoted};
use std::cmp::Ordering;
use std::fmt;
use std::str::FromStr;

macro_rules! cards {
    ($($card:ident $name:literal $stamp:ident $mirror:ident $offsets:tt;)*) => {
        /// A movement card. Cards are ordered by name, so iterating over a hand is alphabetical.
        #[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
        #[repr(u8)]
        pub enum Card {
            $(#[doc = concat!("Moves: ", stringify!($offsets))] $card,)*
        }

        impl Card {
            /// All sixteen cards, ordered by name.
            pub const ALL: [Self; 16] = [$(Self::$card),*];

            /// The name of the card in lower case.
            pub const fn name(self) -> &'static str {
                match self { $(Self::$card => $name,)* }
            }

            /// The colour on the card: the side that starts when this card lies beside the board.
            pub const fn stamp(self) -> Side {
                match self { $(Self::$card => cards!(@side $stamp),)* }
            }

            /// The card with left and right exchanged.
            pub const fn mirror(self) -> Self {
                match self { $(Self::$card => Self::$mirror,)* }
            }

            /// The steps of the card as its owner sees them: (to the right, forward).
            pub const fn offsets(self) -> &'static [(i8, i8)] {
                match self { $(Self::$card => &$offsets,)* }
            }
        }

        impl FromStr for Card {
            type Err = CardError;

            fn from_str(name: &str) -> Result<Self, CardError> {
                match name {
                    $($name => Ok(Self::$card),)*
                    _ => Err(CardError::Unknown { name: name.to_owned() }),
                }
            }
        }
    };
    (@side blue) => { Side::First };
    (@side red) => { Side::Second };
}

cards! {
    Boar     "boar"     red  Boar     [(-1, 0), (0, 1), (1, 0)];
    Cobra    "cobra"    red  Eel      [(-1, 0), (1, -1), (1, 1)];
    Crab     "crab"     blue Crab     [(-2, 0), (0, 1), (2, 0)];
    Crane    "crane"    blue Crane    [(-1, -1), (0, 1), (1, -1)];
    Dragon   "dragon"   red  Dragon   [(-2, 1), (-1, -1), (1, -1), (2, 1)];
    Eel      "eel"      blue Cobra    [(-1, -1), (-1, 1), (1, 0)];
    Elephant "elephant" red  Elephant [(-1, 0), (-1, 1), (1, 0), (1, 1)];
    Frog     "frog"     red  Rabbit   [(-2, 0), (-1, 1), (1, -1)];
    Goose    "goose"    blue Rooster  [(-1, 0), (-1, 1), (1, -1), (1, 0)];
    Horse    "horse"    red  Ox       [(-1, 0), (0, -1), (0, 1)];
    Mantis   "mantis"   red  Mantis   [(-1, 1), (0, -1), (1, 1)];
    Monkey   "monkey"   blue Monkey   [(-1, -1), (-1, 1), (1, -1), (1, 1)];
    Ox       "ox"       blue Horse    [(0, -1), (0, 1), (1, 0)];
    Rabbit   "rabbit"   blue Frog     [(-1, -1), (1, 1), (2, 0)];
    Rooster  "rooster"  red  Goose    [(-1, -1), (-1, 0), (1, 0), (1, 1)];
    Tiger    "tiger"    blue Tiger    [(0, -1), (0, 2)];
}

impl Card {
    /// The squares that a man of `side` on `from` can reach with this card. Own men are not considered.
    #[inline]
    pub fn reach(self, side: Side, from: Square) -> SquareSet {
        REACH[self as usize][side][from]
    }

    /// The steps that move all men of a side at once: a shift for each offset of the card. Own men are not considered.
    #[inline]
    pub(crate) fn steps(self, side: Side) -> &'static [Step; MOST_OFFSETS] {
        &STEPS[self as usize][side]
    }
}

impl fmt::Display for Card {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(self.name())
    }
}

/// An error in the name of a card or in a list of cards.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
pub enum CardError {
    /// There is no card with this name.
    #[error("there is no card {}; the cards are {}", quoted(name), all_names())]
    Unknown {
        /// The text that was given.
        name: String,
    },
    /// A card is named twice, but there is only one of each.
    #[error("the card `{card}` is named twice; there is one of each")]
    Repeated {
        /// The card.
        card: Card,
    },
    /// The list does not have five cards.
    #[error("{} names {found} cards; a game takes five, such as boar,ox,elephant,horse,crab", quoted(text))]
    NotFive {
        /// The text that was given.
        text: String,
        /// The number of cards in it.
        found: usize,
    },
}

fn all_names() -> String {
    Card::ALL.map(Card::name).join(", ")
}

/// A set of cards, one bit each.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Default)]
pub struct CardSet(u16);

/// Card sets are ordered like lists of their card names.
impl Ord for CardSet {
    fn cmp(&self, other: &Self) -> Ordering {
        self.iter().cmp(other.iter())
    }
}

impl PartialOrd for CardSet {
    fn partial_cmp(&self, other: &Self) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}

impl CardSet {
    /// The empty set.
    pub const EMPTY: Self = Self(0);

    /// The set that has only this card.
    #[inline]
    pub const fn of(card: Card) -> Self {
        Self(1 << card as u8)
    }

    /// The set with these bits, one for each card.
    pub(crate) const fn from_bits(bits: u16) -> Self {
        Self(bits)
    }

    /// One bit for each card, in the order of their names.
    #[inline]
    pub(crate) const fn bits(self) -> u16 {
        self.0
    }

    /// Number of cards.
    #[inline]
    pub const fn len(self) -> u32 {
        self.0.count_ones()
    }

    /// Returns whether the set has no card.
    #[inline]
    pub const fn is_empty(self) -> bool {
        self.0 == 0
    }

    /// Returns whether the card is in the set.
    #[inline]
    pub const fn contains(self, card: Card) -> bool {
        self.0 & Self::of(card).0 != 0
    }

    /// The set with the card added.
    #[inline]
    #[must_use]
    pub const fn with(self, card: Card) -> Self {
        Self(self.0 | Self::of(card).0)
    }

    /// The set with `given` replaced by `taken`. This is how a hand changes when a card is used.
    #[inline]
    #[must_use]
    pub(crate) const fn exchange(self, given: Card, taken: Card) -> Self {
        Self(self.0 ^ Self::of(given).0 ^ Self::of(taken).0)
    }

    /// Iterates over the cards in the order of their names.
    #[inline]
    pub fn iter(self) -> impl Iterator<Item = Card> + Clone {
        let mut bits = self.0;
        std::iter::from_fn(move || {
            let card = *Card::ALL.get(bits.trailing_zeros() as usize)?;
            bits &= bits - 1;
            Some(card)
        })
    }

    /// The set of the mirror images of the cards.
    #[must_use]
    pub fn mirror(self) -> Self {
        self.iter().map(Card::mirror).collect()
    }
}

impl FromIterator<Card> for CardSet {
    fn from_iter<I: IntoIterator<Item = Card>>(cards: I) -> Self {
        cards.into_iter().fold(Self::EMPTY, Self::with)
    }
}

/// Writes the names with commas between them.
impl fmt::Display for CardSet {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for (i, card) in self.iter().enumerate() {
            f.write_str(if i == 0 { "" } else { "," })?;
            f.write_str(card.name())?;
        }
        Ok(())
    }
}

impl fmt::Debug for CardSet {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Display::fmt(self, f)
    }
}

const SQUARES: usize = crate::Grid::SQUARES as usize;

/// Converts an offset to board directions for a side. The cards of the second side are turned by 180 degrees.
const fn seen_by(side: Side, (dx, dy): (i8, i8)) -> (i8, i8) {
    match side {
        Side::First => (dx, dy),
        Side::Second => (-dx, -dy),
    }
}

/// `REACH[card][side][square]`: the squares that a man reaches from there on an empty board. The card is the first index
/// because the other order costs move counting an instruction or two per card.
static REACH: [BySide<BySquare<SquareSet>>; 16] = {
    let nowhere = BySquare::new([SquareSet::EMPTY; 32]);
    let mut table = [BySide { first: nowhere, second: nowhere }; 16];
    let mut i = 0;
    while i < table.len() {
        let card = Card::ALL[i];
        table[i] = BySide { first: reach_of(card, Side::First), second: reach_of(card, Side::Second) };
        i += 1;
    }
    table
};

const fn reach_of(card: Card, side: Side) -> BySquare<SquareSet> {
    let mut table = [SquareSet::EMPTY; 32];
    let mut from = 0;
    while from < SQUARES {
        let square = Square::from_index(from as u8).expect("below the number of squares");
        let mut reach = 0;
        let mut n = 0;
        while n < card.offsets().len() {
            let (dx, dy) = seen_by(side, card.offsets()[n]);
            if let Some(to) = square.offset(dx, dy) {
                reach |= 1 << to.index();
            }
            n += 1;
        }
        table[from] = SquareSet::from_word(reach);
        from += 1;
    }
    BySquare::new(table)
}

const MOST_OFFSETS: usize = 4;

/// One offset for all men at once. `from` is the set of squares from which the step stays on the board. A man on one of
/// them lands `distance` bits higher.
///
/// Cards with fewer than four offsets are filled up with `Step::NONE`, so that counting has no branch and the compiler
/// can vectorize all four steps.
#[derive(Clone, Copy)]
pub(crate) struct Step {
    from: u32,
    distance: u32,
}

impl Step {
    /// The step that moves no man.
    const NONE: Self = Self { from: 0, distance: 0 };

    /// The squares where the men land.
    #[inline]
    pub(crate) fn of(self, men: SquareSet) -> SquareSet {
        // The mask is applied before the rotation, so no bit wraps around the end of the word.
        SquareSet::from_word((men.word() & self.from).rotate_left(self.distance))
    }
}

/// `STEPS[card][side]`: the steps of a card for a side.
static STEPS: [BySide<[Step; MOST_OFFSETS]>; 16] = {
    let mut table = [BySide { first: [Step::NONE; MOST_OFFSETS], second: [Step::NONE; MOST_OFFSETS] }; 16];
    let mut i = 0;
    while i < table.len() {
        let card = Card::ALL[i];
        table[i] = BySide { first: steps_of(card, Side::First), second: steps_of(card, Side::Second) };
        i += 1;
    }
    table
};

const fn steps_of(card: Card, side: Side) -> [Step; MOST_OFFSETS] {
    let mut steps = [Step::NONE; MOST_OFFSETS];
    let mut n = 0;
    while n < card.offsets().len() {
        let (dx, dy) = seen_by(side, card.offsets()[n]);
        let mut from = 0;
        let mut index = 0;
        while index < SQUARES {
            let square = Square::from_index(index as u8).expect("below the number of squares");
            if square.offset(dx, dy).is_some() {
                from |= 1 << index;
            }
            index += 1;
        }
        let distance = (dy as i32 * crate::Grid::FILES as i32 + dx as i32).rem_euclid(32) as u32;
        steps[n] = Step { from, distance };
        n += 1;
    }
    steps
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Compares both const tables with shifted sets, for every side, card and square.
    #[test]
    fn tables_equal_their_slow_twin() {
        for side in Side::ALL {
            for card in Card::ALL {
                for from in Square::all() {
                    let slow = card.offsets().iter().fold(SquareSet::EMPTY, |reach, &offset| {
                        let (dx, dy) = seen_by(side, offset);
                        reach | SquareSet::from(from).shift(dx, dy)
                    });
                    assert_eq!(card.reach(side, from), slow, "{card} from {from}");
                    let landed = card.steps(side).iter().map(|step| step.of(from.into()));
                    assert_eq!(
                        landed.clone().fold(SquareSet::EMPTY, |a, b| a | b),
                        slow,
                        "{card} from {from}"
                    );
                    assert_eq!(landed.map(SquareSet::len).sum::<u32>(), slow.len(), "no square twice");
                }
            }
        }
    }

    #[test]
    fn mirrored_cards_have_mirrored_offsets() {
        for card in Card::ALL {
            let mirrored: Vec<_> = card.offsets().iter().map(|&(dx, dy)| (-dx, dy)).collect();
            assert!(mirrored.iter().all(|offset| card.mirror().offsets().contains(offset)), "{card}");
            assert_eq!(card.offsets().len(), card.mirror().offsets().len());
            assert_eq!(card.mirror().mirror(), card);
        }
    }

    #[test]
    fn names_are_in_order_and_are_read_again() {
        assert!(Card::ALL.map(Card::name).is_sorted());
        for card in Card::ALL {
            assert_eq!(card.name().parse(), Ok(card));
            assert_eq!(CardSet::of(card).iter().collect::<Vec<_>>(), [card]);
        }
    }
}
