//! The laws that every game keeps, on random positions of this one.

use endspiel_dobutsu::Dobutsu;
use proptest::prelude::*;

proptest! {
    #[test]
    fn rules_keep_the_laws(seed: u64, plies in 0u32..120) {
        game::laws::of_rules(&Dobutsu, seed, plies);
    }
}
