//! Checks the laws of rules and notation in random play from the start positions of both variants.

use endspiel_chess::{Chess, Position, Start};
use game::{Game as _, Position as _, laws};
use proptest::prelude::*;

proptest! {
    // A chess position has many more successors than a position of the small games, so fewer cases take the same time.
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

/// Tests a position that no game reaches: its queens have more moves than any position of a known game.
#[test]
fn no_position_has_more_moves_than_promised() {
    let queens: Position =
        "Q4Q1K/2Q4Q/4Q3/1Q4QQ/3Q4/Q5Q1/ppQ5/kn2QQ1Q w - - 0 1".parse().expect("a position");
    let most = u64::from(Chess::INFO.capabilities.most_moves);
    assert!((219..=most).contains(&queens.count_moves()), "{}", queens.count_moves());
}

#[test]
fn the_stack_suffices() {
    laws::stack_suffices(&Chess::STANDARD.start());
}

/// Only the kings can move, each to and fro between two squares.
#[test]
fn the_stack_suffices_for_forced_moves() {
    let locked: Position = "1kb5/1p1p4/1P1P4/8/8/4p1p1/4P1P1/5BK1 w - - 0 1".parse().expect("a position");
    laws::forced_moves_are_counted(&locked);
}
