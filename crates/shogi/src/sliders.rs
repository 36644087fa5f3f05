//! What lances, bishops and rooks attack on an occupied board.
//!
//! Two ways with the same names and results: `gather` collects each line's occupancy with `pext`, looks nine bits up and
//! spreads the answer with `pdep`; `scan` looks along each ray for the first blocker. Where the machine has `pext` the first is
//! used, elsewhere the second. Tests compare both with a walk over the squares.

use crate::grid::{BySquare, Grid, Square, SquareSet};
use bits::Geometry;
use game::Side;

#[cfg(all(target_arch = "x86_64", target_feature = "bmi2"))]
use gather as fastest;
#[cfg(not(all(target_arch = "x86_64", target_feature = "bmi2")))]
use scan as fastest;

/// The eight directions as files to the right and ranks up: four in which the numbers of the squares grow, and their
/// opposites in the same order. A rook's first, then a bishop's, in both halves.
const DIRECTIONS: [(i8, i8); 8] = [(0, 1), (1, 0), (1, 1), (-1, 1), (0, -1), (-1, 0), (-1, -1), (1, -1)];
const UP: usize = 0;
const DOWN: usize = 4;

/// The squares from one to the edge, by direction, without itself.
static RAYS: [BySquare<SquareSet>; 8] = {
    let mut rays = [BySquare::new([SquareSet::EMPTY; 128]); 8];
    let mut i = 0;
    while i < Grid::SQUARES {
        let mut direction = 0;
        while direction < 8 {
            let (dx, dy) = DIRECTIONS[direction];
            let mut set = 0u128;
            let mut at = Square::from_index(i);
            while let Some(from) = at {
                at = from.offset(dx, dy);
                if let Some(to) = at {
                    set |= 1 << to.index();
                }
            }
            rays[direction].0[i as usize] = SquareSet::from_word(set);
            direction += 1;
        }
        i += 1;
    }
    rays
};

/// What a lance of this side attacks on an empty board.
#[inline]
pub fn lance_ray(side: Side, from: Square) -> SquareSet {
    match side {
        Side::First => RAYS[UP][from],
        Side::Second => RAYS[DOWN][from],
    }
}

static ROOK_RAYS: BySquare<SquareSet> = both_lines(0, 1);
static BISHOP_RAYS: BySquare<SquareSet> = both_lines(2, 3);

const fn both_lines(a: usize, b: usize) -> BySquare<SquareSet> {
    let mut table = [SquareSet::EMPTY; 128];
    let mut i = 0;
    while i < 128 {
        let word =
            RAYS[a].0[i].word() | RAYS[a + 4].0[i].word() | RAYS[b].0[i].word() | RAYS[b + 4].0[i].word();
        table[i] = SquareSet::from_word(word);
        i += 1;
    }
    BySquare::new(table)
}

/// What a rook attacks on an empty board.
#[inline]
pub fn rook_rays(from: Square) -> SquareSet {
    ROOK_RAYS[from]
}

/// What a bishop attacks on an empty board.
#[inline]
pub fn bishop_rays(from: Square) -> SquareSet {
    BISHOP_RAYS[from]
}

/// The ray from a square on which another lies, to the edge; nothing if it lies on none.
pub(crate) fn ray_through(from: Square, other: Square) -> SquareSet {
    let rays = RAYS.iter().map(|rays| rays[from]);
    rays.into_iter().find(|ray| ray.contains(other)).unwrap_or(SquareSet::EMPTY)
}

/// What a lance of this side attacks.
#[inline]
pub fn lance(side: Side, from: Square, occupied: SquareSet) -> SquareSet {
    match side {
        Side::First => scan::ahead(UP, from, occupied),
        Side::Second => scan::back(DOWN, from, occupied),
    }
}

/// What a rook attacks.
#[inline]
pub fn rook(from: Square, occupied: SquareSet) -> SquareSet {
    fastest::rook(from, occupied)
}

/// What a bishop attacks.
#[inline]
pub fn bishop(from: Square, occupied: SquareSet) -> SquareSet {
    fastest::bishop(from, occupied)
}

/// Ray by ray, up to the first blocker.
pub(crate) mod scan {
    use super::{RAYS, Square, SquareSet};

    /// In a direction in which the numbers grow: all below and with the lowest blocker.
    #[inline]
    pub fn ahead(direction: usize, from: Square, occupied: SquareSet) -> SquareSet {
        let ray = RAYS[direction][from];
        let blockers = (ray & occupied).word();
        ray & SquareSet::from_word(blockers ^ blockers.wrapping_sub(1))
    }

    /// In a direction in which they shrink: all above and with the highest blocker.
    #[inline]
    pub fn back(direction: usize, from: Square, occupied: SquareSet) -> SquareSet {
        let ray = RAYS[direction][from];
        // With a blocker beyond the edge there always is one.
        let highest = 127 - ((ray & occupied).word() | 1).leading_zeros();
        ray & SquareSet::from_word(u128::MAX << highest)
    }

    #[inline]
    fn line(direction: usize, from: Square, occupied: SquareSet) -> SquareSet {
        ahead(direction, from, occupied) | back(direction + 4, from, occupied)
    }

