//! The numberings of squares that the format uses, as constant tables.
//!
//! Squares are numbered from a1 along the ranks. The triangle is a1-d1-d4: after mirroring the board, the first man of a table
//! without pawns always stands in it.

/// The largest group of equal men that is numbered by combinations.
const MOST_EQUAL: usize = 6;
/// Marks squares without a number.
const NONE: u8 = u8::MAX;

/// How far a square is above the diagonal a1-h8; negative below it.
#[inline]
pub(crate) const fn above_diagonal(square: u32) -> i32 {
    (square >> 3) as i32 - (square & 7) as i32
}

/// Mirrors a square at the diagonal a1-h8.
#[inline]
pub(crate) const fn transposed(square: u32) -> u32 {
    (square >> 3) | (square & 7) << 3
}

/// `CHOOSE[k][n]`: the number of ways to choose `k` of `n` squares.
pub(crate) static CHOOSE: [[u64; 65]; MOST_EQUAL + 1] = {
    let mut table = [[0; 65]; MOST_EQUAL + 1];
    let mut n = 0;
    while n <= 64 {
        table[0][n] = 1;
        let mut k = 1;
        while k <= MOST_EQUAL && n > 0 {
            table[k][n] = table[k - 1][n - 1] + table[k][n - 1];
            k += 1;
        }
        n += 1;
    }
    table
};

/// The 28 squares below the diagonal a1-h8, in ascending order.
pub(crate) static BELOW_DIAGONAL: [u8; 64] = {
    let mut table = [NONE; 64];
    let (mut square, mut number) = (0, 0);
    while square < 64 {
        if above_diagonal(square) < 0 {
            table[square as usize] = number;
            number += 1;
        }
        square += 1;
    }
    table
};

/// The ten squares of the triangle: first the six below the diagonal in ascending order, then the four on it.
pub(crate) static TRIANGLE: [u8; 64] = TRIANGLE_NUMBERS;

const TRIANGLE_NUMBERS: [u8; 64] = {
    let mut table = [NONE; 64];
    let (mut square, mut below) = (0, 0);
    while square < 28 {
        if square & 7 < 4 {
            match above_diagonal(square) {
                0 => table[square as usize] = 6 + (square as u8 & 7),
                ..0 => {
                    table[square as usize] = below;
                    below += 1;
                }
                _ => (),
            }
        }
        square += 1;
    }
    table
};

/// The number of placements of two kings with the first in the triangle.
pub(crate) const KING_PAIRS: u64 = 462;
/// The number of placements of three different men with the first in the triangle.
pub(crate) const TRIPLES: u64 = 31_332;

/// The placements of two kings, by the number of the first king's square in the triangle and by the second king's square.
/// If the first king stands on the diagonal, the second is not above it. Pairs with both kings on the diagonal come last.
pub(crate) static KINGS: [[u16; 64]; 10] = {
    let mut table = [[u16::MAX; 64]; 10];
    let mut number = 0;
    let mut pass = 0;
    while pass < 2 {
        let mut triangle = 0;
        while triangle < 10 {
            let mut first = 0u32;
            while TRIANGLE_NUMBERS[first as usize] != triangle {
                first += 1;
            }
            let mut second = 0u32;
            while second < 64 {
                let files = (first & 7).abs_diff(second & 7);
                let ranks = (first >> 3).abs_diff(second >> 3);
                let on_diagonal = above_diagonal(first) == 0;
                let is_last = on_diagonal && above_diagonal(second) == 0;
                let is_image = on_diagonal && above_diagonal(second) > 0;
                if (files > 1 || ranks > 1) && !is_image && is_last == (pass == 1) {
                    table[triangle as usize][second as usize] = number;
                    number += 1;
                }
                second += 1;
            }
            triangle += 1;
        }
        pass += 1;
    }
    assert!(number as u64 == KING_PAIRS);
    table
};

/// The order of pawns: 47 is a2, 46 is h2, 45 is a3, and so on, up to e7 with 0. The pawn with the greatest number leads.
/// Mirroring the files changes only the lowest bit.
pub(crate) static PAWN_ORDER: [u8; 64] = PAWN_NUMBERS;

const PAWN_NUMBERS: [u8; 64] = {
    let mut table = [NONE; 64];
    let mut next = 48;
    let mut file = 0;
    while file < 4 {
        let mut rank = 1;
        while rank < 7 {
            next -= 2;
            table[rank * 8 + file] = next + 1;
            table[rank * 8 + 7 - file] = next;
            rank += 1;
        }
        file += 1;
    }
    table
};

/// The most leading pawns of one side.
pub(crate) const MOST_LEADING: usize = 5;

/// For a number of leading pawns: the first index with the leading pawn in this place of [`PAWN_ORDER`].
pub(crate) static LEAD_START: [[u64; 48]; MOST_LEADING + 1] = LEADS.0;
/// For a number of leading pawns: the number of placements with the leading pawn on this file.
pub(crate) static LEAD_COUNT: [[u64; 4]; MOST_LEADING + 1] = LEADS.1;

type Leads = ([[u64; 48]; MOST_LEADING + 1], [[u64; 4]; MOST_LEADING + 1]);

const LEADS: Leads = {
    let (mut starts, mut counts) = ([[0; 48]; MOST_LEADING + 1], [[0; 4]; MOST_LEADING + 1]);
    let mut pawns = 1;
    while pawns <= MOST_LEADING {
        let mut file = 0;
        while file < 4 {
            let (mut rank, mut sum) = (1, 0);
            while rank < 7 {
                let place = PAWN_NUMBERS[rank * 8 + file] as usize;
                starts[pawns][place] = sum;
                // The other pawns stand on places with smaller numbers.
                sum += choose(pawns - 1, place);
                rank += 1;
            }
            counts[pawns][file] = sum;
            file += 1;
        }
        pawns += 1;
    }
    (starts, counts)
};

/// [`CHOOSE`] for constant tables, which cannot read a static.
const fn choose(k: usize, n: usize) -> u64 {
    let (mut product, mut i) = (1, 0);
    while i < k {
        if n <= i {
            return 0;
        }
        product = product * (n - i) as u64 / (i + 1) as u64;
        i += 1;
    }
    product
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_numberings_have_their_sizes() {
        let numbered = |table: &[u8]| table.iter().filter(|&&number| number != NONE).count();
        assert_eq!(numbered(&BELOW_DIAGONAL), 28);
        assert_eq!(numbered(&TRIANGLE), 10);
        assert_eq!(numbered(&PAWN_ORDER), 48);
        assert_eq!((PAWN_ORDER[8], PAWN_ORDER[15], PAWN_ORDER[52]), (47, 46, 0));
        assert_eq!((TRIANGLE[1], TRIANGLE[0], TRIANGLE[27]), (0, 6, 9));
        // Every pawn of one leads in exactly one table: 48 squares, halved by the mirror image.
        assert_eq!(LEAD_COUNT[1], [6; 4]);
        // All ways to choose two of 48 squares, where mirror images count once if the leading pawn decides.
        assert_eq!(LEAD_COUNT[2].iter().sum::<u64>(), (CHOOSE[2][48] + 24) / 2);
        // Three different men: the first in the triangle, images at the diagonal counted once.
        assert_eq!(6 * 63 * 62 + 4 * 28 * 62 + 4 * 7 * 28 + 4 * 7 * 6, TRIPLES);
        assert_eq!((CHOOSE[5][48], choose(5, 48)), (1_712_304, 1_712_304));
    }
}
