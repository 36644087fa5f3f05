//! The moves of backgammon as `moves` lists them: with the actions that they are cut into, by their numbers from 1 as
//! BackgammonNet.jl counts them, and what follows.

use crate::json;
use crate::move_list::MoveList;
use crate::rules::Listing;
use backgammon::{Backgammon, Move, Position};
use env::backgammon::{Action, actions_of};
use game::{Notation, Position as _};

/// Appends every move with its actions and the board that the next player sees; where nothing can be moved, there is no
/// move but the action that says so. Moves that differ lead to different boards, so all of them are the unique ones.
pub(crate) fn list(game: &Backgammon, position: &Position, _: Listing, _: &mut MoveList, out: &mut Vec<u8>) {
    let mut moves: Vec<(String, Move)> =
        position.moves().into_iter().map(|m| (game.move_text(position, m), m)).collect();
    let dances = matches!(moves.as_slice(), [(_, Move::Turn(turn))] if turn.is_dance());
    if dances {
        let pass = Action::PASS.number();
        return out.extend_from_slice(format!(",\"moves\":[],\"pass\":{pass}").as_bytes());
    }
    moves.sort();
    out.extend_from_slice(b",\"moves\":[");
    for (at, (text, m)) in moves.iter().enumerate() {
        if at > 0 {
            out.push(b',');
        }
        out.extend_from_slice(b"{\"move\":");
        json::push_string(out, text);
        let next = position.play_unchecked(*m);
        let after = next.board().position_id(next.turn());
        let actions = actions_of(position, *m).expect("the move is legal").into_iter();
        let actions: Vec<String> = actions.map(|action| action.number().to_string()).collect();
        out.extend_from_slice(
            format!(",\"actions\":[{}],\"after\":\"{after}\"}}", actions.join(",")).as_bytes(),
        );
    }
    out.push(b']');
}
