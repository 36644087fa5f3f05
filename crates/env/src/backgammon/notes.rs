//! What is told about a move beside its text.

use super::actions::Action;
use super::state::actions_of;
use crate::notes::{MoveNotes, PlayedNotes};
use backgammon::{Move, Position};
use game::Position as _;

/// The actions of a legal move, by their numbers from 1 as BackgammonNet.jl counts them, and the position ID of the board
/// that the next player sees; of a dance, the action that says so.
///
/// # Panics
/// If the move is not legal.
pub fn move_notes(position: &Position, m: Move) -> MoveNotes {
    if matches!(m, Move::Turn(turn) if turn.is_dance()) {
        return MoveNotes::Pass { action: Action::PASS.number() };
    }
    let next = position.play_unchecked(m);
    let actions = actions_of(position, m).expect("the move is legal").into_iter();
    MoveNotes::Played(PlayedNotes {
        actions: actions.map(Action::number).collect(),
        after: next.board().position_id(next.turn()),
    })
}
