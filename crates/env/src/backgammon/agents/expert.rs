//! GNU Backgammon as an agent.

use super::AgentKind;
use super::gnubg::{AtStake, Gnubg, Ply, check_variant};
use crate::agent::{Agent, AgentError};
use backgammon::{Move, Phase, Position};
use game::{Position as _, Rng};

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
        check_variant(position)?;
        let (mover, ply) = (position.turn(), self.ply);
        match position.phase() {
            Phase::Double => {
                let id = position.board().position_id(mover);
                let doubles = self.gnubg.doubles(&id, ply, AtStake::of(position, mover))?;
                Ok(if doubles { Move::Double } else { Move::Roll })
            }
            Phase::Answer => {
                // GNU Backgammon sees position and stakes as the doubler does.
                let doubler = mover.other();
                let id = position.board().position_id(doubler);
                let takes = self.gnubg.takes(&id, ply, AtStake::of(position, doubler))?;
                Ok(if takes { Move::Take } else { Move::Drop })
            }
            Phase::Play(roll) => {
                let stakes = match position.terms().with_cube {
                    true => Some(AtStake::of(position, mover)),
                    false => AtStake::without_cube(position, mover),
                };
                if stakes.is_none() {
                    return Ok(self.gnubg.choose(position, ply)?);
                }
                let id = position.board().position_id(mover);
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
