//! The thirty checkers in two 128-bit words, with four bits per place.

use crate::dice::Roll;
use crate::moves::Turn;
use crate::places::{Canonical, POINTS, Physical};
use game::{BySide, Side};

/// The number of checkers of each side.
pub const CHECKERS: u8 = 15;

/// The places of the checkers: one word per side, four bits per place. Place 0 is where the second side bears off, 1
/// to 24 are the [physical](crate::Physical) points, 25 is where the first side bears off, 26 is the bar of the first
/// side and 27 that of the second.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct Board {
    checkers: BySide<u128>,
}

/// The word with one checker of a side, for each [`Canonical`] place of that side. The array has 32 entries, a power
/// of two above the number of places, so that an index modulo 32 needs no bounds check.
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
    /// The usual start of a game.
    pub const START: Self = Self::symmetric(&[(6, 5), (8, 3), (13, 5), (24, 2)]);

    /// The start of short games: 108 pips a side.
    pub const SHORT: Self = Self::symmetric(&[(1, 1), (2, 3), (5, 3), (7, 3), (8, 2), (11, 1), (19, 2)]);

    /// The board on which both sides have these checkers: pairs of a [human](crate::Human) point and a number of
    /// checkers. The rest of the fifteen are off.
    pub(crate) const fn symmetric(points: &[(u8, u8)]) -> Self {
        let (mut first, mut second) = (0, 0);
        let (mut at, mut off) = (0, CHECKERS);
        while at < points.len() {
            let (human, count) = points[at];
            first += (count as u128) << (4 * (25 - human));
            second += (count as u128) << (4 * human);
            off -= count;
            at += 1;
        }
        first += (off as u128) << (4 * 25);
        second += off as u128;
        Self { checkers: BySide { first, second } }
    }

    /// Builds a board from the checkers of each side on its own [`Canonical`] places, bar first. The rest of the
    /// fifteen are off.
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

    /// The number of checkers of a side at one of its own places.
    #[inline]
    pub fn count(&self, side: Side, place: Canonical) -> u8 {
        let one = one_at(side, place);
        (self.checkers[side] >> one.trailing_zeros()) as u8 & 15
    }

    /// The side that has checkers on a point, and their number, or `None` if the point is empty.
    pub fn at(&self, point: Physical) -> Option<(Side, u8)> {
        let there = |side| (side, self.count(side, point.seen_by(side)));
        Side::ALL.into_iter().map(there).find(|&(_, count)| count > 0)
    }

    /// The number of checkers of a side at each of its own places, bar first.
    pub fn counts(&self, side: Side) -> [u8; 25] {
        let seen = self.seen_by(side).mine;
        std::array::from_fn(|place| (seen >> (4 * place)) as u8 & 15)
    }

    /// The number of the fifteen checkers of a side that are off. In variants with fewer checkers, the others are
    /// [off](crate::Variant::absent) from the beginning.
    #[inline]
    pub const fn off(&self, side: Side) -> u8 {
        let place = match side {
            Side::First => self.checkers.first >> (4 * 25),
            Side::Second => self.checkers.second,
        };
        place as u8 & 15
    }

    /// The side that has borne off all its checkers, or `None` if neither has.
    #[inline]
    pub fn finished(&self) -> Option<Side> {
        Side::ALL.into_iter().find(|&side| self.off(side) == CHECKERS)
    }

    /// The pip count of a side: the sum of the pips that each checker needs to be borne off.
    pub fn pips(&self, side: Side) -> u32 {
        let counts = self.counts(side);
        let places = Canonical::sources().map(|place| u32::from(place.human().number()));
        counts.iter().zip(places).map(|(&count, pips)| u32::from(count) * pips).sum()
    }

    /// The word of a side, with four bits per place as described at [`Board`].
    pub const fn word(&self, side: Side) -> u128 {
        match side {
            Side::First => self.checkers.first,
            Side::Second => self.checkers.second,
        }
    }

    /// The board in the numbering of a side.
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

    /// Moves one checker by a die. A blot that it hits goes to the bar.
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

    /// The board after the given steps of a side.
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

    /// The board turned round, with the sides exchanged: each side sees what the other side saw.
    #[must_use]
    pub fn turned(&self) -> Self {
        Self::from_counts(&BySide::from_fn(|side| self.counts(side.other())))
    }
}

/// The words of the side to move and of the opponent.
struct Words {
    mine: u128,
    theirs: u128,
}

impl Words {
    #[inline]
    fn step(&mut self, side: Side, from: Canonical, die: u8) {
        let to = one_at(side, from.after(die));
        self.mine = self.mine + to - one_at(side, from);
        // Where the side to move bears off, the opponent's word has no checkers, so nothing is hit there.
        if self.theirs & (to * 15) == to {
            self.theirs = self.theirs - to + one_at(side.other(), Canonical::BAR);
        }
    }
}

#[inline]
fn one_at(side: Side, place: Canonical) -> u128 {
    ONE[side as usize][usize::from(place.number()) % 32]
}

/// A board as one side sees it: four bits per [`Canonical`] place of that side, for its own checkers and for the
/// opponent's. The opponent's bar is not moved to a defined place.
#[derive(Clone, Copy, Debug)]
pub struct Seen {
    /// The side's own checkers: on the bar, on the points, and off.
    pub mine: u128,
    /// The opponent's checkers on the points, and at place 0 those that are off. The bits above the points have no
    /// meaning.
    pub theirs: u128,
}

/// Keeps the points and the checkers that are off, and puts `bar` checkers at place 0.
#[inline]
fn with_bar_first(places: u128, bar: u128) -> u128 {
    const FROM_FIRST_POINT_TO_OFF: u128 = (1 << (4 * 26)) - (1 << 4);
    places & FROM_FIRST_POINT_TO_OFF | bar & 15
}

/// Reverses the places: place n becomes place 25 − n.
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
        // The layout of the words: 2@1 5@12 3@17 5@19, and 5@6 3@8 5@13 2@24.
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
