//! What is won within so many plies, of an attack that is finished: where a taken attacker leads to.

use super::cells::{self, DEALS, Numbers};
use super::deals::Word;
use super::row::LANES;
use bits::subsets;
use rayon::prelude::*;

/// The rows of the attack, all of them and their mirror images.
pub struct Within<'a> {
    cells: &'a [u8],
    numbers: &'a Numbers,
    attackers: usize,
    defenders: usize,
    rows: Vec<Known>,
}

/// A row.
struct Known {
    /// The plies of its wins, of which there is only every other.
    plies: u128,
    words: Vec<Word>,
    /// The layouts with new wins when the number of plies was last raised, and whether there are any.
    changed: Vec<u64>,
    any: bool,
}

impl<'a> Within<'a> {
    /// Nothing is won within no ply.
    pub fn new(cells: &'a [u8], numbers: &'a Numbers, attackers: usize, defenders: usize) -> Self {
        let layouts = subsets::count(25 - attackers as u32, defenders as u32) as usize;
        let rows = cells.par_chunks_exact(cells::row_len(attackers, defenders)).map(|row| {
            let mut seen = [false; 256];
            for &cell in row {
                seen[usize::from(cell)] = true;
            }
            let won = |half: &usize| seen[2 * half + 1];
            let plies = (0..127).filter(won).fold(0, |plies, half| plies | 1 << half);
            let words = vec![0; layouts * attackers * defenders + LANES];
            Known { plies, words, changed: vec![0; layouts.div_ceil(64)], any: false }
        });
        let rows = rows.collect();
        Self { cells, numbers, attackers, defenders, rows }
    }

    /// The longest win.
    pub fn longest(&self) -> usize {
        let plies = self.rows.iter().fold(0, |plies, row| plies | row.plies);
        (2 * (128 - plies.leading_zeros()) as usize).saturating_sub(1)
    }

    /// Adds the wins in so many plies to those within fewer.
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
            let layouts =
                cells.as_chunks::<DEALS>().0.chunks_exact(pairs).zip(row.words.chunks_exact_mut(pairs));
            for (rank, (cells, words)) in layouts.enumerate() {
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

    /// Has the row wins that the last ply brought?
    #[inline]
    pub fn has_changed(&self, rank: usize) -> bool {
        self.rows[rank].any
    }

    /// The layouts with such wins.
    pub fn changed(&self, rank: usize) -> &[u64] {
        &self.rows[rank].changed
    }
}
