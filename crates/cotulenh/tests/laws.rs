//! Tests the laws of rules, notation, symmetry and indices in random games, and the values that a board updates with
//! each turn.

use endspiel_cotulenh::{Board, CoTuLenh, Kind, Point, Position, Stack};
use game::{Endgame, Game, Index, Location, Notation, Position as _, Rng, Side, laws};
use proptest::prelude::*;

/// The position after a number of random turns from the start.
fn played(seed: u64, plies: u32) -> Position {
    game::playout(&CoTuLenh::default().start(), plies, &mut Rng::new(seed)).0
}

/// Returns whether a position has few turns. Laws that compare every pair of turns, or play three in a row, need such
/// positions.
fn has_few_turns(position: &Position, most: u64) -> bool {
    position.count_moves() <= most
}

/// The position with this index in a slice. Returns `None` for a hole.
fn numbered(slice: prop::sample::Index, at: u64) -> Option<Position> {
    let slices = CoTuLenh::default().groups().concat();
    let slice = slices[slice.index(slices.len())];
    CoTuLenh::default().unrank(slice, Index(at % CoTuLenh::default().size(slice)))
}

/// The points that a side's guns, missiles and ships cover, found by the distance of every point.
fn covered(board: &Board, side: Side) -> Vec<Point> {
    let level = |stack: Stack| {
        let (kind, level) = [(Kind::Navy, 1), (Kind::AntiAir, 1), (Kind::Missile, 2)]
            .into_iter()
            .find(|&(kind, _)| stack.has(kind))?;
        // A gun or missile on an engineer covers nothing.
        (!stack.has(Kind::Engineer)).then_some(level + i32::from(stack.has_hero(kind)))
    };
    let is_covered = |point: &Point| {
        Point::all().any(|source| {
            let (dx, dy) = (
                i32::from(source.file()) - i32::from(point.file()),
                i32::from(source.rank()) - i32::from(point.rank()),
            );
            level(board.of(side, source)).is_some_and(|level| dx * dx + dy * dy <= level * level)
        })
    };
    Point::all().filter(is_covered).collect()
}

proptest! {
    // Positions have hundreds of turns, and each law checks all of them.
    #![proptest_config(ProptestConfig::with_cases(24))]

    #[test]
    fn turns_keep_the_laws(seed: u64, plies in 0u32..200) {
        let position = played(seed, plies);
        if has_few_turns(&position, 600) {
            laws::moves_agree(&position);
            laws::text_returns(&CoTuLenh::default(), &position);
            laws::keys_agree(&CoTuLenh::default(), &position);
            laws::symmetry_keeps_moves(&position);
            laws::symmetries_compose(&position);
        }
    }

    /// Air defence, keys and all other values that a board updates are those that reading its text computes.
    #[test]
    fn what_is_kept_is_what_is_computed(seed: u64) {
        let mut position = CoTuLenh::default().start();
        let mut rng = Rng::new(seed);
        for _ in 0..150 {
            let Some(turn) = game::random_move(&position, &mut rng) else { break };
            position = position.play_unchecked(turn);
            let text = CoTuLenh::default().position_text(&position);
            let read = CoTuLenh::default().parse_position(&text).expect("its own text");
            prop_assert_eq!(read.key(), position.key(), "{}", text);
            prop_assert!(read.board() == position.board(), "{}", text);
            for side in Side::ALL {
                let kept: Vec<Point> = position.board().air_defence(side).iter().collect();
                prop_assert_eq!(kept, covered(position.board(), side), "{}", text);
            }
        }
    }

    #[test]
    fn undo_restores(seed: u64) {
        laws::undo_restores(&CoTuLenh::default(), &mut Rng::new(seed));
    }

    #[test]
    fn counts_agree(slice: prop::sample::Index, at: u64) {
        if let Some(position) = numbered(slice, at).filter(|position| has_few_turns(position, 60)) {
            laws::perft_agrees(&position);
        }
    }
}

proptest! {
    #[test]
    fn numbers_keep_the_laws(slice: prop::sample::Index, at: u64) {
        let game = CoTuLenh::default();
        let slices = game.groups().concat();
        let slice = slices[slice.index(slices.len())];
        laws::of_index(&game, slice, Index(at % game.size(slice)));
    }

    /// Tests positions as they are after a turn, also with the colours exchanged, and setups without heroes.
    #[test]
    fn places_keep_the_laws(slice: prop::sample::Index, at: u64) {
        let game = CoTuLenh::default();
        if let Some(position) = numbered(slice, at) {
            laws::of_location(&game, &position);
            prop_assert_eq!(game.locate(&position.flipped()), game.locate(&position));
            let text = game.position_text(&position).replace('+', "");
            laws::of_location(&game, &game.parse_position(&text).expect("nobody is a hero"));
        }
    }

    #[test]
    fn most_positions_have_no_place(seed: u64, plies in 0u32..300) {
        let position = played(seed, plies);
        laws::of_location(&CoTuLenh::default(), &position);
        let pieces = CoTuLenh::default().position_text(&position);
        let pieces = pieces.split(' ').next().expect("a board").bytes().filter(u8::is_ascii_alphabetic).count();
        if pieces > 4 && position.board().commander(position.turn()).is_some() {
            let location = CoTuLenh::default().locate(&position);
            prop_assert!(matches!(location, Location::Beyond(_)), "{:?}", location);
        }
    }
}

/// A setup may be a mate although its last guard is not a hero yet. It has no index and no moves.
#[test]
fn a_mate_by_a_guard_that_is_no_hero_keeps_the_laws() {
    let game = CoTuLenh::default();
    let mate = game.parse_position("11/11/11/11/3c7/11/11/11/2n8/11/2C8/11 r - - 0 1").expect("a position");
    assert_eq!((game.locate(&mate), mate.count_moves()), (Location::Through, 0));
    laws::of_location(&game, &mate);
}

#[test]
fn the_stack_suffices() {
    laws::stack_suffices(&CoTuLenh::default().start());
}
