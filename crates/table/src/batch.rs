//! Many probes at once.

use crate::Table;
use crate::cache::TableId;
use crate::probe::{Found, ProbeError, Probed, Prober, probed};
use game::{Endgame, Index};
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
    /// together, so that each block is read once however small the cache is; all threads of the pool take part.
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
            answers[position] = Some(answer);
        }
        answers.into_iter().map(|answer| answer.expect("an answer for each position")).collect()
    }

    fn look_up(&self, position: &G::Position) -> Result<Looked<'_>, ProbeError> {
        match self.find(position)? {
            Found::Known(probed) => Ok(Looked::Answer(probed)),
            Found::Missing(slice) => Err(self.missing(slice)),
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

/// All that is wanted from one block.
fn read(wanted: &[Wanted<'_>]) -> Vec<(usize, Result<Probed, ProbeError>)> {
    let Wanted { table, block, .. } = wanted[0];
    match table.cached_block(block) {
        Ok(block) => wanted
            .iter()
            .map(|wanted| (wanted.position, probed(table, wanted.index, block.get(wanted.place))))
            .collect(),
        Err(error) => wanted.iter().map(|wanted| (wanted.position, Err(error.clone().into()))).collect(),
    }
}
