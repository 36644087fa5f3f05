//! The thirty checkers: two 128-bit words, a nibble per place.

use crate::dice::Roll;
use crate::moves::Turn;
use crate::places::{Canonical, POINTS, Physical};
use game::{BySide, Side};

/// Checkers of a side.
pub const CHECKERS: u8 = 15;

/// Where the checkers are, one word a side, four bits a place: 0 is where the second side bears off, 1 to 24 are the
/// [physical](crate::Physical) points, 25 is where the first side bears off, 26 and 27 are their bars.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct Board {
    checkers: BySide<u128>,
}

/// One checker of a side at each [`Canonical`] place of that side. There are more entries than places, a power of two, so
/// that an index need not be checked.
const ONE: [[u128; 32]; 2] = {
    let mut one = [[0; 32]; 2];
    let mut place = 1;
    while place <= 25 {
        one[Side::First as usize][place] = 1 << (4 * place);
        one[Side::Second as usize][place] = 1 << (4 * (25 - place));
        place += 1;
    }
    one[Side::First as usize][0] = 1 << (4 * 26);
    one[Side::Second as usize][0] = 1 << (4 * 27);
    one
};

impl Board {
    /// How every game begins.
    pub const START: Self = Self::symmetric(&[(6, 5), (8, 3), (13, 5), (24, 2)]);

    /// The start of short games: 108 pips a side.
    pub const SHORT: Self = Self::symmetric(&[(1, 1), (2, 3), (5, 3), (7, 3), (8, 2), (11, 1), (19, 2)]);

    /// Both sides with so many checkers on these [human](crate::Human) points of their own.
    const fn symmetric(points: &[(u8, u8)]) -> Self {
        let (mut first, mut second) = (0, 0);
        let mut at = 0;
        while at < points.len() {
            let (human, count) = points[at];
            first += (count as u128) << (4 * (25 - human));
            second += (count as u128) << (4 * human);
            at += 1;
        }
        Self { checkers: BySide { first, second } }
    }

    /// From the checkers of each side on its own [`Canonical`] places, the bar first. What is missing of fifteen is off.
    pub(crate) fn from_counts(counts: &BySide<[u8; 25]>) -> Self {
        let checkers = BySide::from_fn(|side| {
            let ones = &ONE[side as usize];
            let on_board: u128 =
                counts[side].iter().zip(ones).map(|(&count, one)| one * u128::from(count)).sum();
            let off = CHECKERS - counts[side].iter().sum::<u8>();
            on_board + ones[25] * u128::from(off)
        });
        Self { checkers }
    }

    /// How many checkers of a side are at a place that it numbers so.
    #[inline]
    pub fn count(&self, side: Side, place: Canonical) -> u8 {
        let one = one_at(side, place);
        (self.checkers[side] >> one.trailing_zeros()) as u8 & 15
    }

    /// Who has checkers on a point of the table, and how many.
    pub fn at(&self, point: Physical) -> Option<(Side, u8)> {
        let there = |side| (side, self.count(side, point.seen_by(side)));
        Side::ALL.into_iter().map(there).find(|&(_, count)| count > 0)
    }

    /// The checkers of a side on its own places, the bar first.
    pub fn counts(&self, side: Side) -> [u8; 25] {
        let seen = self.seen_by(side).mine;
        std::array::from_fn(|place| (seen >> (4 * place)) as u8 & 15)
    }

    /// How many checkers a side has borne off.
    #[inline]
    pub const fn off(&self, side: Side) -> u8 {
        let place = match side {
            Side::First => self.checkers.first >> (4 * 25),
            Side::Second => self.checkers.second,
        };
        place as u8 & 15
    }

    /// Who has borne off all checkers, if anyone has.
    #[inline]
    pub fn finished(&self) -> Option<Side> {
        Side::ALL.into_iter().find(|&side| self.off(side) == CHECKERS)
    }

    /// How far a side has to go: each checker counts the pips to bear it off.
    pub fn pips(&self, side: Side) -> u32 {
        let counts = self.counts(side);
        let places = Canonical::sources().map(|place| u32::from(place.human().number()));
        counts.iter().zip(places).map(|(&count, pips)| u32::from(count) * pips).sum()
    }

    /// The word of a side.
    pub const fn word(&self, side: Side) -> u128 {
        match side {
            Side::First => self.checkers.first,
            Side::Second => self.checkers.second,
        }
    }

    /// The board as a side sees it on its way.
    #[inline]
    pub fn seen_by(&self, side: Side) -> Seen {
        let (mine, theirs) = (self.checkers[side], self.checkers[side.other()]);
        match side {
            Side::First => Seen { mine: with_bar_first(mine, mine >> (4 * 26)), theirs },
            Side::Second => {
                Seen { mine: with_bar_first(reversed(mine), mine >> (4 * 27)), theirs: reversed(theirs) }
            }
        }
    }

