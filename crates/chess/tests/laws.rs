//! The laws of rules and notation, over random play from the starts of both variants.

use endspiel_chess::{Chess, Start};
use game::laws;
use proptest::prelude::*;

proptest! {
    // A position of chess has many more successors than one of the small games: fewer of them take as long.
    #![proptest_config(ProptestConfig::with_cases(48))]

    #[test]
    fn rules_keep_the_laws(seed: u64, plies in 0u32..200) {
        laws::of_rules(&Chess::STANDARD, seed, plies);
    }

    #[test]
    fn rules_of_chess960_keep_the_laws(start in 0..Start::COUNT, seed: u64, plies in 0u32..120) {
        laws::of_rules(&Chess::chess960(Start::new(start).expect("a start")), seed, plies);
    }
}
