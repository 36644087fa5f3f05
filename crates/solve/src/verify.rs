//! Is a table right? Every value is derived anew from those of the successors, with the moves of the rules alone.
//!
//! With distances this is a proof, given the tables it leads into: a win comes closer with every move and must end,
//! a loss likewise, and a draw has a move to a draw and none to a loss. Without distances it finds most mistakes.

use crate::error::Error;
use crate::outside::{Finished, value_of};
use game::{Endgame, Index, Location, Metric, Position, Value};
use rayon::prelude::*;
use std::ops::ControlFlow;
use table::{Entry, Library};

/// What a check of a table found.
#[derive(Clone, Debug)]
pub struct Verified {
    /// The positions looked at.
    pub positions: u64,
    /// The first entries that are wrong, in the order of their indices; none in a good table.
    pub wrong: Vec<Wrong>,
}

/// An entry that does not follow from its successors.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Wrong {
    /// Where.
    pub index: Index,
    /// What the table says.
    pub stored: Entry,
    /// What follows.
    pub expected: Entry,
}

/// Derives every value of a slice anew, and checks all checksums. `progress` hears how many indices are done, from
/// any thread. The tables that one move can lead to are unpacked if that takes no more than so many bytes of `memory`, else
/// read through the cache of the library.
///
/// # Errors
/// If a table is missing, damaged, or only its own solver's to check.
pub fn verify<G: Endgame>(
    game: &G,
    library: &Library,
    slice: G::Slice,
    metric: Metric,
    memory: u64,
    progress: impl Fn(u64) + Sync,
) -> Result<Verified, Error> {
    const MOST_SHOWN: usize = 10;
    const PART: u64 = 1 << 14;
    let batches = game.batches();
    let batch = batches.iter().find(|batch| batch.contains(&slice)).expect("every slice is in a batch");
    let slices = [batch.clone(), game.needs(slice)].concat();
    let tables = Finished::open(game, library, &slices, metric, memory)?;
    tables.check()?;
    let check = Check { game, tables, metric };
    let size = game.size(slice);
    let parts = (0..size.div_ceil(PART)).into_par_iter().map(|part| {
        let indices = part * PART..size.min((part + 1) * PART);
        let length = indices.end - indices.start;
        let mut positions = 0;
        let mut wrong = Vec::new();
        for index in indices.map(Index) {
            let position = game.unrank(slice, index);
            positions += u64::from(position.is_some());
            let (stored, expected) = (check.tables.entry(slice, index)?, check.expected(position)?);
            if stored != expected && wrong.len() < MOST_SHOWN {
                wrong.push(Wrong { index, stored, expected });
            }
        }
        progress(length);
        Ok(Verified { positions, wrong })
    });
    let nothing = || Verified { positions: 0, wrong: Vec::new() };
    parts.try_reduce(nothing, |mut a, b| {
        a.positions += b.positions;
        a.wrong.extend(b.wrong);
        a.wrong.truncate(MOST_SHOWN);
        Ok(a)
    })
}

/// The tables that one move can lead to, and how their values follow from each other.
struct Check<'a, G: Endgame> {
    game: &'a G,
    tables: Finished<G>,
    metric: Metric,
}

impl<G: Endgame> Check<'_, G> {
    /// What the table should say of a position, or of an index without one.
    fn expected(&self, position: Option<G::Position>) -> Result<Entry, table::Error> {
        let value = match &position {
            Some(position) => self.step(position)?,
            None => None,
        };
        Ok(Entry::new(value, self.metric))
    }

    /// One step of induction over the values of the successors; nothing from a position that leads to none.
    fn step(&self, position: &G::Position) -> Result<Option<Value>, table::Error> {
        let mut best: Option<Value> = None;
        let walk = position.visit_moves(|m| match self.value(&position.play_unchecked(m)) {
            Ok(Some(value)) => {
                best = best.max(Some(value.before_move()));
                ControlFlow::Continue(())
            }
            other => ControlFlow::Break(other),
        });
        let ended = || position.outcome().map(|outcome| outcome.value(position.turn()));
        match walk {
            ControlFlow::Break(unknown) => unknown,
            ControlFlow::Continue(()) => Ok(best.or_else(ended)),
        }
    }

    /// What the tables say of a position; of one that has no index, one step further.
    fn value(&self, position: &G::Position) -> Result<Option<Value>, table::Error> {
        match self.game.locate(position) {
            Location::Over(value) => Ok(Some(value)),
            Location::At(slice, index) => Ok(value_of(self.tables.entry(slice, index)?)),
            Location::Through => self.step(position),
            Location::Beyond(_) => Ok(None),
        }
    }
}
