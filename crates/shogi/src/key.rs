//! Zobrist keys: a random key for each man on each square and for each number of men in hand, and the key of a whole
//! position. The move number is not part of it.

use crate::grid::Square;
use crate::pieces::{Kind, Piece};
use crate::state::State;
use game::{Key, Rng, Side};

struct Keys {
    /// By side, kind and square.
    pieces: [[[Key; 81]; 15]; 2],
    /// By side, kind and number of men.
    hands: [[[Key; 19]; 7]; 2],
    second_to_move: Key,
}

static KEYS: Keys = {
    let mut random = Rng::new(0x656e_6473_7069_656c); // any seed will do; these bytes spell `endspiel`
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

/// Computes the key of a state from all its men.
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

/// The key of a man on its square.
#[inline]
pub(crate) fn man(side: Side, kind: Kind, square: Square) -> Key {
    KEYS.pieces[side as usize][kind as usize][square.index()]
}

/// The key of this number of men of a kind in hand.
#[inline]
pub(crate) fn held(side: Side, kind: Kind, count: u32) -> Key {
    KEYS.hands[side as usize][kind as usize % 7][count as usize % 19]
}

/// The key that marks the second side as the side to move.
#[inline]
pub(crate) fn second_to_move() -> Key {
    KEYS.second_to_move
}
