//! Agents of a few lines.

use super::{Agent, AgentError};
use backgammon::{Move, Phase, Position};
use game::{Position as _, Rng};

/// Any legal move, each as likely.
pub(super) struct Random;

impl Agent for Random {
    fn choose(&mut self, position: &Position, rng: &mut Rng) -> Result<Move, AgentError> {
        Ok(game::random_move(position, rng).expect("somebody has to choose"))
    }
}

/// Greedy by pips: of the turns that leave it farthest ahead, the first. With a cube it keeps to the rule of thumb for
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

impl Agent for Pips {
    fn choose(&mut self, position: &Position, _: &mut Rng) -> Result<Move, AgentError> {
        Ok(match position.phase() {
            Phase::Double if Self::lead_percent(position) >= 8 => Move::Double,
            Phase::Double => Move::Roll,
            Phase::Answer if Self::lead_percent(position) < -12 => Move::Drop,
            Phase::Answer => Move::Take,
            _ => {
                let lead = |m: &Move| {
                    // After the turn the opponent is on turn.
                    let (theirs, mine) = counts(&position.play_unchecked(*m));
                    theirs - mine
                };
                // The first of the best, as `max_by_key` would give the last.
                position.moves().into_iter().rev().max_by_key(lead).expect("somebody has to choose")
            }
        })
    }
}
