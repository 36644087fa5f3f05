//! Compares drawn boards character by character.

use endspiel_bits::{Geometry, PointSet, Square, SquareSet, side_by_side};

#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug, Default)]
struct TwoByTen;
impl Geometry for TwoByTen {
    type Word = u32;
    const FILES: u8 = 2;
    const RANKS: u8 = 10;
}

#[test]
fn ranks_of_two_digits_are_drawn_in_line() {
    let top = SquareSet::from(Square::<TwoByTen>::at(0, 9));
    let lines = "\
10 x .
 9 . .
 8 . .
 7 . .
 6 . .
 5 . .
 4 . .
 3 . .
 2 . .
 1 . .
   a b
";
    assert_eq!(top.to_string(), lines);
    assert_eq!(PointSet::<2, 10>::of("a10".parse().unwrap()).to_string(), lines, "both kinds look alike");
}

#[test]
fn boards_stand_under_their_titles() {
    let corner = PointSet::<2, 2>::of("b2".parse().unwrap());
    let drawn = side_by_side(&[("wider than its board", corner), ("größer", !corner), ("", corner)]);
    let lines = [
        "  wider than its board    größer",
        "2 . x                     x .       . x",
        "1 . .                     x x       . .",
        "  a b                     a b       a b",
    ];
    assert_eq!(drawn.lines().collect::<Vec<_>>(), lines);
    assert_eq!(side_by_side::<PointSet<2, 1>>(&[]), "\n1\n\n");
}
