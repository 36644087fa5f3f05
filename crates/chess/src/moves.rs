//! A move in two bytes.

use crate::grid::{Square, square};
use crate::pieces::Kind;
use std::fmt;

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
    /// Sixteen, so that any four bits are a number of one; the last stands in for what does not occur.
    const ALL: [Self; 16] = [
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
        Self::ToQueen,
        Self::ToQueen,
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

    /// The kind before the move and after it, by the number of the step. Tables, since a compiler makes jumps of the matches
    /// above where it plays a move, and no jump is harder to predict.
    const KINDS: [(Kind, Kind); 16] = {
        let mut table = [(Kind::Pawn, Kind::Pawn); 16];
        let mut i = 0;
        while i < 16 {
            let kind = Self::ALL[i].kind();
            table[i] = match Self::ALL[i].promotion() {
                Some(promoted) => (kind, promoted),
                None => (kind, kind),
            };
            i += 1;
        }
        table
    };
}

static KINDS: [(Kind, Kind); 16] = Step::KINDS;

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

    /// Is it a step of this kind?
    #[inline]
    pub const fn is(self, step: Step) -> bool {
        self.0 >> 12 == step as u16
    }

    /// The kind of the piece that moves, before a promotion.
    #[inline]
    pub fn kind(self) -> Kind {
        KINDS[usize::from(self.0 >> 12)].0
    }

    /// The kind that stands on the square it reaches: of the piece that moves, or what a pawn becomes.
    #[inline]
    pub fn arriving(self) -> Kind {
        KINDS[usize::from(self.0 >> 12)].1
    }

    /// What a pawn becomes.
    #[inline]
    pub const fn promotion(self) -> Option<Kind> {
        self.step().promotion()
    }

    /// King and rook?
    #[inline]
    pub const fn is_castling(self) -> bool {
        self.is(Step::Castle)
    }

    /// Castling towards the h-file?
    #[inline]
    pub const fn is_short_castling(self) -> bool {
        self.is_castling() && self.to().index() > self.from().index()
    }
}

/// As in UCI for Chess960: from, to, promotion; castling is the king taking its rook. [`Notation`](game::Notation) writes
/// standard castling as the king's two steps.
impl fmt::Display for Move {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}{}", self.from(), self.to())?;
        self.promotion().map_or(Ok(()), |kind| write!(f, "{}", kind.letter().to_ascii_lowercase()))
    }
}

impl fmt::Debug for Move {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Display::fmt(self, f)
    }
}
