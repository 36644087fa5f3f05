//! The answers: five values of the fifty-move rule, and the distance to zeroing the clock.

use std::fmt;
use std::ops::Neg;

/// The value of a position for the side to move under the fifty-move rule, if the clock is at zero. A greater value is better.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
#[repr(u8)]
pub enum Wdl5 {
    /// A loss.
    Loss,
    /// A loss that the fifty-move rule turns into a draw.
    BlessedLoss,
    /// A draw.
    Draw,
    /// A win that the fifty-move rule turns into a draw.
    CursedWin,
    /// A win.
    Win,
}

impl Wdl5 {
    /// All values, the worst first. This is also their order in files.
    pub const ALL: [Self; 5] = [Self::Loss, Self::BlessedLoss, Self::Draw, Self::CursedWin, Self::Win];

    /// The number that other programs use: -2 for a loss, 2 for a win.
    pub const fn number(self) -> i8 {
        self as i8 - 2
    }

    /// The distance if the next move zeroes the clock and keeps this value.
    pub(crate) const fn before_zeroing(self) -> i32 {
        match self {
            Self::Loss => -1,
            Self::BlessedLoss => -101,
            Self::Draw => 0,
            Self::CursedWin => 101,
            Self::Win => 1,
        }
    }
}

/// The same value for the other side.
impl Neg for Wdl5 {
    type Output = Self;

    #[inline]
    fn neg(self) -> Self {
        Self::ALL[4 - self as usize]
    }
}

/// Writes `loss`, `blessed loss`, `draw`, `cursed win` or `win`.
impl fmt::Display for Wdl5 {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Loss => "loss",
            Self::BlessedLoss => "blessed loss",
            Self::Draw => "draw",
            Self::CursedWin => "cursed win",
            Self::Win => "win",
        })
    }
}

/// The distance to zeroing: the number of plies to the next capture, pawn move or mate, if both sides keep the value of the
/// position. The winner takes as few plies as possible, the loser as many as possible.
///
/// The sign is that of the value: positive for wins. It is zero for draws. For cursed wins and blessed losses the
/// distance is greater than 100; 100 is added where zeroing the clock is near, but the value is decided only after it. A
/// position in which the side to move is mated has the distance -1, as in python-chess and Stockfish.
///
/// Some files count moves instead of plies. Then the distance may be greater by one than [`plies`](Self::plies) says, and
/// [`is_exact`](Self::is_exact) is false. Even then play by the distances keeps a win under the fifty-move rule, because
/// such files are made only where the difference does not matter for it.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct Dtz {
    plies: i32,
    is_exact: bool,
}

impl Dtz {
    /// The distance of a draw.
    pub const DRAW: Self = Self::exact(0);

    pub(crate) const fn exact(plies: i32) -> Self {
        Self { plies, is_exact: true }
    }

    /// A distance between two numbers of plies that differ by at most one. `most` is farther from zero.
    pub(crate) const fn between(least: i32, most: i32) -> Self {
        Self { plies: least, is_exact: least == most }
    }

    /// The distance in plies, with the sign of the value.
    pub const fn plies(self) -> i32 {
        self.plies
    }

    /// Returns whether the distance is exact. Otherwise it may be one ply longer.
    pub const fn is_exact(self) -> bool {
        self.is_exact
    }

    /// The longest possible distance.
    pub(crate) const fn longest(self) -> i32 {
        if self.is_exact { self.plies } else { self.plies + self.plies.signum() }
    }
}

/// Writes the plies, and `~` before them if they are not exact.
impl fmt::Display for Dtz {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}{}", if self.is_exact { "" } else { "~" }, self.plies)
    }
}
