//! Positions from parts: every fault is told, and the faults that the rules can do without may be accepted.

use endspiel_shogi::prelude::*;
use endspiel_shogi::{SetupError, SetupFault};
use game::{Rng, laws};
use proptest::prelude::*;
use proptest::strategy::ValueTree;
use proptest::test_runner::TestRunner;

fn any_setup() -> impl Strategy<Value = Setup> {
    let men = prop::collection::vec((0u8..81, 0usize..14, any::<bool>()), 0..30);
    let held = prop::collection::vec((0usize..7, any::<bool>()), 0..12);
    let parts = (men, held, any::<bool>(), [0u8..81, 0u8..81], 0usize..8);
    parts.prop_map(|(men, held, is_black, kings, few)| {
        let square = |number: u8| Square::at(number % 9, number / 9);
        let side = |first: bool| if first { Side::First } else { Side::Second };
        let mut board = Board::EMPTY;
        // Few kinds, so that there are often too many of one.
        for (at, kind, first) in men {
            let kind = if few < 3 { Kind::ALL[few] } else { Kind::ALL[kind] };
            if kind != Kind::King || at % 16 == 0 {
                board.set(square(at), Some(Piece { side: side(first), kind }));
            }
        }
        for (side, at) in Side::ALL.into_iter().zip(kings) {
            board.set(square(at), Some(Piece { side, kind: Kind::King }));
        }
        let mut hands = BySide::<Hand>::default();
        for (kind, first) in held {
            hands[side(first)] = hands[side(first)].with(Kind::IN_HAND[kind]);
        }
        Setup { board, hands, turn: side(is_black), move_number: 1 }
    })
}

proptest! {
    #[test]
    fn setups_keep_the_laws(setup in any_setup(), seed: u64) {
        laws::of_setup(&setup, &mut Rng::new(seed));
        if let Ok(position) = setup.position_accepting(|_| true) {
            laws::of_location(&Shogi::default(), &position);
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

fn faults(sfen: &str) -> SetupError {
    let setup: Setup = sfen.parse().unwrap_or_else(|error| panic!("{sfen}: {error}"));
    setup.position().expect_err(sfen)
}

#[test]
fn every_fault_is_told() {
    assert_eq!(
        faults("PN2k4/L8/9/4R4/4K4/9/4K4/p1p6/p1p5p b 3B5g 1").to_string(),
        "there are 5 of the kind gold; a set has 4; there are 3 of the kind bishop; a set has 2; \
         Black needs one king, not 2; Black's pawn on 9a could never move; Black's knight on 8a could never move; \
         White's pawn on 9i could never move; White's pawn on 7i could never move; White's pawn on 1i could never move; \
         White has 2 pawns on file 9; White has 2 pawns on file 7; \
         it is Black's turn, but White's king on 5a is attacked: it could be taken"
    );
}

#[test]
fn a_caller_chooses_what_to_accept() {
    let read = |sfen: &str| sfen.parse::<Setup>().expect(sfen);
    let setup = read("4k4/p8/p8/9/9/9/9/9/4K4 b 3B 1");
    let pawns = |fault: &SetupFault| matches!(fault, SetupFault::PawnsOnFile { .. });
    assert_eq!(setup.position_accepting(pawns).expect_err("three bishops").len(), 1);
    let accepted = setup.position_accepting(|_| true).expect("all is playable");
    assert_eq!(accepted.to_string(), "4k4/p8/p8/9/9/9/9/9/4K4 b 3B 1");
    // Keys have a number for up to 18 men in a hand.
    assert!(read("4k4/9/9/9/9/9/9/9/4K4 b 18G 1").position_accepting(|_| true).is_ok());
    assert!(read("4k4/9/9/9/9/9/9/9/4K4 b 19G 1").position_accepting(|_| true).is_err());
}

/// Three bishops are no draw by want of material, and tables have no two pawns on a file.
#[test]
fn tables_know_nothing_of_accepted_positions() {
    use game::Location;
    for sfen in ["4k4/9/9/9/9/9/9/9/4K4 b 3B 1", "4k4/9/9/p8/9/p8/9/9/4K4 b - 1"] {
        let position = sfen.parse::<Setup>().expect(sfen).position_accepting(|_| true).expect(sfen);
        assert!(matches!(Shogi::default().locate(&position), Location::Beyond(_)), "{sfen}");
    }
}
