//! The squares that rooks and bishops attack on an occupied board.
//!
//! There are two implementations with the same function names and results. `lookup` gathers the relevant occupancy with
//! `pext` and reads the attacks from a table. `hyperbola` computes the attacks by subtraction. On machines with a fast
//! `pext`, `lookup` is faster. Elsewhere `hyperbola` is faster, and about as fast as magic tables (docs/experiments.md).
//! The choice is made at compile time. Tests compare both with a walk over the squares.

use crate::grid::{Square, SquareSet};

/// The squares that a rook attacks.
#[inline]
pub fn rook(from: Square, occupied: SquareSet) -> SquareSet {
    SquareSet::from_word(fastest::rook(from, occupied.word()))
}

/// The squares that a bishop attacks.
#[inline]
pub fn bishop(from: Square, occupied: SquareSet) -> SquareSet {
    SquareSet::from_word(fastest::bishop(from, occupied.word()))
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

#[cfg(not(all(target_arch = "x86_64", target_feature = "bmi2")))]
use hyperbola as fastest;
#[cfg(all(target_arch = "x86_64", target_feature = "bmi2"))]
use lookup as fastest;

use crate::grid::{BySquare, square};

pub(crate) static ROOK_RAYS: BySquare<SquareSet> = rays(true);
pub(crate) static BISHOP_RAYS: BySquare<SquareSet> = rays(false);

const fn rays(straight: bool) -> BySquare<SquareSet> {
    let mut table = [SquareSet::EMPTY; 64];
    let mut from = 0;
    while from < 64 {
        let at = square(from);
        let set = if straight { hyperbola::rook(at, 0) } else { hyperbola::bishop(at, 0) };
        table[from as usize] = SquareSet::from_word(set);
        from += 1;
    }
    BySquare::new(table)
}

/// Attacks along a line by subtraction ("hyperbola quintessence"). Subtracting the slider from the occupied squares of its
/// line flips all bits up to the first blocker. The same subtraction on the board turned upside down gives the other half of
/// the line. Turning the board is one instruction. It reverses files and diagonals but not ranks, so the attacks along a
/// rank come from a table.
pub(crate) mod hyperbola {
    use crate::grid::{FILE_A, Square, square};

    /// The file and the two diagonals through a square, without the square itself.
    #[derive(Clone, Copy)]
    struct Lines {
        file: u64,
        diagonal: u64,
        antidiagonal: u64,
    }

    static LINES: [Lines; 64] = {
        let mut table = [Lines { file: 0, diagonal: 0, antidiagonal: 0 }; 64];
        let mut from = 0;
        while from < 64 {
            let at = square(from);
            table[from as usize] = Lines {
                file: (FILE_A << at.file()) & !(1 << from),
                diagonal: walk(at, 1, 1, 0) | walk(at, -1, -1, 0),
                antidiagonal: walk(at, -1, 1, 0) | walk(at, 1, -1, 0),
            };
            from += 1;
        }
        table
    };

    /// The attacks along the first rank, by file and by the occupancy of the six squares between its ends.
    static RANKS: [[u8; 64]; 8] = {
        let mut table = [[0; 64]; 8];
        let mut i = 0;
        while i < 512 {
            let (file, occupied) = (square(i / 64), (i as u64 % 64) << 1);
            table[file.index()][i as usize % 64] =
                (walk(file, 1, 0, occupied) | walk(file, -1, 0, occupied)) as u8;
            i += 1;
        }
        table
    };

    const fn walk(from: Square, dx: i8, dy: i8, occupied: u64) -> u64 {
        let mut set = 0;
        let mut at = from;
        while let Some(next) = at.offset(dx, dy) {
            set |= 1 << next.index();
            if occupied & 1 << next.index() != 0 {
                break;
            }
            at = next;
        }
        set
    }

    #[inline]
    const fn along(line: u64, from: Square, occupied: u64) -> u64 {
        let slider = 1u64 << from.index();
        let blockers = occupied & line;
        let up = blockers.wrapping_sub(slider);
        let down = blockers.swap_bytes().wrapping_sub(slider.swap_bytes()).swap_bytes();
        (up ^ down) & line
    }

    /// The squares that a rook attacks.
    #[inline]
    pub const fn rook(from: Square, occupied: u64) -> u64 {
        let start = from.index() & 56;
        let rank = RANKS[from.index() & 7][(occupied >> start >> 1 & 63) as usize];
        along(LINES[from.index() & 63].file, from, occupied) | (rank as u64) << start
    }

    /// The squares that a bishop attacks.
    #[inline]
    pub const fn bishop(from: Square, occupied: u64) -> u64 {
        let lines = &LINES[from.index() & 63];
        along(lines.diagonal, from, occupied) | along(lines.antidiagonal, from, occupied)
    }
}

/// Attacks from a table. The index is made of the relevant blockers, gathered into a number.
#[cfg_attr(not(all(target_arch = "x86_64", target_feature = "bmi2")), cfg(test))]
pub(crate) mod lookup {
    use super::hyperbola;
    use crate::grid::{BySquare, FILE_A, FILE_H, Square, square};

    const ROOK_ENTRIES: usize = 102_400;
    const BISHOP_ENTRIES: usize = 5_248;

    /// The start of a square's attacks in the table, and the squares whose blockers are relevant. The last square of a line
    /// is not relevant: it is attacked whether it is occupied or not.
    #[derive(Clone, Copy)]
    struct Block {
        relevant: u64,
        start: usize,
    }

    const fn blocks(straight: bool) -> [Block; 64] {
        let mut table = [Block { relevant: 0, start: 0 }; 64];
        let mut start = 0;
        let mut from = 0;
        while from < 64 {
            let at = square(from);
            let ranks = (0xff | 0xff << 56) & !(0xff << (8 * at.rank()));
            let files = (FILE_A | FILE_H) & !(FILE_A << at.file());
            let attacked = if straight { hyperbola::rook(at, 0) } else { hyperbola::bishop(at, 0) };
            let relevant = attacked & !(ranks | files);
            table[from as usize] = Block { relevant, start };
            start += 1 << relevant.count_ones();
            from += 1;
        }
        table
    }

    /// The attacks from all squares. Those from one square are in the order of its gathered blockers.
    #[allow(long_running_const_eval)]
    const fn attacks<const ENTRIES: usize>(straight: bool) -> [u64; ENTRIES] {
        let blocks = blocks(straight);
        let mut table = [0; ENTRIES];
        let mut from = 0;
        while from < 64 {
            let Block { relevant, start } = blocks[from as usize];
            let at = square(from);
            // Subtracting the mask walks through its subsets in the order of their gathered bits.
            let mut blockers = 0u64;
            let mut number = 0;
            loop {
                table[start + number] =
                    if straight { hyperbola::rook(at, blockers) } else { hyperbola::bishop(at, blockers) };
                blockers = blockers.wrapping_sub(relevant) & relevant;
                number += 1;
                if blockers == 0 {
                    break;
                }
            }
            from += 1;
        }
        table
    }

    static ROOK_BLOCKS: BySquare<Block> = BySquare::new(blocks(true));
    static BISHOP_BLOCKS: BySquare<Block> = BySquare::new(blocks(false));
    #[allow(long_running_const_eval)]
    static ROOK_ATTACKS: [u64; ROOK_ENTRIES] = attacks(true);
    #[allow(long_running_const_eval)]
    static BISHOP_ATTACKS: [u64; BISHOP_ENTRIES] = attacks(false);

    /// The squares that a rook attacks.
    #[inline]
    pub fn rook(from: Square, occupied: u64) -> u64 {
        let Block { relevant, start } = ROOK_BLOCKS[from];
        ROOK_ATTACKS[start + bits::pext(occupied, relevant) as usize]
    }

    /// The squares that a bishop attacks.
    #[inline]
    pub fn bishop(from: Square, occupied: u64) -> u64 {
        let Block { relevant, start } = BISHOP_BLOCKS[from];
        BISHOP_ATTACKS[start + bits::pext(occupied, relevant) as usize]
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use game::Rng;

    const STRAIGHT: [(i8, i8); 4] = [(0, 1), (1, 0), (0, -1), (-1, 0)];
    const DIAGONAL: [(i8, i8); 4] = [(1, 1), (1, -1), (-1, -1), (-1, 1)];

    fn walk(from: Square, occupied: u64, directions: [(i8, i8); 4]) -> u64 {
        let mut set = 0;
        for (dx, dy) in directions {
            let mut at = from;
            while let Some(next) = at.offset(dx, dy) {
                set |= 1 << next.index();
                if occupied >> next.index() & 1 != 0 {
                    break;
                }
                at = next;
            }
        }
        set
    }

    /// Tests every square with every set of blockers on its lines, and random blockers elsewhere.
    #[test]
    fn both_ways_see_what_a_walk_sees() {
        let mut rng = Rng::new(1);
        for from in Square::all() {
            for (straight, rays) in [(true, rook_rays(from)), (false, bishop_rays(from))] {
                let mut blockers = 0u64;
                loop {
                    let occupied = blockers | rng.next_u64() & !rays.word();
                    let directions = if straight { STRAIGHT } else { DIAGONAL };
                    let expected = walk(from, occupied, directions);
                    let (by_table, by_subtraction) = match straight {
                        true => (lookup::rook(from, occupied), hyperbola::rook(from, occupied)),
                        false => (lookup::bishop(from, occupied), hyperbola::bishop(from, occupied)),
                    };
                    assert_eq!((by_table, by_subtraction), (expected, expected), "{from} {occupied:x}");
                    blockers = blockers.wrapping_sub(rays.word()) & rays.word();
                    if blockers == 0 {
                        break;
                    }
                }
            }
        }
    }
}
