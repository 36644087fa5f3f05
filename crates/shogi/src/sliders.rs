//! The squares that lances, bishops and rooks attack on an occupied board.
//!
//! There are two implementations with the same function names and results. `gather` collects the occupancy of each
//! line with `pext`, looks up its nine bits in a table, and spreads the result with `pdep`. `scan` looks along each
//! ray for the first blocker. If the machine has `pext`, `gather` is used, otherwise `scan`. Tests compare both with
//! a walk over the squares.

use crate::grid::{BySquare, Grid, Square, SquareSet};
use bits::Geometry;
use game::Side;

#[cfg(all(target_arch = "x86_64", target_feature = "bmi2"))]
use gather as fastest;
#[cfg(not(all(target_arch = "x86_64", target_feature = "bmi2")))]
use scan as fastest;

/// The eight directions as files to the right and ranks up. In the first four the square numbers grow; the last four
/// are their opposites in the same order. In both halves the rook's directions come first, then the bishop's.
const DIRECTIONS: [(i8, i8); 8] = [(0, 1), (1, 0), (1, 1), (-1, 1), (0, -1), (-1, 0), (-1, -1), (1, -1)];
const UP: usize = 0;
const DOWN: usize = 4;

/// By direction and square: the squares from there to the edge, without the square itself.
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

/// The squares that a lance of this side attacks on an empty board.
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

/// The squares that a rook attacks on an empty board.
#[inline]
pub fn rook_rays(from: Square) -> SquareSet {
    ROOK_RAYS[from]
}

/// The squares that a bishop attacks on an empty board.
#[inline]
pub fn bishop_rays(from: Square) -> SquareSet {
    BISHOP_RAYS[from]
}

/// Returns the ray from `from` through `other` to the edge. Returns the empty set if no ray joins them.
pub(crate) fn ray_through(from: Square, other: Square) -> SquareSet {
    let rays = RAYS.iter().map(|rays| rays[from]);
    rays.into_iter().find(|ray| ray.contains(other)).unwrap_or(SquareSet::EMPTY)
}

/// The squares that a lance of this side attacks.
#[inline]
pub fn lance(side: Side, from: Square, occupied: SquareSet) -> SquareSet {
    match side {
        Side::First => scan::ahead(UP, from, occupied),
        Side::Second => scan::back(DOWN, from, occupied),
    }
}

/// The squares that a rook attacks.
#[inline]
pub fn rook(from: Square, occupied: SquareSet) -> SquareSet {
    fastest::rook(from, occupied)
}

/// The squares that a bishop attacks.
#[inline]
pub fn bishop(from: Square, occupied: SquareSet) -> SquareSet {
    fastest::bishop(from, occupied)
}

/// Scans each ray up to the first blocker.
pub(crate) mod scan {
    use super::{RAYS, Square, SquareSet};

    /// The attacked squares in a direction in which square numbers grow: up to the lowest blocker, which is included.
    #[inline]
    pub fn ahead(direction: usize, from: Square, occupied: SquareSet) -> SquareSet {
        let ray = RAYS[direction][from];
        let blockers = (ray & occupied).word();
        ray & SquareSet::from_word(blockers ^ blockers.wrapping_sub(1))
    }

    /// The attacked squares in a direction in which square numbers shrink: down to the highest blocker, which is
    /// included.
    #[inline]
    pub fn back(direction: usize, from: Square, occupied: SquareSet) -> SquareSet {
        let ray = RAYS[direction][from];
        // Bit 0 is set as well, so that there always is a highest bit. It removes no square of the ray.
        let highest = 127 - ((ray & occupied).word() | 1).leading_zeros();
        ray & SquareSet::from_word(u128::MAX << highest)
    }

    #[inline]
    fn line(direction: usize, from: Square, occupied: SquareSet) -> SquareSet {
        ahead(direction, from, occupied) | back(direction + 4, from, occupied)
    }

    #[cfg_attr(all(target_arch = "x86_64", target_feature = "bmi2"), allow(dead_code))] // then only the tests use it
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

/// Gathers the nine bits of each line, looks up the attacked squares, and spreads them on the line again.
#[cfg_attr(not(all(target_arch = "x86_64", target_feature = "bmi2")), allow(dead_code))] // then only the tests use it
pub(crate) mod gather {
    use super::{BySquare, Grid, RAYS, Square, SquareSet};
    use bits::{Geometry, pdep, pext};

    /// A line through a square, which is included, as the two halves of a 128-bit word.
    #[derive(Clone, Copy)]
    struct BoardLine {
        low: u64,
        high: u64,
        /// The number of its squares in the lower half.
        in_low: u8,
        /// The place of the square on the line.
        place: u8,
    }

    static LINES: [BySquare<BoardLine>; 4] = {
        let mut lines = [BySquare::new([BoardLine { low: 0, high: 0, in_low: 0, place: 0 }; 128]); 4];
        let mut direction = 0;
        while direction < 4 {
            let mut i = 0;
            while i < Grid::SQUARES as usize {
                let below = RAYS[direction + 4].0[i].word();
                let line = RAYS[direction].0[i].word() | below | 1 << i;
                lines[direction].0[i] = BoardLine {
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

    /// By the place of the slider on its line and the occupied squares of the line: the squares that it attacks.
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
        let BoardLine { low, high, in_low, place } = LINES[direction][from];
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
