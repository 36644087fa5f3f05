//! An agent that counts pips.

use crate::agent::{Agent, AgentError};
use backgammon::{Move, Phase, Position};
use game::{Position as _, Rng};

/// Greedy by pips: of the turns that leave it the fewest pips, the first, which moves from the rear. What it does to the
/// opponent's count does not move it: who hits whenever he can is hit as often, and never comes home. With a cube it keeps to the rule of thumb for
/// races: double when 8 % ahead, drop when more than 12 % behind.
pub(super) struct Pips;

impl Pips {
    /// How far the player on turn is ahead, in hundredths of the smaller count.
    fn lead_percent(position: &Position) -> i64 {
        let (mine, theirs) = counts(position);
        (theirs - mine) * 100 / mine.min(theirs).max(1)
    }
}

/// The pips of the player on turn, and of his opponent.
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
                // After the turn the opponent is on turn.
                let left = |m: &Move| counts(&position.play_unchecked(*m)).1;
                position.moves().into_iter().min_by_key(left).ok_or(AgentError::NothingToChoose)
            }
        }
    }
}
