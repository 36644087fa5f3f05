//! Positions from parts: every fault is told. No fault can be accepted.

use endspiel_dobutsu::prelude::*;
use game::{Rng, laws};
use proptest::prelude::*;

fn any_setup() -> impl Strategy<Value = Setup> {
    let piece = (0usize..5, any::<bool>()).prop_map(|(kind, is_first)| Piece {
        kind: Kind::ALL[kind],
        side: if is_first { Side::First } else { Side::Second },
    });
    let board = prop::collection::vec(prop::option::of(piece), 12);
    (board, prop::collection::vec(0u8..3, 10), any::<bool>()).prop_map(|(board, held, is_first)| {
        let hand = |held: &[u8]| ByKind([held[0] / 2, held[1] / 2, held[2] / 2, held[3] / 2, held[4] / 2]);
        Setup {
            board: board.try_into().expect("twelve squares"),
            hands: BySide { first: hand(&held[..5]), second: hand(&held[5..]) },
            turn: if is_first { Side::First } else { Side::Second },
        }
    })
}

proptest! {
    #[test]
    fn setups_keep_the_laws(setup in any_setup(), seed: u64) {
        laws::of_setup(&setup, &mut Rng::new(seed));
    }

    /// A setup is again what its position came from.
    #[test]
    fn positions_return(seed: u64, plies in 0u32..60) {
        let (position, _) = game::playout(&Dobutsu.start(), plies, &mut Rng::new(seed));
        let setup: Setup = position.to_string().parse().expect("its text");
        prop_assert_eq!(setup.position(), Ok(position));
        laws::of_setup(&setup, &mut Rng::new(seed));
    }
}

#[test]
fn every_fault_is_told() {
    let faults = |text: &str| text.parse::<Setup>().expect(text).position().expect_err(text).to_string();
    let rest = "on the board and in the hands together; there are always 2";
    assert_eq!(
        faults("ge1/1c1/LL1/LEG b G 1"),
        format!(
            "3 giraffes {rest}; 1 chicks and hens {rest}; black has 3 lions; it starts with 1; \
                 white's lion is missing, so it was caught a move ago and it would be white's turn (`w`)"
        )
    );
    assert_eq!(
        faults("3/3/3/3 b - 1"),
        format!(
            "0 giraffes {rest}; 0 elephants {rest}; 0 chicks and hens {rest}; \
                 no lion on the board; the game ends when the first is caught"
        )
    );
}

#[test]
fn no_hand_has_hens_or_lions() {
    let mut setup: Setup = Dobutsu.start().to_string().parse().expect("its text");
    setup.hands.first.0[Kind::Lion as usize] = 3;
    setup.hands.second.0[Kind::Hen as usize] = 1;
    let only = "a hand has only giraffes, elephants and chicks";
    assert_eq!(
        setup.position().expect_err("a lion in hand").to_string(),
        format!("black has 3 lions in hand; {only}; white has 1 hen in hand; {only}")
    );
}
