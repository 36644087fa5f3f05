//! Checks the laws of rules and notation with random card sets and random play.

use endspiel_onitama::{Card, Onitama, Slice};
use game::{Endgame, Game, Index, Rng, laws};
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
        laws::of_symmetry(&onitama, seed, plies);
    }

    #[test]
    fn numbers_keep_the_laws(onitama in any_game(), mover in 1u32..=5, opponent in 1u32..=5, at: u64) {
        let slice = Slice::new(mover, opponent).expect("one to five men each");
        let index = Index(at % onitama.size(slice));
        laws::of_index(&onitama, slice, index);
        // Finished positions have no index.
        let position = onitama.unrank(slice, index);
        prop_assert!(position.is_none_or(|position| game::Position::outcome(&position).is_none()));
    }

    #[test]
    fn places_keep_the_laws(onitama in any_game(), seed: u64, plies in 0u32..60) {
        let (position, _) = game::playout(&onitama.start(), plies, &mut Rng::new(seed));
        laws::of_location(&onitama, &position);
    }

    /// A side that cannot move passes. The predecessors include these passes.
    #[test]
    fn passes_keep_the_laws(deal in 0u64..30, red in 0u64..20, master in 0u64..5) {
        // All five men on the far row: the last set of squares of the side to move.
        let onitama = Onitama::default();
        let slice = Slice::new(5, 1).expect("five against one");
        let sets = onitama.size(slice) / 30;
        let far_row = sets - 20 * 5;
        laws::of_index(&onitama, slice, Index((far_row + 5 * red + master) * 30 + deal));
    }

    /// The stamp of the card beside the board says which side starts.
    #[test]
    fn the_stamp_decides_who_starts(onitama in any_game()) {
        let start = onitama.start();
        prop_assert_eq!(game::Position::turn(&start), start.side_card().stamp());
        prop_assert_eq!(start.cards(), onitama.cards());
    }
}

#[test]
fn the_stack_suffices() {
    laws::stack_suffices(&Onitama::default().start());
}
