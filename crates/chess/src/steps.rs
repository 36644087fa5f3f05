//! Constant tables: the squares that pawns, knights and kings attack from each square, and the squares between two squares.

use crate::grid::{BySquare, Square, SquareSet, square};
use crate::sliders::hyperbola;
use game::{BySide, Side};

const KNIGHT_STEPS: [(i8, i8); 8] = [(1, 2), (2, 1), (2, -1), (1, -2), (-1, -2), (-2, -1), (-2, 1), (-1, 2)];
const KING_STEPS: [(i8, i8); 8] = [(0, 1), (1, 1), (1, 0), (1, -1), (0, -1), (-1, -1), (-1, 0), (-1, 1)];

const fn steps<const N: usize>(steps: [(i8, i8); N]) -> BySquare<SquareSet> {
    let mut table = [SquareSet::EMPTY; 64];
    let mut from = 0;
    while from < 64 {
        let mut set = 0;
        let mut i = 0;
        while i < N {
            if let Some(to) = square(from).offset(steps[i].0, steps[i].1) {
                set |= 1 << to.index();
            }
            i += 1;
        }
        table[from as usize] = SquareSet::from_word(set);
        from += 1;
    }
    BySquare::new(table)
}

pub(crate) static KNIGHT: BySquare<SquareSet> = steps(KNIGHT_STEPS);
pub(crate) static KING: BySquare<SquareSet> = steps(KING_STEPS);
pub(crate) static PAWN: BySide<BySquare<SquareSet>> =
    BySide { first: steps([(-1, 1), (1, 1)]), second: steps([(-1, -1), (1, -1)]) };

/// The squares that a knight attacks.
#[inline]
pub fn knight(from: Square) -> SquareSet {
    KNIGHT[from]
}

/// The squares that a king attacks.
#[inline]
pub fn king(from: Square) -> SquareSet {
    KING[from]
}

/// The squares that a pawn of this side attacks.
#[inline]
pub fn pawn(side: Side, from: Square) -> SquareSet {
    PAWN[side][from]
}

/// The squares strictly between two squares on a common rank, file or diagonal. Empty for all other pairs.
#[inline]
pub fn between(a: Square, b: Square) -> SquareSet {
    BETWEEN[a][b]
}

static BETWEEN: BySquare<BySquare<SquareSet>> = {
    let mut table = [BySquare::new([SquareSet::EMPTY; 64]); 64];
    let mut a = 0;
    while a < 64 {
        let mut b = 0;
        while b < 64 {
            let ends = 1 << a | 1 << b;
            let (one, other) = (square(a), square(b));
            // Sliders on both squares of an otherwise empty board see the same squares between them.
            let straight = hyperbola::rook(one, ends) & hyperbola::rook(other, ends);
            let diagonal = hyperbola::bishop(one, ends) & hyperbola::bishop(other, ends);
            let set = if hyperbola::rook(one, ends) & 1 << b != 0 {
                straight
            } else if hyperbola::bishop(one, ends) & 1 << b != 0 {
                diagonal
            } else {
                0
            };
            table[a as usize].0[b as usize] = SquareSet::from_word(set & !ends);
            b += 1;
        }
        a += 1;
    }
    BySquare::new(table)
};

#[cfg(test)]
mod tests {
    use super::*;

    /// The squares that a walk in one direction passes before it reaches the other square.
    fn slow_between(a: Square, b: Square) -> SquareSet {
        for (dx, dy) in KING_STEPS {
            let walk = std::iter::successors(a.offset(dx, dy), |s| s.offset(dx, dy));
            let squares: Vec<Square> = walk.collect();
            if let Some(end) = squares.iter().position(|&s| s == b) {
                return squares[..end].iter().copied().collect();
            }
        }
        SquareSet::EMPTY
    }

    #[test]
    fn between_is_what_a_walk_passes() {
        for a in Square::all() {
            for b in Square::all() {
                assert_eq!(between(a, b), slow_between(a, b), "{a} {b}");
            }
        }
    }

    #[test]
    fn steps_are_mutual() {
        for a in Square::all() {
            for b in Square::all() {
                assert_eq!(knight(a).contains(b), knight(b).contains(a));
                assert_eq!(king(a).contains(b), king(b).contains(a));
                assert_eq!(pawn(Side::First, a).contains(b), pawn(Side::Second, b).contains(a));
                let (dx, dy) = (a.file().abs_diff(b.file()), a.rank().abs_diff(b.rank()));
                assert_eq!(knight(a).contains(b), dx * dy == 2);
                assert_eq!(king(a).contains(b), dx.max(dy) == 1);
            }
        }
    }
}
