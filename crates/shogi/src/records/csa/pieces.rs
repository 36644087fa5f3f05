//! Men and squares as CSA writes them.

use crate::grid::Square;
use crate::moves::{name, square};
use crate::pieces::Kind;
use game::Side;

/// The two letters of a kind.
pub(super) const fn code(kind: Kind) -> &'static str {
    match kind {
        Kind::Pawn => "FU",
        Kind::Lance => "KY",
        Kind::Knight => "KE",
        Kind::Silver => "GI",
        Kind::Gold => "KI",
        Kind::Bishop => "KA",
        Kind::Rook => "HI",
        Kind::King => "OU",
        Kind::Tokin => "TO",
        Kind::PromotedLance => "NY",
        Kind::PromotedKnight => "NK",
        Kind::PromotedSilver => "NG",
        Kind::Horse => "UM",
        Kind::Dragon => "RY",
    }
}

pub(super) fn kind(code_read: &str) -> Option<Kind> {
    Kind::ALL.into_iter().find(|&kind| code(kind) == code_read)
}

pub(super) const fn sign(side: Side) -> char {
    match side {
        Side::First => '+',
        Side::Second => '-',
    }
}

pub(super) fn side(sign_read: char) -> Option<Side> {
    Side::ALL.into_iter().find(|&side| sign(side) == sign_read)
}

/// The place of a man before or after a move: a square or the hand.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Place {
    Hand,
    On(Square),
}

/// Reads a place: a square such as `77`, or `00` for the hand.
pub(super) fn place(text: &str) -> Option<Place> {
    match *text.as_bytes() {
        [b'0', b'0'] => Some(Place::Hand),
        [file, rank] => square(file, b'a' + rank.checked_sub(b'1')?).map(Place::On),
        _ => None,
    }
}

pub(super) fn square_text(square: Square) -> String {
    let [file, rank] = name(square);
    format!("{}{}", char::from(file), rank - b'a' + 1)
}
