//! Checks the laws of the numbering.

use endspiel_dobutsu::numbers::{Arrangement, Index, Lions, folded_rank, rank, unrank};
use endspiel_dobutsu::{Dobutsu, Kind, Position};
use game::{Game, Position as _, Rng, Side, Symmetric};
use proptest::prelude::*;

/// The position, turned so that Black is to move.
fn canonical(position: &Position) -> Position {
    if position.turn() == Side::First { *position } else { position.rotate() }
}

proptest! {
    #[test]
    fn unrank_inverts_rank(seed: u64) {
        let position = game::sample(&Dobutsu.start(), &mut Rng::new(seed));
        let index = rank(&position).expect("an unfinished position has both lions");
        prop_assert_eq!(unrank(index), canonical(&position));
        prop_assert_eq!(rank(&canonical(&position)), Some(index));
        prop_assert_eq!(Index::new(index.lions(), index.arrangement()), index);
    }

    #[test]
    fn folding_takes_the_smaller_of_two(seed: u64) {
        let position = game::sample(&Dobutsu.start(), &mut Rng::new(seed));
        prop_assert_eq!(folded_rank(&position), rank(&position).min(rank(&position.mirror())));
        for &symmetry in Position::SYMMETRIES {
            prop_assert_eq!(folded_rank(&position.image(symmetry)), folded_rank(&position));
        }
    }
}

/// Checks a million indices, spread over all of them, including the first and the last.
#[test]
fn rank_inverts_unrank() {
    let stride = Index::COUNT as usize / 1_000_000;
    for number in (0..Index::COUNT).step_by(stride).chain([Index::COUNT - 1]) {
        let index = Index::from_number(number).unwrap();
        assert_eq!(rank(&unrank(index)), Some(index), "{number}");
    }
    assert_eq!(Index::from_number(Index::COUNT), None);
    assert_eq!(Arrangement::from_number(Arrangement::COUNT), None);
}

/// The position of a number can be written and read as text: it has two pieces of each kind and at most one on a square.
#[test]
fn unranked_positions_are_valid() {
    let stride = Index::COUNT as usize / 100_000;
    for number in (0..Index::COUNT).step_by(stride) {
        let position = unrank(Index::from_number(number).unwrap());
        assert_eq!(position.to_string().parse(), Ok(position), "{number}");
    }
}

#[test]
fn lion_pairs_are_numbered_in_order() {
    assert!(Lions::all().is_sorted());
    for (number, lions) in Lions::all().enumerate() {
        assert_eq!(lions.number(), number as u32);
        assert_ne!(lions.own, lions.other);
        assert_eq!(lions.mirror().mirror(), lions);
    }
    assert_eq!(Lions::all().count(), 132);
}

#[test]
fn a_caught_lion_has_no_number() {
    let caught: Position = "gCe/3/3/ELG w C 1".parse().unwrap();
    assert!(caught.lion(Side::Second).is_none() && !caught.of_kind(Kind::Lion).is_empty());
    assert_eq!(rank(&caught), None);
    assert_eq!(folded_rank(&caught), None);
}

/// Computes the sum that defines the number of arrangements, term by term.
#[test]
fn the_count_is_the_sum_of_its_classes() {
    let choose = |n: u64, k: u64| bits::subsets::count(n as u32, k as u32);
    let mut sum = 0;
    for g in 0..=2 {
        for e in 0..=2 {
            for c in 0..=2 {
                let squares = choose(10, g) * choose(10 - g, e) * choose(10 - g - e, c);
                sum += (squares * (3 - g) * (3 - e) * (3 - c)) << (g + e + 2 * c);
            }
        }
    }
    assert_eq!(sum, Arrangement::COUNT.into());
}
