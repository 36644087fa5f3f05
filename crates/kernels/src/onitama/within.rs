//! The wins of a finished attack within a given number of plies. The capture of an attacker leads to this attack.

use super::cells::{self, DEALS, Numbers};
use super::deals::Word;
use super::row::LANES;
use bits::subsets;
use rayon::prelude::*;

/// All rows of the attack, mirror images included, with the wins within the current number of plies.
pub struct Within<'a> {
    cells: &'a [u8],
    numbers: &'a Numbers,
    attackers: usize,
    defenders: usize,
    rows: Vec<Known>,
}

/// A row.
struct Known {
    /// The distances of its wins: bit `n` stands for `2n + 1` plies.
    plies: u128,
    words: Vec<Word>,
    /// The placements that got new wins when the number of plies was last raised.
    changed: Vec<u64>,
    /// True if there are such placements.
    any: bool,
}

impl<'a> Within<'a> {
    /// The rows with zero plies, so that there are no wins yet.
    pub fn new(cells: &'a [u8], numbers: &'a Numbers, attackers: usize, defenders: usize) -> Self {
        let placements = subsets::count(25 - attackers as u32, defenders as u32) as usize;
        let rows = cells.par_chunks_exact(cells::row_len(attackers, defenders)).map(|row| {
            let mut seen = [false; 256];
            for &cell in row {
                seen[usize::from(cell)] = true;
            }
            let won = |half: &usize| seen[2 * half + 1];
            let plies = (0..127).filter(won).fold(0, |plies, half| plies | 1 << half);
            let words = vec![0; placements * attackers * defenders + LANES];
            Known { plies, words, changed: vec![0; placements.div_ceil(64)], any: false }
        });
        let rows = rows.collect();
        Self { cells, numbers, attackers, defenders, rows }
    }

    /// The number of plies of the longest win.
    pub fn longest(&self) -> usize {
        let plies = self.rows.iter().fold(0, |plies, row| plies | row.plies);
        (2 * (128 - plies.leading_zeros()) as usize).saturating_sub(1)
    }

    /// Adds the wins in exactly `plies` plies. It must be called for each odd number of plies in turn.
    pub fn raise(&mut self, plies: u8) {
        let Self { cells, numbers, attackers, defenders, ref mut rows } = *self;
        let pairs = attackers * defenders;
        let cells = cells.par_chunks_exact(cells::row_len(attackers, defenders));
        rows.par_iter_mut().zip(cells).for_each(|(row, cells)| {
            if row.any {
                row.changed.fill(0);
            }
            row.any = row.plies >> (plies / 2) & 1 != 0;
            if !row.any {
                return;
            }
            let placements =
                cells.as_chunks::<DEALS>().0.chunks_exact(pairs).zip(row.words.chunks_exact_mut(pairs));
            for (rank, (cells, words)) in placements.enumerate() {
                for (pair, cells) in cells.iter().enumerate() {
                    let new = cells::equal(cells, plies);
                    if new != 0 {
                        // Cells are by the attacker's master first, words by the defender's.
                        words[pair % defenders * attackers + pair / defenders] |= numbers.word(new);
                        row.changed[rank / 64] |= 1 << (rank % 64);
                    }
                }
            }
        });
    }

    /// The words of a row.
    #[inline]
    pub fn row(&self, rank: usize) -> &Vec<Word> {
        &self.rows[rank].words
    }

    /// Returns whether the last call of [`raise`](Self::raise) added wins to the row.
    #[inline]
    pub fn has_changed(&self, rank: usize) -> bool {
        self.rows[rank].any
    }

    /// The placements of a row to which the last call of [`raise`](Self::raise) added wins, as a set of bits.
    pub fn changed(&self, rank: usize) -> &[u64] {
        &self.rows[rank].changed
    }
}
