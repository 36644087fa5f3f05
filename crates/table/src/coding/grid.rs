//! The grid: the places of a tile in rows, and neighbours by steps along their coordinates.

/// The binary logarithm of the most places of a row.
pub(super) const ROW_BITS: u32 = 6;
/// The most places of a row.
pub(super) const ROW: usize = 1 << ROW_BITS;
/// The longest step along a row. Before each row, the grid has as many cells without a symbol.
pub(super) const MARGIN: usize = 16;

/// The places of a tile, by coordinates. A row has the places that differ only in the last coordinate.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) struct Grid {
    /// By coordinate, the slowest first: the number of its bits, and of those of the coordinates after it.
    coordinates: Box<[(u32, u32)]>,
}

/// How far a neighbour of a place is before it, along each coordinate.
pub(super) type Steps = Box<[u8]>;

impl Grid {
    /// The grid with these numbers of bits of its coordinates, the slowest first.
    pub(crate) fn new(bits: &[u32]) -> Self {
        let mut shift = 0;
        let mut coordinates: Vec<(u32, u32)> = bits
            .iter()
            .rev()
            .map(|&bits| {
                shift += bits;
                (bits, shift - bits)
            })
            .collect();
        coordinates.reverse();
        Self { coordinates: coordinates.into() }
    }

    /// The number of coordinates.
    pub(super) fn dimensions(&self) -> usize {
        self.coordinates.len()
    }

    fn row_bits(&self) -> u32 {
        self.coordinates[self.dimensions() - 1].0
    }

    /// The number of places of a row.
    #[inline]
    pub(super) fn width(&self) -> usize {
        1 << self.row_bits()
    }

    /// The number of rows.
    #[inline]
    pub(super) fn rows(&self) -> usize {
        let (bits, shift) = self.coordinates[0];
        1 << (bits + shift - self.row_bits())
    }

    /// The number of slabs. A slab has the rows with the same slowest coordinate.
    pub(super) fn slabs(&self) -> usize {
        if self.dimensions() == 1 { 1 } else { 1 << self.coordinates[0].0 }
    }

    /// The number of rows of a slab.
    pub(super) fn rows_of_slab(&self) -> usize {
        self.rows() / self.slabs()
    }

    /// The number of places.
    pub(crate) fn places(&self) -> usize {
        self.rows() * self.width()
    }

    /// The number of cells from one row to the next.
    #[inline]
    pub(super) fn stride(&self) -> usize {
        MARGIN + self.width()
    }

    /// The number of cells: the rows with their margins, one more row that is always empty, and as many cells as let a reader of
    /// any row read a long one.
    pub(super) fn cells(&self) -> usize {
        (self.rows() + 1) * self.stride() + ROW
    }

    /// The cell of the first place of a row.
    #[inline]
    pub(super) fn first_cell(&self, row: usize) -> usize {
        row * self.stride() + MARGIN
    }

    /// The cell of the neighbour of the first place of a row. Those of the other places follow. If the neighbours of the row are not
    /// in the tile, it is a cell of the empty row.
    #[inline]
    pub(super) fn first_neighbour(&self, row: usize, steps: &Steps) -> usize {
        let (last, others) = steps.split_last().expect("a grid has coordinates");
        let mut back = 0;
        let mut is_inside = true;
        for (&(bits, shift), &step) in self.coordinates.iter().zip(others) {
            let shift = shift - self.row_bits();
            is_inside &= row >> shift & ((1 << bits) - 1) >= usize::from(step);
            back += usize::from(step) << shift;
        }
        let row = if is_inside { row - back } else { self.rows() };
        self.first_cell(row) - usize::from(*last)
    }

    /// Returns whether a neighbour with these steps is in another row.
    pub(super) fn is_far(&self, steps: &Steps) -> bool {
        steps[..self.dimensions() - 1].iter().any(|&step| step > 0)
    }

    /// Returns whether a neighbour with these steps comes before a place, and can be in the tile.
    pub(super) fn allows(&self, steps: &Steps) -> bool {
        let is_short = |(&(bits, _), &step): (&(u32, u32), &u8)| u32::from(step) < 1 << bits;
        steps.len() == self.dimensions()
            && steps.iter().any(|&step| step > 0)
            && usize::from(steps[steps.len() - 1]) <= MARGIN
            && self.coordinates.iter().zip(steps).all(is_short)
    }

    /// The neighbours among which a model can choose.
    pub(super) fn candidates(&self) -> Vec<Steps> {
        /// One or two squares, and those one rank away on boards with eight or nine files.
        const ALONE: [u8; 9] = [1, 2, 3, 7, 8, 9, 10, 16, 18];
        const TOGETHER: [(u8, u8); 5] = [(1, 1), (1, 8), (8, 1), (8, 8), (9, 9)];
        let dimensions = self.dimensions();
        let steps = |set: &[(usize, u8)]| {
            let mut steps = vec![0; dimensions];
            set.iter().for_each(|&(coordinate, step)| steps[coordinate] = step);
            Steps::from(steps)
        };
        let mut all = Vec::new();
        for coordinate in 0..dimensions {
            all.extend(ALONE.map(|step| steps(&[(coordinate, step)])));
            for other in coordinate + 1..dimensions {
                all.extend(TOGETHER.map(|(a, b)| steps(&[(coordinate, a), (other, b)])));
            }
        }
        all.retain(|steps| self.allows(steps));
        all
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn neighbours_are_found_by_coordinates() {
        let grid = Grid::new(&[2, 3, 4]);
        assert_eq!((grid.rows(), grid.width(), grid.places()), (32, 16, 512));
        for steps in grid.candidates() {
            for place in 0..grid.places() {
                let (a, b, c) = (place >> 7, place >> 4 & 7, place & 15);
                let before = |at: usize, step: u8| at.checked_sub(step.into());
                let neighbour = match (before(a, steps[0]), before(b, steps[1]), before(c, steps[2])) {
                    (Some(a), Some(b), Some(c)) => Some(a << 7 | b << 4 | c),
                    _ => None,
                };
                let cell = grid.first_neighbour(place / 16, &steps) + place % 16;
                let found = (cell / grid.stride(), (cell % grid.stride()).checked_sub(MARGIN));
                match (neighbour, found) {
                    (Some(neighbour), (row, Some(at))) => assert_eq!(neighbour, row * 16 + at),
                    (None, (row, at)) => assert!(row == grid.rows() || at.is_none()),
                    wrong => panic!("{steps:?} {place}: {wrong:?}"),
                }
            }
        }
    }
}
