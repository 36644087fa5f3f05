//! Exact equities, which solved endgames have, and what follows from them: the worth of every choice.

use crate::judge::{Decision, Judge, Verdict};
use backgammon::{Move, Phase, Position};
use game::Position as _;
use std::sync::Arc;

/// Knows the exact equities of some positions, such as those of the endgames that tables hold.
pub trait ExactEquities: Send + Sync {
    /// The points that the side to move wins in the mean if it now rolls without a double and both sides then play perfectly; the
    /// cube counts, so with a cube of 2 a game is worth 2 points. Only positions in the phase [`Phase::Roll`] are asked for, and
    /// none in which the game is over. Returns `None` for a position that it does not know.
    fn equity(&self, position: &Position) -> Option<f64>;

    /// The largest error of an equity, in points.
    fn precision(&self) -> f64 {
        0.0
    }
}

impl<S: ExactEquities + ?Sized> ExactEquities for Arc<S> {
    fn equity(&self, position: &Position) -> Option<f64> {
        (**self).equity(position)
    }

    fn precision(&self) -> f64 {
        (**self).precision()
    }
}

/// The points that the side to move wins in the mean from this position on, in any phase but that of the first roll. Returns `None`
/// if the source does not know enough.
pub fn exact_value(source: &(impl ExactEquities + ?Sized), position: &Position) -> Option<f64> {
    if let (Some((winner, _)), Some(points)) = (position.won(), position.points()) {
        return Some(if winner == position.turn() { points.into() } else { -f64::from(points) });
    }
    match position.phase() {
        Phase::Roll => source.equity(position),
        Phase::Opening | Phase::Dropped => None,
        Phase::Double | Phase::Answer | Phase::Play(_) => {
            let mut best = f64::NEG_INFINITY;
            for m in position.moves() {
                best = best.max(exact_worth(source, position, m)?);
            }
            Some(best)
        }
    }
}

/// The points that the side to move wins in the mean with this legal move. Returns `None` if the source does not know enough.
pub fn exact_worth(source: &(impl ExactEquities + ?Sized), position: &Position, m: Move) -> Option<f64> {
    let next = position.play_unchecked(m);
    let value = exact_value(source, &next)?;
    Some(if next.turn() == position.turn() { value } else { -value })
}

/// All legal moves with what they are worth, from the best to the worst; equal ones in the order of the moves. Returns `None` if the
/// source does not know enough.
pub fn exact_ranking(
    source: &(impl ExactEquities + ?Sized),
    position: &Position,
) -> Option<Vec<(Move, f64)>> {
    let worth = |m| Some((m, exact_worth(source, position, m)?));
    let mut moves: Vec<_> = position.moves().into_iter().map(worth).collect::<Option<_>>()?;
    moves.sort_by(|(_, one), (_, other)| other.total_cmp(one));
    Some(moves)
}

impl<S: ExactEquities + ?Sized> Judge<Position> for S {
    fn verdict(&self, position: &Position, chosen: Move) -> Verdict {
        if position.count_moves() <= 1 {
            return Verdict::Forced;
        }
        let Some(ranking) = exact_ranking(self, position) else { return Verdict::Unknown };
        let worth = |(_, worth): &(Move, f64)| *worth;
        let best = ranking.first().map_or(f64::NAN, worth);
        let Some(own) = ranking.iter().find(|(m, _)| *m == chosen).map(worth) else {
            return Verdict::Unknown;
        };
        let decision = match position.phase() {
            Phase::Double | Phase::Answer => Decision::Cube,
            Phase::Opening | Phase::Roll | Phase::Play(_) | Phase::Dropped => Decision::Move,
        };
        Verdict::Lost(decision, best - own)
    }

    /// Two values are subtracted.
    fn tolerance(&self) -> f64 {
        2.0 * self.precision()
    }
}
