//! Notes about a move, in addition to its text.

use super::actions::Action;
use super::state::actions_of;
use crate::notes::{MoveNotes, PlayedNotes};
use backgammon::{Move, Position};
use game::Position as _;

/// The notes about a legal move: the numbers of its actions, counted from 1 as in BackgammonNet.jl, and the position ID of
/// the board after it, as the next player sees it. For a dance: the number of the action that passes.
///
/// # Panics
/// Panics if the move is not legal.
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
