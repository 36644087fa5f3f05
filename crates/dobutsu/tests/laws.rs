//! Checks the laws of rules, notation and numbering with random positions and random indices.

use endspiel_dobutsu::Dobutsu;
use game::{Endgame, Game, Index, Rng, laws};
use proptest::prelude::*;

proptest! {
    #[test]
    fn rules_keep_the_laws(seed: u64, plies in 0u32..120) {
        laws::of_rules(&Dobutsu, seed, plies);
        laws::of_symmetry(&Dobutsu, seed, plies);
    }

    #[test]
    fn numbers_keep_the_laws(at: u64) {
        let slice = Dobutsu.groups()[0][0];
        laws::of_index(&Dobutsu, slice, Index(at % Dobutsu.size(slice)));
    }

    #[test]
    fn places_keep_the_laws(seed: u64, plies in 0u32..60) {
        let (position, _) = game::playout(&Dobutsu.start(), plies, &mut Rng::new(seed));
        laws::of_location(&Dobutsu, &position);
    }
}

#[test]
fn the_stack_suffices() {
    laws::stack_suffices(&Dobutsu.start());
}
