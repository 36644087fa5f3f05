//! What holds in every position, checked in every position that can make a difference.
//!
//! Which steps a side has depends on its own pieces only: it may take whatever else is in the way. So it is enough
//! to look at every placement of the mover's pieces, by way of the rule that both sides share.

use endspiel_dobutsu::{ByKind, Dobutsu, Kind, Piece, Position, Setup, Square};
use game::{BySide, Game, Outcome, Position as _, Side};

const MOVER: Side = Side::First;
const PIECES: [Kind; 4] = [Kind::Giraffe, Kind::Elephant, Kind::Chick, Kind::Hen];

/// All ways to place up to two giraffes, elephants, and chicks or hens of the mover on the squares from `square` on.
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

/// Every position that has only the mover's pieces and the other lion on the board, and whose hands
/// `held` fills from the pieces that are left over. No lion has been caught or has tried.
fn for_each_position(held: impl Fn(ByKind<u8>) -> BySide<ByKind<u8>>, mut visit: impl FnMut(&Position)) {
    let far_rank = 3;
    let two_each = ByKind([2, 2, 2, 0, 0]);
    for lion in Square::all().filter(|lion| lion.rank() < far_rank) {
        let mut setup = Setup { board: [None; 12], hands: BySide::default(), turn: MOVER };
        setup.board[lion.index()] = Some(Piece { side: MOVER, kind: Kind::Lion });
        for_each_placement(&mut setup, 0, two_each, &mut |placed, left| {
            let mut setup = placed.clone();
            // Anywhere but on the mover's home row, where it might have won already: there is always room.
            let is_free = |square: &Square| square.rank() > 0 && placed.board[square.index()].is_none();
            let other_lion = Square::all().find(is_free).expect("seven pieces leave room");
            setup.board[other_lion.index()] = Some(Piece { side: MOVER.other(), kind: Kind::Lion });
            setup.hands = held(left);
            let position = Position::try_from(setup).expect("made by the rules");
            visit(&position);
        });
    }
}

/// With something in hand a side can drop it, for 8 pieces never fill 12 squares. With an empty hand it can step,
/// but for one arrangement and its mirror image: there the game is over, and they need all of its pieces.
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

/// The most moves: with every piece that is not on the board in the mover's hand, the board as empty as can be.
#[test]
fn no_position_has_more_moves_than_it_says() {
    let mut most = 0;
    let all_in_the_movers_hand = |left| BySide { first: left, second: ByKind::default() };
    for_each_position(all_in_the_movers_hand, |position| most = most.max(position.count_moves()));
    assert_eq!(most, Dobutsu::INFO.capabilities.most_moves.into());
}
