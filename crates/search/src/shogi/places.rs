//! Squares as the features number them: with left and right folded, and relative to a king.

use super::features::{RELATIONS, SHAPES};
use game::Side;
use shogi::{Kind, Square};

/// The number of squares.
pub(super) const SQUARES: usize = 81;

/// By kind: its shape, the number of the way it moves. Kings have none.
pub(super) const SHAPE: [usize; 15] = {
    let mut shapes = [GOLD; 15];
    let mut at = 0;
    while at < Kind::ALL.len() {
        shapes[Kind::ALL[at] as usize] = match Kind::ALL[at] {
            Kind::Pawn => 0,
            Kind::Lance => 1,
            Kind::Knight => 2,
            Kind::Silver => 3,
            Kind::Bishop => 5,
            Kind::Rook => 6,
            Kind::Horse => 7,
            Kind::Dragon => 8,
            _ => GOLD,
        };
        at += 1;
    }
    shapes
};
const GOLD: usize = 4;
const _: () = assert!(SHAPES == 9 && RELATIONS == 45, "places are numbered by five files and nine ranks");

/// By the square of a king and another square: how the square stands to the king. Distances beyond four files or ranks are not told
/// apart, nor are left and right.
pub(super) static RELATION: [[u8; SQUARES]; SQUARES] = {
    let mut table = [[0; SQUARES]; SQUARES];
    let mut pair = 0;
    while pair < SQUARES * SQUARES {
        let (king, square) = (pair / SQUARES, pair % SQUARES);
        let files = (king % 9).abs_diff(square % 9);
        let ranks = (square / 9) as i32 - (king / 9) as i32;
        let files = if files > 4 { 4 } else { files };
        let ranks = if ranks > 4 {
            4
        } else if ranks < -4 {
            -4
        } else {
            ranks
        };
        table[king][square] = (files as i32 * 9 + ranks + 4) as u8;
        pair += 1;
    }
    table
};

/// The number of a square if left and right are not told apart.
pub(super) const fn folded(square: usize) -> usize {
    let file = square % 9;
    (if file > 4 { 8 - file } else { file }) * 9 + square / 9
}

/// The number of a square as a side sees it: each plays up the board.
#[inline]
pub(super) fn seen_by(side: Side, square: Square) -> usize {
    match side {
        Side::First => square.index(),
        Side::Second => SQUARES - 1 - square.index(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn mirror_images_are_alike() {
        for square in Square::all() {
            assert_eq!(folded(square.index()), folded(square.mirror().index()));
            assert!(folded(square.index()) < RELATIONS);
            assert_eq!(seen_by(Side::Second, square), square.rotate().index());
            for king in Square::all() {
                let relation = RELATION[king.index()][square.index()];
                assert_eq!(relation, RELATION[king.mirror().index()][square.mirror().index()]);
                assert!(usize::from(relation) < RELATIONS);
            }
        }
    }
}
