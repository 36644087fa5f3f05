//! Derived values: those that no table stores, because they follow from the values after the moves.

use crate::Entry;
use crate::distances::{Kind, StoredDistance};
use crate::probe::{Found, ProbeError, Probed, Prober, SmallPlace, Unanswered, told};
use crate::ranking::{MoveOf, rank_of};
use crate::shared_bytes::pin;
use crate::small::Stored;
use crate::values::Values;
use game::{Endgame, Location, Plies, Position, Value, Wdl};
use std::ops::ControlFlow;

/// What the tables tell of a position without a step over all its moves.
enum Told<'a> {
    /// Its value.
    Value(Probed),
    /// Its outcome. The distance follows from those after its moves. The position has this place.
    WithoutDistance(Wdl, SmallPlace<'a>),
}

impl Told<'_> {
    /// The outcome, as a value without a distance.
    fn outcome(&self) -> Probed {
        match *self {
            Self::Value(value) => Probed { plies: None, ..value },
            Self::WithoutDistance(wdl, _) => wdl.into(),
        }
    }
}

impl<G: Endgame + PartialEq> Prober<G> {
    /// The value of a position with a small table.
    #[inline]
    pub(crate) fn small_value(
        &self,
        position: &G::Position,
        place: SmallPlace<'_>,
    ) -> Result<Probed, Unanswered<G::Slice>> {
        let told = self.told_by_small(position, place, place.table.stored(place.index.0)?)?;
        self.value_of(position, told)
    }

    /// The value of a position of which the tables tell this.
    #[inline]
    fn value_of(&self, position: &G::Position, told: Told<'_>) -> Result<Probed, Unanswered<G::Slice>> {
        match told {
            Told::Value(value) => Ok(value),
            Told::WithoutDistance(wdl, place) => self.derived(position, place, wdl),
        }
    }

