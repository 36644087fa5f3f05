//! Notes about a move, in addition to its text.

use super::actions::Action;
use super::state::actions_of;
use crate::notes::{MoveNotes, PassNotes, PlayedNotes};
use backgammon::{Backgammon, Move, Position};
use game::Position as _;

/// The notes about a legal move: the numbers of its actions, counted from 1 as in BackgammonNet.jl, and the position after it,
/// [in short](Backgammon::short_text). For a dance: the number of the action that passes, and the position.
///
/// # Panics
/// Panics if the move is not legal.
pub fn move_notes(game: &Backgammon, position: &Position, m: Move) -> MoveNotes {
    let after = game.short_text(&position.play_unchecked(m));
    if matches!(m, Move::Turn(turn) if turn.is_dance()) {
        return MoveNotes::Pass(PassNotes { pass: Action::PASS.number(), after });
    }
    let actions = actions_of(position, m).expect("the move is legal").into_iter();
    MoveNotes::Played(PlayedNotes { actions: actions.map(Action::number).collect(), after })
}
