//! Is a table right? Every value is derived anew from those of the successors, with the moves of the rules alone.
//!
//! With distances this is a proof, given the tables it leads into: a win comes closer with every move and must end,
//! a loss likewise, and a draw has a move to a draw and none to a loss. Without distances it finds most mistakes.

use crate::cell::Cell;
use crate::error::Error;
use crate::job::{load, missing};
use game::{Endgame, Index, Location, Metric, Position, Value};
use rayon::prelude::*;
use table::{Entry, Library, describe};

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
/// any thread.
///
/// # Errors
/// If a table is missing, damaged, or only its own solver's to check.
pub fn verify<G: Endgame>(
    game: &G,
    library: &Library,
    slice: G::Slice,
    metric: Metric,
    progress: impl Fn(u64) + Sync,
) -> Result<Verified, Error> {
    match verify_with::<G, u8>(game, library, slice, metric, &progress) {
        Err(Error::TooLong { .. }) => verify_with::<G, u16>(game, library, slice, metric, &progress),
        result => result,
    }
}

fn verify_with<G: Endgame, C: Cell>(
    game: &G,
    library: &Library,
    slice: G::Slice,
    metric: Metric,
    progress: &(impl Fn(u64) + Sync),
) -> Result<Verified, Error> {
    const MOST_SHOWN: usize = 10;
    const PART: u64 = 1 << 14;
    let tables = Loaded::<G, C>::new(game, library, slice, metric)?;
    let size = game.size(slice);
    let parts = (0..size.div_ceil(PART)).into_par_iter().map(|part| {
        let indices = part * PART..size.min((part + 1) * PART);
        let length = indices.end - indices.start;
        let mut positions = 0;
        let mut wrong = Vec::new();
        for index in indices.map(Index) {
            let position = game.unrank(slice, index);
            positions += u64::from(position.is_some());
            let (stored, expected) =
                (Entry::new(tables.value(slice, index), metric), tables.expected(position));
            if stored != expected && wrong.len() < MOST_SHOWN {
                wrong.push(Wrong { index, stored, expected });
            }
        }
        progress(length);
        Verified { positions, wrong }
    });
    let nothing = || Verified { positions: 0, wrong: Vec::new() };
    Ok(parts.reduce(nothing, |mut a, b| {
        a.positions += b.positions;
        a.wrong.extend(b.wrong);
        a.wrong.truncate(MOST_SHOWN);
        a
    }))
}

/// The tables that one move can lead to, in memory.
struct Loaded<'a, G: Endgame, C> {
    game: &'a G,
    metric: Metric,
    slices: Vec<(G::Slice, Vec<C>)>,
}

impl<'a, G: Endgame, C: Cell> Loaded<'a, G, C> {
    fn new(game: &'a G, library: &Library, slice: G::Slice, metric: Metric) -> Result<Self, Error> {
        let batches = game.batches();
        let batch = batches.iter().find(|batch| batch.contains(&slice)).expect("every slice is in a batch");
        let mut slices = Vec::new();
        for slice in batch.iter().copied().chain(game.needs(slice)) {
            let table = library
                .described(&describe(game, slice, metric))?
                .ok_or_else(|| missing(game, slice, metric))?;
            table.check()?;
            let too_long = || Error::TooLong { slice: slice.to_string() };
            let cells = load::<G, C>(&table).map_err(|error| error.unwrap_or_else(too_long))?;
            slices.push((slice, cells));
        }
        Ok(Self { game, metric, slices })
    }

    /// One step of induction over the entries of the successors.
    fn expected(&self, position: Option<G::Position>) -> Entry {
        let Some(position) = position else { return Entry::Nothing };
        let mut best: Option<Value> = None;
        let mut is_complete = true;
        position.for_each_move(|m| {
            let value = match self.game.locate(&position.play_unchecked(m)) {
                Location::Over(value) => Some(value),
                Location::At(slice, index) => self.value(slice, index),
                Location::Through | Location::Beyond(_) => None,
            };
            is_complete &= value.is_some();
            best = best.max(value.map(Value::before_move));
        });
        // From a position that leads to none, no value follows.
        if !is_complete {
            return Entry::Nothing;
        }
        let ended = || position.outcome().map(|outcome| outcome.value(position.turn()));
        Entry::new(best.or_else(ended), self.metric)
    }

    /// What a table says; nothing where there is no position.
    fn value(&self, slice: G::Slice, index: Index) -> Option<Value> {
        let (_, cells) =
            self.slices.iter().find(|(known, _)| *known == slice).expect("what a slice needs is loaded");
        let cell = cells[index.0 as usize];
        (cell != C::HOLE).then(|| cell.value().unwrap_or(Value::Draw))
    }
}
