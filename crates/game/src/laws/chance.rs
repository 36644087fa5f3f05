//! The laws of chance.

use crate::{ImpossibleChance, Position};
use std::collections::HashSet;
use std::ops::ControlFlow;

/// The position itself if it awaits chance, or else the first successor that awaits chance.
pub(super) fn before_chance<P: Position>(position: &P) -> Option<P> {
    if position.awaits_chance() {
        return Some(position.clone());
    }
    let awaiting = position.visit_successors(|_, next| match next.awaits_chance() {
        true => ControlFlow::Break(next),
        false => ControlFlow::Continue(()),
    });
    awaiting.break_value()
}

/// The possible outcomes of chance, with their weights.
pub(super) fn outcomes<P: Position>(position: &P) -> Vec<(P::Chance, u32)> {
    let mut outcomes = Vec::new();
    let _ = position.visit_chances(|outcome, weight| {
        outcomes.push((outcome, weight));
        ControlFlow::<()>::Continue(())
    });
    outcomes
}

/// Checks the outcomes of chance in this position and at the next roll. There are outcomes exactly in positions that
/// await chance, and never after the end. The outcomes are different and have weights. After each there are legal
/// moves, and no further outcome of chance is possible.
pub(super) fn chances_lead_to_moves<P: Position>(position: &P) {
    for position in [Some(position.clone()), before_chance(position)].into_iter().flatten() {
        let (mut different, mut moves) = (HashSet::new(), 0);
        let outcomes = outcomes(&position);
        for &(outcome, weight) in &outcomes {
            let next = position.play_chance_unchecked(outcome);
            assert_eq!(position.play_chance(outcome).as_ref(), Ok(&next), "{outcome:?}: {position:?}");
            assert_eq!(next.play_chance(outcome), Err(ImpossibleChance), "a second {outcome:?}: {next:?}");
            moves += next.count_moves();
            assert!(weight > 0, "{position:?}");
            assert!(next.count_moves() > 0 && next.outcome().is_none(), "{next:?} after {position:?}");
            assert!(different.insert(next), "a chance twice: {position:?}");
        }
        let as_set: HashSet<P::Chance> = outcomes.iter().map(|&(outcome, _)| outcome).collect();
        assert_eq!(as_set.len(), outcomes.len(), "an outcome twice: {position:?}");
        assert_eq!(different.is_empty(), !position.awaits_chance(), "{position:?}");
        assert_eq!(position.count_moves_after_chance(), moves, "{position:?}");
        assert!(different.is_empty() || position.outcome().is_none(), "{position:?}");
    }
}
