//! A board as whoever is to act sees it, a number for each of 26 places.

use backgammon::{Board, CHECKERS, Canonical, Field, POINT_SET, Seen};
use game::Side;

/// Places of an observation: my bar, the 24 points on my way, the opponent's bar.
pub(super) const PLACES: usize = 26;
/// The place of the opponent's bar.
const THEIR_BAR: usize = PLACES - 1;

/// What a side has, at each place as the player to act numbers them.
#[derive(Clone, Copy)]
pub(super) struct Army {
    /// Checkers at each place; the last six entries are there for whole vectors.
    pub(super) counts: [u8; 32],
    /// Where there is any, of the points.
    pub(super) held: u32,
    /// Where there are two or more, of the points.
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
    /// The board as a side sees it, whose field this is.
    #[inline]
    pub(super) fn new(board: &Board, mover: Side, field: &Field) -> Self {
        const POINTS: u128 = (1 << 100) - (1 << 4);
        let Seen { mine, theirs } = board.seen_by(mover);
        let bar = board.count(mover.other(), Canonical::BAR);
        let mut their_counts = spread(theirs & POINTS);
        their_counts[THEIR_BAR] = bar;
        let blocked = POINT_SET & !field.open;
        Self {
            mine: Army {
                counts: spread(mine & (POINTS | 15)),
                held: field.own & POINT_SET,
                made: field.twice & POINT_SET,
                bar: mine as u8 & 15,
                off: board.off(mover),
            },
            theirs: Army {
                counts: their_counts,
                held: blocked | field.blots,
                made: blocked,
                bar,
                off: board.off(mover.other()),
            },
        }
    }

    /// Can a checker still meet one of the other side?
    #[inline]
    pub(super) fn has_contact(&self) -> bool {
        let behind = self.mine.held.trailing_zeros();
        let theirs = u32::BITS - self.theirs.held.leading_zeros();
        self.mine.bar + self.theirs.bar > 0 || behind < theirs
    }

    /// Has each side all its checkers in its home?
    #[inline]
    pub(super) fn can_bear_off(&self) -> (bool, bool) {
        let is_home = |army: &Army, home: u32| army.bar == 0 && army.held & !home == 0;
        (is_home(&self.mine, MY_HOME), is_home(&self.theirs, THEIR_HOME))
    }

    /// How many checkers each side has outside its home.
    #[inline]
    pub(super) fn outside(&self) -> (u8, u8) {
        let mine: u8 = self.mine.counts[..19].iter().sum();
        let theirs: u8 = self.theirs.counts[7..PLACES].iter().sum();
        (mine, theirs)
    }

    /// How far each side has to go.
    #[inline]
    pub(super) fn pips(&self) -> (i32, i32) {
        let (mut mine, mut theirs) = (0, 0);
        for place in 0..PLACES {
            mine += u16::from(self.mine.counts[place]) * (THEIR_BAR - place) as u16;
            theirs += u16::from(self.theirs.counts[place]) * place as u16;
        }
        (mine.into(), theirs.into())
    }
}

/// The points from which I bear off.
pub(super) const MY_HOME: u32 = 0x01f8_0000;
/// Those from which the opponent does.
pub(super) const THEIR_HOME: u32 = 0x0000_007e;

impl Army {
    /// Checkers that are not off.
    pub(super) const fn on_board(&self) -> u8 {
        CHECKERS - self.off
    }

    /// Points with one checker.
    #[inline]
    pub(super) const fn blots(&self) -> u32 {
        self.held & !self.made
    }

    /// How many points have just two.
    #[inline]
    pub(super) fn pairs(&self) -> u8 {
        self.counts[1..THEIR_BAR].iter().map(|&count| u8::from(count == 2)).sum()
    }

    /// The longest run of points with two or more, up to six.
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

/// A byte for each nibble.
#[inline]
fn spread(nibbles: u128) -> [u8; 32] {
    let mut bytes = [0; 32];
    for (pair, byte) in bytes.chunks_exact_mut(2).zip(nibbles.to_le_bytes()) {
        pair.copy_from_slice(&[byte & 15, byte >> 4]);
    }
    bytes
}
