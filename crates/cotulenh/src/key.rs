//! A number for each position: equal positions have equal keys, and others hardly ever (Zobrist).

use crate::grid::{ByPoint, Point};
use crate::pieces::Piece;
use crate::stacks::Stack;
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
    /// For every piece that stands there, in a stack or alone.
    pieces: BySide<[ByPoint<Key>; Piece::COUNT]>,
    second_to_move: Key,
}

static KEYS: Keys = {
    let mut random = Rng::new(0x636f_7475_6c65_6e68); // any number will do; this one spells the name of the game
    let mut pieces = [[ByPoint([Key(0); Point::NUMBERS]); Piece::COUNT]; 2];
    let mut i = 0;
    while i < 2 * Piece::COUNT * Point::NUMBERS {
        let (side, rest) = (i / (Piece::COUNT * Point::NUMBERS), i % (Piece::COUNT * Point::NUMBERS));
        pieces[side][rest / Point::NUMBERS].0[rest % Point::NUMBERS] = Key(random.next_u64());
        i += 1;
    }
    let [first, second] = pieces;
    Keys { pieces: BySide { first, second }, second_to_move: Key(random.next_u64()) }
};

impl Key {
    /// A stack comes or goes.
    #[inline]
    pub(crate) fn toggle(&mut self, side: Side, point: Point, stack: Stack) {
        for piece in stack.pieces() {
            *self ^= KEYS.pieces[side][piece.number()][point];
        }
    }

    /// It becomes the other side's turn.
    #[inline]
    pub(crate) fn pass(&mut self) {
        *self ^= KEYS.second_to_move;
    }
}
