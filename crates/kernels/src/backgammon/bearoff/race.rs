//! Solves races of two sides: every board of one side against every board of the other.
//!
//! The value of a position is the average over the rolls of the best play, and a play is worth the opposite of what the position
//! after it is worth to the opponent. So the mover looks for the least value of the opponent. The numbers of sixteen opponents
//! against the same board are side by side in memory (a [`Row`]). For one board of the mover and sixteen boards of the opponent, all plays
//! are the minimum of whole rows, and there is no other work.
//!
//! Numbers are integers, in steps that are so fine that 36 of the largest just fit. So the sum over the rolls is exact, and a value is
//! rounded once. The result depends neither on the order of the sums nor on the number of threads.

use super::order::{LANES, Order};
use backgammon::BearOff;
use game::parallel;
use solve::{Loading, Saving, unusable};
use std::array;
use std::io;

/// One number for each of sixteen movers.
pub type Row = [i32; LANES];

/// What is known about sixteen movers against one board of the opponent: several rows.
pub type Cell<const KEPT: usize> = [Row; KEPT];

/// How values follow from those of the opponent. The first `READ` of the `KEPT` rows of a cell are needed for other positions.
pub trait Rule<const READ: usize, const KEPT: usize>: Sync {
    /// The numbers of a mover whose opponent has borne off all checkers. The mover has so many checkers left.
    fn lost(&self, checkers: u8) -> [i32; KEPT];

    /// The rows of a cell. `sums` has, for each row that is read, the sum over the 36 rolls of the least number of the opponent.
    fn values(&self, sums: [Row; READ]) -> Cell<KEPT>;
}

/// The values of a race, as far as it is solved.
pub struct Race<const KEPT: usize> {
    /// For each [`LANES`] boards of the mover, the cells of all boards of the opponent.
    movers: Vec<Vec<Cell<KEPT>>>,
    /// The number of levels that are solved.
    solved: usize,
}

/// The cells of sixteen boards of the opponent, which are computed together.
type Block<'a, const KEPT: usize> = &'a mut [Cell<KEPT>];

impl<const KEPT: usize> Race<KEPT> {
    /// A race in which only the end is known: the opponent has borne off all checkers.
    pub fn new<const READ: usize>(order: &Order, rule: &impl Rule<READ, KEPT>) -> Self {
        let numbering = order.numbering();
        let movers = |chunk: usize| {
            let mut cells = vec![[[0; LANES]; KEPT]; order.len()];
            let boards = (0..LANES).filter_map(|lane| Some((lane, order.board(chunk * LANES + lane)?)));
            for (lane, board) in boards {
                let lost = rule.lost(numbering.unrank(board).checkers());
                (0..KEPT).for_each(|row| cells[0][row][lane] = lost[row]);
            }
            cells
        };
        Self { movers: (0..order.len() / LANES).map(movers).collect(), solved: 1 }
    }

    /// The memory of a race, in bytes.
    pub fn memory(numbering: BearOff) -> u64 {
        // Each level may have up to 15 places without a board.
        let levels = 1 + u64::from(numbering.points()) * u64::from(numbering.checkers());
        let places = u64::from(numbering.boards()) + (LANES as u64 - 1) * levels;
        places * places * size_of::<Cell<KEPT>>() as u64 / LANES as u64
    }

    /// The number of levels that are solved.
    pub fn solved(&self) -> usize {
        self.solved
    }

