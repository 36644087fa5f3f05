//! Exchanges left and right. A card set that is its own mirror image needs only one of each row and its mirror image.

use super::row::squares;

const FILE: u32 = 0b00001_00001_00001_00001_00001;

/// The mirror image of a square.
#[inline]
pub fn square(square: usize) -> usize {
    square + 4 - 2 * (square % 5)
}

/// The mirror image of a set of squares.
#[inline]
pub fn set(set: u32) -> u32 {
    let file = |n: u32| set & FILE << n;
    file(0) << 4 | file(1) << 2 | file(2) | file(3) >> 2 | file(4) >> 4
}

/// For each man, the place of its mirror image among the mirror images of all. Items after the last man have no meaning.
#[inline]
pub fn places<const N: usize>(men: u32) -> [usize; N] {
    let image = set(men);
    squares::<N>(men).map(|man| (u64::from(image) & ((1 << square(man)) - 1)).count_ones() as usize)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn sets_are_mirrored_square_by_square() {
        for from in 0..25 {
            assert_eq!(set(1 << from), 1 << square(from));
            assert_eq!(square(square(from)), from);
        }
    }
}
