//! Exact equities, which solved endgames have, and what follows from them: the worth of every choice.

use crate::agent::AgentError;
use crate::judge::{Decision, Judge, Verdict};
use backgammon::{Move, Phase, Position};
use game::Position as _;
use std::sync::Arc;

/// An exact equity as it is stored: rounded.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Equity {
    /// The expected points.
    pub points: f64,
    /// How far the rounding can be off, in points.
    pub error: f64,
}

impl Equity {
    const NONE_YET: Self = Self::without_error(f64::NEG_INFINITY);

    /// Points that are not rounded.
    pub const fn without_error(points: f64) -> Self {
        Self { points, error: 0.0 }
    }

    fn for_opponent(self) -> Self {
        Self { points: -self.points, ..self }
    }

    /// The larger of two. Either of them may be the true one, so the larger error counts.
    fn or_better(self, other: Self) -> Self {
        Self { points: self.points.max(other.points), error: self.error.max(other.error) }
    }
}

/// Knows the exact equities of some positions, such as those of the endgames that tables hold.
pub trait ExactEquities: Send + Sync {
    /// The points that the side to move wins in the mean if it now rolls without a double and both sides then play perfectly; the
    /// cube counts, so with a cube of 2 a game is worth 2 points. Only positions in the phase [`Phase::Roll`] are asked for, and
    /// none in which the game is over. Returns `None` for a position that it does not know.
    ///
    /// # Errors
    /// Returns [`AgentError::Values`] if what it knows cannot be read.
    fn equity(&self, position: &Position) -> Result<Option<Equity>, AgentError>;
}

impl<S: ExactEquities + ?Sized> ExactEquities for Arc<S> {
    fn equity(&self, position: &Position) -> Result<Option<Equity>, AgentError> {
        (**self).equity(position)
    }
}

/// The points that the side to move wins in the mean from this position on, in any phase but that of the first roll. Returns `None`
/// if the source does not know enough.
///
/// # Errors
/// Returns the error of the source.
pub fn exact_value(
    source: &(impl ExactEquities + ?Sized),
    position: &Position,
) -> Result<Option<Equity>, AgentError> {
    if let (Some((winner, _)), Some(points)) = (position.won(), position.points()) {
        let won = Equity::without_error(points.into());
        return Ok(Some(if winner == position.turn() { won } else { won.for_opponent() }));
    }
    match position.phase() {
        Phase::Roll => source.equity(position),
        Phase::Opening | Phase::Dropped => Ok(None),
        Phase::Double | Phase::Answer | Phase::Play(_) => {
            let mut best = Equity::NONE_YET;
            for m in position.moves() {
                let Some(worth) = exact_worth(source, position, m)? else { return Ok(None) };
                best = best.or_better(worth);
            }
            Ok(Some(best))
        }
    }
}

/// The points that the side to move wins in the mean with this legal move. Returns `None` if the source does not know enough.
///
/// # Errors
/// Returns the error of the source.
pub fn exact_worth(
    source: &(impl ExactEquities + ?Sized),
    position: &Position,
    m: Move,
) -> Result<Option<Equity>, AgentError> {
    let next = position.play_unchecked(m);
    let value = exact_value(source, &next)?;
    Ok(value.map(|value| if next.turn() == position.turn() { value } else { value.for_opponent() }))
}

/// All legal moves with what they are worth, from the best to the worst; equal ones in the order of the moves. Returns `None` if the
/// source does not know enough.
///
/// # Errors
/// Returns the error of the source.
pub fn exact_ranking(
    source: &(impl ExactEquities + ?Sized),
    position: &Position,
) -> Result<Option<Vec<(Move, Equity)>>, AgentError> {
    let mut moves = Vec::new();
    for m in position.moves() {
        let Some(worth) = exact_worth(source, position, m)? else { return Ok(None) };
        moves.push((m, worth));
    }
    moves.sort_by(|(_, one): &(Move, Equity), (_, other)| other.points.total_cmp(&one.points));
    Ok(Some(moves))
}

impl<S: ExactEquities + ?Sized> Judge<Position> for S {
    fn verdict(&self, position: &Position, chosen: Move) -> Result<Verdict, AgentError> {
        if position.count_moves() <= 1 {
            return Ok(Verdict::Forced);
        }
        let Some(ranking) = exact_ranking(self, position)? else { return Ok(Verdict::Unknown) };
        let own = ranking.iter().find(|(m, _)| *m == chosen);
        let (Some((_, best)), Some((_, own))) = (ranking.first(), own) else { return Ok(Verdict::Unknown) };
        let decision = match position.phase() {
            Phase::Double | Phase::Answer => Decision::Cube,
            Phase::Opening | Phase::Roll | Phase::Play(_) | Phase::Dropped => Decision::Move,
        };
        Ok(Verdict::Lost { decision, points: best.points - own.points, tolerance: best.error + own.error })
    }
}
