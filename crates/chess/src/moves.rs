//! A move in two bytes.

use crate::grid::{Square, square};
use crate::pieces::Kind;

/// A move: from, to, and what kind of step it is. Castling goes from the king's square to that of its rook, which is
/// unambiguous in Chess960 too.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Move(u16);

/// What a move does besides going from one square to another.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
#[repr(u8)]
pub enum Step {
    /// A pawn, one square ahead or taking.
    Pawn,
    /// A knight.
    Knight,
    /// A bishop.
    Bishop,
    /// A rook.
    Rook,
    /// A queen.
    Queen,
    /// A king, not castling.
    King,
    /// A pawn, two squares.
    DoublePush,
    /// A pawn takes another that has just gone two squares.
    EnPassant,
    /// King and rook.
    Castle,
    /// A pawn becomes a knight.
    ToKnight,
    /// A pawn becomes a bishop.
    ToBishop,
    /// A pawn becomes a rook.
    ToRook,
    /// A pawn becomes a queen.
    ToQueen,
}

impl Step {
    const ALL: [Self; 13] = [
        Self::Pawn,
        Self::Knight,
        Self::Bishop,
        Self::Rook,
        Self::Queen,
        Self::King,
        Self::DoublePush,
        Self::EnPassant,
        Self::Castle,
        Self::ToKnight,
        Self::ToBishop,
        Self::ToRook,
        Self::ToQueen,
    ];

    /// The promotions.
    pub(crate) const PROMOTIONS: [Self; 4] = [Self::ToKnight, Self::ToBishop, Self::ToRook, Self::ToQueen];

    /// The kind of the piece that moves.
    #[inline]
    pub const fn kind(self) -> Kind {
        match self {
            Self::Knight => Kind::Knight,
            Self::Bishop => Kind::Bishop,
            Self::Rook => Kind::Rook,
            Self::Queen => Kind::Queen,
            Self::King | Self::Castle => Kind::King,
            _ => Kind::Pawn,
        }
    }

    /// What a pawn becomes.
    #[inline]
    pub const fn promotion(self) -> Option<Kind> {
        match self {
            Self::ToKnight => Some(Kind::Knight),
            Self::ToBishop => Some(Kind::Bishop),
            Self::ToRook => Some(Kind::Rook),
            Self::ToQueen => Some(Kind::Queen),
            _ => None,
        }
    }
}

impl Move {
    /// A move, legal or not.
    #[inline]
    pub const fn new(from: Square, to: Square, step: Step) -> Self {
        Self(from.index() as u16 | (to.index() as u16) << 6 | (step as u16) << 12)
    }

    /// The square it leaves.
    #[inline]
    pub const fn from(self) -> Square {
        square(self.0 as u32)
    }

    /// The square it reaches; for castling, the rook's.
    #[inline]
    pub const fn to(self) -> Square {
        square((self.0 >> 6) as u32)
    }

    /// What it does.
    #[inline]
    pub const fn step(self) -> Step {
        Step::ALL[(self.0 >> 12) as usize]
    }

    /// The kind of the piece that moves, before a promotion.
    #[inline]
    pub const fn kind(self) -> Kind {
        self.step().kind()
    }

    /// What a pawn becomes.
    #[inline]
    pub const fn promotion(self) -> Option<Kind> {
        self.step().promotion()
    }

    /// King and rook?
    #[inline]
    pub const fn is_castling(self) -> bool {
        matches!(self.step(), Step::Castle)
    }

    /// Castling towards the h-file?
    #[inline]
    pub const fn is_short_castling(self) -> bool {
        self.is_castling() && self.to().index() > self.from().index()
    }
}

/// As in UCI for Chess960: from, to, promotion.
impl std::fmt::Debug for Move {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "{}{}", self.from(), self.to())?;
        self.promotion().map_or(Ok(()), |kind| write!(f, "{}", kind.letter().to_ascii_lowercase()))
    }
}
