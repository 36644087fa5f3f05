//! A board as the player to act sees it, a number for each of 26 places.

use backgammon::{Board, CHECKERS, Field, POINT_SET, Seen};
use bits::pdep;
use game::Side;

/// The number of places of an observation: my bar, the 24 points in my direction of play, the opponent's bar.
pub(super) const PLACES: usize = 26;
/// The place of the opponent's bar.
const THEIR_BAR: usize = PLACES - 1;
/// The mask of the nibbles of the points.
const POINTS: u128 = (1 << 100) - (1 << 4);

/// The checkers of a side at each place. The places are numbered as the player to act sees them.
#[derive(Clone, Copy)]
pub(super) struct Army {
    /// The number of checkers at each place. The last six entries are no places; they fill up whole vectors.
    pub(super) counts: [u8; 32],
    /// The number of checkers at each place, one nibble for each.
    nibbles: u128,
    /// The points with at least one checker.
    pub(super) held: u32,
    /// The points with two or more checkers.
    pub(super) made: u32,
    pub(super) bar: u8,
    pub(super) off: u8,
}

/// Both sides, seen by the player to act.
#[derive(Clone, Copy)]
pub(super) struct View {
    pub(super) mine: Army,
    pub(super) theirs: Army,
}

impl View {
    /// The board as `mover` sees it. `field` must be the field of `mover`.
    #[inline(always)]
    pub(super) fn new(board: &Board, mover: Side, field: &Field) -> Self {
        let Seen { mine, theirs } = board.seen_by(mover);
        let (their_points, their_off) = (theirs & POINTS, theirs as u8 & 15);
        let bar = CHECKERS - their_off - sum(their_points);
        let blocked = POINT_SET & !field.open;
        let (mine_here, theirs_here) =
            (mine & (POINTS | 15), their_points | u128::from(bar) << (4 * THEIR_BAR));
        Self {
            mine: Army {
                counts: spread(mine_here),
                nibbles: mine_here,
                held: field.own & POINT_SET,
                made: field.twice & POINT_SET,
                bar: mine as u8 & 15,
                off: (mine >> 100) as u8 & 15,
            },
            theirs: Army {
                counts: spread(theirs_here),
                nibbles: theirs_here,
                held: blocked | field.blots,
                made: blocked,
                bar,
                off: their_off,
            },
        }
    }

    /// Returns whether a checker can still meet one of the other side.
    #[inline]
    pub(super) fn has_contact(&self) -> bool {
        let behind = self.mine.held.trailing_zeros();
        let theirs = u32::BITS - self.theirs.held.leading_zeros();
        self.mine.bar + self.theirs.bar > 0 || behind < theirs
    }

    /// Returns for each side whether all its checkers are in its home board or off.
    #[inline]
    pub(super) fn can_bear_off(&self) -> (bool, bool) {
        let is_home = |army: &Army, home: u32| army.bar == 0 && army.held & !home == 0;
        (is_home(&self.mine, MY_HOME), is_home(&self.theirs, THEIR_HOME))
    }

    /// The number of checkers that each side has outside its home board.
    #[inline]
    pub(super) fn outside(&self) -> (u8, u8) {
        const BEFORE_MINE: u128 = (1 << (4 * 19)) - 1;
        const BEFORE_THEIRS: u128 = !((1 << (4 * 7)) - 1);
        (sum(self.mine.nibbles & BEFORE_MINE), sum(self.theirs.nibbles & BEFORE_THEIRS))
    }

    /// The pip count of each side.
    #[inline]
    pub(super) fn pips(&self) -> (i32, i32) {
        let my_way = THEIR_BAR as i32 * i32::from(self.mine.on_board());
        (my_way - sum_of_places(self.mine.nibbles), sum_of_places(self.theirs.nibbles))
    }
}

/// The points of my home board.
pub(super) const MY_HOME: u32 = 0x01f8_0000;
/// The points of the opponent's home board.
pub(super) const THEIR_HOME: u32 = 0x0000_007e;

impl Army {
    /// The number of checkers that are not off.
    pub(super) const fn on_board(&self) -> u8 {
        CHECKERS - self.off
    }