    #[cfg_attr(all(target_arch = "x86_64", target_feature = "bmi2"), allow(dead_code))] // the twin, for the tests
    #[inline]
    pub fn rook(from: Square, occupied: SquareSet) -> SquareSet {
        line(0, from, occupied) | line(1, from, occupied)
    }

    #[cfg_attr(all(target_arch = "x86_64", target_feature = "bmi2"), allow(dead_code))]
    #[inline]
    pub fn bishop(from: Square, occupied: SquareSet) -> SquareSet {
        line(2, from, occupied) | line(3, from, occupied)
    }
}

/// Line by line: nine bits gathered, looked up and spread again.
#[cfg_attr(not(all(target_arch = "x86_64", target_feature = "bmi2")), allow(dead_code))] // the twin, for the tests
pub(crate) mod gather {
    use super::{BySquare, Grid, RAYS, Square, SquareSet};
    use bits::{Geometry, pdep, pext};

    /// A line through a square, itself included, in the two halves of a word.
    #[derive(Clone, Copy)]
    struct Line {
        low: u64,
        high: u64,
        /// How many of its squares are in the lower half.
        in_low: u8,
        /// Which of them is the square.
        place: u8,
    }

    static LINES: [BySquare<Line>; 4] = {
        let mut lines = [BySquare::new([Line { low: 0, high: 0, in_low: 0, place: 0 }; 128]); 4];
        let mut direction = 0;
        while direction < 4 {
            let mut i = 0;
            while i < Grid::SQUARES as usize {
                let below = RAYS[direction + 4].0[i].word();
                let line = RAYS[direction].0[i].word() | below | 1 << i;
                lines[direction].0[i] = Line {
                    low: line as u64,
                    high: (line >> 64) as u64,
                    in_low: (line as u64).count_ones() as u8,
                    place: below.count_ones() as u8,
                };
                i += 1;
            }
            direction += 1;
        }
        lines
    };

    /// By the place of the slider and which of nine squares are occupied: those it attacks.
    static ATTACKS: [[u16; 512]; 16] = {
        let mut table = [[0; 512]; 16];
        let mut place = 0;
        while place < 9 {
            let mut occupied = 0;
            while occupied < 512 {
                let mut attacks = 0;
                let mut at = place + 1;
                while at < 9 {
                    attacks |= 1 << at;
                    if occupied >> at & 1 != 0 {
                        break;
                    }
                    at += 1;
                }
                at = place;
                while at > 0 {
                    at -= 1;
                    attacks |= 1 << at;
                    if occupied >> at & 1 != 0 {
                        break;
                    }
                }
                table[place][occupied] = attacks;
                occupied += 1;
            }
            place += 1;
        }
        table
    };

    #[inline]
    fn line(direction: usize, from: Square, occupied: SquareSet) -> SquareSet {
        let Line { low, high, in_low, place } = LINES[direction][from];
        let occupied = occupied.word();
        let gathered = pext(occupied as u64, low) | pext((occupied >> 64) as u64, high) << (in_low & 15);
        let attacks = u64::from(ATTACKS[usize::from(place & 15)][gathered as usize & 511]);
        let spread = u128::from(pdep(attacks, low)) | u128::from(pdep(attacks >> (in_low & 15), high)) << 64;
        SquareSet::from_word(spread)
    }

    #[inline]
    pub fn rook(from: Square, occupied: SquareSet) -> SquareSet {
        line(0, from, occupied) | line(1, from, occupied)
    }

    #[inline]
    pub fn bishop(from: Square, occupied: SquareSet) -> SquareSet {
        line(2, from, occupied) | line(3, from, occupied)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use game::Rng;

    fn walk(from: Square, directions: &[(i8, i8)], occupied: SquareSet) -> SquareSet {
        let mut reached = SquareSet::EMPTY;
        for &(dx, dy) in directions {
            let mut at = from;
            while let Some(next) = at.offset(dx, dy) {
                reached |= SquareSet::from(next);
                at = next;
                if occupied.contains(next) {
                    break;
                }
            }
        }
        reached
    }

    #[test]
    fn both_ways_are_a_walk() {
        let straight = [(0, 1), (1, 0), (0, -1), (-1, 0)];
        let slanted = [(1, 1), (-1, 1), (-1, -1), (1, -1)];
        let mut rng = Rng::new(1);
        for round in 0..3_000u32 {
            let mut random = || u128::from(rng.next_u64()) << 64 | u128::from(rng.next_u64());
            let word = if round % 2 == 0 { random() & random() } else { random() };
            let occupied = SquareSet::from_word(word & SquareSet::full().word());
            for from in Square::all() {
                let (rook, bishop) = (walk(from, &straight, occupied), walk(from, &slanted, occupied));
                assert_eq!(gather::rook(from, occupied), rook);
                assert_eq!(scan::rook(from, occupied), rook);
                assert_eq!(gather::bishop(from, occupied), bishop);
                assert_eq!(scan::bishop(from, occupied), bishop);
                assert_eq!(lance(Side::First, from, occupied), walk(from, &[(0, 1)], occupied));
                assert_eq!(lance(Side::Second, from, occupied), walk(from, &[(0, -1)], occupied));
            }
        }
    }
}
