//! A random key for each man on each square and for what is held (Zobrist), and the key of a position from nothing. The
//! number of the move is not in it.

use crate::grid::Square;
use crate::pieces::{Kind, Piece};
use crate::state::State;
use game::{Key, Rng, Side};

struct Keys {
    /// By side and kind.
    pieces: [[[Key; 81]; 15]; 2],
    /// By side, kind and number.
    hands: [[[Key; 19]; 7]; 2],
    second_to_move: Key,
}

static KEYS: Keys = {
    let mut random = Rng::new(0x656e_6473_7069_656c); // any number will do; this one spells the name of the house
    let mut pieces = [[[Key::EMPTY; 81]; 15]; 2];
    let mut hands = [[[Key::EMPTY; 19]; 7]; 2];
    let mut i = 0;
    while i < 2 * 15 * 81 {
        pieces[i / 81 / 15][i / 81 % 15][i % 81] = Key::random(&mut random);
        i += 1;
    }
    i = 0;
    while i < 2 * 7 * 19 {
        hands[i / 19 / 7][i / 19 % 7][i % 19] = Key::random(&mut random);
        i += 1;
    }
    Keys { pieces, hands, second_to_move: Key::random(&mut random) }
};

/// The key of a state, from nothing.
pub(crate) fn of(state: &State, turn: Side) -> Key {
    let mut key = Key::EMPTY;
    for (square, Piece { side, kind }) in state.board.pieces() {
        key ^= man(side, kind, square);
    }
    for side in Side::ALL {
        for kind in Kind::IN_HAND {
            key ^= held(side, kind, state.hand(side).count(kind));
        }
    }
    match turn {
        Side::First => key,
        Side::Second => key ^ second_to_move(),
    }
}

/// A man on its square.
#[inline]
pub(crate) fn man(side: Side, kind: Kind, square: Square) -> Key {
    KEYS.pieces[side as usize][kind as usize][square.index()]
}

/// So many of a kind in the hand.
#[inline]
pub(crate) fn held(side: Side, kind: Kind, count: u32) -> Key {
    KEYS.hands[side as usize][kind as usize % 7][count as usize % 19]
}

/// It is the second side's turn.
#[inline]
pub(crate) fn second_to_move() -> Key {
    KEYS.second_to_move
}
