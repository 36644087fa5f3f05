//! Lists of rows: the rows of a slab that have bits, with their numbers. They are in memory, or their bits are in a file.

use super::row::Row;
use super::space::Space;
use solve::{Loading, Saving, unusable};
use std::io;
use std::ops::Range;
use std::sync::{PoisonError, RwLock};
use table::system::FileAt;

/// Rows with bits, in ascending order.
#[derive(Clone, Debug)]
pub struct List<R> {
    numbers: Vec<u32>,
    bits: Vec<R>,
}

impl<R> Default for List<R> {
    fn default() -> Self {
        Self { numbers: Vec::new(), bits: Vec::new() }
    }
}

impl<R: Row> List<R> {
    /// Adds a row behind the others, if it has bits.
    #[inline(always)]
    pub fn push(&mut self, row: usize, bits: R) {
        if !bits.is_empty() {
            self.numbers.push(row as u32);
            self.bits.push(bits);
        }
    }

    /// The rows with their bits.
    #[inline(always)]
    pub fn iter(&self) -> impl Iterator<Item = (usize, R)> + '_ {
        self.numbers.iter().map(|&row| row as usize).zip(self.bits.iter().copied())
    }

    /// Returns whether no row has bits.
    pub fn is_empty(&self) -> bool {
        self.numbers.is_empty()
    }

    /// The number of all bits.
    pub fn bits(&self) -> u64 {
        self.bits.iter().map(Row::len).sum()
    }
}

/// A list for each slab. Threads share them.
pub struct Lists<R> {
    slabs: Vec<RwLock<Kept<R>>>,
    space: Space,
}

enum Kept<R> {
    Memory(List<R>),
    /// The bits are in a file.
    File {
        numbers: Vec<u32>,
        file: FileAt,
    },
}

impl<R: Row> Lists<R> {
    /// Makes empty lists.
    pub fn new(slabs: usize, space: &Space) -> Self {
        let empty = || RwLock::new(Kept::Memory(List::default()));
        Self { slabs: (0..slabs).map(|_| empty()).collect(), space: space.clone() }
    }

    /// Replaces the list of a slab.
    ///
    /// # Errors
    /// Returns an error if a file cannot be written.
    pub fn put(&self, slab: usize, list: List<R>) -> io::Result<()> {
        let file = if list.numbers.is_empty() { None } else { self.space.file()? };
        let kept = match file {
            Some(file) => {
                file.write_all_at(&R::to_bytes(&list.bits), 0)?;
                Kept::File { numbers: list.numbers, file }
            }
            None => Kept::Memory(list),
        };
        *self.slabs[slab].write().unwrap_or_else(PoisonError::into_inner) = kept;
        Ok(())
    }

    /// The list of a slab.
    ///
    /// # Errors
    /// Returns an error if a file cannot be read.
    pub fn list(&self, slab: usize) -> io::Result<List<R>> {
        let mut list = List::default();
        self.each(slab, 0..usize::MAX, |row, bits| list.push(row, bits))?;
        Ok(list)
    }

    /// Returns whether the list of a slab is empty.
    pub fn is_empty(&self, slab: usize) -> bool {
        let kept = self.slabs[slab].read().unwrap_or_else(PoisonError::into_inner);
        let (Kept::Memory(List { numbers, .. }) | Kept::File { numbers, .. }) = &*kept;
        numbers.is_empty()
    }

    /// Returns whether all lists are empty.
    pub fn are_empty(&self) -> bool {
        (0..self.slabs.len()).all(|slab| self.is_empty(slab))
    }

    /// Visits the rows of a slab with numbers in a range, in ascending order.
    ///
    /// # Errors
    /// Returns an error if a file cannot be read.
    #[inline(always)]
    pub fn each(&self, slab: usize, rows: Range<usize>, mut visit: impl FnMut(usize, R)) -> io::Result<()> {
        let kept = self.slabs[slab].read().unwrap_or_else(PoisonError::into_inner);
        let (Kept::Memory(List { numbers, .. }) | Kept::File { numbers, .. }) = &*kept;
        let from = numbers.partition_point(|&row| (row as usize) < rows.start);
        let to = from + numbers[from..].partition_point(|&row| (row as usize) < rows.end);
        let read;
        let bits = match &*kept {
            Kept::Memory(list) => &list.bits[from..to],
            Kept::File { file, .. } => {
                let mut bytes = vec![0; (to - from) * size_of::<R>()];
                file.read_exact_at(&mut bytes, (from * size_of::<R>()) as u64)?;
                read = R::from_bytes(&bytes);
                &read
            }
        };
        numbers[from..to].iter().zip(bits).for_each(|(&row, &bits)| visit(row as usize, bits));
        Ok(())
    }

    /// Writes the lists to a checkpoint.
    ///
    /// # Errors
    /// Returns an error if an I/O operation fails.
    pub fn save(&self, saving: &mut Saving) -> io::Result<()> {
        for slab in 0..self.slabs.len() {
            let list = self.list(slab)?;
            saving.number(list.numbers.len() as u64)?;
            saving.bytes(&list.numbers.iter().flat_map(|row| row.to_le_bytes()).collect::<Vec<u8>>())?;
            saving.bytes(&R::to_bytes(&list.bits))?;
        }
        Ok(())
    }

    /// Reads the lists from a checkpoint. Each slab has `rows` rows.
    ///
    /// # Errors
    /// Returns an error if an I/O operation fails, or if the checkpoint is damaged.
    pub fn load(&self, rows: usize, loading: &mut Loading) -> io::Result<()> {
        for slab in 0..self.slabs.len() {
            let count = usize::try_from(loading.number()?).ok().filter(|&count| count <= rows);
            let count = count.ok_or_else(|| unusable("it is damaged"))?;
            let mut numbers = vec![0; 4 * count];
            loading.bytes(&mut numbers)?;
            let mut bits = vec![0; count * size_of::<R>()];
            loading.bytes(&mut bits)?;
            let numbers: Vec<u32> =
                numbers.as_chunks::<4>().0.iter().map(|&row| u32::from_le_bytes(row)).collect();
            if !numbers.is_sorted() || numbers.last().is_some_and(|&last| last as usize >= rows) {
                return Err(unusable("it is damaged"));
            }
            self.put(slab, List { numbers, bits: R::from_bytes(&bits) })?;
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::super::row::Row4;
    use super::*;

    #[test]
    fn files_hold_what_memory_holds() {
        let folder = tempfile::tempdir().expect("a folder");
        for space in [Space::Memory, Space::Files(folder.path().to_owned())] {
            let lists = Lists::<Row4>::new(2, &space);
            assert!(lists.are_empty());
            let mut list = List::default();
            [3, 8, 9, 70].into_iter().for_each(|row| list.push(row, Row4::of_bit(row + 100)));
            list.push(80, Row4::EMPTY);
            assert_eq!(list.bits(), 4);
            lists.put(1, list).expect("a disk");
            assert!(!lists.are_empty());
            let rows = |slab, range| {
                let mut found = Vec::new();
                lists.each(slab, range, |row, bits| found.push((row, bits.has(row + 100)))).expect("a disk");
                found
            };
            assert_eq!(rows(1, 0..100), [(3, true), (8, true), (9, true), (70, true)]);
            assert_eq!(rows(1, 8..70), [(8, true), (9, true)]);
            assert_eq!(rows(1, 71..90), []);
            assert_eq!(rows(0, 0..100), []);
        }
        assert_eq!(std::fs::read_dir(folder.path()).expect("a folder").count(), 0, "nothing is left");
    }
}
