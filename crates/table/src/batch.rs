//! Many probes at once.

use crate::Table;
use crate::cache::TableId;
use crate::probe::{Found, ProbeError, Probed, Prober, told};
use game::{Endgame, Index, Wdl};
use rayon::prelude::*;

/// An entry that a batch asks for, and for whom.
struct Wanted<'a> {
    table: &'a Table,
    block: u64,
    place: usize,
    index: Index,
    /// The number of the position in the batch.
    position: usize,
}

impl Wanted<'_> {
    fn block(&self) -> (TableId, u64) {
        (self.table.id(), self.block)
    }
}

impl<G: Endgame + PartialEq> Prober<G> {
    /// The values of many positions, each what [`value`](Self::value) gives. Positions of a block are answered
    /// together, so that each block is read once however small the cache is; only the step over the moves that an
    /// entry [without loss or draw](crate::Entry::NotWon) needs is taken for each on its own. All threads of the
    /// pool take part.
    pub fn values(&self, positions: &[G::Position]) -> Vec<Result<Probed, ProbeError>> {
        let mut wanted = Vec::new();
        let found: Vec<_> = positions.par_iter().map(|position| self.look_up(position)).collect();
        let mut answers: Vec<_> = found
            .into_iter()
            .enumerate()
            .map(|(position, found)| match found {
                Ok(Looked::Answer(probed)) => Some(Ok(probed)),
                Ok(Looked::In { table, block, place, index }) => {
                    wanted.push(Wanted { table, block, place, index, position });
                    None
                }
                Err(error) => Some(Err(error)),
            })
            .collect();
        wanted.par_sort_unstable_by_key(|wanted| (wanted.block(), wanted.position));
        let read: Vec<_> = wanted.par_chunk_by(|a, b| a.block() == b.block()).flat_map_iter(read).collect();
        for (position, answer) in read {
            answers[position] = answer.transpose();
        }
        let step = |(answer, position): (Option<_>, _)| {
            answer.unwrap_or_else(|| self.loss_or_draw(position).map_err(|unanswered| self.error(unanswered)))
        };
        answers.into_par_iter().zip(positions).map(step).collect()
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
        }
    }
}

enum Looked<'a> {
    Answer(Probed),
    In { table: &'a Table, block: u64, place: usize, index: Index },
}

/// All that is wanted from one block; nothing where the entry leaves loss or draw open.
fn read(wanted: &[Wanted<'_>]) -> Vec<(usize, Result<Option<Probed>, ProbeError>)> {
    let Wanted { table, block, .. } = wanted[0];
    match table.cached_block(block) {
        Ok(block) => wanted
            .iter()
            .map(|wanted| (wanted.position, told(table, wanted.index, block.get(wanted.place))))
            .collect(),
        Err(error) => wanted.iter().map(|wanted| (wanted.position, Err(error.clone().into()))).collect(),
    }
}
