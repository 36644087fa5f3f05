//! A move in two bytes.

use crate::grid::{Square, square};
use crate::pieces::Kind;
use std::fmt;

/// A move: its start square, its target square, and its [`Step`]. Castling goes from the king's square to the rook's
/// square, which is unambiguous in Chess960 too.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Move(u16);

/// The kind of a move: which piece moves, and whether it is a special move.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
#[repr(u8)]
pub enum Step {
    /// A pawn moves one square ahead or captures.
    Pawn,
    /// A knight moves.
    Knight,
    /// A bishop moves.
    Bishop,
    /// A rook moves.
    Rook,
    /// A queen moves.
    Queen,
    /// A king moves without castling.
    King,
    /// A pawn moves two squares ahead.
    DoublePush,
    /// A pawn captures en passant.
    EnPassant,
    /// The king castles.
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
    /// All steps by number. There are 16 entries, so that every four-bit number has one. The numbers 13 to 15 do not occur;
    /// they repeat the last step.
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

    /// The four promotions.
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

    /// The kind to which a pawn promotes; `None` if the move is not a promotion.
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

    /// The kinds of the piece before and after the move, by the number of the step. This is a table because the compiler
    /// turns the `match` expressions above into jumps where a move is played, and these jumps are very hard to predict.
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
    /// Creates a move. It does not check whether the move is legal.
    #[inline]
    pub const fn new(from: Square, to: Square, step: Step) -> Self {
        Self(from.index() as u16 | (to.index() as u16) << 6 | (step as u16) << 12)
    }

    /// The move as a number. It is never 0: no move goes from a1 to a1.
    #[inline]
    pub const fn bits(self) -> u16 {
        self.0
    }

    /// The square that the piece leaves.
    #[inline]
    pub const fn from(self) -> Square {
        square(self.0 as u32)
    }

    /// The square that the piece reaches. For castling, it is the rook's square.
    #[inline]
    pub const fn to(self) -> Square {
        square((self.0 >> 6) as u32)
    }

    /// The kind of the move.
    #[inline]
    pub const fn step(self) -> Step {
        Step::ALL[(self.0 >> 12) as usize]
    }

    /// Returns whether the move is of this kind.
    #[inline]
    pub const fn is(self, step: Step) -> bool {
        self.0 >> 12 == step as u16
    }

    /// The kind of the piece that moves, before a promotion.
    #[inline]
    pub fn kind(self) -> Kind {
        KINDS[usize::from(self.0 >> 12)].0
    }

    /// The kind of the piece that arrives: for a promotion the new kind, otherwise the kind of the piece that moves.
    #[inline]
    pub fn arriving(self) -> Kind {
        KINDS[usize::from(self.0 >> 12)].1
    }

    /// The kind to which a pawn promotes; `None` if the move is not a promotion.
    #[inline]
    pub const fn promotion(self) -> Option<Kind> {
        self.step().promotion()
    }

    /// Returns whether the move is castling.
    #[inline]
    pub const fn is_castling(self) -> bool {
        self.is(Step::Castle)
    }

    /// Returns whether the move is castling towards the h-file.
    #[inline]
    pub const fn is_short_castling(self) -> bool {
        self.is_castling() && self.to().index() > self.from().index()
    }
}

/// Writes the move as UCI does for Chess960: start square, target square, promotion. Castling is written as the king taking
/// its rook. [`Notation`](game::Notation) writes standard castling as a king's move by two squares.
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
