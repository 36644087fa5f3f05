//! Positions from parts: every fault is told, and the faults that the rules can do without may be accepted.

use endspiel_backgammon::SetupFault;
use endspiel_backgammon::prelude::*;
use game::{Rng, laws};
use proptest::prelude::*;
use proptest::strategy::ValueTree;
use proptest::test_runner::TestRunner;

fn any_setup() -> impl Strategy<Value = Setup> {
    let side = || prop::collection::vec((0usize..25, 1u8..6), 0..7);
    let phases = prop_oneof![
        Just(Phase::Opening),
        Just(Phase::Roll),
        Just(Phase::Double),
        Just(Phase::Answer),
        (1u8..7, 1u8..7).prop_map(|(one, other)| Phase::Play(Roll::new(one, other).expect("dice"))),
    ];
    let cube = (0u8..16, prop::option::of(any::<bool>()), any::<bool>());
    (side(), side(), phases, cube, any::<bool>()).prop_map(|(first, second, phase, cube, is_first)| {
        let count = |places: Vec<(usize, u8)>| {
            let mut counts = [0u8; 25];
            places.into_iter().for_each(|(place, count)| counts[place] += count);
            counts
        };
        let side = |first: bool| if first { Side::First } else { Side::Second };
        let (doublings, owner, with_cube) = cube;
        Setup {
            checkers: BySide { first: count(first), second: count(second) },
            turn: side(is_first),
            phase,
            cube: Cube::new(Doublings::new(doublings).expect("up to fifteen"), owner.map(side)),
            terms: Terms { with_cube, ..Terms::default() },
        }
    })
}

proptest! {
    #[test]
    fn setups_keep_the_laws(setup in any_setup(), seed: u64) {
        laws::of_setup(&setup, &mut Rng::new(seed));
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

fn bare(phase: Phase) -> Setup {
    Setup {
        checkers: BySide::default(),
        turn: Side::First,
        phase,
        cube: Cube::CENTRED,
        terms: Terms::default(),
    }
}

#[test]
fn every_fault_is_told() {
    let mut setup = bare(Phase::Answer);
    setup.checkers.first[24] = 17;
    setup.cube = Cube::new(Doublings::MOST, None);
    assert_eq!(
        setup.position().expect_err("much is wrong").to_string(),
        "white has 17 checkers; there are 15; the cube cannot be at 32768 in the middle; \
         the cube or the score allows no double here; to play with a cube, use `--cube on`; \
         the game is over: there is nothing to roll or to double"
    );
    let empty = bare(Phase::Play(Roll::new(3, 1).expect("dice"))).position().expect_err("nobody is left");
    assert_eq!(empty.to_vec(), [SetupFault::BothOff, SetupFault::Over]);
}

/// Both sides are on the bar against six closed points. Each roll is a dance, for ever.
#[test]
fn a_game_that_never_ends_may_be_accepted() {
    let mut setup = bare(Phase::Roll);
    let mut shut = [0; 25];
    shut[0] = 1;
    shut[19..].fill(2);
    setup.checkers = BySide { first: shut, second: shut };
    assert_eq!(setup.position().expect_err("nobody could move").to_vec(), [SetupFault::BothShutOut]);
    let position = setup.position_accepting(|_| true).expect("it is playable");
    let (later, plies) = game::playout(&position, 100, &mut Rng::new(1));
    assert_eq!((plies, later.board()), (100, position.board()));
}
