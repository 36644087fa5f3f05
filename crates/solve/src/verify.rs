//! Verifies a table: derives every value again from those of its successors. It uses only the moves of the rules.
//!
//! With distances this proves the table, if the tables that it leads into are right: the distance of a win gets smaller
//! with every move, so the win must come; the same is true for a loss; and a draw has a move to a draw and none to a
//! loss of the opponent. Without distances it finds most mistakes. What perpetual check decides is found again from all draws.

use crate::error::Error;
use crate::offsets::Offsets;
use crate::outside::{Finished, Reading, value_of};
use crate::perpetual::ByRule;
use crate::whole::{entry_of, of_probe};
use game::{Endgame, Index, Location, Metric, Position, Rng, Value, parallel};
use std::ops::ControlFlow;
use std::sync::{Arc, OnceLock};
use table::{DEFAULT_CACHE_BYTES, Entry, Library, Prober, describe, describe_small};

/// The result of verifying a table.
#[derive(Clone, Debug)]
pub struct Verified {
    /// The number of positions that were checked.
    pub positions: u64,
    /// The first wrong entries, in the order of their indices. Empty if the table is right.
    pub wrong: Vec<Wrong>,
}

/// An entry that does not follow from its successors.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Wrong {
    /// The index of the entry.
    pub index: Index,
    /// The entry in the table.
    pub stored: Entry,
    /// The entry that follows from the successors.
    pub expected: Entry,
}

/// How much of a table is verified.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Extent {
    /// Every position.
    All,
    /// Random positions. What perpetual check decides is not found again.
    Sample {
        /// The number of positions.
        positions: u64,
        /// The same seed gives the same positions.
        seed: u64,
    },
}

/// Derives the values of a slice again, and checks all checksums. `progress` is called from any thread with the number of
/// indices, or positions of a sample, that were just finished.
///
/// # Errors
/// Returns an error if a table is missing or damaged, or if only the game's own solver can check it.
pub fn verify<G: Endgame>(
    game: &G,
    library: &Library,
    slice: G::Slice,
    metric: Metric,
    reading: Reading<'_, G>,
    extent: Extent,
    progress: impl Fn(u64) + Sync,
) -> Result<Verified, Error> {
    const PART: u64 = 1 << 14;
    let groups = game.groups();
    let group = groups.iter().find(|group| group.contains(&slice)).expect("every slice is in a group");
    let slices = [group.clone(), game.needs(slice)].concat();
    let (tables, by_rule) = match extent {
        Extent::All => {
            let tables = Finished::open(game, library, &slices, metric, reading)?;
            check_files(game, library, &slices, metric)?;
            let by_rule = Perpetual::find(game, group, slice, &tables)?;
            (Source::Finished(tables), Some(by_rule))
        }
        Extent::Sample { .. } => (Source::of_sample(game, library, &slices, metric, reading)?, None),
    };
    let check = Check { game, slice, tables, metric, by_rule };
    let size = game.size(slice);
    let all = match extent {
        Extent::All => size,
        // A slice without positions has no sample.
        Extent::Sample { positions, .. } => {
            if size == 0 {
                0
            } else {
                positions
            }
        }
    };
    let check_part = |verified: &mut Verified, part: usize| {
        let part = part as u64;
        let numbers = part * PART..all.min((part + 1) * PART);
        let length = numbers.end - numbers.start;
        match extent {
            Extent::All => numbers.map(Index).try_for_each(|index| check.check(index, verified))?,
            Extent::Sample { seed, .. } => {
                let mut rng = Rng::new(seed.wrapping_add(part << 32));
                let wanted = verified.positions + length;
                // Most indices stand for positions. The bound is for slices of which almost none does.
                for _ in 0..100 * length {
                    if verified.positions == wanted {
                        break;
                    }
                    check.check(Index(rng.below(size)), verified)?;
                }
            }
        }
        progress(length);
        Ok(())
    };
    let nothing = || Verified { positions: 0, wrong: Vec::new() };
    parallel::try_fold(all.div_ceil(PART) as usize, nothing, check_part, |mut a, b| {
        a.positions += b.positions;
        a.wrong.extend(b.wrong);
        a.wrong.truncate(MOST_SHOWN);
        a
    })
}

/// Checks all checksums of the tables of these slices. To complete a small table does not read all of it. Returns whether there is a
/// small table.
fn check_files<G: Endgame>(
    game: &G,
    library: &Library,
    slices: &[G::Slice],
    metric: Metric,
) -> Result<bool, Error> {
    let mut has_small = false;
    for &slice in slices {
        if let Some(small) = library.small(&describe_small(game, slice, metric))? {
            has_small = true;
            small.check()?;
        } else {
            let table = library.described(&describe(game, slice, metric))?;
            table.ok_or_else(|| Error::missing(game, slice, metric))?.check()?;
        }
    }
    Ok(has_small)
}

/// The most wrong entries that are shown.
const MOST_SHOWN: usize = 10;

/// The draws of a slice that the rule on perpetual check decides, found again from all draws of its group.
struct Perpetual {
    by_rule: ByRule,
    /// The cell of the first index of the slice.
    first: usize,
}

