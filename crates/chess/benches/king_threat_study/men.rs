//! A man in a byte.

use endspiel_chess::{Kind, Piece};
use game::Side;

/// No man.
pub const EMPTY: u8 = 0;

/// The byte of a man: its kind from 1, and a bit for Black.
#[inline]
pub const fn man(side: Side, kind: Kind) -> u8 {
    1 + kind as u8 + 8 * side as u8
}

/// The byte of a piece, or of an empty square.
pub fn byte(piece: Option<Piece>) -> u8 {
    piece.map_or(EMPTY, |piece| man(piece.side, piece.kind))
}

/// The kind of a man. Its byte must not be that of an empty square.
#[inline]
pub fn kind(man: u8) -> Kind {
    Kind::ALL[usize::from((man & 7) - 1) % 6]
}

/// Returns whether the byte is a man of this side.
#[inline]
pub const fn is_of(side: Side, man: u8) -> bool {
    man != EMPTY && man >> 3 == side as u8
}