    /// Solves one more level: all positions in which one side has a board of this level and the other one a board of this or a
    /// lower level.
    pub fn solve_level<const READ: usize>(&mut self, order: &Order, rule: &impl Rule<READ, KEPT>) {
        let level = &order.levels()[self.solved];
        let (first, end) = (level.start / LANES, level.end / LANES);
        let (lower, own) = self.movers[..end].split_at_mut(first);
        // The mover has a board of this level, and the opponent a lower one.
        let mut blocks = Self::blocks(first);
        for cells in &mut *own {
            let some = cells[..level.start].chunks_exact_mut(LANES);
            blocks.iter_mut().zip(some).for_each(|(blocks, block)| blocks.push(block));
        }
        // The empty board is the first. Against it, everything is lost, and that is known.
        parallel::map_items(lower.iter().zip(blocks).skip(1), |_, (opponents, blocks)| {
            for (mover, block) in (first..).zip(blocks) {
                solve_block(order, rule, opponents, mover, block);
            }
        });
        // The opponent has a board of this level, and the mover the same or a lower one.
        let mut blocks = Self::blocks(end - first);
        for cells in lower.iter_mut().skip(1) {
            let some = cells[level.clone()].chunks_exact_mut(LANES);
            blocks.iter_mut().zip(some).for_each(|(blocks, block)| blocks.push(block));
        }
        let mut opponents = Vec::with_capacity(end - first);
        for cells in own {
            let (known, rest) = cells.split_at_mut(level.start);
            opponents.push(&*known);
            let some = rest[..level.len()].chunks_exact_mut(LANES);
            blocks.iter_mut().zip(some).for_each(|(blocks, block)| blocks.push(block));
        }
        parallel::map_items(opponents.into_iter().zip(blocks), |_, (opponents, blocks)| {
            for (mover, block) in (1..).zip(blocks) {
                solve_block(order, rule, opponents, mover, block);
            }
        });
        self.solved += 1;
    }

    /// Values from elsewhere, instead of solved ones. `values` gives those of a board of the mover against all boards.
    ///
    /// # Errors
    /// Returns an error if `values` does.
    pub fn of_values<E: Send>(
        order: &Order,
        values: impl Fn(u32) -> Result<Vec<[i32; KEPT]>, E> + Sync,
    ) -> Result<Self, E> {
        let movers = |chunk: usize| {
            let mut cells = vec![[[0; LANES]; KEPT]; order.len()];
            for lane in 0..LANES {
                if let Some(board) = order.board(chunk * LANES + lane) {
                    for (opponent, values) in (0..).zip(values(board)?) {
                        let cell = &mut cells[order.place(opponent)];
                        (0..KEPT).for_each(|row| cell[row][lane] = values[row]);
                    }
                }
            }
            Ok(cells)
        };
        let movers = parallel::try_map(order.len() / LANES, movers)?;
        Ok(Self { movers, solved: order.levels().len() })
    }

    /// Visits all positions in which the mover has checkers. `check` gets the mover's place, the first of sixteen places of opponents, the
    /// sums over the rolls, and the values of these positions. The first `READ` rows of a cell are read.
    pub fn check<const READ: usize, T: Default + Send>(
        &self,
        order: &Order,
        check: impl Fn(&mut T, usize, usize, [Row; READ], &Cell<KEPT>) + Sync,
    ) -> Vec<T> {
        parallel::map_items(&self.movers, |chunk, cells| {
            let mut found = T::default();
            for (mover, values) in (LANES..order.len()).map(|mover| (mover, &self.movers[mover / LANES])) {
                let values = &values[chunk * LANES..][..LANES];
                let values = array::from_fn(|row| array::from_fn(|lane| values[lane][row][mover % LANES]));
                check(&mut found, mover, chunk * LANES, sums(order, cells, mover), &values);
            }
            found
        })
    }

    /// The values of each mover against all opponents, by the numbers of their boards. `stored` makes one of a cell. The memory of the race is
    /// freed on the way.
    pub fn by_board<const N: usize>(
        self,
        order: &Order,
        stored: impl Fn(usize, usize, [i32; KEPT]) -> [i16; N] + Sync,
    ) -> ByBoard<N> {
        let boards = order.numbering().boards() as usize;
        let movers = parallel::map_items(self.movers, |chunk, cells| {
            let count = (0..LANES).filter(|lane| order.board(chunk * LANES + lane).is_some()).count();
            let mut movers = vec![[0; N]; count * boards];
            // Each cell is read once, because that takes longer than to write to sixteen places.
            for board in 0..boards {
                let opponent = order.place(board as u32);
                for lane in 0..count {
                    let values = cells[opponent].map(|row| row[lane]);
                    movers[lane * boards + board] = stored(chunk * LANES + lane, opponent, values);
                }
            }
            movers
        });
        ByBoard { movers, boards }
    }

