//! A move.

use crate::grid::Square;
use crate::pieces::Kind;
use std::fmt::{self, Write};

/// A move: a step of a man, or a drop from the hand. It holds the kind of the man, so that no lookup on the board is
/// needed.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Move {
    /// A man moves from one square to another.
    Step {
        /// The kind of the man before the move.
        kind: Kind,
        /// The square that the man leaves.
        from: Square,
        /// The square that the man reaches.
        to: Square,
        /// Whether the man promotes.
        promotes: bool,
    },
    /// A man is dropped from the hand.
    Drop {
        /// The kind of the man.
        kind: Kind,
        /// The square on which it is dropped.
        to: Square,
    },
}

impl Move {
    /// The square that the move reaches.
    #[inline]
    pub const fn to(self) -> Square {
        match self {
            Self::Step { to, .. } | Self::Drop { to, .. } => to,
        }
    }

    /// Writes the move in USI, byte by byte. It must be fast, because moves are written by the million.
    #[inline]
    pub(crate) fn write_usi(self, write: impl FnMut(u8)) {
        let [file, rank] = name(self.to());
        let (bytes, promotes) = match self {
            Self::Step { from, promotes, .. } => {
                let [from_file, from_rank] = name(from);
                ([from_file, from_rank, file, rank], promotes)
            }
            Self::Drop { kind, .. } => ([kind.letter() as u8, b'*', file, rank], false),
        };
        bytes.into_iter().chain(promotes.then_some(b'+')).for_each(write);
    }

    /// The kind of the man after the move.
    #[inline]
    pub const fn arriving(self) -> Kind {
        match self {
            Self::Step { kind, promotes: true, .. } => match kind.promoted() {
                Some(promoted) => promoted,
                None => kind,
            },
            Self::Step { kind, .. } | Self::Drop { kind, .. } => kind,
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

/// The name of a square in shogi: its file, counted from the right, and its rank, counted from the top.
pub(crate) fn name(square: Square) -> [u8; 2] {
    [b'9' - square.file(), b'i' - square.rank()]
}

/// Returns the square with this name.
pub(crate) fn square(file: u8, rank: u8) -> Option<Square> {
    match (file, rank) {
        (b'1'..=b'9', b'a'..=b'i') => Some(Square::at(b'9' - file, b'i' - rank)),
        _ => None,
    }
}

/// Writes the move in USI: `7g7f`, `2b3c+`, `P*5e`.
impl fmt::Display for Move {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let mut result = Ok(());
        self.write_usi(|byte| result = result.and_then(|()| f.write_char(char::from(byte))));
        result
    }
}

impl fmt::Debug for Move {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Display::fmt(self, f)
    }
}
