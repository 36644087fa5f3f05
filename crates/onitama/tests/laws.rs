//! The laws of rules and notation, over random card sets and random play.

use endspiel_onitama::{Card, Onitama};
use game::{Game, laws};
use proptest::prelude::*;

fn any_game() -> impl Strategy<Value = Onitama> {
    Just(Card::ALL.to_vec()).prop_shuffle().prop_map(|cards| {
        Onitama::with_deal([cards[0], cards[1], cards[2], cards[3], cards[4]]).expect("five different cards")
    })
}

proptest! {
    #[test]
    fn rules_keep_the_laws(onitama in any_game(), seed: u64, plies in 0u32..120) {
        laws::of_rules(&onitama, seed, plies);
    }

    /// The stamp of the card beside the board says who starts.
    #[test]
    fn the_stamp_decides_who_starts(onitama in any_game()) {
        let start = onitama.start();
        prop_assert_eq!(game::Position::turn(&start), start.side_card().stamp());
        prop_assert_eq!(start.cards(), onitama.cards());
    }
}
