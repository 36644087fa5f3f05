//! Tests sets, pext and pdep, and ranking. Each fast function is compared with a slow one.

use endspiel_bits::subsets::{self, of_25};
use endspiel_bits::{BySquare, Geometry, Square, SquareSet, pdep, pdep_dense, pext, portable};
use proptest::prelude::*;
use twin::behaves_like_a_set_of_squares;

mod twin;

#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug, Default)]
struct FiveByFive;
impl Geometry for FiveByFive {
    type Word = u32;
    const FILES: u8 = 5;
    const RANKS: u8 = 5;
}

#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug, Default)]
struct ThreeByFour;
impl Geometry for ThreeByFour {
    type Word = u16;
    const FILES: u8 = 3;
    const RANKS: u8 = 4;
}

proptest! {
    #[test]
    fn sets_behave_like_sets(a in 0u32..1 << 25, b in 0u32..1 << 25, dx in -6i8..=6, dy in -6i8..=6) {
        behaves_like_a_set_of_squares::<FiveByFive>(SquareSet::from_word(a), SquareSet::from_word(b), dx, dy);
        let (a, b) = (a as u16 & 0xfff, b as u16 & 0xfff);
        behaves_like_a_set_of_squares::<ThreeByFour>(SquareSet::from_word(a), SquareSet::from_word(b), dx, dy);
    }

    #[test]
    fn pext_and_pdep_equal_their_twins(value: u64, mask: u64) {
        prop_assert_eq!(pext(value, mask), portable::pext(value, mask));
        prop_assert_eq!(pdep(value, mask), portable::pdep(value, mask));
        prop_assert_eq!(pdep_dense(value, mask), portable::pdep(value, mask));
        prop_assert_eq!(portable::pdep_dense(value, mask), portable::pdep(value, mask));
        prop_assert_eq!(pdep(pext(value, mask), mask), value & mask);
    }

    #[test]
    fn ranks_of_64_squares_return(bits in prop::collection::btree_set(0u32..64, 0..=subsets::MAX_SIZE)) {
        let subset = bits.iter().fold(0u64, |set, bit| set | 1 << bit);
        prop_assert_eq!(subsets::unrank(subsets::rank(subset), bits.len() as u32), subset);
    }
}

#[test]
fn pext_and_pdep_equal_their_twins_on_all_short_words() {
    // Every value with every mask of 10 bits, at the low and at the high end of the word.
    for shift in [0, 54] {
        for mask in 0..1u64 << 10 {
            for value in 0..1u64 << 10 {
                assert_eq!(
                    pext(value << shift, mask << shift),
                    portable::pext(value << shift, mask << shift)
                );
                assert_eq!(pdep(value, mask << shift), portable::pdep(value, mask << shift));
                assert_eq!(portable::pdep_dense(value, mask << shift), portable::pdep(value, mask << shift));
            }
        }
    }
}

/// Rotates and mirrors every set of the small board, and compares with the same square by square.
#[test]
fn sets_turn_and_mirror() {
    for word in 0..1 << 12 {
        let set = SquareSet::<ThreeByFour>::from_word(word);
        assert_eq!(set.rotated(), set.iter().map(Square::rotate).collect());
        assert_eq!(set.mirrored(), set.iter().map(Square::mirror).collect());
    }
}

#[test]
fn each_square_has_its_own_place() {
    fn are_told_apart<G: Geometry>(mut table: BySquare<G, usize>) {
        Square::<G>::all().for_each(|square| table[square] = square.index() + 1);
        assert!(Square::<G>::all().all(|square| table[square] == square.index() + 1), "{table:?}");
    }
    are_told_apart::<FiveByFive>(BySquare::new([0; 32]));
    are_told_apart::<ThreeByFour>(BySquare::new([0; 16]));
}

#[test]
fn a_word_beyond_the_board_is_no_set() {
    for word in 0..=u16::MAX {
        let set = SquareSet::<ThreeByFour>::try_from_word(word);
        assert_eq!(set.is_some(), word < 1 << 12);
        assert!(set.is_none_or(|set| set.word() == word && set.is_on_board()));
    }
}

#[test]
#[cfg(debug_assertions)]
#[should_panic(expected = "bits beyond the board")]
fn a_word_beyond_the_board_is_noticed_in_debug_builds() {
    SquareSet::<ThreeByFour>::from_word(1 << 12).len();
}

#[test]
fn squares_turn_and_mirror() {
    for square in Square::<FiveByFive>::all() {
        assert_eq!(square.rotate().rotate(), square);
        assert_eq!(square.mirror().mirror(), square);
        assert_eq!(Square::from_index(square.index() as u8), Some(square));
        assert_eq!(Square::at(square.file(), square.rank()), square);
    }
    assert_eq!(Square::<FiveByFive>::from_index(25), None);
    assert_eq!(Square::<FiveByFive>::at(4, 4).offset(i8::MAX, i8::MAX), None);
    assert_eq!(Square::<FiveByFive>::at(0, 0).offset(i8::MIN, i8::MIN), None);
    assert_eq!(Square::<FiveByFive>::at(0, 0).rotate().to_string(), "e5");
    assert_eq!(Square::<FiveByFive>::at(1, 3).mirror().to_string(), "d4");
}

/// Compares every table with counting, for all subsets of up to five of 25 squares.
#[test]
fn all_subsets_of_25_are_numbered_in_order() {
    for size in 0..=of_25::MAX_SIZE as u32 {
        let mut number = 0;
        for subset in (0u32..1 << 25).filter(|subset| subset.count_ones() == size) {
            assert_eq!(of_25::rank(subset), number);
            assert_eq!(of_25::unrank(number, size), subset);
            assert_eq!(subsets::rank(u64::from(subset)), u64::from(number));
            assert_eq!(subsets::unrank(u64::from(number), size), u64::from(subset));
            number += 1;
        }
        assert_eq!(u64::from(number), subsets::count(25, size));
        assert!(subsets::all(25, size).map(of_25_rank).eq(0..number));
    }
}

fn of_25_rank(subset: u64) -> u32 {
    of_25::rank(subset as u32)
}

/// A slow version of the table: C(n, k) as a product. Every intermediate result is an integer.
fn binomial(n: u128, k: u128) -> u128 {
    (0..k).fold(1, |product, i| product * n.saturating_sub(i) / (i + 1))
}

#[test]
fn binomials_are_the_product() {
    for n in 0..=64 {
        for k in 0..=subsets::MAX_SIZE as u32 {
            assert_eq!(u128::from(subsets::count(n, k)), binomial(n.into(), k.into()), "C({n}, {k})");
        }
    }
}

#[test]
fn squares_return_from_their_names() {
    for square in Square::<ThreeByFour>::all() {
        assert_eq!(square.to_string().parse(), Ok(square));
    }
    for text in ["", "a", "a0", "a5", "d1", "a01", "a1 ", "1a", "a+1", "aa1", "A1", "\u{e1}1", "a257"] {
        assert!(text.parse::<Square<ThreeByFour>>().is_err(), "{text}");
    }
}