impl Perpetual {
    fn find<G: Endgame>(
        game: &G,
        group: &[G::Slice],
        slice: G::Slice,
        tables: &Finished<G>,
    ) -> Result<Self, table::Error> {
        let offsets = Offsets::new(game, group);
        let first = offsets.cell(slice, Index(0)).expect("a slice of the group");
        let Some(is_check) = game.rulebook().is_check else {
            return Ok(Self { by_rule: ByRule::default(), first });
        };
        let damage = OnceLock::new();
        let is_draw = |cell| {
            let entry = offsets.index(cell).map(|(slice, index)| tables.entry(slice, index));
            match entry.transpose() {
                Ok(entry) => entry.is_some_and(|entry| without_rule(entry) == Entry::Draw),
                Err(error) => {
                    let _ = damage.set(error);
                    false
                }
            }
        };
        let by_rule = ByRule::find(game, &offsets, is_check, &is_draw);
        damage.into_inner().map_or(Ok(Self { by_rule, first }), Err)
    }

    /// The entry of a position that is drawn without the rule.
    fn entry(&self, index: Index) -> Entry {
        let cell = self.first + index.0 as usize;
        if self.by_rule.won.contains(&cell) {
            Entry::WinByRule
        } else if self.by_rule.lost.contains(&cell) {
            Entry::LossByRule
        } else {
            Entry::Draw
        }
    }
}

/// Where a check finds the entries of positions.
enum Source<G: Endgame> {
    /// In whole tables.
    Finished(Finished<G>),
    /// By probes: to complete a small table would take much longer than a sample of it.
    Probes(Box<Prober<G>>),
}

impl<G: Endgame> Source<G> {
    /// The tables of these slices, for a few positions. Checks all checksums.
    fn of_sample(
        game: &G,
        library: &Library,
        slices: &[G::Slice],
        metric: Metric,
        reading: Reading<'_, G>,
    ) -> Result<Self, Error> {
        if !check_files(game, library, slices, metric)? {
            return Ok(Self::Finished(Finished::open(game, library, slices, metric, reading)?));
        }
        let library = Arc::new(library.with_own_cache(DEFAULT_CACHE_BYTES));
        Ok(Self::Probes(Box::new(Prober::of_metrics(game.clone(), library, vec![metric]))))
    }

    /// The entry of a position, which has this place.
    fn entry(
        &self,
        game: &G,
        position: &G::Position,
        slice: G::Slice,
        index: Index,
        metric: Metric,
    ) -> Result<Entry, Error> {
        match self {
            Self::Finished(tables) => Ok(tables.entry(slice, index)?),
            Self::Probes(prober) => {
                let probed = prober.value(position).map_err(|error| of_probe(game, slice, metric, error))?;
                Ok(entry_of(probed, metric))
            }
        }
    }
}

/// Derives values from the tables that one move can lead to.
struct Check<'a, G: Endgame> {
    game: &'a G,
    slice: G::Slice,
    tables: Source<G>,
    metric: Metric,
    /// What perpetual check decides; `None` if it is not known.
    by_rule: Option<Perpetual>,
}

impl<G: Endgame> Check<'_, G> {
    /// Checks the entry of an index.
    fn check(&self, index: Index, verified: &mut Verified) -> Result<(), Error> {
        let position = self.game.unrank(self.slice, index);
        verified.positions += u64::from(position.is_some());
        let stored = match (&position, &self.tables) {
            (Some(position), tables) => tables.entry(self.game, position, self.slice, index, self.metric)?,
            (None, Source::Finished(tables)) => tables.entry(self.slice, index)?,
            // A small table may have anything there.
            (None, Source::Probes(_)) => return Ok(()),
        };
        let expected = match (self.expected(position)?, &self.by_rule) {
            (Entry::Draw, Some(by_rule)) => by_rule.entry(index),
            (Entry::Draw, None) if stored.is_by_rule() => stored,
            (entry, _) => entry,
        };
        if stored != expected && verified.wrong.len() < MOST_SHOWN {
            verified.wrong.push(Wrong { index, stored, expected });
        }
        Ok(())
    }

    /// The entry that the table should have for a position, or for an index without a position. What a rule decides is a draw
    /// here.
    fn expected(&self, position: Option<G::Position>) -> Result<Entry, Error> {
        let value = match &position {
            Some(position) => self.step(position)?,
            None => None,
        };
        Ok(Entry::new(value, self.metric))
    }

    /// Derives the value of a position from the values of its successors. Returns `None` if the value of a successor is
    /// not known.
    fn step(&self, position: &G::Position) -> Result<Option<Value>, Error> {
        let mut best: Option<Value> = None;
        let walk = position.visit_moves(|m| match self.value(&position.play_unchecked(m)) {
            Ok(Some(value)) => {
                best = best.max(Some(self.before_move(position, m, value)));
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

    /// The value that a move promises if it leads to this value.
    fn before_move(&self, position: &G::Position, m: MoveOf<G>, after: Value) -> Value {
        match self.metric == Metric::Dtz && self.game.is_irreversible(position, m) {
            true => self.game.before_irreversible(after),
            false => after.before_move(),
        }
    }

    /// The value of a position from the tables. If the position has no index, the value is derived from its successors.
    fn value(&self, position: &G::Position) -> Result<Option<Value>, Error> {
        match self.game.locate(position) {
            Location::Over(value) => Ok(Some(value)),
            Location::At(slice, index) => {
                let entry = self.tables.entry(self.game, position, slice, index, self.metric)?;
                Ok(value_of(without_rule(entry)))
            }
            Location::Through => self.step(position),
            Location::Beyond(_) => Ok(None),
        }
    }
}

/// A move of a game.
type MoveOf<G> = <<G as game::Game>::Position as Position>::Move;

/// The entry as it is without the rule on perpetual check.
fn without_rule(entry: Entry) -> Entry {
    if entry.is_by_rule() { Entry::Draw } else { entry }
}
