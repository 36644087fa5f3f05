//! Pins and hanging men.

use endspiel_chess::{Board, Centipawns, Chess, Position, SquareSet, Start};
use game::{Game, Position as _, Rng, Side};
use proptest::prelude::*;

fn position(text: &str) -> Position {
    text.parse().unwrap_or_else(|error| panic!("{text}: {error}"))
}

fn pinned(board: &Board, side: Side) -> String {
    let pins = board.pins(side).map(|pin| format!("{}-{}", pin.pinned, pin.pinner));
    pins.collect::<Vec<_>>().join(" ")
}

#[test]
fn pins_have_examples() {
    let examples = [
        ("4r1k1/8/8/8/8/4N3/8/4K3", "e3-e8"),
        ("6k1/8/8/8/1b6/2P5/3P4/r2QK3", "d1-a1"),
        ("6k1/8/8/8/1b6/8/3P4/r2QK2r", "d1-a1 d2-b4"),
        // A man of the enemy shields too, and is not pinned.
        ("4r1k1/8/8/8/8/4n3/8/4K3", ""),
        // Knights pin nothing, and rooks not on diagonals.
        ("6k1/8/8/8/1r6/2N5/8/4K3", ""),
        // A board without a king has no pins, and one with two kings has those of both.
        ("4r1k1/8/8/8/8/4N3/8/8", ""),
        ("K2R3r/8/8/8/8/8/8/K2R3r", "d1-h1 d8-h8"),
    ];
    for (board, expected) in examples {
        let board: Board = board.parse().expect("a board");
        assert_eq!(pinned(&board, Side::First), expected, "{board}");
    }
}

fn hanging(fen: &str, side: Side) -> String {
    let position = position(fen);
    let told =
        |hanging: endspiel_chess::Hanging| format!("{}:{}{}", hanging.man, hanging.capture, hanging.wins);
    position.hanging(side).into_iter().map(told).collect::<Vec<_>>().join(" ")
}

#[test]
fn hanging_men_have_examples() {
    // Defended men hang if they are worth more than the man that takes them, or are taken more often than guarded.
    assert_eq!(hanging("4k3/8/4p3/3n4/4P3/8/8/4K3 w - - 0 1", Side::Second), "d5:e4d5+2.00");
    assert_eq!(hanging("4k3/8/4p3/3n4/8/1B6/8/4K3 w - - 0 1", Side::Second), "");
    // The side to move sees what hangs if it passes, and what the enemy leaves hanging.
    assert_eq!(hanging("4k3/8/8/3p4/4N3/8/8/4K3 w - - 0 1", Side::First), "e4:d5e4+3.00");
    assert_eq!(hanging("4k3/8/8/3p4/4N3/8/8/4K3 b - - 0 1", Side::First), "e4:d5e4+3.00");
    // A pawn that has just passed another hangs by a capture beside it.
    assert_eq!(hanging("4k3/8/8/3pP3/8/8/8/4K3 w - d6 0 1", Side::Second), "d5:e5d6+1.00");
    // In check, other men can still hang. The king itself does not.
    assert_eq!(hanging("r3k3/2N5/8/8/8/8/8/4K3 b q - 0 1", Side::Second), "a8:c7a8+5.00");
    // The best of several captures is told.
    assert_eq!(hanging("4k3/8/4p3/3r4/4P3/8/3R4/4K3 w - - 0 1", Side::Second), "d5:e4d5+5.00");
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(64))]

    #[test]
    fn laws_hold(start in 0..Start::COUNT, seed: u64, plies in 0u32..160) {
        let game = Chess::chess960(Start::new(start).expect("a start"));
        let (position, _) = game::playout(&game.start(), plies, &mut Rng::new(seed));
        let (board, turn) = (position.board(), position.turn());
        let pinned: SquareSet = board.pins(turn).map(|pin| pin.pinned).collect();
        prop_assert_eq!(pinned, position.pinned());
        for pin in Side::ALL.into_iter().flat_map(|side| board.pins(side)) {
            // Without the pinned man, the king would be attacked from the pinner's square.
            let mut without = *board;
            without.set(pin.pinned, None);
            let side = board.piece_at(pin.king).expect("a king").side;
            prop_assert!(without.attackers(pin.king, side.other()).contains(pin.pinner));
            prop_assert!(!board.attackers(pin.king, side.other()).contains(pin.pinner));
            prop_assert!(pin.line.contains(pin.pinned) && pin.line.contains(pin.pinner));
            prop_assert!(!pin.line.contains(pin.king));
        }
        // A legal move of a pinned man stays on its line.
        position.for_each_move(|m| {
            for pin in board.pins(turn).filter(|pin| pin.pinned == m.from()) {
                assert!(pin.line.contains(m.to()), "{position}: {m}");
            }
        });
        for side in Side::ALL {
            for hanging in position.hanging(side) {
                prop_assert!(board.of_side(side).contains(hanging.man));
                prop_assert!(hanging.wins > Centipawns(0));
                prop_assert!(board.attackers(hanging.capture.to(), side.other()).contains(hanging.capture.from()));
            }
        }
        // The best capture of the side to move wins what hangs most.
        let best = position.moves().into_iter().filter(|&m| position.is_capture(m)).map(|m| position.see(m)).max();
        let hangs = position.hanging(turn.other()).into_iter().map(|hanging| hanging.wins).max();
        prop_assert_eq!(best.filter(|&wins| wins > Centipawns(0)), hangs);
    }
}