    /// Writes what is solved to a checkpoint.
    ///
    /// # Errors
    /// Returns an error if an I/O operation fails.
    pub fn save(&self, order: &Order, saving: &mut Saving) -> io::Result<()> {
        let end = order.levels()[self.solved - 1].end;
        saving.number(self.solved as u64)?;
        let mut bytes = Vec::new();
        for cells in &self.movers[..end / LANES] {
            bytes.clear();
            let numbers = cells[..end].iter().flatten().flatten();
            bytes.extend(numbers.flat_map(|number| number.to_le_bytes()));
            saving.bytes(&bytes)?;
        }
        Ok(())
    }

    /// Reads what was solved from a checkpoint, into a new race.
    ///
    /// # Errors
    /// Returns an error if an I/O operation fails, or if the checkpoint is damaged.
    pub fn load(mut self, order: &Order, loading: &mut Loading) -> io::Result<Self> {
        let solved = loading.number()? as usize;
        if !(1..=order.levels().len()).contains(&solved) {
            return Err(unusable("it has another number of levels"));
        }
        let end = order.levels()[solved - 1].end;
        let mut bytes = vec![0; end * size_of::<Cell<KEPT>>()];
        for cells in &mut self.movers[..end / LANES] {
            loading.bytes(&mut bytes)?;
            let numbers = cells[..end].iter_mut().flatten().flatten();
            for (number, bytes) in numbers.zip(bytes.as_chunks().0) {
                *number = i32::from_le_bytes(*bytes);
            }
        }
        Ok(Self { solved, ..self })
    }

    fn blocks<'a>(count: usize) -> Vec<Vec<Block<'a, KEPT>>> {
        std::iter::repeat_with(Vec::new).take(count).collect()
    }

    /// One number of a position.
    #[inline]
    pub fn get(&self, mover: usize, opponent: usize, row: usize) -> i32 {
        self.movers[mover / LANES][opponent][row][mover % LANES]
    }
}

/// Values by the numbers of the boards.
pub struct ByBoard<const N: usize> {
    /// For each [`LANES`] places, the values of each mover there against all boards.
    movers: Vec<Vec<[i16; N]>>,
    boards: usize,
}

impl<const N: usize> ByBoard<N> {
    /// The values of the mover at a place against all boards.
    pub fn of(&self, mover: usize) -> &[[i16; N]] {
        // The places without a board are the last of sixteen.
        &self.movers[mover / LANES][mover % LANES * self.boards..][..self.boards]
    }
}

/// Computes the values of sixteen boards of the mover, which begin at place `mover * LANES`, against sixteen boards of the opponent.
fn solve_block<const READ: usize, const KEPT: usize>(
    order: &Order,
    rule: &impl Rule<READ, KEPT>,
    opponents: &[Cell<KEPT>],
    mover: usize,
    block: Block<'_, KEPT>,
) {
    for lane in 0..LANES {
        let place = mover * LANES + lane;
        if order.board(place).is_none() {
            continue;
        }
        let values = rule.values(sums(order, opponents, place));
        for (opponent, cell) in block.iter_mut().enumerate() {
            for row in 0..KEPT {
                cell[row][lane] = values[row][opponent];
            }
        }
    }
}

/// For one board of the mover and sixteen of the opponent: the sums over the 36 rolls of the least numbers of the opponent.
#[inline]
fn sums<const READ: usize, const KEPT: usize>(
    order: &Order,
    opponents: &[Cell<KEPT>],
    place: usize,
) -> [Row; READ] {
    let mut sums = [[0; LANES]; READ];
    for (roll, plays) in order.plays(place) {
        let Some((&first, rest)) = plays.split_first() else { continue };
        let mut least: [Row; READ] = array::from_fn(|row| opponents[usize::from(first)][row]);
        for &play in rest {
            let cell = &opponents[usize::from(play)];
            for row in 0..READ {
                for lane in 0..LANES {
                    least[row][lane] = least[row][lane].min(cell[row][lane]);
                }
            }
        }
        for row in 0..READ {
            for lane in 0..LANES {
                sums[row][lane] += roll.weight() as i32 * least[row][lane];
            }
        }
    }
    sums
}
