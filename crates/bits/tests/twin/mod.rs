//! Simple sets of squares, to compare the fast ones with.

use endspiel_bits::{Geometry, Square, SquareSet, Symmetry, side_by_side};
use std::collections::BTreeSet;

/// Compares every set operation with the same on a `BTreeSet` of squares, for one pair of sets and one shift.
pub fn behaves_like_a_set_of_squares<G: Geometry>(a: SquareSet<G>, b: SquareSet<G>, dx: i8, dy: i8) {
    type Slow<G> = BTreeSet<Square<G>>;
    let slow = |set: SquareSet<G>| -> Slow<G> { Square::all().filter(|&s| set.contains(s)).collect() };
    let fast = |set: Slow<G>| -> SquareSet<G> { set.into_iter().collect() };
    let (slow_a, slow_b) = (slow(a), slow(b));

    assert_eq!(a.len() as usize, slow_a.len());
    assert_eq!(a.is_empty(), slow_a.is_empty());
    assert_eq!(a.is_several(), slow_a.len() > 1);
    assert_eq!(a.first(), slow_a.first().copied());
    assert_eq!(a.iter().len(), slow_a.len());
    assert!(a.iter().eq(slow_a.iter().copied()));
    assert_eq!(a & b, fast(&slow_a & &slow_b));
    assert_eq!(a | b, fast(&slow_a | &slow_b));
    assert_eq!(a ^ b, fast(&slow_a ^ &slow_b));
    assert_eq!(!a, fast(Square::all().filter(|s| !slow_a.contains(s)).collect()));
    assert_eq!(a.intersects(b), !slow_a.is_disjoint(&slow_b));
    assert_eq!(a.shift(dx, dy), fast(slow_a.iter().filter_map(|s| s.offset(dx, dy)).collect()));
    assert_eq!(a.rotated(), fast(slow_a.iter().map(|s| s.rotate()).collect()));
    assert_eq!(a.mirrored(), fast(slow_a.iter().map(|s| s.mirror()).collect()));
    for symmetry in Symmetry::ALL {
        assert_eq!(a.image(symmetry), fast(slow_a.iter().map(|s| s.image(symmetry)).collect()));
        assert_eq!(a.image(symmetry).image(symmetry), a);
    }
    assert!(a.is_on_board() && SquareSet::try_from_word(a.word()) == Some(a));
    assert_eq!(a.to_string().matches('x').count(), slow_a.len());
    let drawn = side_by_side(&[("a", a), ("b", b)]);
    assert_eq!(drawn.lines().count(), usize::from(G::RANKS) + 2);
    assert_eq!(drawn.matches('x').count(), slow_a.len() + slow_b.len());
}
