//! Finds the indices that the moves of a position lead to. It does not play the moves, and it does the work that they share
//! only once.

use crate::index::{DEALS, HalfRank, Slice, View};
use crate::{Onitama, Position, SquareSet, moves};
use game::{BySide, Endgame, Index, Location, Plies, Position as _, Side, Value};
use std::ops::ControlFlow;

/// Visits the location after each move of an unfinished position. If a move wins at once, it visits only that win, because
/// no other move can change the value.
#[inline]
pub(crate) fn visit<B>(
    onitama: &Onitama,
    position: &Position,
    mut visit: impl FnMut(Location<Slice>) -> ControlFlow<B>,
) -> ControlFlow<B> {
    if position.wins_in_one() {
        return visit(Location::Over(Value::Loss(Plies(0))));
    }
    if moves::must_pass(position) {
        return position.visit_moves(|m| visit(onitama.locate(&position.play_unchecked(m))));
    }
    // The view is that of the next side to move: the opponent plays up the board, we play down.
    let (us, them) = (position.turn, position.turn.other());
    let mut view = View::of(&Position { turn: them, ..*position });
    if onitama.is_mirrored() {
        view = view.mirrored();
    }
    let BySide { first: theirs, second: ours } = view.men;
    let quiet = HalfRank::new(theirs, view.masters, ours.len());
    for card in position.hands[us].iter() {
        let deal = onitama.deal(position.hands[them], position.hands[us].exchange(card, position.side_card));
        let card = if onitama.is_mirrored() { card.mirror() } else { card };
        for from in ours {
            for to in card.reach(Side::Second, from) & !ours {
                let (from, to) = (SquareSet::from(from), SquareSet::from(to));
                let (step, taken) = (from | to, theirs & to);
                let ours = ours ^ step;
                let masters = if view.masters.intersects(from) { view.masters ^ step } else { view.masters };
                let (slice, number) = match taken.is_empty() {
                    true => (quiet.slice, quiet.with_opponent(ours, masters)),
                    false => View { men: BySide { first: theirs ^ taken, second: ours }, masters }.rank(),
                };
                visit(Location::At(slice, Index(number * DEALS + deal)))?;
            }
        }
    }
    ControlFlow::Continue(())
}
