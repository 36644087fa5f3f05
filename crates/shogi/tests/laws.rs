//! Tests the laws of rules, notation and symmetry in random games.

use endspiel_shogi::{Impasse, Script, Shogi};
use game::{Game as _, laws};
use proptest::prelude::*;

proptest! {
    // A shogi position has many more successors than one of a small game, so fewer cases take the same time.
    #![proptest_config(ProptestConfig::with_cases(32))]

    #[test]
    fn rules_keep_the_laws(seed: u64, plies in 0u32..300) {
        laws::of_rules(&Shogi::default(), seed, plies);
    }

    #[test]
    fn other_options_keep_the_laws(seed: u64, plies in 0u32..100, rule in 0usize..3) {
        let impasse = [Impasse::Points27, Impasse::Points24, Impasse::Try][rule];
        laws::of_rules(&Shogi { impasse, script: Script::Letters }, seed, plies);
    }

    #[test]
    fn symmetries_keep_the_laws(seed: u64, plies in 0u32..300) {
        laws::of_symmetry(&Shogi::default(), seed, plies);
    }
}

#[test]
fn the_stack_suffices() {
    laws::stack_suffices(&Shogi::default().start());
}
