//! Attacks of all sliders of a side at once: their rays flood the board in eight directions, four directions per vector.
//!
//! A slider table gives the attacks of one piece. A flood costs the same for one rook as for nine queens, and it has no
//! loop over pieces whose end the processor could mispredict. Each step doubles the distance (Kogge-Stone), so three steps
//! reach the edge.

use crate::grid::{FILE_A, FILE_H, SquareSet};
use bits::Lanes;

/// Distances between square numbers in four directions: north, east, north-east and north-west. The four opposite
/// directions have the same distances downwards. The first two directions are those of rooks, the others of bishops.
const ONCE: Lanes = Lanes::new([8, 1, 9, 7]);
const TWICE: Lanes = Lanes::new([16, 2, 18, 14]);
const FOUR_TIMES: Lanes = Lanes::new([32, 4, 36, 28]);
/// The squares on which a step may arrive. Other squares would be reached by wrapping around the edge.
const UP: Lanes = Lanes::new([!0, !FILE_A, !FILE_A, !FILE_H]);
const DOWN: Lanes = Lanes::new([!0, !FILE_H, !FILE_H, !FILE_A]);

/// The squares that rays reach, by direction. In each direction, at most one slider reaches a square: the nearest slider
/// blocks the rays of those behind it.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Rays {
    up: Lanes,
    down: Lanes,
}

impl Rays {
    /// Computes the rays of these sliders over empty squares, up to and including the first occupied square.
    #[inline(always)]
    pub fn of(straight: SquareSet, diagonal: SquareSet, empty: SquareSet) -> Self {
        let (straight, diagonal) = (straight.word(), diagonal.word());
        let sliders = Lanes::new([straight, straight, diagonal, diagonal]);
        let empty = Lanes::splat(empty.word());
        let up = flood(sliders, empty, UP, Lanes::shifted_left);
        let down = flood(sliders, empty, DOWN, Lanes::shifted_right);
        Self { up, down }
    }

    /// All squares that the rays reach.
    #[inline(always)]
    pub fn union(self) -> SquareSet {
        SquareSet::from_word((self.up | self.down).union())
    }

    /// Counts the moves along the rays that end on one of these squares: one for each slider and square.
    #[inline(always)]
    pub fn count(self, targets: SquareSet) -> u32 {
        let targets = Lanes::splat(targets.word());
        (self.up & targets).count_with(self.down & targets)
    }
}

/// Computes rays in four directions: over one empty square, then two and four more, and a last step onto the blocker.
#[inline(always)]
fn flood(sliders: Lanes, empty: Lanes, arrival: Lanes, shifted: impl Fn(Lanes, Lanes) -> Lanes) -> Lanes {
    let (mut reached, mut open) = (sliders, empty & arrival);
    reached = reached | open & shifted(reached, ONCE);
    open = open & shifted(open, ONCE);
    reached = reached | open & shifted(reached, TWICE);
    open = open & shifted(open, TWICE);
    reached = reached | open & shifted(reached, FOUR_TIMES);
    shifted(reached, ONCE) & arrival
}

/// The squares that these rooks and bishops attack together, over empty squares. Queens are both.
#[inline(always)]
pub fn sliders(straight: SquareSet, diagonal: SquareSet, empty: SquareSet) -> SquareSet {
    Rays::of(straight, diagonal, empty).union()
}

/// The squares that these knights attack together.
#[inline]
pub fn knights(knights: SquareSet) -> SquareSet {
    let from = knights.word();
    let west = from >> 1 & !FILE_H;
    let east = from << 1 & !FILE_A;
    let far_west = west >> 1 & !FILE_H;
    let far_east = east << 1 & !FILE_A;
    let (near, far) = (west | east, far_west | far_east);
    SquareSet::from_word(near << 16 | near >> 16 | far << 8 | far >> 8)
}

/// The squares that these kings attack together. A board that was not checked may have several kings of a side.
#[inline]
pub(crate) fn kings(kings: SquareSet) -> SquareSet {
    let from = kings.word();
    let row = from | from >> 1 & !FILE_H | from << 1 & !FILE_A;
    SquareSet::from_word((row | row << 8 | row >> 8) & !from)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::grid::Square;
    use crate::{sliders, steps};
    use game::Rng;

    /// Random boards from nearly empty to nearly full.
    #[test]
    fn a_flood_is_the_sum_of_its_sliders() {
        let mut rng = Rng::new(7);
        for round in 0..100_000u32 {
            let thinned = |rng: &mut Rng, times| (0..times).fold(!0, |set, _| set & rng.next_u64());
            let occupied = SquareSet::from_word(thinned(&mut rng, 1 + round % 4));
            let straight = occupied & SquareSet::from_word(thinned(&mut rng, 2));
            let diagonal = occupied & SquareSet::from_word(thinned(&mut rng, 2));
            let targets = SquareSet::from_word(rng.next_u64());
            let rays = Rays::of(straight, diagonal, !occupied);
            let each = || {
                let rooks = straight.iter().map(|from| sliders::rook(from, occupied));
                rooks.chain(diagonal.iter().map(|from| sliders::bishop(from, occupied)))
            };
            assert_eq!(rays.union(), each().fold(SquareSet::EMPTY, |all, set| all | set));
            assert_eq!(rays.count(targets), each().map(|set| (set & targets).len()).sum::<u32>());
            let leaps = straight.iter().fold(SquareSet::EMPTY, |all, from: Square| all | steps::knight(from));
            assert_eq!(knights(straight), leaps);
        }
    }
}
