//! Ranks the moves of a position from best to worst, and finds the best line.

use crate::probe::{ProbeError, Probed, Prober};
use game::{Endgame, Notation, Position, Wdl};
use std::collections::HashSet;
use std::ops::ControlFlow;

/// A move and its value.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct RankedMove<M> {
    /// The move.
    pub m: M,
    /// The text of the move.
    pub text: String,
    /// The value of the move for the player who makes it, with the plies that remain after it: the best move of a
    /// position that is won in 7 plies wins in 6. `None` if the table is missing.
    pub value: Option<Probed>,
}

/// The best line: both sides play their best moves.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Line<M, E = ProbeError> {
    /// The moves, each with its value for the player who makes it.
    pub moves: Vec<RankedMove<M>>,
    /// The reason why the line ends. An error says that the next move is not known, because of a damaged table.
    pub end: Result<LineEnd, E>,
}

impl<M: Copy, E> Line<M, E> {
    /// Follows the best moves from a position, at most `most` of them. `best` gets a position, and whether the line was in
    /// it before. It returns the best move, or the reason why the line ends.
    pub fn follow<P: Position<Move = M>>(
        position: &P,
        most: usize,
        mut best: impl FnMut(&P, bool) -> Result<ControlFlow<LineEnd, RankedMove<M>>, E>,
    ) -> Self {
        let mut position = position.clone();
        let (mut moves, mut seen) = (Vec::new(), HashSet::new());
        let end = loop {
            let repeats = !seen.insert(position.clone());
            match best(&position, repeats) {
                Err(error) => break Err(error),
                Ok(ControlFlow::Break(end)) => break Ok(end),
                Ok(ControlFlow::Continue(_)) if moves.len() == most => break Ok(LineEnd::Cut),
                Ok(ControlFlow::Continue(ranked)) => {
                    position = position.play_unchecked(ranked.m);
                    moves.push(ranked);
                }
            }
        };
        Self { moves, end }
    }
}

/// The reason why a line ends.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum LineEnd {
    /// The game is over.
    Over,
    /// A position repeats. The game is a draw, or the tables have no distances that lead to the end.
    Repetition,
    /// A rule draws the game because nothing irreversible has happened for too long: the 50-move rule of chess.
    NoProgress,
    /// The best move is not known because a table is missing.
    MissingTable,
    /// The line has the largest allowed number of moves.
    Cut,
}

/// A move of a prober's game.
pub(crate) type MoveOf<G> = <<G as game::Game>::Position as Position>::Move;

impl<G: Endgame + Notation + PartialEq> Prober<G> {
    /// The legal moves from best to worst: the quickest wins first, then wins by rule, draws, losses by rule, the longest
    /// losses, and moves whose value is not known. There is one exception. If the position is worth more than any move
    /// with a known value and distance, the best move must be one of the others, and these come first. Moves of equal value
    /// are sorted by their texts.
    ///
    /// # Errors
    /// Returns an error if a table is damaged, or if the position has other rules than this prober.
    pub fn moves(&self, position: &G::Position) -> Result<Vec<RankedMove<MoveOf<G>>>, ProbeError> {
        let rank = |m| -> Result<_, ProbeError> {
            let value = self.known_value(&position.play_unchecked(m))?.map(Probed::for_opponent);
            Ok(RankedMove { m, text: self.game.move_text(position, m), value })
        };
        if !self.fits(position) {
            return Err(ProbeError::OtherRules);
        }
        let mut moves = position.moves().into_iter().map(rank).collect::<Result<Vec<_>, _>>()?;
        let is_open = |ranked: &RankedMove<_>| ranked.value.is_none_or(Probed::lacks_distance);
        let value = if moves.iter().any(is_open) { self.known_value(position)? } else { None };
        // Without a distance of the position, a move needs none.
        let may_be_best = |ranked: &RankedMove<_>, value: Probed| match ranked.value {
            None => true,
            Some(known) => value.plies.is_some() && known.lacks_distance() && realises(known, value),
        };
        let is_best = |ranked: &RankedMove<_>, value: Probed| {
            !may_be_best(ranked, value) && ranked.value.is_some_and(|known| realises(known, value))
        };
        let unknown_best = value.filter(|&value| !moves.iter().any(|ranked| is_best(ranked, value)));
        // `false` sorts before `true`: moves that are not behind come first.
        let behind = |ranked: &RankedMove<_>| !unknown_best.is_some_and(|value| may_be_best(ranked, value));
        moves.sort_by(|a, b| {
            (behind(a), rank_of(a.value), &a.text).cmp(&(behind(b), rank_of(b.value), &b.text))
        });
        Ok(moves)
    }

    /// The best line from a position, with at most `most` moves, as far as the tables can be read. Its end has the same errors
    /// as [`moves`](Self::moves).
    pub fn line(&self, position: &G::Position, most: usize) -> Line<MoveOf<G>> {
        Line::follow(position, most, |position, repeats| {
            if repeats {
                return Ok(ControlFlow::Break(LineEnd::Repetition));
            }
            let ranked = self.moves(position)?;
            let incomplete = ranked.iter().any(|ranked| ranked.value.is_none());
            // A position has no moves exactly if the game is over.
            let Some(best) = ranked.into_iter().next() else { return Ok(ControlFlow::Break(LineEnd::Over)) };
            let keeps = match (best.value, self.known_value(position)?) {
                (Some(best), Some(value)) => realises(best, value),
                _ => false,
            };
            if incomplete && !keeps {
                return Ok(ControlFlow::Break(LineEnd::MissingTable));
            }
            Ok(ControlFlow::Continue(best))
        })
    }
}

/// A sort key for values; less is better. The order is: wins with a distance, wins without, wins by rule, draws, losses by
/// rule, losses with a distance, losses without, values that are not known.
pub(crate) fn rank_of(value: Option<Probed>) -> (u8, u32) {
    const NO_DISTANCE: u32 = 1 << 16;
    const BEHIND_ALL_WINS: u32 = NO_DISTANCE + 1;
    const BEFORE_ALL_LOSSES: u32 = 0;
    let Some(Probed { wdl, plies, by_rule }) = value else { return (3, 0) };
    let plies = plies.map(|plies| u32::from(plies.0));
    match (wdl, by_rule) {
        (Wdl::Win, false) => (0, plies.unwrap_or(NO_DISTANCE)),
        (Wdl::Win, true) => (0, BEHIND_ALL_WINS),
        (Wdl::Draw, _) => (1, 0),
        (Wdl::Loss, true) => (2, BEFORE_ALL_LOSSES),
        (Wdl::Loss, false) => (2, plies.map_or(NO_DISTANCE + 1, |plies| NO_DISTANCE - plies)),
    }
}

/// Returns whether a move with the value `best` keeps the value of the position in which it is made.
fn realises(best: Probed, value: Probed) -> bool {
    let one_less = |before: game::Plies, after: game::Plies| before.0.checked_sub(1) == Some(after.0);
    (best.wdl, best.by_rule) == (value.wdl, value.by_rule)
        && match (value.plies, best.plies) {
            (Some(before), Some(after)) => one_less(before, after),
            _ => true,
        }
}
