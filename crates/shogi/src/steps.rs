//! Tables, computed by the compiler: where men go that step or jump, and the squares between two squares.

use crate::grid::{BySquare, Grid, Square, SquareSet, ahead, behind, left, right};
use bits::Geometry;
use game::{BySide, Side};

macro_rules! table {
    ($square:ident => $set:expr) => {{
        let mut table = [SquareSet::EMPTY; 128];
        let mut i = 0;
        while i < Grid::SQUARES {
            let $square = SquareSet::from_word(1 << i);
            table[i as usize] = SquareSet::from_word($set);
            i += 1;
        }
        BySquare::new(table)
    }};
}

const fn sideways(set: SquareSet) -> u128 {
    left(set).word() | right(set).word()
}

const fn orthogonal_to(set: SquareSet) -> u128 {
    ahead::<true>(set).word() | behind::<true>(set).word() | sideways(set)
}

const fn ahead_diagonal<const BLACK: bool>(set: SquareSet) -> u128 {
    sideways(ahead::<BLACK>(set))
}

const fn gold_from<const BLACK: bool>(set: SquareSet) -> u128 {
    orthogonal_to(set) | ahead_diagonal::<BLACK>(set)
}

const fn silver_from<const BLACK: bool>(set: SquareSet) -> u128 {
    ahead::<BLACK>(set).word() | ahead_diagonal::<true>(set) | ahead_diagonal::<false>(set)
}

const fn knight_from<const BLACK: bool>(set: SquareSet) -> u128 {
    ahead_diagonal::<BLACK>(ahead::<BLACK>(set))
}

static PAWNS: BySide<BySquare<SquareSet>> = BySide {
    first: table!(from => ahead::<true>(from).word()),
    second: table!(from => ahead::<false>(from).word()),
};
static GOLDS: BySide<BySquare<SquareSet>> = BySide {
    first: table!(from => gold_from::<true>(from)),
    second: table!(from => gold_from::<false>(from)),
};
static SILVERS: BySide<BySquare<SquareSet>> = BySide {
    first: table!(from => silver_from::<true>(from)),
    second: table!(from => silver_from::<false>(from)),
};
static KNIGHTS: BySide<BySquare<SquareSet>> = BySide {
    first: table!(from => knight_from::<true>(from)),
    second: table!(from => knight_from::<false>(from)),
};
static ORTHOGONAL: BySquare<SquareSet> = table!(from => orthogonal_to(from));
static DIAGONAL: BySquare<SquareSet> =
    table!(from => ahead_diagonal::<true>(from) | ahead_diagonal::<false>(from));

/// The squares that a pawn reaches.
#[inline]
pub fn pawn(side: Side, from: Square) -> SquareSet {
    PAWNS[side][from]
}

/// The squares that a knight reaches.
#[inline]
pub fn knight(side: Side, from: Square) -> SquareSet {
    KNIGHTS[side][from]
}

/// The squares that a silver reaches.
#[inline]
pub fn silver(side: Side, from: Square) -> SquareSet {
    SILVERS[side][from]
}

/// The squares that a gold reaches.
#[inline]
pub fn gold(side: Side, from: Square) -> SquareSet {
    GOLDS[side][from]
}

/// The squares one step away along the rank and file: a promoted bishop reaches them in addition.
#[inline]
pub fn orthogonal(from: Square) -> SquareSet {
    ORTHOGONAL[from]
}

/// The squares one step away along the diagonals: a promoted rook reaches them in addition.
#[inline]
pub fn diagonal(from: Square) -> SquareSet {
    DIAGONAL[from]
}

/// The squares that a king reaches.
#[inline]
pub fn king(from: Square) -> SquareSet {
    ORTHOGONAL[from] | DIAGONAL[from]
}

/// All squares up to two files and three ranks away.
static VICINITY: BySquare<SquareSet> = table!(from => {
    let wide = sideways(from) | from.word();
    let wide = sideways(SquareSet::from_word(wide)) | wide;
    let mut tall = wide;
    let mut ranks = 0;
    while ranks < 3 {
        let set = SquareSet::from_word(tall);
        tall |= ahead::<true>(set).word() | behind::<true>(set).word();
        ranks += 1;
    }
    tall
});

