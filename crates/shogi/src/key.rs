//! A number for each position: equal positions have equal keys, and others hardly ever (Zobrist).

use crate::grid::Square;
use crate::pieces::{Kind, Piece};
use crate::state::State;
use game::{Rng, Side};

/// The key of a position. The number of the move is not in it.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug, Default)]
pub struct Key(pub u64);

struct Keys {
    /// By side and kind.
    pieces: [[[u64; 81]; 15]; 2],
    /// By side, kind and number.
    hands: [[[u64; 19]; 7]; 2],
    second_to_move: u64,
}

static KEYS: Keys = {
    let mut random = Rng::new(0x656e_6473_7069_656c); // any number will do; this one spells the name of the house
    let mut pieces = [[[0; 81]; 15]; 2];
    let mut hands = [[[0; 19]; 7]; 2];
    let mut i = 0;
    while i < 2 * 15 * 81 {
        pieces[i / 81 / 15][i / 81 % 15][i % 81] = random.next_u64();
        i += 1;
    }
    i = 0;
    while i < 2 * 7 * 19 {
        hands[i / 19 / 7][i / 19 % 7][i % 19] = random.next_u64();
        i += 1;
    }
    Keys { pieces, hands, second_to_move: random.next_u64() }
};

impl Key {
    /// The key of a state, from nothing.
    pub(crate) fn of(state: &State, turn: Side) -> Self {
        let mut key = Self::default();
        for (square, Piece { side, kind }) in state.board.pieces() {
            key.toggle(side, kind, square);
        }
        for side in Side::ALL {
            for kind in Kind::IN_HAND {
                key.toggle_hand(side, kind, state.hand(side).count(kind));
            }
        }
        if turn == Side::Second {
            key.pass();
        }
        key
    }

    /// A man comes or goes.
    #[inline]
    pub(crate) fn toggle(&mut self, side: Side, kind: Kind, square: Square) {
        self.0 ^= KEYS.pieces[side as usize][kind as usize][square.index()];
    }

    /// So many of a kind are held, or are no more.
    #[inline]
    pub(crate) fn toggle_hand(&mut self, side: Side, kind: Kind, count: u32) {
        self.0 ^= KEYS.hands[side as usize][kind as usize % 7][count as usize % 19];
    }

    /// It becomes the other side's turn.
    #[inline]
    pub(crate) fn pass(&mut self) {
        self.0 ^= KEYS.second_to_move;
    }
}
