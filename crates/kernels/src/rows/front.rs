//! A front: the rows of a slab that change in a round. Most rows do not, so a bitmap tells which do.

use super::row::Row;
use super::storage::{Space, Storage};
use solve::{Loading, Saving};
use std::io;

/// The rows of a slab that change in a round.
pub struct Front<R> {
    rows: Storage<R>,
    touched: Vec<u64>,
}

impl<R: Row> Front<R> {
    /// Makes a front of `rows` empty rows.
    ///
    /// # Errors
    /// Returns an error if there is no room for it in this space.
    pub fn new(rows: usize, space: &Space) -> io::Result<Self> {
        Ok(Self { rows: Storage::new(rows, space)?, touched: vec![0; rows.div_ceil(64)] })
    }

    /// Writes the touched rows to a checkpoint.
    ///
    /// # Errors
    /// Returns an error if an I/O operation fails.
    pub fn save(&self, saving: &mut Saving) -> io::Result<()> {
        saving.bytes(self.rows.bytes())
    }

    /// Reads the touched rows from a checkpoint.
    ///
    /// # Errors
    /// Returns an error if an I/O operation fails, or if the checkpoint is damaged.
    pub fn load(&mut self, loading: &mut Loading) -> io::Result<()> {
        loading.bytes(self.rows.bytes_mut())?;
        self.touched.fill(0);
        for (row, bits) in self.rows.iter().enumerate() {
            self.touched[row / 64] |= u64::from(!bits.is_empty()) << (row % 64);
        }
        Ok(())
    }

    /// Adds bits to a row.
    #[inline(always)]
    pub fn add(&mut self, row: usize, bits: R) {
        self.rows[row] = self.rows[row].or(bits);
        self.touched[row / 64] |= 1 << (row % 64);
    }

    /// The bits of a row.
    #[inline(always)]
    pub fn row(&self, row: usize) -> R {
        self.rows[row]
    }

    /// Replaces a row that was touched, and forgets it if it has no bits left.
    #[inline(always)]
    pub fn set(&mut self, row: usize, bits: R) {
        self.rows[row] = bits;
        if bits.is_empty() {
            self.touched[row / 64] &= !(1 << (row % 64));
        }
    }

    /// Returns whether no row is touched.
    pub fn is_empty(&self) -> bool {
        self.touched.iter().all(|&word| word == 0)
    }

    /// Visits the touched rows from `first` on, `count` rows at most, in ascending order.
    #[inline(always)]
    pub fn each_touched(&self, first: usize, count: usize, mut visit: impl FnMut(usize)) {
        let end = first + count;
        let mut at = first;
        while at < end {
            let mut word = self.touched[at / 64] >> (at % 64);
            if word == 0 {
                at = (at / 64 + 1) * 64;
                continue;
            }
            while word != 0 {
                let row = at + word.trailing_zeros() as usize;
                if row >= end {
                    return;
                }
                visit(row);
                word &= word - 1;
            }
            at = (at / 64 + 1) * 64;
        }
    }

    /// Visits the touched rows in ascending order and changes them.
    #[inline(always)]
    pub fn change_touched(&mut self, mut change: impl FnMut(usize, R) -> R) {
        for i in 0..self.touched.len() {
            let mut word = self.touched[i];
            while word != 0 {
                let row = 64 * i + word.trailing_zeros() as usize;
                let changed = change(row, self.rows[row]);
                self.set(row, changed);
                word &= word - 1;
            }
        }
    }

    /// Visits the touched rows in ascending order and empties them.
    #[inline(always)]
    pub fn take_touched(&mut self, mut visit: impl FnMut(usize, R)) {
        for i in 0..self.touched.len() {
            let mut word = std::mem::take(&mut self.touched[i]);
            while word != 0 {
                let row = 64 * i + word.trailing_zeros() as usize;
                visit(row, std::mem::replace(&mut self.rows[row], R::EMPTY));
                word &= word - 1;
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::super::row::Row2;
    use super::*;

    fn bits(n: u64) -> Row2 {
        Row2::from_planes(|plane| if plane == 0 { n.into() } else { 0 })
    }

    #[test]
    fn touched_rows_are_visited_once_and_in_order() {
        let mut front = Front::<Row2>::new(300, &Space::Memory).expect("room");
        assert!(front.is_empty());
        for row in [299, 0, 63, 64, 128, 200, 64] {
            front.add(row, bits(1 << (row % 50)));
        }
        let visited = |front: &Front<Row2>, first, count| {
            let mut rows = Vec::new();
            front.each_touched(first, count, |row| rows.push(row));
            rows
        };
        assert_eq!(visited(&front, 0, 300), [0, 63, 64, 128, 200, 299]);
        assert_eq!(visited(&front, 63, 65), [63, 64]);
        assert_eq!(visited(&front, 1, 62), [0usize; 0]);
        front.change_touched(|row, bits| if row < 100 { Row2::EMPTY } else { bits });
        assert_eq!(visited(&front, 0, 300), [128, 200, 299]);
        let mut taken = Vec::new();
        front.take_touched(|row, bits| taken.push((row, bits.len())));
        assert_eq!(taken, [(128, 1), (200, 1), (299, 1)]);
        assert!(front.is_empty() && front.row(200).is_empty());
    }
}
