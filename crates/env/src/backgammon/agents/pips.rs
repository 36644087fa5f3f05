//! An agent that plays by the pip count.

use crate::agent::{Agent, AgentError};
use backgammon::{Move, Phase, Position};
use game::{Position as _, Rng};

/// Chooses the turn that leaves it the fewest pips. Of several such turns it chooses the first, which moves from the rear.
/// It ignores the opponent's pip count: an agent that hits whenever it can is hit just as often, and never comes home.
/// With a cube it follows the rule of thumb for races: double when 8 % ahead, drop when more than 12 % behind.
pub(super) struct Pips;

impl Pips {
    /// The lead of the side to move, in percent of the smaller pip count.
    fn lead_percent(position: &Position) -> i64 {
        let (mine, theirs) = counts(position);
        (theirs - mine) * 100 / mine.min(theirs).max(1)
    }
}

/// The pip counts of the side to move and of its opponent.
fn counts(position: &Position) -> (i64, i64) {
    let (board, mover) = (position.board(), position.turn());
    (board.pips(mover).into(), board.pips(mover.other()).into())
}

impl Agent<Position> for Pips {
    fn choose(&mut self, position: &Position, _: &mut Rng) -> Result<Move, AgentError> {
        match position.phase() {
            Phase::Double if Self::lead_percent(position) >= 8 => Ok(Move::Double),
            Phase::Double => Ok(Move::Roll),
            Phase::Answer if Self::lead_percent(position) < -12 => Ok(Move::Drop),
            Phase::Answer => Ok(Move::Take),
            _ => {
                // After the turn the opponent is the side to move, so the second count is the agent's own.
                let left = |m: &Move| counts(&position.play_unchecked(*m)).1;
                position.moves().into_iter().min_by_key(left).ok_or(AgentError::NothingToChoose)
            }
        }
    }
}
