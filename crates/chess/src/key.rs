//! A number for each position: equal positions have equal keys, and others hardly ever (Zobrist).

use crate::grid::{BySquare, Square, SquareSet};
use crate::pieces::{ByKind, Kind};
use crate::state::State;
use game::{BySide, Rng, Side};
use std::ops::BitXorAssign;

/// The key of a position. What the clocks say is not in it.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug, Default)]
pub struct Key(pub u64);

impl BitXorAssign for Key {
    #[inline]
    fn bitxor_assign(&mut self, other: Self) {
        self.0 ^= other.0;
    }
}

struct Keys {
    pieces: BySide<ByKind<BySquare<Key>>>,
    castling: BySquare<Key>,
    en_passant: BySquare<Key>,
    second_to_move: Key,
}

static KEYS: Keys = {
    let mut random = Rng::new(0x656e_6473_7069_656c); // any number will do; this one spells the name of the house
    let mut pieces = [[[Key(0); 64]; 6]; 2];
    let mut side = 0;
    while side < 2 {
        let mut kind = 0;
        while kind < 6 {
            pieces[side][kind] = squares(&mut random);
            kind += 1;
        }
        side += 1;
    }
    Keys {
        pieces: BySide { first: by_kind(pieces[0]), second: by_kind(pieces[1]) },
        castling: BySquare::new(squares(&mut random)),
        en_passant: BySquare::new(squares(&mut random)),
        second_to_move: Key(random.next_u64()),
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

const fn squares(random: &mut Rng) -> [Key; 64] {
    let mut keys = [Key(0); 64];
    let mut i = 0;
    while i < 64 {
        keys[i] = Key(random.next_u64());
        i += 1;
    }
    keys
}

impl Key {
    /// The key of a state, from nothing.
    pub(crate) fn of(state: &State, turn: Side) -> Self {
        let mut key = Self::default();
        for side in Side::ALL {
            for kind in Kind::ALL {
                state.board.of(side, kind).iter().for_each(|square| key.toggle(side, kind, square));
            }
        }
        key.toggle_rights(state.castling, state.en_passant);
        if turn == Side::Second {
            key.pass();
        }
        key
    }

    /// A piece comes or goes.
    #[inline]
    pub(crate) fn toggle(&mut self, side: Side, kind: Kind, square: Square) {
        *self ^= KEYS.pieces[side][kind][square];
    }

    /// These rights to castle and to take en passant come or go.
    #[inline]
    pub(crate) fn toggle_rights(&mut self, castling: SquareSet, en_passant: SquareSet) {
        // Nearly always neither does.
        if (castling | en_passant).is_empty() {
            return;
        }
        for rook in castling {
            *self ^= KEYS.castling[rook];
        }
        for square in en_passant {
            *self ^= KEYS.en_passant[square];
        }
    }

    /// It becomes the other side's turn.
    #[inline]
    pub(crate) fn pass(&mut self) {
        *self ^= KEYS.second_to_move;
    }
}
