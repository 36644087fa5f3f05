//! A board as one side sees it: its own home rank is the first.

use chess::{Board, Kind, SquareSet};
use game::Side;

/// The files, from a to h.
pub(super) const FILE_A: u64 = 0x0101_0101_0101_0101;
pub(super) const FILE_H: u64 = FILE_A << 7;

/// The men of a board as a side sees them. For the second side, the board is turned upside down. So terms are written once, for a
/// side that moves up.
#[derive(Clone, Copy)]
pub(super) struct View {
    kinds: [u64; 6],
    pub own: u64,
    pub enemies: u64,
}

impl View {
    #[inline]
    pub fn of(board: &Board, side: Side) -> Self {
        let seen = |set: SquareSet| match side {
            Side::First => set.word(),
            Side::Second => set.word().swap_bytes(),
        };
        Self {
            kinds: Kind::ALL.map(|kind| seen(board.of_kind(kind))),
            own: seen(board.of_side(side)),
            enemies: seen(board.of_side(side.other())),
        }
    }

    /// The own pieces of a kind.
    #[inline]
    pub fn mine(&self, kind: Kind) -> u64 {
        self.kinds[kind as usize] & self.own
    }

    /// The enemy's pieces of a kind.
    #[inline]
    pub fn theirs(&self, kind: Kind) -> u64 {
        self.kinds[kind as usize] & self.enemies
    }

    #[inline]
    pub fn occupied(&self) -> u64 {
        self.own | self.enemies
    }
}

/// The squares of a set, lowest first.
#[inline]
pub(super) fn squares(mut set: u64) -> impl Iterator<Item = usize> {
    std::iter::from_fn(move || {
        (set != 0).then(|| {
            let lowest = set.trailing_zeros() as usize;
            set &= set - 1;
            lowest
        })
    })
}

/// The squares that pawns moving up attack.
#[inline]
pub(super) const fn pawn_attacks_up(pawns: u64) -> u64 {
    (pawns & !FILE_A) << 7 | (pawns & !FILE_H) << 9
}

/// The squares that pawns moving down attack.
#[inline]
pub(super) const fn pawn_attacks_down(pawns: u64) -> u64 {
    (pawns & !FILE_A) >> 9 | (pawns & !FILE_H) >> 7
}

/// All squares above those of a set, on the same files.
#[inline]
pub(super) const fn fill_up(set: u64) -> u64 {
    let set = set << 8;
    let set = set | set << 8;
    let set = set | set << 16;
    set | set << 32
}

/// All squares below those of a set, on the same files.
#[inline]
pub(super) const fn fill_down(set: u64) -> u64 {
    let set = set >> 8;
    let set = set | set >> 8;
    let set = set | set >> 16;
    set | set >> 32
}

/// A set and the squares left and right of it.
#[inline]
pub(super) const fn widened(set: u64) -> u64 {
    set | (set & !FILE_A) >> 1 | (set & !FILE_H) << 1
}

/// The number of king's moves between two squares.
#[inline]
pub(super) const fn distance(a: usize, b: usize) -> usize {
    let (files, ranks) = ((a % 8).abs_diff(b % 8), (a / 8).abs_diff(b / 8));
    if files > ranks { files } else { ranks }
}