    /// The points with exactly one checker.
    #[inline]
    pub(super) const fn blots(&self) -> u32 {
        self.held & !self.made
    }

    /// The number of points with exactly two checkers.
    #[inline]
    pub(super) const fn pairs(&self) -> u8 {
        const ONES: u128 = u128::from_ne_bytes([0x11; 16]);
        // Sets the lowest bit of every nibble that is not two.
        let other = self.nibbles ^ (ONES << 1);
        let other = (other | other >> 1 | other >> 2 | other >> 3) & ONES;
        (!other & ONES & POINTS).count_ones() as u8
    }

    /// The length of the longest run of made points, which have two or more checkers, up to six.
    #[inline]
    pub(super) const fn prime(&self) -> u8 {
        let (mut run, mut length) = (self.made, 0);
        while run != 0 && length < 6 {
            run &= run << 1;
            length += 1;
        }
        length
    }
}

const LOW: u64 = u64::from_ne_bytes([0x0f; 8]);
const EACH: u64 = u64::from_ne_bytes([1; 8]);

/// The sum of all nibbles, which must not be above 15.
#[inline]
const fn sum(nibbles: u128) -> u8 {
    let (one, other) = (nibbles as u64, (nibbles >> 64) as u64);
    let bytes = (one & LOW) + (one >> 4 & LOW) + (other & LOW) + (other >> 4 & LOW);
    sum_of_bytes(bytes)
}

/// The sum of all bytes, which must not be above 255.
#[inline]
const fn sum_of_bytes(bytes: u64) -> u8 {
    (bytes.wrapping_mul(EACH) >> 56) as u8
}

/// The sum of the place numbers of all checkers. There must be no more than 15 checkers.
///
/// Place 16 w + 2 b + h is half h of byte b of word w. The three terms are summed separately.
#[inline]
const fn sum_of_places(nibbles: u128) -> i32 {
    // The highest byte of the product is byte 1 plus twice byte 2 and so on, up to seven times byte 7.
    const BY_NUMBER: u64 = u64::from_le_bytes([7, 6, 5, 4, 3, 2, 1, 0]);
    let (one, other) = (nibbles as u64, (nibbles >> 64) as u64);
    let (one_high, other_high) = (one >> 4 & LOW, other >> 4 & LOW);
    let other_both = (other & LOW) + other_high;
    let bytes = (one & LOW) + one_high + other_both;
    let by_number = (bytes.wrapping_mul(BY_NUMBER) >> 56) as i32;
    16 * sum_of_bytes(other_both) as i32 + 2 * by_number + sum_of_bytes(one_high + other_high) as i32
}

/// Expands every nibble to a byte.
#[inline]
fn spread(nibbles: u128) -> [u8; 32] {
    let mut bytes = [0; 32];
    for (part, eight) in bytes.as_chunks_mut::<8>().0.iter_mut().enumerate() {
        *eight = pdep((nibbles >> (32 * part)) as u64, LOW).to_le_bytes();
    }
    bytes
}

#[cfg(test)]
mod tests {
    use super::*;
    use game::Rng;

    #[test]
    fn nibbles_are_added_up_as_places_are() {
        let mut rng = Rng::new(1);
        for _ in 0..10_000 {
            // Up to fifteen checkers on random places.
            let checkers: Vec<u64> = (0..rng.below(16)).map(|_| rng.below(PLACES as u64)).collect();
            let nibbles = checkers.iter().fold(0u128, |nibbles, place| nibbles + (1 << (4 * place)));
            assert_eq!(sum(nibbles), checkers.len() as u8);
            assert_eq!(sum_of_places(nibbles), checkers.iter().sum::<u64>() as i32);
            for (place, count) in (0..).zip(spread(nibbles)) {
                assert_eq!(checkers.iter().filter(|&&at| at == place).count(), usize::from(count));
            }
        }
        let all_on_the_last = 15 << (4 * THEIR_BAR);
        assert_eq!((sum(all_on_the_last), sum_of_places(all_on_the_last)), (15, 375));
    }
}
