//! Positions from parts: every fault is told, and the faults that the rules can do without may be accepted.

use endspiel_onitama::SetupFault;
use endspiel_onitama::prelude::*;
use game::{Location, Rng, laws};
use proptest::prelude::*;
use proptest::strategy::ValueTree;
use proptest::test_runner::TestRunner;

fn any_setup() -> impl Strategy<Value = Setup> {
    // 27 bits: some are beyond the board. Each mask is thinned out by another one.
    let masks = [0u32..1 << 27, 0u32..1 << 27, 0u32..1 << 27, 0u32..1 << 27];
    (masks, [0u8..27, 0u8..27], Just(Card::ALL.to_vec()).prop_shuffle(), any::<bool>(), 0usize..8).prop_map(
        |([a, b, c, d], masters, cards, is_blue, repeated)| {
            let masters = masters.map(|bit| if bit > 24 { 0 } else { 1 << bit });
            let free = !(masters[0] | masters[1]);
            let (first, second) =
                if repeated == 0 { (a, c) } else { (a & b & free, c & d & free & !(a & b)) };
            let hand = |cards: &[Card]| cards.iter().copied().collect::<CardSet>();
            Setup {
                students: BySide { first, second }.map(SquareSet::from_word),
                masters: BySide { first: masters[0], second: masters[1] }.map(SquareSet::from_word),
                hands: BySide { first: hand(&cards[..2]), second: hand(&cards[2..4]) },
                side_card: if repeated == 1 { cards[0] } else { cards[4] },
                turn: if is_blue { Side::First } else { Side::Second },
            }
        },
    )
}

proptest! {
    #[test]
    fn setups_keep_the_laws(setup in any_setup(), seed: u64) {
        laws::of_setup(&setup, &mut Rng::new(seed));
        if let Ok(position) = setup.position_accepting(|_| true) {
            laws::of_location(&Onitama::of_position(&Onitama::default(), &position), &position);
        }
    }
}

/// The random setups are of all sorts: legal, acceptable, and neither.
#[test]
fn setups_are_of_all_sorts() {
    let (mut runner, mut sorts) = (TestRunner::deterministic(), [0; 3]);
    for _ in 0..1_000 {
        let setup = any_setup().new_tree(&mut runner).expect("a setup").current();
        let accepted = setup.position_accepting(|_| true).is_ok();
        sorts[if accepted { usize::from(setup.position().is_err()) } else { 2 }] += 1;
    }
    assert!(sorts.iter().all(|&count| count >= 20), "{sorts:?}");
}

#[test]
fn every_fault_is_told() {
    let start: Setup = "1121100000000000000033433 b boar,ox elephant,horse crab".parse().expect("a setup");
    let mut wrong = start;
    wrong.students.first |= SquareSet::from_word(1 << 26) | start.masters.second;
    wrong.masters.first = "c5".parse::<Square>().expect("a square").into();
    wrong.hands.second = wrong.hands.second.with(Card::Boar);
    assert_eq!(
        wrong.position().expect_err("much is wrong").to_string(),
        "Blue has men beyond the board; two men stand on c5; Blue has 5 students; there are only four; \
         the number of Red's cards is 3; each side holds two; the card `boar` is named twice; there is one of each; \
         Blue's master stands on c5: Blue has won already and cannot be to move"
    );
    assert_eq!(start.position().expect("the start"), Onitama::default().start());
}

#[test]
fn more_students_may_be_accepted() {
    let text = "1121111111000000000033433 b boar,ox elephant,horse crab";
    let setup: Setup = text.parse().expect("a setup");
    assert_eq!(
        setup.position().expect_err(text).to_vec(),
        [SetupFault::Students { side: Side::First, found: 9 }]
    );
    let position = setup.position_accepting(|_| true).expect("it is playable");
    assert_eq!(Onitama::default().position_text(&position), text);
    assert!(matches!(Onitama::default().locate(&position), Location::Beyond(_)));
}
