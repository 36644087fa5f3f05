//! The kinds of pieces, and an array type with one element per kind.

use game::{Centipawns, Side};
use std::ops::Index;

/// A kind of piece.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
#[repr(u8)]
pub enum Kind {
    /// ♙
    Pawn,
    /// ♘
    Knight,
    /// ♗
    Bishop,
    /// ♖
    Rook,
    /// ♕
    Queen,
    /// ♔
    King,
}

impl Kind {
    /// All kinds, the pawn first.
    pub const ALL: [Self; 6] = [Self::Pawn, Self::Knight, Self::Bishop, Self::Rook, Self::Queen, Self::King];
    /// The kinds but the king, the strongest first. The names of materials list them in this order after the king.
    pub const STRONGEST_FIRST: [Self; 5] = [Self::Queen, Self::Rook, Self::Bishop, Self::Knight, Self::Pawn];
    /// The kinds to which a pawn can promote.
    pub const PROMOTIONS: [Self; 4] = [Self::Knight, Self::Bishop, Self::Rook, Self::Queen];

    /// The English name of the kind.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Pawn => "pawn",
            Self::Knight => "knight",
            Self::Bishop => "bishop",
            Self::Rook => "rook",
            Self::Queen => "queen",
            Self::King => "king",
        }
    }

    /// The value of the kind in exchanges, as players count: 1, 3, 3, 5 and 9 pawns. The king is never exchanged and has 0.
    #[inline]
    pub const fn value(self) -> Centipawns {
        Centipawns(match self {
            Self::Pawn => 100,
            Self::Knight | Self::Bishop => 300,
            Self::Rook => 500,
            Self::Queen => 900,
            Self::King => 0,
        })
    }

    /// The English letter of the kind, in upper case.
    pub const fn letter(self) -> char {
        match self {
            Self::Pawn => 'P',
            Self::Knight => 'N',
            Self::Bishop => 'B',
            Self::Rook => 'R',
            Self::Queen => 'Q',
            Self::King => 'K',
        }
    }

    /// The kind with this letter, in upper or lower case.
    pub fn from_letter(letter: char) -> Option<Self> {
        Self::ALL.into_iter().find(|kind| kind.letter() == letter.to_ascii_uppercase())
    }
}

/// A piece: its side and its kind.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct Piece {
    /// The side that owns the piece.
    pub side: Side,
    /// The kind of the piece.
    pub kind: Kind,
}

impl Piece {
    /// The letter of the piece in FEN: upper case for White, lower case for Black.
    pub const fn letter(self) -> char {
        match self.side {
            Side::First => self.kind.letter(),
            Side::Second => self.kind.letter().to_ascii_lowercase(),
        }
    }

    /// The piece with this letter in FEN.
    pub fn from_letter(letter: char) -> Option<Self> {
        let side = if letter.is_ascii_uppercase() { Side::First } else { Side::Second };
        Kind::from_letter(letter).map(|kind| Self { side, kind })
    }
}

/// One `T` for each kind.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug, Default)]
pub(crate) struct ByKind<T>(pub [T; 6]);

impl<T> Index<Kind> for ByKind<T> {
    type Output = T;

    #[inline]
    fn index(&self, kind: Kind) -> &T {
        &self.0[kind as usize]
    }
}