    /// What the tables tell of a position whose place has been found.
    fn told_by_any<'a>(
        &self,
        position: &G::Position,
        found: Found<'a, Values>,
    ) -> Result<Told<'a>, Unanswered<G::Slice>> {
        match found {
            Found::Small(place) => self.told_by_small(position, place, place.table.stored(place.index.0)?),
            found => self.answer_found(position, found).map(Told::Value),
        }
    }

    /// What a small table tells of a position. The entry may be worse than the value, if a move out of the group gives the value.
    #[inline]
    fn told_by_small<'a>(
        &self,
        position: &G::Position,
        place: SmallPlace<'a>,
        stored: Stored,
    ) -> Result<Told<'a>, Unanswered<G::Slice>> {
        let (Stored::Entry(entry) | Stored::WithoutDistance(entry)) = stored;
        let Some(wdl) = entry.wdl() else { return Err(no_small_value(place)) };
        let probed = Probed { wdl, plies: entry.plies(), by_rule: entry.is_by_rule() };
        // No move is better than a win.
        if (probed.wdl != Wdl::Win || probed.by_rule)
            && let Some(value) = self.best_conversion(position, place.group, probed)?
        {
            return Ok(Told::Value(value));
        }
        Ok(match stored {
            Stored::Entry(_) => Told::Value(probed),
            Stored::WithoutDistance(_) => Told::WithoutDistance(wdl, place),
        })
    }

    /// The value of a win or loss whose distance follows from those after its moves. The distances that it follows from are stored, or
    /// follow from other groups. Other moves within the group are left out: the values after them may follow from this one.
    fn derived(
        &self,
        position: &G::Position,
        place: SmallPlace<'_>,
        wdl: Wdl,
    ) -> Result<Probed, Unanswered<G::Slice>> {
        // A win follows from losses of the opponent, and a loss from wins.
        let kind = if wdl == Wdl::Win { Kind::Loss } else { Kind::Win };
        let (mut best, mut within) = (None, WithinGroup::new());
        let mut after_move = |m| -> Result<(), Unanswered<G::Slice>> {
            let next = position.play_unchecked(m);
            let found = self.find_at(self.game.locate(&next))?;
            if let Found::Small(next_place) = found
                && next_place.group == place.group
            {
                if within.is_full() {
                    self.best_within(position, kind, &mut within, &mut best)?;
                }
                within.add(m, next_place);
                return Ok(());
            }
            let told = self.told_by_any(&next, found)?;
            if kind == Kind::Win || told.outcome().wdl == Wdl::Loss {
                best = better(best, Some(before_move(self.value_of(&next, told)?)));
            }
            Ok(())
        };
        let walk = position.visit_moves(|m| match after_move(m) {
            Ok(()) => ControlFlow::Continue(()),
            Err(unanswered) => ControlFlow::Break(unanswered),
        });
        if let ControlFlow::Break(unanswered) = walk {
            return Err(unanswered);
        }
        self.best_within(position, kind, &mut within, &mut best)?;
        let ended = || position.outcome().map(|outcome| outcome.value(position.turn()).into());
        best.or_else(ended).ok_or_else(|| no_small_value(place))
    }

    /// Compares the best value so far with those after moves within the group, and leaves none of these.
    fn best_within(
        &self,
        position: &G::Position,
        kind: Kind,
        within: &mut WithinGroup<'_, MoveOf<G>>,
        best: &mut Option<Probed>,
    ) -> Result<(), Unanswered<G::Slice>> {
        within.read(kind);
        for &(m, place, read) in within.all() {
            let told = match read {
                Some(told) => told,
                None => place.table.stored_distance(place.index.0, kind)?,
            };
            let stored = match (told, kind) {
                (StoredDistance::Is(plies), Kind::Win) => {
                    *best = better(*best, Some(before_move(Value::Win(plies).into())));
                    continue;
                }
                // A conversion can only spoil the loss. So it does not matter if there is a shorter one.
                (StoredDistance::Is(plies), Kind::Loss) if is_no_better(Value::Loss(plies), *best) => {
                    continue;
                }
                (StoredDistance::Is(plies), Kind::Loss) => Stored::Entry(Entry::Loss(Some(plies))),
                // No entry is better than the value, so there is no loss.
                (StoredDistance::Other, Kind::Loss) => continue,
                (StoredDistance::Other, Kind::Win) | (StoredDistance::NotTold, _) => {
                    place.table.stored(place.index.0)?
                }
            };
            let (Stored::Entry(entry) | Stored::WithoutDistance(entry)) = stored;
            if kind == Kind::Loss && entry.wdl() != Some(Wdl::Loss) {
                continue;
            }
            match self.told_by_small(&position.play_unchecked(m), place, stored)? {
                // The entry may be worse than the value, so it may be no loss.
                Told::Value(value) if kind == Kind::Loss && value.wdl != Wdl::Loss => {}
                Told::Value(value) => *best = better(*best, Some(before_move(value))),
                Told::WithoutDistance(..) => return Err(no_small_value(place)),
            }
        }
        within.clear();
        Ok(())
    }

    /// The value of the best move out of a group, if its outcome is better than this one.
    #[inline]
    fn best_conversion(
        &self,
        position: &G::Position,
        group: usize,
        stored: Probed,
    ) -> Result<Option<Probed>, Unanswered<G::Slice>> {
        let outcome = |probed: Probed| rank_of(Some(Probed { plies: None, ..probed }));
        let mut best: Option<Probed> = None;
        let mut after_move = |next: &G::Position| -> Result<(), Unanswered<G::Slice>> {
            let location = self.game.locate(next);
            match location {
                Location::At(slice, _) if self.group_of(slice) == Some(group) => return Ok(()),
                Location::Through => return Ok(()),
                Location::At(..) | Location::Over(_) | Location::Beyond(_) => {}
            }
            let told = self.told_by_any(next, self.find_at(location)?)?;
            // The distance may be costly to find, and matters only if the outcome is better.
            if outcome(before_move(told.outcome())) < outcome(stored) {
                best = better(best, Some(before_move(self.value_of(next, told)?)));
            }
            Ok(())
        };
        let walk = self.game.conversions(position, |next| match after_move(next) {
            Ok(()) => ControlFlow::Continue(()),
            Err(unanswered) => ControlFlow::Break(unanswered),
        });
        match walk {
            ControlFlow::Break(unanswered) => Err(unanswered),
            ControlFlow::Continue(()) => Ok(best),
        }
    }

    /// The value of a position from the values after its moves.
    #[cold]
    pub(crate) fn one_step(&self, position: &G::Position) -> Result<Probed, Unanswered<G::Slice>> {
        let mut best: Option<Probed> = None;
        let walk = position.visit_moves(|m| match self.answer(&position.play_unchecked(m)) {
            Ok(after) => {
                best = better(best, Some(before_move(after)));
                ControlFlow::Continue(())
            }
            Err(unanswered) => ControlFlow::Break(unanswered),
        });
        match (walk, best) {
            (ControlFlow::Break(unanswered), _) => Err(unanswered),
            (_, Some(best)) => Ok(best),
            (_, None) => {
                let outcome = position.outcome().expect("a position without moves is finished");
                Ok(outcome.value(position.turn()).into())
            }
        }
    }

    /// The value of a position that is [not won](Entry::NotWon). It is a loss if the opponent wins after every move. One
    /// move after which the opponent does not win is enough for a draw, even if the values after other moves are not known.
    pub(crate) fn loss_or_draw(&self, position: &G::Position) -> Result<Probed, Unanswered<G::Slice>> {
        // If there is no legal move, the rules decide.
        if let Some(outcome) = position.outcome() {
            return Ok(outcome.value(position.turn()).into());
        }
        let (mut unknown, mut leads_through) = (None, false);
        let mut judge = |won: Result<bool, Unanswered<G::Slice>>| match won {
            Ok(true) => ControlFlow::Continue(()),
            Ok(false) => ControlFlow::Break(()),
            Err(unanswered) => {
                unknown.get_or_insert(unanswered);
                ControlFlow::Continue(())
            }
        };
        let mut walk = self.game.successors(position, |location| match location {
            Location::Through => {
                leads_through = true;
                ControlFlow::Continue(())
            }
            location => judge(self.is_won(location)),
        });
        // `successors` gives only locations. For a position that is in no table, the move has to be played. This
        // recursion ends, because play cannot return to a position that is in no table.
        if leads_through && walk.is_continue() {
            walk = position.visit_moves(|m| {
                let next = position.play_unchecked(m);
                match self.game.locate(&next) {
                    Location::Through => judge(self.one_step(&next).map(|probed| probed.wdl == Wdl::Win)),
                    _ => ControlFlow::Continue(()),
                }
            });
        }
        let wdl = match (walk, unknown) {
            (ControlFlow::Break(()), _) => Wdl::Draw,
            (ControlFlow::Continue(()), None) => Wdl::Loss,
            (ControlFlow::Continue(()), Some(unanswered)) => return Err(unanswered),
        };
        Ok(wdl.into())
    }

    /// Returns whether the side to move wins at a location. Of a whole table it uses the entry only, not the moves.
    fn is_won(&self, location: Location<G::Slice>) -> Result<bool, Unanswered<G::Slice>> {
        Ok(match self.find_at(location)? {
            Found::At(table, index) => {
                told(table, index, table.entry(index.0)?)?.is_some_and(|probed| probed.wdl == Wdl::Win)
            }
            // The entry may be worse than the value. Then the moves out of the group of the slice tell.
            Found::Small(place) => {
                let outcome = place.table.outcomes().entry(place.index.0)?;
                let Location::At(slice, index) = location else { return Err(no_small_value(place)) };
                let position = self.game.unrank(slice, index).ok_or_else(|| no_small_value(place))?;
                self.told_by_small(&position, place, Stored::Entry(outcome))?.outcome().wdl == Wdl::Win
            }
            Found::Over(value) => value.wdl() == Wdl::Win,
            Found::WonAtOnce => true,
            Found::Through => unreachable!("the caller handles positions that are in no table"),
        })
    }
}

