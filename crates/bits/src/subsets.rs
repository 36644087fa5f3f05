//! Ranking of k-subsets in the combinatorial number system.
//!
//! The subsets of k squares are sorted by their bits, read as a number, and numbered from 0. The number of
//! {c₁ < c₂ < … < cₖ} is C(c₁,1) + C(c₂,2) + … + C(cₖ,k). It does not depend on the size of the board.
//!
//! [`rank`] and [`unrank`] work for any board of up to 64 squares. [`of_25`] has the same numbering by table lookup.

/// The largest size of a subset.
pub const MAX_SIZE: usize = 16;
const MAX_SQUARES: usize = 64;

/// `BINOMIAL[k][n]` = C(n, k). The first index is k, so that all lookups for one k are in one row.
static BINOMIAL: [[u64; MAX_SQUARES + 1]; MAX_SIZE + 1] = {
    let mut table = [[0; MAX_SQUARES + 1]; MAX_SIZE + 1];
    let mut n = 0;
    while n <= MAX_SQUARES {
        table[0][n] = 1;
        let mut k = 1;
        while k <= MAX_SIZE && k <= n {
            table[k][n] = table[k - 1][n - 1] + table[k][n - 1];
            k += 1;
        }
        n += 1;
    }
    table
};

/// C(n, k): the number of k-subsets of n squares, for n up to 64 and k up to [`MAX_SIZE`].
///
/// # Panics
/// Panics if n or k is beyond these limits.
#[inline]
pub fn count(squares: u32, size: u32) -> u64 {
    BINOMIAL[size as usize][squares as usize]
}

/// Returns the number of a subset among the subsets of its size.
///
/// ```
/// use endspiel_bits::subsets::{rank, unrank};
/// assert_eq!(rank(0b00111), 0);
/// assert_eq!(rank(0b10011), 4);
/// assert_eq!(unrank(4, 3), 0b10011);
/// ```
///
/// # Panics
/// Panics if the subset has more than [`MAX_SIZE`] squares.
#[inline]
pub fn rank(mut subset: u64) -> u64 {
    let mut rank = 0;
    let mut size = 1;
    while subset != 0 {
        rank += BINOMIAL[size][subset.trailing_zeros() as usize];
        subset &= subset - 1;
        size += 1;
    }
    rank
}

/// Returns the subset of `size` squares with this number. This is the inverse of [`rank`].
///
/// # Panics
/// Panics if 64 squares have no such subset, or if `size` exceeds [`MAX_SIZE`].
#[inline]
pub fn unrank(mut rank: u64, size: u32) -> u64 {
    assert!(rank < count(MAX_SQUARES as u32, size), "64 squares have no subset of {size} numbered {rank}");
    let mut subset = 0;
    let mut square = MAX_SQUARES;
    for size in (1..=size as usize).rev() {
        let row = &BINOMIAL[size];
        square = row[..square].partition_point(|&first| first <= rank) - 1;
        rank -= row[square];
        subset |= 1 << square;
    }
    subset
}

/// Returns the next subset of the same size (Gosper's hack), for iterating over a whole board.
/// The successor of the empty set is the empty set.
#[inline]
pub const fn next(subset: u64) -> u64 {
    let lowest = subset & subset.wrapping_neg();
    if lowest == 0 {
        return 0;
    }
    let ripple = subset.wrapping_add(lowest);
    ripple | ((subset ^ ripple) >> 2 >> lowest.trailing_zeros())
}

/// Iterates over all subsets of `size` out of `squares` squares, in the order of their numbers.
pub fn all(squares: u32, size: u32) -> impl Iterator<Item = u64> {
    let first = (1u64 << size) - 1;
    (0..count(squares, size)).scan(first, |subset, _| {
        let this = *subset;
        *subset = next(this);
        Some(this)
    })
}

/// The same numbering for subsets of up to five of 25 squares, by table lookup. It is fast enough for the inner loops
/// of a 5 × 5 game.
pub mod of_25 {
    use super::next;

