//! Positions from parts: every fault is told, and the faults that the rules can do without may be accepted.

use endspiel_chess::prelude::*;
use endspiel_chess::{SetupError, SetupFault};
use game::{Rng, laws};
use proptest::prelude::*;
use proptest::strategy::ValueTree;
use proptest::test_runner::TestRunner;

fn any_setup() -> impl Strategy<Value = Setup> {
    let men = prop::collection::vec((0u8..64, 0usize..6, any::<bool>()), 0..40);
    let parts = (
        men,
        any::<bool>(),
        prop::array::uniform4(0u8..8),
        prop::option::weighted(0.2, 0u8..64),
        any::<[u8; 2]>(),
    );
    parts.prop_map(|(men, white, castling, passed, kings)| {
        let square = |number: u8| Square::at(number % 8, number / 8 % 8);
        let mut board = Board::EMPTY;
        for (at, kind, is_white) in men {
            // Mostly pawns where they can stand. A second king is rare.
            let kind = match kind {
                0..=3 if at % 5 > 0 => Kind::Pawn,
                5 if at % 16 > 0 => Kind::Knight,
                _ => Kind::ALL[kind],
            };
            let at = if kind == Kind::Pawn && at != 1 { 8 + at % 48 } else { at };
            let side = if is_white { Side::First } else { Side::Second };
            board.set(square(at), Some(Piece { side, kind }));
        }
        for (side, at) in Side::ALL.into_iter().zip(kings) {
            let home = if side == Side::First { 4 } else { 60 };
            let at = if at < 128 { home } else { at };
            board.set(square(at), Some(Piece { side, kind: Kind::King }));
        }
        let corners = [(0, 0), (7, 0), (0, 7), (7, 7)].into_iter().zip(castling);
        Setup {
            board,
            turn: if white { Side::First } else { Side::Second },
            castling: corners
                .filter(|(_, may)| *may == 0)
                .map(|((file, rank), _)| Square::at(file, rank))
                .collect(),
            en_passant: passed.map(square),
            clock: Clock::default(),
        }
    })
}

proptest! {
    #[test]
    fn setups_keep_the_laws(setup in any_setup(), seed: u64) {
        laws::of_setup(&setup, &mut Rng::new(seed));
        if let Ok(position) = setup.position_accepting(|_| true) {
            laws::of_location(&Chess::STANDARD, &position);
            prop_assert_eq!(position.castling_rooks() & !position.board().of_kind(Kind::Rook), SquareSet::EMPTY);
        }
    }
}

/// The random setups are of all sorts: legal, acceptable, and neither.
#[test]
fn setups_are_of_all_sorts() {
    let (mut runner, mut sorts) = (TestRunner::deterministic(), [0; 3]);
    for _ in 0..1_000 {
        let setup = any_setup().new_tree(&mut runner).expect("a setup").current();
        let accepted = setup.position_accepting(|_| true).is_ok();
        sorts[if accepted { usize::from(setup.position().is_err()) } else { 2 }] += 1;
    }
    assert!(sorts.iter().all(|&count| count >= 20), "{sorts:?}");
}

fn faults(fen: &str) -> SetupError {
    let setup: Setup = fen.parse().unwrap_or_else(|error| panic!("{fen}: {error}"));
    setup.position().expect_err(fen)
}

#[test]
fn every_fault_is_told() {
    let wrong = faults("pppQk3/8/8/8/8/PPPPPPPP/PPPPPPPP/8 w KQkq e6 0 1");
    assert_eq!(
        wrong.to_string(),
        "White needs one king, not 0; White has 16 pawns; at most 8 are possible; \
         White has 17 pieces; at most 16 are possible; \
         a pawn on a8 b8 c8: pawns are never on the first or last rank; \
         it is White's turn, but Black's king on e8 is attacked: it could be taken; \
         White cannot castle with a1: there must be a rook there, and the king on the same home rank; \
         White cannot castle with h1: there must be a rook there, and the king on the same home rank; \
         Black cannot castle with a8: there must be a rook there, and the king on the same home rank; \
         Black cannot castle with h8: there must be a rook there, and the king on the same home rank; \
         no pawn can just have passed e6 by a double step"
    );
    assert_eq!(wrong.iter().filter(|fault| fault.is_playable()).count(), 7);
    // Two kings are attacked, and each is named.
    assert_eq!(faults("k6k/8/8/8/8/8/8/R3K2R w - - 0 1").len(), 3);
}

#[test]
fn a_caller_chooses_what_to_accept() {
    let setup: Setup = "4k3/8/8/8/4P3/8/PPPPPPPP/RN2K2R b KQkq e3 0 1".parse().expect("FEN");
    let many = |fault: &SetupFault| matches!(fault, SetupFault::TooMany { .. });
    let castling = |fault: &SetupFault| matches!(fault, SetupFault::Castling { .. });
    assert_eq!(setup.position_accepting(many).expect_err("castling and en passant").len(), 3);
    assert_eq!(setup.position_accepting(castling).expect_err("pawns and en passant").len(), 2);
    // Rights without a rook and a square that was not passed are left out.
    let accepted = setup.position_accepting(|_| true).expect("all is playable");
    assert_eq!(accepted.to_string(), "4k3/8/8/8/4P3/8/PPPPPPPP/RN2K2R b KQ - 0 1");
    // Of two rooks on a side, none may castle.
    let rooks: Setup = "4k1rr/8/8/8/8/8/8/4K2R w Kgh - 0 1".parse().expect("FEN");
    let accepted = rooks.position_accepting(|_| true).expect("all is playable");
    assert_eq!(accepted.to_string(), "4k1rr/8/8/8/8/8/8/4K2R w K - 0 1");
    // No caller can accept what the rules need.
    let taken: Setup = "4k3/8/8/8/8/8/8/K3R3 w - - 0 1".parse().expect("FEN");
    assert_eq!(taken.position_accepting(|_| true), taken.position());
    assert!(taken.position().is_err());
}
