//! Lists of moves with additional keys, for games that have notes on their moves.

use crate::json;
use crate::rules::Listing;
use env::MoveNotes;
use game::{Game, Notation, Position};

/// Returns the notes of a game on a move: what is listed besides its text. A pass has no notes except its action.
pub type Annotate<G> = fn(&<G as Game>::Position, <<G as Game>::Position as Position>::Move) -> MoveNotes;

/// Appends every move with its notes, sorted by the texts. If the player can only pass, there is no move in the list, but
/// the key `pass` with the number of that action.
pub(crate) fn list<G: Notation>(
    game: &G,
    position: &G::Position,
    listing: Listing,
    annotate: Annotate<G>,
    out: &mut Vec<u8>,
) {
    let mut moves = Vec::new();
    listing.for_each(position, |m| moves.push((game.move_text(position, m), annotate(position, m))));
    if let [(_, MoveNotes::Pass { action })] = moves.as_slice() {
        return out.extend_from_slice(format!(",\"moves\":[],\"pass\":{action}").as_bytes());
    }
    moves.sort();
    out.extend_from_slice(b",\"moves\":[");
    for (at, (text, notes)) in moves.iter().enumerate() {
        out.extend_from_slice(if at == 0 { b"{\"move\":" } else { b",{\"move\":" });
        json::push_string(out, text);
        if let MoveNotes::Played(played) = notes {
            json::push_members(out, played);
        }
        out.push(b'}');
    }
    out.push(b']');
}