    /// Moves one checker by a die, and what it hits to the bar.
    #[inline]
    #[must_use]
    pub(crate) fn stepped(self, side: Side, from: Canonical, die: u8) -> Self {
        self.moved(side, |words| words.step(side, from, die))
    }

    /// The board after a turn.
    #[inline]
    #[must_use]
    pub(crate) fn after(self, side: Side, roll: Roll, turn: Turn) -> Self {
        self.moved(side, |words| turn.for_each_step(roll, |from, die| words.step(side, from, die)))
    }

    /// The board after steps of a side.
    #[inline]
    fn moved(self, side: Side, steps: impl FnOnce(&mut Words)) -> Self {
        let mut words = Words { mine: self.checkers[side], theirs: self.checkers[side.other()] };
        steps(&mut words);
        let Words { mine, theirs } = words;
        Self {
            checkers: match side {
                Side::First => BySide { first: mine, second: theirs },
                Side::Second => BySide { first: theirs, second: mine },
            },
        }
    }

    /// The board with the sides exchanged and turned round: what the one saw, the other sees.
    #[must_use]
    pub fn turned(&self) -> Self {
        Self::from_counts(&BySide::from_fn(|side| self.counts(side.other())))
    }
}

/// The words of the mover and of his opponent.
struct Words {
    mine: u128,
    theirs: u128,
}

impl Words {
    #[inline]
    fn step(&mut self, side: Side, from: Canonical, die: u8) {
        let to = one_at(side, from.after(die));
        self.mine = self.mine + to - one_at(side, from);
        // Where the mover bears off, the word of the opponent is empty: nothing is hit there.
        if self.theirs & (to * 15) == to {
            self.theirs = self.theirs - to + one_at(side.other(), Canonical::BAR);
        }
    }
}

#[inline]
fn one_at(side: Side, place: Canonical) -> u128 {
    ONE[side as usize][usize::from(place.number()) % 32]
}

/// A board as one side sees it: a nibble per [`Canonical`] place of his, of his own checkers and the opponent's. What the
/// opponent has beside the points is left where it fell.
#[derive(Clone, Copy, Debug)]
pub struct Seen {
    /// His: the bar, the points, and what is off.
    pub mine: u128,
    /// The opponent's on the points, and at 0 what he has off; the nibbles above mean nothing.
    pub theirs: u128,
}

/// The points and what is off as they are, and so many on the bar.
#[inline]
fn with_bar_first(places: u128, bar: u128) -> u128 {
    const FROM_FIRST_POINT_TO_OFF: u128 = (1 << (4 * 26)) - (1 << 4);
    places & FROM_FIRST_POINT_TO_OFF | bar & 15
}

/// Place n becomes place 25 − n.
#[inline]
fn reversed(places: u128) -> u128 {
    const LOW_NIBBLES: u128 = u128::from_ne_bytes([0x0f; 16]);
    let bytes = places.swap_bytes();
    let nibbles = bytes >> 4 & LOW_NIBBLES | (bytes & LOW_NIBBLES) << 4;
    nibbles >> (4 * (31 - (POINTS as u32 + 1)))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn both_sides_see_the_same_start() {
        for (board, pips) in [(Board::START, 167), (Board::SHORT, 108)] {
            assert_eq!(board.turned(), board);
            for side in Side::ALL {
                assert_eq!(board.counts(side).iter().sum::<u8>(), CHECKERS);
                assert_eq!((board.pips(side), board.off(side)), (pips, 0));
            }
        }
        // As the words are laid out: 2@1 5@12 3@17 5@19, and 5@6 3@8 5@13 2@24.
        let word =
            |points: [(u32, u128); 4]| points.iter().map(|(at, count)| count << (4 * at)).sum::<u128>();
        assert_eq!(Board::START.word(Side::First), word([(1, 2), (12, 5), (17, 3), (19, 5)]));
        assert_eq!(Board::START.word(Side::Second), word([(6, 5), (8, 3), (13, 5), (24, 2)]));
    }

    #[test]
    fn a_blot_that_is_hit_waits_on_its_bar() {
        let mut counts = BySide { first: [0; 25], second: [0; 25] };
        counts.first[4] = 1;
        counts.second[25 - 10] = 1;
        let mut board = Board::from_counts(&counts);
        board = board.stepped(Side::First, Canonical::at(4), 6);
        assert_eq!(board.count(Side::First, Canonical::at(10)), 1);
        assert_eq!(board.count(Side::Second, Canonical::BAR), 1);
        board = board.stepped(Side::Second, Canonical::BAR, 6);
        board = board.stepped(Side::Second, Canonical::at(6), 1);
        assert_eq!(board.count(Side::Second, Canonical::at(7)), 1);
        assert_eq!(board.off(Side::First) + board.off(Side::Second), 28);
    }
}
