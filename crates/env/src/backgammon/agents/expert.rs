//! GNU Backgammon as an agent.

use super::AgentKind;
use super::gnubg::{AtStake, Gnubg, Ply};
use crate::agent::{Agent, AgentError};
use backgammon::{Move, Phase, Position, Stakes};
use game::{Position as _, Rng, Side};

/// A running GNU Backgammon that looks `ply` plies ahead. It does not know about a limit of the cube: it assumes that a cube
/// at its limit can still be turned.
pub(super) struct Expert {
    gnubg: Gnubg,
    ply: Ply,
}

impl Expert {
    pub(super) fn start(ply: Ply) -> Result<Self, AgentError> {
        Ok(Self { gnubg: Gnubg::start()?, ply })
    }
}

impl Agent<Position> for Expert {
    fn choose(&mut self, position: &Position, _: &mut Rng) -> Result<Move, AgentError> {
        let (mover, ply) = (position.turn(), self.ply);
        match position.phase() {
            Phase::Double => {
                let id = position.board().position_id(mover);
                let doubles = self.gnubg.doubles(&id, ply, stakes(position, mover))?;
                Ok(if doubles { Move::Double } else { Move::Roll })
            }
            Phase::Answer => {
                // GNU Backgammon sees position and stakes as the doubler does.
                let doubler = mover.other();
                let id = position.board().position_id(doubler);
                let takes = self.gnubg.takes(&id, ply, stakes(position, doubler))?;
                Ok(if takes { Move::Take } else { Move::Drop })
            }
            Phase::Play(roll) => {
                let id = position.board().position_id(mover);
                let stakes = position.terms().with_cube.then(|| stakes(position, mover));
                let stakes = stakes.or_else(|| cubeless(position, mover));
                let best = self.gnubg.best(&id, roll, ply, stakes)?;
                self.turn_to(position, best.as_deref()).ok_or_else(|| AgentError::Illegal {
                    agent: AgentKind::Gnubg(ply).to_string(),
                    position: format!("{id} {roll}"),
                    answer: best.unwrap_or_else(|| "no move".to_owned()),
                })
            }
            Phase::Opening | Phase::Roll | Phase::Dropped => Err(AgentError::NothingToChoose),
        }
    }
}

impl Expert {
    /// The legal turn after which the board has the position ID `after`, as the next player sees it. If `after` is
    /// `None`, the dance.
    fn turn_to(&self, position: &Position, after: Option<&str>) -> Option<Move> {
        let next = position.turn().other();
        position.moves().into_iter().find(|&m| match after {
            None => matches!(m, Move::Turn(turn) if turn.is_dance()),
            Some(id) => position.play_unchecked(m).board().position_id(next) == id,
        })
    }
}

/// The stakes of the game, as `player` sees them.
fn stakes(position: &Position, player: Side) -> AtStake {
    let (cube, terms) = (position.cube(), position.terms());
    let score = terms.stakes.score();
    let points = |side| score.map_or(0, |score| score.points(side).into());
    AtStake {
        cube_value: cube.value(),
        cube_owner: cube.owner().map(|owner| owner == player),
        match_length: score.map_or(0, |score| score.length().into()),
        my_score: points(player),
        opponent_score: points(player.other()),
        crawford: score.is_some_and(|score| score.is_crawford()),
        jacoby: matches!(terms.stakes, Stakes::Money { jacoby: true }),
    }
}

/// The stakes of a game without a cube. In a match they are those of the Crawford game. For money with the Jacoby rule,
/// gammons do not count, as in a match to one point. For money without it there is nothing to tell, so the result is `None`.
fn cubeless(position: &Position, player: Side) -> Option<AtStake> {
    let at_stake = stakes(position, player);
    match position.terms().stakes {
        Stakes::Money { jacoby: false } => None,
        Stakes::Money { jacoby: true } => Some(AtStake { match_length: 1, jacoby: false, ..at_stake }),
        Stakes::Match(_) => Some(AtStake { crawford: true, ..at_stake }),
    }
}
