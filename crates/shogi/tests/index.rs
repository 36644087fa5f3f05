//! Tests the indices of endgames: their laws, their sizes, and the names of the classes.

use endspiel_shogi::{Class, Position, Shogi};
use game::{Catalogue, Endgame, Index, Location, Notation, Position as _, Symmetric, Value, laws};
use proptest::prelude::*;
use std::collections::BTreeMap;

fn class_at(number: prop::sample::Index) -> Class {
    let classes = Class::all();
    classes[number.index(classes.len())]
}

proptest! {
    #[test]
    fn indices_keep_the_laws(class: prop::sample::Index, at: u64) {
        let (shogi, class) = (Shogi::default(), class_at(class));
        let index = Index(at % shogi.size(class));
        laws::of_index(&shogi, class, index);
        if let Some(position) = shogi.unrank(class, index) {
            laws::of_location(&shogi, &position);
            for &symmetry in Position::SYMMETRIES {
                prop_assert_eq!(shogi.locate(&position.image(symmetry)), Location::At(class, index));
            }
        }
    }

    /// Half of the positions with both kings on the middle file are their own images or share an index.
    #[test]
    fn kings_on_the_middle_file_keep_the_laws(class: prop::sample::Index, kings in 0u64..1000, at: u64) {
        let (shogi, class) = (Shogi::default(), class_at(class));
        // These pairs of kings are rare, so they are searched.
        let is_in_the_middle = |pair: &u64| {
            let position = shogi.unrank(class, Index(pair * class.arrangements()));
            position.is_some_and(|position| {
                game::Side::ALL.iter().all(|&side| position.king(side).file() == 4)
            })
        };
        let pair = (0..2996).cycle().skip(kings as usize * 3).take(2996).find(is_in_the_middle);
        let pair = pair.expect("56 pairs are in the middle");
        laws::of_index(&shogi, class, Index(pair * class.arrangements() + at % class.arrangements()));
    }
}

#[test]
fn sizes_are_those_of_the_formula() {
    let expected: BTreeMap<String, u64> = fixtures::json("shogi/index_sizes.json");
    let shogi = Shogi::default();
    let mut classes = 0;
    for (name, size) in expected {
        // The formula does not know that a set has only two bishops and two rooks.
        let Some(class) = shogi.slice(&name) else {
            assert!(["BBB", "RRR"].contains(&name.as_str()), "{name}");
            continue;
        };
        assert_eq!((class.to_string(), shogi.size(class)), (name, size));
        classes += 1;
    }
    assert_eq!((classes, Class::all().len()), (117, 117));
    let selected =
        ["2", "3", "4", "5", "6", "x", ""].map(|pieces| shogi.select(pieces).map(|list| list.len()));
    assert_eq!(selected, [None, Some(7), Some(35), Some(117), None, None, None]);
    assert_eq!(shogi.starter().len(), 7);
}

#[test]
fn what_has_no_index_says_why() {
    let shogi = Shogi::default();
    let locate = |sfen: &str| shogi.locate(&shogi.parse_position(sfen).expect(sfen));
    assert!(matches!(locate("4k4/9/9/9/9/9/9/9/4K4 b - 1"), Location::Over(Value::Draw)));
    let beyond = [locate("4k4/9/4P4/9/9/9/9/9/4K4 b GSR 1"), shogi.locate(&game::Game::start(&shogi))];
    for location in beyond {
        let why = "tables have up to five pieces, with the kings and the men in hand";
        assert_eq!(location, Location::Beyond(why));
    }
    let in_hand = locate("4k4/9/9/9/9/9/9/9/4K4 w Gr2p 1");
    assert!(matches!(in_hand, Location::Beyond(_)));
    let Location::At(class, index) = locate("4k4/9/9/9/9/9/9/9/4K4 w Grp 1") else { panic!("an index") };
    assert_eq!(class.to_string(), "PGR");
    let position = shogi.unrank(class, index).expect("a position");
    assert_eq!(shogi.position_text(&position), "4k4/9/9/9/9/9/9/9/4K4 b RPg 1");
    assert!(shogi.unrank(class, Index(shogi.size(class))).is_none(), "behind the last");
    assert!(shogi.unrank(class, Index(u64::MAX)).is_none());
}

/// An irreversible move cannot be taken back by later moves of the same side.
#[test]
fn irreversible_moves() {
    let shogi = Shogi::default();
    let position = shogi.parse_position("4k4/P8/9/9/9/2p6/2S6/9/1N2K4 b G 1").expect("a position");
    for (text, expected) in
        [("G*1e", true), ("9b9a+", true), ("8i9g", true), ("7g7f", true), ("7g6f", false), ("5i5h", false)]
    {
        let m = shogi.parse_move(&position, text).expect(text);
        assert!(position.is_legal(m));
        assert_eq!(shogi.is_irreversible(&position, m), expected, "{text}");
    }
}
