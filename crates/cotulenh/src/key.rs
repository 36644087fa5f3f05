//! Zobrist keys: a random key for each piece on each point. The clocks are not part of the key of a position.

use crate::grid::{ByPoint, Point};
use crate::pieces::Piece;
use crate::stacks::Stack;
use game::{BySide, Key, Rng, Side};

struct Keys {
    /// By side, piece and point. Every piece of a stack has its own key.
    pieces: BySide<[ByPoint<Key>; Piece::COUNT]>,
    second_to_move: Key,
}

static KEYS: Keys = {
    let mut random = Rng::new(0x636f_7475_6c65_6e68); // any seed will do; these bytes spell `cotulenh`
    let mut pieces = [[ByPoint([Key::EMPTY; Point::NUMBERS]); Piece::COUNT]; 2];
    let mut i = 0;
    while i < 2 * Piece::COUNT * Point::NUMBERS {
        let (side, rest) = (i / (Piece::COUNT * Point::NUMBERS), i % (Piece::COUNT * Point::NUMBERS));
        pieces[side][rest / Point::NUMBERS].0[rest % Point::NUMBERS] = Key::random(&mut random);
        i += 1;
    }
    let [first, second] = pieces;
    Keys { pieces: BySide { first, second }, second_to_move: Key::random(&mut random) }
};

/// Adds a stack to a key, or removes it.
#[inline]
pub(crate) fn toggle(key: &mut Key, side: Side, point: Point, stack: Stack) {
    for piece in stack.pieces() {
        *key ^= KEYS.pieces[side][piece.number()][point];
    }
}

/// The key that marks the second side as the side to move.
#[inline]
pub(crate) fn second_to_move() -> Key {
    KEYS.second_to_move
}