/// The most moves within a group that are looked up together: more than the number of places that a machine reads at once.
const MOST_WITHIN: usize = 16;

/// Some moves within a group, with the places to which they lead, and what the cache tells of these.
struct WithinGroup<'a, M> {
    moves: [Option<(M, SmallPlace<'a>, Option<StoredDistance>)>; MOST_WITHIN],
    count: usize,
}

impl<'a, M: Copy> WithinGroup<'a, M> {
    fn new() -> Self {
        Self { moves: [None; MOST_WITHIN], count: 0 }
    }

    fn is_full(&self) -> bool {
        self.count == MOST_WITHIN
    }

    /// Adds a move. There must be room.
    #[inline]
    fn add(&mut self, m: M, place: SmallPlace<'a>) {
        self.moves[self.count] = Some((m, place, None));
        self.count += 1;
    }

    fn all(&self) -> impl Iterator<Item = &(M, SmallPlace<'a>, Option<StoredDistance>)> {
        self.moves[..self.count].iter().flatten()
    }

    /// Reads what the cache tells. Nothing else happens between two reads, so that the machine begins one before the last has ended.
    #[inline]
    fn read(&mut self, kind: Kind) {
        let pin = pin();
        for (_, place, read) in self.moves[..self.count].iter_mut().flatten() {
            *read = place.table.cached_distance(place.index.0, kind, &pin);
        }
    }

    fn clear(&mut self) {
        self.count = 0;
    }
}

/// Returns whether a move that leads to this loss is no better than the best one.
#[inline]
fn is_no_better(after: Value, best: Option<Probed>) -> bool {
    let is_known = |best: &Probed| best.wdl == Wdl::Win && !best.lacks_distance();
    best.filter(is_known).is_some_and(|best| rank_of(Some(before_move(after.into()))) >= rank_of(Some(best)))
}

/// What a move promises if it leads to this value.
#[inline]
fn before_move(after: Probed) -> Probed {
    // Only a forged file has distances that reach the limit.
    Probed { plies: after.plies.map(|plies| Plies(plies.0.saturating_add(1))), ..after.for_opponent() }
}

/// The better of two values, if there is one. If both win or both lose, and one distance is not known, neither is that of the
/// better one: the table of some slice has no distances.
#[inline]
fn better(one: Option<Probed>, other: Option<Probed>) -> Option<Probed> {
    match (one, other) {
        (Some(best), Some(value))
            if best.wdl == value.wdl
                && !best.by_rule
                && !value.by_rule
                && (best.lacks_distance() || value.lacks_distance()) =>
        {
            Some(Probed { plies: None, ..best })
        }
        (Some(best), Some(value)) if rank_of(Some(value)) < rank_of(Some(best)) => other,
        (None, _) => other,
        _ => one,
    }
}

#[cold]
fn no_small_value<S>(place: SmallPlace<'_>) -> Unanswered<S> {
    let SmallPlace { table, index, .. } = place;
    Unanswered::Failed(ProbeError::NoValue { path: table.outcomes().path().to_owned(), index })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_unknown_distance_is_not_passed_over() {
        let win = |plies: Option<u16>| Probed { plies: plies.map(Plies), ..Probed::from(Wdl::Win) };
        let loss = |plies: Option<u16>| Probed { plies: plies.map(Plies), ..Probed::from(Wdl::Loss) };
        let draw = Probed::from(Wdl::Draw);
        let by_rule = Probed { by_rule: true, ..win(None) };
        for (one, other, expected) in [
            (win(Some(5)), win(Some(3)), win(Some(3))),
            (win(Some(5)), win(None), win(None)),
            (loss(Some(4)), loss(Some(8)), loss(Some(8))),
            (loss(Some(4)), loss(None), loss(None)),
            (draw, loss(None), draw),
            (win(None), draw, win(None)),
            (by_rule, win(Some(9)), win(Some(9))),
            (by_rule, draw, by_rule),
        ] {
            assert_eq!(better(Some(one), Some(other)), Some(expected), "{one:?}, {other:?}");
            assert_eq!(better(Some(other), Some(one)), Some(expected), "{other:?}, {one:?}");
            assert_eq!(better(None, Some(one)), Some(one));
        }
    }
}
