//! Zobrist keys: a random key for each piece on each square and for each right, and the key of a whole position. The clocks
//! are not part of the key.

use crate::grid::{BySquare, Square, SquareSet};
use crate::pieces::{ByKind, Kind};
use crate::state::State;
use game::{BySide, Key, Rng, Side};

struct Keys {
    pieces: BySide<ByKind<BySquare<Key>>>,
    castling: BySquare<Key>,
    en_passant: BySquare<Key>,
    second_to_move: Key,
}

static KEYS: Keys = {
    let mut random = Rng::new(0x656e_6473_7069_656c); // any number will do; these bytes spell "endspiel"
    let mut pieces = [[[Key::EMPTY; 64]; 6]; 2];
    let mut side = 0;
    while side < 2 {
        let mut kind = 0;
        while kind < 6 {
            pieces[side][kind] = Key::table(&mut random);
            kind += 1;
        }
        side += 1;
    }
    Keys {
        pieces: BySide { first: by_kind(pieces[0]), second: by_kind(pieces[1]) },
        castling: BySquare::new(Key::table(&mut random)),
        en_passant: BySquare::new(Key::table(&mut random)),
        second_to_move: Key::random(&mut random),
    }
};

const fn by_kind(keys: [[Key; 64]; 6]) -> ByKind<BySquare<Key>> {
    let [a, b, c, d, e, f] = keys;
    ByKind([
        BySquare::new(a),
        BySquare::new(b),
        BySquare::new(c),
        BySquare::new(d),
        BySquare::new(e),
        BySquare::new(f),
    ])
}

/// Computes the key of a state from scratch.
pub(crate) fn of(state: &State, turn: Side) -> Key {
    let mut key = Key::EMPTY;
    toggle_rights(&mut key, state.castling, state.en_passant);
    for side in Side::ALL {
        for kind in Kind::ALL {
            state.board.of(side, kind).iter().for_each(|square| key ^= piece(side, kind, square));
        }
    }
    match turn {
        Side::First => key,
        Side::Second => key ^ second_to_move(),
    }
}

/// The key of a piece on a square.
#[inline]
pub(crate) fn piece(side: Side, kind: Kind, square: Square) -> Key {
    KEYS.pieces[side][kind][square]
}

/// Adds or removes these castling rights and en-passant squares.
#[inline]
pub(crate) fn toggle_rights(key: &mut Key, castling: SquareSet, en_passant: SquareSet) {
    // For nearly all moves both sets are empty.
    if (castling | en_passant).is_empty() {
        return;
    }
    for rook in castling {
        *key ^= KEYS.castling[rook];
    }
    for square in en_passant {
        *key ^= KEYS.en_passant[square];
    }
}

/// The key for the second side to move.
#[inline]
pub(crate) fn second_to_move() -> Key {
    KEYS.second_to_move
}
