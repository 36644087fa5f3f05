//! All rows of all slabs, in memory or in a file.

use super::row::Row;
use super::space::Space;
use std::io;
use std::sync::{PoisonError, RwLock};
use table::system::FileAt;

/// The rows of each slab. Threads share them, and each works on one slab at a time.
pub struct Shelf<R> {
    rows: usize,
    kept: Kept<R>,
}

enum Kept<R> {
    Memory(Vec<RwLock<Vec<R>>>),
    File(FileAt),
}

impl<R: Row> Shelf<R> {
    /// Makes empty rows.
    ///
    /// # Errors
    /// Returns an error if a file cannot be made.
    pub fn new(slabs: usize, rows: usize, space: &Space) -> io::Result<Self> {
        let kept = match space.file()? {
            None => Kept::Memory((0..slabs).map(|_| RwLock::new(vec![R::EMPTY; rows])).collect()),
            Some(file) => {
                file.set_length((slabs * rows * size_of::<R>()) as u64)?;
                Kept::File(file)
            }
        };
        Ok(Self { rows, kept })
    }

    fn offset(&self, slab: usize, row: usize) -> u64 {
        ((slab * self.rows + row) * size_of::<R>()) as u64
    }

    fn read(&self, file: &FileAt, slab: usize) -> io::Result<Vec<R>> {
        let mut bytes = vec![0; self.rows * size_of::<R>()];
        file.read_exact_at(&mut bytes, self.offset(slab, 0))?;
        Ok(R::from_bytes(&bytes))
    }

    /// Works with the rows of a slab.
    ///
    /// # Errors
    /// Returns an error if a file cannot be read.
    pub fn with<T>(&self, slab: usize, work: impl FnOnce(&[R]) -> T) -> io::Result<T> {
        match &self.kept {
            Kept::Memory(slabs) => Ok(work(&slabs[slab].read().unwrap_or_else(PoisonError::into_inner))),
            Kept::File(file) => Ok(work(&self.read(file, slab)?)),
        }
    }

    /// Changes the rows of a slab.
    ///
    /// # Errors
    /// Returns an error if a file cannot be read or written.
    pub fn change<T>(&self, slab: usize, work: impl FnOnce(&mut [R]) -> T) -> io::Result<T> {
        match &self.kept {
            Kept::Memory(slabs) => Ok(work(&mut slabs[slab].write().unwrap_or_else(PoisonError::into_inner))),
            Kept::File(file) => {
                let mut rows = self.read(file, slab)?;
                let result = work(&mut rows);
                file.write_all_at(&R::to_bytes(&rows), self.offset(slab, 0))?;
                Ok(result)
            }
        }
    }

    /// Replaces the rows of a slab.
    ///
    /// # Errors
    /// Returns an error if a file cannot be written.
    pub fn put(&self, slab: usize, rows: Vec<R>) -> io::Result<()> {
        match &self.kept {
            Kept::Memory(slabs) => {
                *slabs[slab].write().unwrap_or_else(PoisonError::into_inner) = rows;
                Ok(())
            }
            Kept::File(file) => file.write_all_at(&R::to_bytes(&rows), self.offset(slab, 0)),
        }
    }

    /// Some rows of a slab that follow each other.
    ///
    /// # Errors
    /// Returns an error if a file cannot be read.
    pub fn some(&self, slab: usize, first: usize, count: usize) -> io::Result<Vec<R>> {
        match &self.kept {
            Kept::Memory(slabs) => {
                Ok(slabs[slab].read().unwrap_or_else(PoisonError::into_inner)[first..][..count].to_vec())
            }
            Kept::File(file) => {
                let mut bytes = vec![0; count * size_of::<R>()];
                file.read_exact_at(&mut bytes, self.offset(slab, first))?;
                Ok(R::from_bytes(&bytes))
            }
        }
    }

    /// Removes bits from a row.
    ///
    /// # Errors
    /// Returns an error if a file cannot be read or written.
    pub fn remove(&self, slab: usize, row: usize, bits: R) -> io::Result<()> {
        match &self.kept {
            Kept::Memory(slabs) => {
                let row = &mut slabs[slab].write().unwrap_or_else(PoisonError::into_inner)[row];
                *row = row.and_not(bits);
                Ok(())
            }
            Kept::File(file) => {
                let left = self.some(slab, row, 1)?[0].and_not(bits);
                file.write_all_at(&R::to_bytes(&[left]), self.offset(slab, row))
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::super::row::Row2;
    use super::*;

    #[test]
    fn files_hold_what_memory_holds() {
        let folder = tempfile::tempdir().expect("a folder");
        for space in [Space::Memory, Space::Files(folder.path().to_owned())] {
            let shelf = Shelf::<Row2>::new(3, 10, &space).expect("room");
            assert!(
                shelf.with(2, |rows| rows.len() == 10 && rows.iter().all(Row::is_empty)).expect("a disk")
            );
            shelf.change(1, |rows| rows[9] = Row2::of_bit(200).or(Row2::of_bit(3))).expect("a disk");
            shelf.remove(1, 9, Row2::of_bit(3)).expect("a disk");
            assert_eq!(shelf.some(1, 8, 2).expect("a disk"), [Row2::EMPTY, Row2::of_bit(200)]);
            shelf.put(0, vec![Row2::of_bit(7); 10]).expect("a disk");
            assert!(shelf.with(0, |rows| rows.iter().all(|row| row.has(7))).expect("a disk"));
            assert!(shelf.with(2, |rows| rows.iter().all(Row::is_empty)).expect("a disk"));
        }
    }
}