/// All squares from which a man that steps or jumps could attack a square that the king reaches.
#[inline]
pub fn vicinity(king: Square) -> SquareSet {
    VICINITY[king]
}

static BETWEEN: BySquare<BySquare<SquareSet>> = {
    let mut table = [BySquare::new([SquareSet::EMPTY; 128]); 128];
    let mut i = 0;
    while i < Grid::SQUARES {
        if let Some(from) = Square::from_index(i) {
            let mut direction = 0;
            while direction < 9 {
                let (dx, dy) = (direction % 3 - 1, direction / 3 - 1);
                let mut passed = 0u128;
                let mut at = if dx == 0 && dy == 0 { None } else { from.offset(dx, dy) };
                while let Some(to) = at {
                    table[i as usize].0[to.index()] = SquareSet::from_word(passed);
                    passed |= 1 << to.index();
                    at = to.offset(dx, dy);
                }
                direction += 1;
            }
        }
        i += 1;
    }
    BySquare::new(table)
};

/// The squares between two squares on a line, without the two. The set is empty if no line joins them.
#[inline]
pub fn between(a: Square, b: Square) -> SquareSet {
    BETWEEN[a][b]
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The squares at these offsets, as a side sees them: files to its right, ranks ahead.
    fn slow(side: Side, from: Square, steps: &[(i8, i8)]) -> SquareSet {
        let turn = if side == Side::First { 1 } else { -1 };
        steps.iter().filter_map(|&(dx, dy)| from.offset(dx * turn, dy * turn)).collect()
    }

    const ORTHOGONAL_STEPS: [(i8, i8); 4] = [(0, 1), (1, 0), (0, -1), (-1, 0)];
    const DIAGONAL_STEPS: [(i8, i8); 4] = [(1, 1), (1, -1), (-1, -1), (-1, 1)];

    #[test]
    fn steps_are_those_of_the_rule_book() {
        for side in Side::ALL {
            for from in Square::all() {
                assert_eq!(pawn(side, from), slow(side, from, &[(0, 1)]));
                assert_eq!(knight(side, from), slow(side, from, &[(-1, 2), (1, 2)]));
                let silver_steps = [(0, 1), (1, 1), (-1, 1), (1, -1), (-1, -1)];
                assert_eq!(silver(side, from), slow(side, from, &silver_steps));
                let gold_steps = [(0, 1), (1, 1), (-1, 1), (1, 0), (-1, 0), (0, -1)];
                assert_eq!(gold(side, from), slow(side, from, &gold_steps));
                assert_eq!(orthogonal(from), slow(side, from, &ORTHOGONAL_STEPS));
                assert_eq!(diagonal(from), slow(side, from, &DIAGONAL_STEPS));
                assert_eq!(king(from), orthogonal(from) | diagonal(from));
            }
        }
    }

    /// Outside of the vicinity only sliders attack a square that the king reaches.
    #[test]
    fn the_vicinity_is_large_enough() {
        for from in Square::all() {
            for side in Side::ALL {
                for reached in king(from) {
                    let attackers = knight(side, reached) | king(reached);
                    assert!((attackers & !vicinity(from)).is_empty(), "{from:?}");
                }
            }
        }
    }

    #[test]
    fn between_is_what_a_walk_passes() {
        for a in Square::all() {
            for b in Square::all() {
                let mut expected = SquareSet::EMPTY;
                for (dx, dy) in ORTHOGONAL_STEPS.into_iter().chain(DIAGONAL_STEPS) {
                    let walk: Vec<Square> =
                        std::iter::successors(a.offset(dx, dy), |at| at.offset(dx, dy)).collect();
                    if let Some(end) = walk.iter().position(|&at| at == b) {
                        expected = walk[..end].iter().copied().collect();
                    }
                }
                assert_eq!(between(a, b), expected, "{a:?} {b:?}");
            }
        }
    }
}
