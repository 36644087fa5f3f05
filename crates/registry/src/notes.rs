//! Moves listed with more than their texts, for games that have more to say about them.

use crate::json;
use crate::rules::Listing;
use env::MoveNotes;
use game::{Game, Notation, Position};

/// What a game says about a move beside its text; nothing of one that only says that nothing can be moved.
pub type Annotate<G> = fn(&<G as Game>::Position, <<G as Game>::Position as Position>::Move) -> MoveNotes;

/// Appends every move, sorted by its text, with its notes. Where nothing can be moved there is no move, but the action
/// that says so.
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
