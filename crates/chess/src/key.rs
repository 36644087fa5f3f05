//! A random key for each thing that can stand somewhere (Zobrist), and the key of a position from nothing. What the clocks
//! say is not in it.

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
    let mut random = Rng::new(0x656e_6473_7069_656c); // any number will do; this one spells the name of the house
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

/// The key of a state, from nothing.
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

/// A piece on its square.
#[inline]
pub(crate) fn piece(side: Side, kind: Kind, square: Square) -> Key {
    KEYS.pieces[side][kind][square]
}

/// These rights to castle and to take en passant come or go.
#[inline]
pub(crate) fn toggle_rights(key: &mut Key, castling: SquareSet, en_passant: SquareSet) {
    // Nearly always neither does.
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

/// It is the second side's turn.
#[inline]
pub(crate) fn second_to_move() -> Key {
    KEYS.second_to_move
}
