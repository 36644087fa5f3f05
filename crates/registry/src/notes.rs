//! Lists of moves with additional keys: the position after each move, and the notes of a game on its moves.

use crate::json;
use crate::rules::Listing;
use env::MoveNotes;
use game::{Game, Notation, Position};

/// Returns the notes of a game on a move: what is listed besides its text, the position after it among it.
pub type Annotate<G> = fn(&G, &<G as Game>::Position, <<G as Game>::Position as Position>::Move) -> MoveNotes;

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
    listing.for_each(position, |m| moves.push((game.move_text(position, m), annotate(game, position, m))));
    if let [(_, MoveNotes::Pass(passed))] = moves.as_slice() {
        out.extend_from_slice(b",\"moves\":[]");
        return json::push_members(out, passed);
    }
    moves.sort();
    push_sorted(&moves, out, |notes, out| {
        if let MoveNotes::Played(played) = notes {
            json::push_members(out, played);
        }
    });
}

/// Appends every move with the position after it, sorted by the texts. It is kept out of the hot code of the lists without.
#[inline(never)]
pub(crate) fn list_with_after<G: Notation>(
    game: &G,
    position: &G::Position,
    listing: Listing,
    out: &mut Vec<u8>,
) {
    let mut moves = Vec::new();
    listing.for_each(position, |m| {
        moves.push((game.move_text(position, m), game.position_text(&position.play_unchecked(m))));
    });
    moves.sort();
    push_sorted(&moves, out, |after, out| push_after(after, out));
}

/// Appends the position after a move or an outcome of chance to its object.
pub(crate) fn push_after(after: &str, out: &mut Vec<u8>) {
    out.extend_from_slice(b",\"after\":");
    json::push_string(out, after);
}

fn push_sorted<N>(moves: &[(String, N)], out: &mut Vec<u8>, push_notes: impl Fn(&N, &mut Vec<u8>)) {
    out.extend_from_slice(b",\"moves\":[");
    for (at, (text, notes)) in moves.iter().enumerate() {
        out.extend_from_slice(if at == 0 { b"{\"move\":" } else { b",{\"move\":" });
        json::push_string(out, text);
        push_notes(notes, out);
        out.push(b'}');
    }
    out.push(b']');
}
