//! A move.

use crate::grid::Square;
use crate::pieces::Kind;
use std::fmt;

/// A move: a man's step, or its drop from the hand. The kind of the man is told with it, so that nobody need look for it.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Move {
    /// From a square to another.
    Step {
        /// What moves, as it was before.
        kind: Kind,
        /// From where.
        from: Square,
        /// Where to.
        to: Square,
        /// Does it promote?
        promotes: bool,
    },
    /// From the hand.
    Drop {
        /// What is dropped.
        kind: Kind,
        /// Where.
        to: Square,
    },
}

impl Move {
    /// The square it reaches.
    #[inline]
    pub const fn to(self) -> Square {
        match self {
            Self::Step { to, .. } | Self::Drop { to, .. } => to,
        }
    }

    /// The kind of the man that moves, before a promotion.
    #[inline]
    pub const fn kind(self) -> Kind {
        match self {
            Self::Step { kind, .. } | Self::Drop { kind, .. } => kind,
        }
    }
}

/// The name of a square in shogi: its file from the right, its rank from the top.
pub(crate) fn name(square: Square) -> [u8; 2] {
    [b'9' - square.file(), b'i' - square.rank()]
}

/// The square with this name.
pub(crate) fn square(file: u8, rank: u8) -> Option<Square> {
    match (file, rank) {
        (b'1'..=b'9', b'a'..=b'i') => Some(Square::at(b'9' - file, b'i' - rank)),
        _ => None,
    }
}

/// As in USI: `7g7f`, `2b3c+`, `P*5e`.
impl fmt::Display for Move {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let [file, rank] = name(self.to()).map(char::from);
        match *self {
            Self::Step { from, promotes, .. } => {
                let [from_file, from_rank] = name(from).map(char::from);
                write!(f, "{from_file}{from_rank}{file}{rank}{}", if promotes { "+" } else { "" })
            }
            Self::Drop { kind, .. } => write!(f, "{}*{file}{rank}", kind.letter()),
        }
    }
}

impl fmt::Debug for Move {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Display::fmt(self, f)
    }
}
