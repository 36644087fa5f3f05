//! Checks laws that hold in every position. It checks all positions that can make a difference.
//!
//! The steps of a side depend only on its own pieces, because it may capture all others. So it is enough to check every
//! placement of the pieces of the side to move. One side is enough, because both sides have the same rules.

use endspiel_dobutsu::{ByKind, Dobutsu, Kind, Piece, Position, Setup, Square};
use game::{BySide, Game, Outcome, Position as _, Side};

const MOVER: Side = Side::First;
const PIECES: [Kind; 4] = [Kind::Giraffe, Kind::Elephant, Kind::Chick, Kind::Hen];

/// Visits all ways to place up to two giraffes, two elephants, and two chicks or hens of the side to move on the squares
/// from `square` on.
fn for_each_placement(
    setup: &mut Setup,
    square: usize,
    left: ByKind<u8>,
    visit: &mut impl FnMut(&Setup, ByKind<u8>),
) {
    if square == setup.board.len() {
        return visit(setup, left);
    }
    for_each_placement(setup, square + 1, left, visit);
    if setup.board[square].is_some() {
        return;
    }
    for kind in PIECES {
        let in_hand = if kind == Kind::Hen { Kind::Chick } else { kind };
        if left[in_hand] > 0 {
            let mut left = left;
            left[in_hand] -= 1;
            setup.board[square] = Some(Piece { side: MOVER, kind });
            for_each_placement(setup, square + 1, left, visit);
            setup.board[square] = None;
        }
    }
}

/// Visits every position that has only the pieces of the side to move and the other lion on the board. `held` gives the
/// hands, from the pieces that are left over. No lion has been caught or has tried.
fn for_each_position(held: impl Fn(ByKind<u8>) -> BySide<ByKind<u8>>, mut visit: impl FnMut(&Position)) {
    let far_rank = 3;
    let two_each = ByKind([2, 2, 2, 0, 0]);
    for lion in Square::all().filter(|lion| lion.rank() < far_rank) {
        let mut setup = Setup { board: [None; 12], hands: BySide::default(), turn: MOVER };
        setup.board[lion.index()] = Some(Piece { side: MOVER, kind: Kind::Lion });
        for_each_placement(&mut setup, 0, two_each, &mut |placed, left| {
            let mut setup = placed.clone();
            // Not on the home row of the side to move, because the lion could have won there. There is always a free square.
            let is_free = |square: &Square| square.rank() > 0 && placed.board[square.index()].is_none();
            let other_lion = Square::all().find(is_free).expect("seven pieces leave room");
            setup.board[other_lion.index()] = Some(Piece { side: MOVER.other(), kind: Kind::Lion });
            setup.hands = held(left);
            let position = Position::try_from(setup).expect("made by the rules");
            visit(&position);
        });
    }
}

/// A side with a piece in hand can always drop it, because 8 pieces never fill 12 squares. A side with an empty hand can
/// always step, except in one arrangement and its mirror image. There the game is over. They need all pieces of the side.
#[test]
fn who_runs_out_of_moves() {
    let (mut positions, mut stuck) = (0, Vec::new());
    let all_in_the_other_hand = |left| BySide { first: ByKind::default(), second: left };
    for_each_position(all_in_the_other_hand, |position| {
        positions += 1;
        assert_eq!(position.count_moves() == 0, position.outcome().is_some(), "{position}");
        if let Some(outcome) = position.outcome() {
            assert_eq!(outcome, Outcome::win(MOVER.other(), "no moves"));
            stuck.push(position.to_string());
        }
    });
    assert_eq!(positions, 3_278_295);
    assert_eq!(stuck, ["GE1/LGE/CCl/3 b - 1", "1EG/EGL/lCC/3 b - 1"]);
}

/// A position has the most moves if the opponent has only the lion, and all pieces that are not on the board are in the hand
/// of the side to move.
#[test]
fn no_position_has_more_moves_than_it_says() {
    let mut most = 0;
    let all_in_the_movers_hand = |left| BySide { first: left, second: ByKind::default() };
    for_each_position(all_in_the_movers_hand, |position| most = most.max(position.count_moves()));
    assert_eq!(most, Dobutsu::INFO.capabilities.most_moves.into());
}
