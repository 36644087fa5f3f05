//! Scratch rows: a slab full of rows, of which a phase touches some. A bitmap tells which.

use super::list::List;
use super::row::Row;
use std::sync::{Mutex, PoisonError};

/// The rows of a slab, most of them empty.
pub struct Scratch<R> {
    rows: Vec<R>,
    touched: Vec<u64>,
}

impl<R: Row> Scratch<R> {
    fn new(rows: usize) -> Self {
        Self { rows: vec![R::EMPTY; rows], touched: vec![0; rows.div_ceil(64)] }
    }

    /// Adds bits to a row.
    #[inline(always)]
    pub fn add(&mut self, row: usize, bits: R) {
        self.rows[row] = self.rows[row].or(bits);
        self.touched[row / 64] |= 1 << (row % 64);
    }

    /// Empties the touched rows and lists them in ascending order, changed by `change`. Rows without bits are left out.
    #[inline(always)]
    pub fn take(&mut self, mut change: impl FnMut(usize, R) -> R) -> List<R> {
        let mut list = List::default();
        for (i, touched) in self.touched.iter_mut().enumerate() {
            let mut word = std::mem::take(touched);
            while word != 0 {
                let row = 64 * i + word.trailing_zeros() as usize;
                list.push(row, change(row, std::mem::replace(&mut self.rows[row], R::EMPTY)));
                word &= word - 1;
            }
        }
        list
    }
}

/// Scratch rows for as many threads as ask for them.
pub struct Pool<R> {
    rows: usize,
    idle: Mutex<Vec<Scratch<R>>>,
}

impl<R: Row> Pool<R> {
    /// A pool of scratch rows of this number.
    pub fn new(rows: usize) -> Self {
        Self { rows, idle: Mutex::default() }
    }

    /// Works with scratch rows, which are empty before and must be empty after.
    pub fn with<T>(&self, work: impl FnOnce(&mut Scratch<R>) -> T) -> T {
        let idle = || self.idle.lock().unwrap_or_else(PoisonError::into_inner);
        let found = idle().pop();
        let mut scratch = found.unwrap_or_else(|| Scratch::new(self.rows));
        let result = work(&mut scratch);
        idle().push(scratch);
        result
    }
}

#[cfg(test)]
mod tests {
    use super::super::row::Row2;
    use super::*;

    #[test]
    fn touched_rows_are_taken_once_and_in_order() {
        let pool = Pool::<Row2>::new(300);
        for _ in 0..2 {
            let list = pool.with(|scratch| {
                for row in [299, 0, 63, 64, 128, 200, 64] {
                    scratch.add(row, Row2::of_bit(row % 200));
                    scratch.add(row, Row2::of_bit(7));
                }
                scratch.take(|row, bits| if row < 100 { Row2::EMPTY } else { bits })
            });
            let taken: Vec<(usize, u64)> = list.iter().map(|(row, bits)| (row, bits.len())).collect();
            assert_eq!(taken, [(128, 2), (200, 2), (299, 2)]);
        }
        assert_eq!(pool.idle.lock().expect("no thread has failed").len(), 1);
    }
}