    const SQUARES: usize = 25;
    /// The largest size of a subset in the tables.
    pub const MAX_SIZE: usize = 5;
    /// `FIRST[k]` is the index in `SUBSETS` of the first subset of size k.
    const FIRST: [usize; MAX_SIZE + 2] = [0, 1, 26, 326, 2_626, 15_276, 68_406];

    /// All subsets of up to five squares, sorted by size, then by number.
    static SUBSETS: [u32; FIRST[MAX_SIZE + 1]] = {
        let mut table = [0; FIRST[MAX_SIZE + 1]];
        let mut size = 1;
        while size <= MAX_SIZE {
            let mut subset = (1u64 << size) - 1;
            let mut i = FIRST[size];
            while i < FIRST[size + 1] {
                table[i] = subset as u32;
                subset = next(subset);
                i += 1;
            }
            size += 1;
        }
        table
    };

    /// The number of squares in the lower half of the board. The upper half has 12.
    const LOW: u32 = 13;

    /// The part of a subset's number that comes from its squares in the lower half.
    static LOW_RANK: [u16; 1 << LOW] = {
        let mut table = [0; 1 << LOW];
        let mut subset = 0;
        while subset < table.len() {
            table[subset] = half_rank(subset as u64, 0, 0) as u16;
            subset += 1;
        }
        table
    };

    /// The part of a subset's number that comes from its squares in the upper half, indexed by the size of the whole
    /// subset.
    static HIGH_RANK: [[u32; 1 << (SQUARES as u32 - LOW)]; MAX_SIZE + 1] = {
        let mut table = [[0; 1 << (SQUARES as u32 - LOW)]; MAX_SIZE + 1];
        let mut size = 0;
        while size <= MAX_SIZE {
            let mut subset = 0;
            while subset < table[size].len() {
                let high = (subset as u32).count_ones() as usize;
                if high <= size {
                    table[size][subset] = half_rank(subset as u64, LOW, size - high) as u32;
                }
                subset += 1;
            }
            size += 1;
        }
        table
    };

    /// The sum of the binomials for one half. The half starts at square `base`, and `below` chosen squares lie under
    /// it.
    const fn half_rank(mut half: u64, base: u32, below: usize) -> u64 {
        let mut rank = 0;
        let mut size = below + 1;
        while half != 0 && size <= SQUARES {
            rank += binomial((half.trailing_zeros() + base) as u64, size as u64);
            half &= half - 1;
            size += 1;
        }
        rank
    }

    const fn binomial(n: u64, k: u64) -> u64 {
        let mut value = 1;
        let mut i = 0;
        while i < k {
            if n < i + 1 {
                return 0;
            }
            value = value * (n - i) / (i + 1);
            i += 1;
        }
        value
    }

    /// Returns the number of a subset among the subsets of its size.
    ///
    /// # Panics
    /// Panics if the subset has more than five squares or a square beyond the 25.
    #[inline]
    pub fn rank(subset: u32) -> u32 {
        let low = subset & ((1 << LOW) - 1);
        HIGH_RANK[subset.count_ones() as usize][(subset >> LOW) as usize] + u32::from(LOW_RANK[low as usize])
    }

    /// Returns the number of a subset that is known to have `SIZE` squares.
    ///
    /// # Panics
    /// Panics if the subset has a square beyond the 25.
    #[inline]
    pub fn rank_of<const SIZE: usize>(subset: u32) -> u32 {
        let low = subset & ((1 << LOW) - 1);
        HIGH_RANK[SIZE][(subset >> LOW) as usize] + u32::from(LOW_RANK[low as usize])
    }

    /// Returns the subset of `size` squares with this number.
    ///
    /// # Panics
    /// Panics if there is no such subset.
    #[inline]
    pub fn unrank(rank: u32, size: u32) -> u32 {
        of_size(size)[rank as usize]
    }

    /// All subsets of `size` squares in the order of their numbers. The subsets of a smaller board come first.
    ///
    /// # Panics
    /// Panics if `size` exceeds [`MAX_SIZE`].
    #[inline]
    pub fn of_size(size: u32) -> &'static [u32] {
        &SUBSETS[FIRST[size as usize]..FIRST[size as usize + 1]]
    }
}
