//! Probes of many positions at once.

use crate::Table;
use crate::probe::{Found, ProbeError, Probed, Prober, SmallPlace, told};
use game::{Endgame, Index, Wdl, parallel};
use rayon::slice::ParallelSliceMut;

/// An entry that a batch needs, and the position that needs it.
struct Wanted<'a> {
    table: &'a Table,
    block: u64,
    place: usize,
    index: Index,
    /// The number of the position in the batch.
    position: usize,
}

impl Wanted<'_> {
    /// The table, by its address, and the block.
    fn block(&self) -> (usize, u64) {
        (std::ptr::from_ref(self.table).addr(), self.block)
    }
}

impl<G: Endgame + PartialEq> Prober<G> {
    /// Probes many positions. Each result is the same as that of [`value`](Self::value). Positions in the same block are
    /// answered together, so that each block is read only once, even with a small cache. Positions that need the values
    /// after their moves, such as those with the entry [`NotWon`](crate::Entry::NotWon), are answered one by one. Those of
    /// [small](crate::SmallTable) tables are answered block after block. All threads of the current pool take part.
    pub fn values(&self, positions: &[G::Position]) -> Vec<Result<Probed, ProbeError>> {
        let (mut wanted, mut small) = (Vec::new(), Vec::new());
        let found = many(positions.len(), |i| self.look_up(&positions[i]));
        let mut answers: Vec<_> = found
            .into_iter()
            .enumerate()
            .map(|(position, found)| match found {
                Ok(Looked::Answer(probed)) => Some(Ok(probed)),
                Ok(Looked::In { table, block, place, index }) => {
                    wanted.push(Wanted { table, block, place, index, position });
                    None
                }
                Ok(Looked::Small { place, block }) => {
                    small.push((std::ptr::from_ref(place.table).addr(), block, position, place));
                    None
                }
                Err(error) => Some(Err(error)),
            })
            .collect();
        small.sort_unstable_by_key(|&(table, block, position, _)| (table, block, position));
        let of_small = many(small.len(), |i| {
            let (.., position, place) = small[i];
            self.small_value(&positions[position], place)
        });
        for (&(.., position, _), answer) in small.iter().zip(of_small) {
            answers[position] = Some(answer.map_err(|unanswered| self.error(unanswered)));
        }
        for (position, answer) in read_all(wanted) {
            answers[position] = answer.transpose();
        }
        let open: Vec<usize> = (0..answers.len()).filter(|&i| answers[i].is_none()).collect();
        let step =
            |i: usize| self.loss_or_draw(&positions[open[i]]).map_err(|unanswered| self.error(unanswered));
        let steps = parallel::map(open.len(), step);
        for (&position, answer) in open.iter().zip(steps) {
            answers[position] = Some(answer);
        }
        answers.into_iter().map(|answer| answer.expect("every position was answered")).collect()
    }

    fn look_up(&self, position: &G::Position) -> Result<Looked<'_>, ProbeError> {
        match self.find(position).map_err(|unanswered| self.error(unanswered))? {
            Found::Over(value) => Ok(Looked::Answer(value.into())),
            Found::WonAtOnce => Ok(Looked::Answer(Wdl::Win.into())),
            Found::Through => {
                self.one_step(position).map(Looked::Answer).map_err(|unanswered| self.error(unanswered))
            }
            Found::At(table, index) => {
                let (block, place) = table.place(index.0)?;
                Ok(Looked::In { table, block, place, index })
            }
            Found::Small(place) => {
                let (block, _) = place.table.outcomes().place(place.index.0)?;
                Ok(Looked::Small { place, block })
            }
        }
    }
}

enum Looked<'a> {
    Answer(Probed),
    Small { place: SmallPlace<'a>, block: u64 },
    In { table: &'a Table, block: u64, place: usize, index: Index },
}

/// Calls `work` for each number below `count`, on all threads, some numbers at a time: one takes less than a microsecond.
fn many<T: Send + Sync>(count: usize, work: impl Fn(usize) -> T + Sync) -> Vec<T> {
    const AT_A_TIME: usize = 64;
    let parts = parallel::map(count.div_ceil(AT_A_TIME), |part| {
        let numbers = part * AT_A_TIME..count.min((part + 1) * AT_A_TIME);
        numbers.map(&work).collect::<Vec<T>>()
    });
    parts.into_iter().flatten().collect()
}

/// Reads all entries that are needed. Each block is read once.
fn read_all(mut wanted: Vec<Wanted<'_>>) -> Vec<(usize, Result<Option<Probed>, ProbeError>)> {
    wanted.par_sort_unstable_by_key(|wanted| (wanted.block(), wanted.position));
    let blocks: Vec<&[Wanted<'_>]> = wanted.chunk_by(|a, b| a.block() == b.block()).collect();
    parallel::map(blocks.len(), |i| read(blocks[i])).into_iter().flatten().collect()
}

/// Reads all entries that are needed from one block. Returns `None` for an entry that leaves open whether it is a loss
/// or a draw.
fn read(wanted: &[Wanted<'_>]) -> Vec<(usize, Result<Option<Probed>, ProbeError>)> {
    let Wanted { table, block, .. } = wanted[0];
    match table.block_for(block, wanted.len() as u64) {
        Ok(block) => wanted
            .iter()
            .map(|wanted| (wanted.position, told(table, wanted.index, block.get(wanted.place))))
            .collect(),
        Err(error) => wanted.iter().map(|wanted| (wanted.position, Err(error.clone().into()))).collect(),
    }
}
