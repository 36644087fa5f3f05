//! Moves on planes: sets of squares of the shogi board, and the hand as one more bit.
//!
//! The own side plays up the board, to higher bits. All functions go backwards: they return the squares *from* which a
//! man reaches a set of squares.

use shogi::Kind;

/// All squares of the board.
pub const BOARD: u128 = (1 << 81) - 1;
/// The bit of a man in hand. Turning the board by 180 degrees maps it to itself.
pub const HAND: u32 = 104;
/// The own promotion zone: the three upper ranks.
pub const ZONE: u128 = BOARD & !(BOARD >> 27);

/// The leftmost file.
const LEFT: u128 = BOARD / 0x1ff;
const RIGHT: u128 = LEFT << 8;

#[inline(always)]
fn up(set: u128) -> u128 {
    set << 9 & BOARD
}

#[inline(always)]
fn down(set: u128) -> u128 {
    set >> 9
}

#[inline(always)]
fn sideways(set: u128) -> u128 {
    (set & !LEFT) >> 1 | (set & !RIGHT) << 1
}

/// The board as the other side sees it: turned by 180 degrees.
#[inline(always)]
pub fn turned(plane: u128) -> u128 {
    plane.reverse_bits().rotate_right(127 - 80)
}

/// The mirror image: left and right are exchanged. A man in hand stays in hand.
#[inline(always)]
pub fn mirrored(plane: u128) -> u128 {
    let swap = |file: u32| {
        let (low, distance) = (LEFT << file, 8 - 2 * file);
        (plane & low) << distance | plane >> distance & low
    };
    plane & !(BOARD & !(LEFT << 4)) | swap(0) | swap(1) | swap(2) | swap(3)
}

/// Slides upwards in the order of bits: the squares that are reached from a set through empty squares.
#[inline(always)]
fn slide_up(set: u128, empty: u128, step: u32, edge: u128) -> u128 {
    let (mut filled, mut open) = (set, empty & !edge);
    for steps in [step, 2 * step, 4 * step] {
        filled |= open & filled << steps;
        open &= open << steps;
    }
    filled << step & BOARD & !edge
}

/// Slides downwards in the order of bits.
#[inline(always)]
fn slide_down(set: u128, empty: u128, step: u32, edge: u128) -> u128 {
    let (mut filled, mut open) = (set, empty & !edge);
    for steps in [step, 2 * step, 4 * step] {
        filled |= open & filled >> steps;
        open &= open >> steps;
    }
    filled >> step & !edge
}

/// The squares from which a lance reaches the set.
#[inline(always)]
fn before_lance(set: u128, empty: u128) -> u128 {
    slide_down(set, empty, 9, 0)
}

#[inline(always)]
fn before_rook(set: u128, empty: u128) -> u128 {
    slide_up(set, empty, 9, 0)
        | slide_down(set, empty, 9, 0)
        | slide_up(set, empty, 1, LEFT)
        | slide_down(set, empty, 1, RIGHT)
}

#[inline(always)]
fn before_bishop(set: u128, empty: u128) -> u128 {
    slide_up(set, empty, 10, LEFT)
        | slide_down(set, empty, 10, RIGHT)
        | slide_up(set, empty, 8, RIGHT)
        | slide_down(set, empty, 8, LEFT)
}

#[inline(always)]
fn orthogonal(set: u128) -> u128 {
    up(set) | down(set) | sideways(set)
}

#[inline(always)]
fn diagonal(set: u128) -> u128 {
    sideways(up(set) | down(set))
}

#[inline(always)]
fn before_gold(set: u128) -> u128 {
    orthogonal(set) | sideways(down(set))
}

/// The squares from which an own man of this kind, not promoted, reaches the set. Sliders pass empty squares only.
#[inline(always)]
pub fn before_plain(kind: Kind, set: u128, empty: u128) -> u128 {
    match kind {
        Kind::Pawn => down(set),
        Kind::Lance => before_lance(set, empty),
        Kind::Knight => sideways(down(down(set))),
        Kind::Silver => down(set) | diagonal(set),
        Kind::Bishop => before_bishop(set, empty),
        Kind::Rook => before_rook(set, empty),
        _ => before_gold(set),
    }
}

/// The squares from which an own man of this kind, promoted, reaches the set.
#[inline(always)]
pub fn before_promoted(kind: Kind, set: u128, empty: u128) -> u128 {
    match kind {
        Kind::Bishop => before_bishop(set, empty) | orthogonal(set),
        Kind::Rook => before_rook(set, empty) | diagonal(set),
        _ => before_gold(set),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use game::{Rng, Side};
    use shogi::{Piece, Square, SquareSet};

    /// Compares with the moves of the rules, for random sets and occupied squares.
    #[test]
    fn moves_are_those_of_the_rules() {
        let mut rng = Rng::new(1);
        for _ in 0..300 {
            let mut word = || u128::from(rng.below(u64::MAX));
            let mut random = || word() << 40 ^ word();
            let (set, occupied) = (random() & random() & random() & BOARD, random() & random() & BOARD);
            for kind in Kind::IN_HAND {
                for (kind, found) in [
                    (Some(kind), before_plain(kind, set, BOARD & !occupied)),
                    (kind.promoted(), before_promoted(kind, set, BOARD & !occupied)),
                ] {
                    let Some(kind) = kind else { continue };
                    let reaches = |from: &Square| {
                        let piece = Piece { side: Side::First, kind };
                        piece.attacks(*from, SquareSet::from_word(occupied)).word() & set != 0
                    };
                    let expected: SquareSet = Square::all().filter(reaches).collect();
                    assert_eq!(found, expected.word(), "{kind:?} {set:#x} {occupied:#x}");
                }
            }
        }
    }

    #[test]
    fn images_are_those_of_the_board() {
        for square in Square::all() {
            assert_eq!(turned(1 << square.index()), 1 << square.rotate().index());
            assert_eq!(mirrored(1 << square.index()), 1 << square.mirror().index());
        }
        assert_eq!((turned(1 << HAND), mirrored(1 << HAND)), (1 << HAND, 1 << HAND));
    }
}
