//! Checks the laws of the table's index: indices, successors and predecessors are compared with the plain rules.

use endspiel_dobutsu::numbers::{self, Arrangement, Lions};
use endspiel_dobutsu::{All, Dobutsu, Position};
use game::Location::{At, Over};
use game::{Endgame, Game, Index, Location, Plies, Position as _, Predecessors, Rng, Symmetric, Value};
use proptest::prelude::*;
use std::collections::HashSet;
use std::ops::ControlFlow;

const LOSS: Value = Value::Loss(Plies(0));
/// The value of a position in which the lion can be captured.
const CATCH: Value = Value::Win(Plies(1));

/// The canonical position: Black is to move, and it is the one with the smaller number of two mirror images.
fn canonical(position: &Position) -> Position {
    numbers::unrank(numbers::folded_rank(position).expect("both lions are there"))
}

/// The value of a position that the plain rules find within one move. Returns `None` if that is not enough.
fn at_a_glance(position: &Position) -> Option<Value> {
    let us = position.turn();
    match position.outcome() {
        Some(outcome) if outcome.winner == Some(us) => Some(Value::Win(Plies(0))),
        Some(_) => Some(LOSS),
        None => position
            .moves()
            .into_iter()
            .any(|m| position.play_unchecked(m).outcome().is_some_and(|end| end.by == "catch"))
            .then_some(CATCH),
    }
}

/// Returns whether the game is open with these lions, as the side to move sees them.
fn is_open(Lions { own, other }: Lions) -> bool {
    let beside = own.file().abs_diff(other.file()) <= 1 && own.rank().abs_diff(other.rank()) <= 1;
    own.rank() < 3 && other.rank() > 0 && !beside
}

fn successors(position: &Position) -> Vec<Location<All>> {
    let mut list = Vec::new();
    let _ = Dobutsu.successors(position, |location| {
        list.push(location);
        ControlFlow::<()>::Continue(())
    });
    list
}

fn predecessors(position: &Position) -> HashSet<Index> {
    let mut set = HashSet::new();
    Dobutsu.predecessors(position, |All, index| _ = set.insert(index));
    set
}

fn place_keeps_the_laws(position: &Position) {
    let glance = at_a_glance(position);
    let lions = numbers::rank(position).map(|index| index.lions());
    match Dobutsu.locate(position) {
        At(All, index) => {
            assert!(position.outcome().is_none(), "{position}");
            assert!(lions.is_some_and(is_open), "{position}");
            assert_eq!(Dobutsu.unrank(All, index), Some(canonical(position)), "{position}");
        }
        Over(value) => {
            assert_eq!(Some(value), glance, "{position}");
            assert!(position.outcome().is_some() || !lions.is_some_and(is_open), "{position}");
        }
        elsewhere => panic!("{elsewhere:?}: {position}"),
    }
    for &symmetry in Position::SYMMETRIES {
        assert_eq!(Dobutsu.locate(&position.image(symmetry)), Dobutsu.locate(position), "{position}");
    }
    let alike = if position.mirror() == *position { 1 } else { 2 };
    assert_eq!(Dobutsu.multiplicity(position), alike, "{position}");
}

/// The successors are those of the rules, in any order. If the lion can be captured, this is the only one. All successors in which
/// the lion can be captured may be one.
fn successors_keep_the_rules(position: &Position) {
    let found = successors(position);
    if at_a_glance(position) == Some(CATCH) {
        return assert_eq!(found, [Over(LOSS)], "{position}");
    }
    let sorted = |mut list: Vec<Location<All>>| {
        list.sort_by_key(|location| match location {
            At(All, index) => (index.0, None),
            Over(value) => (0, Some(*value)),
            elsewhere => panic!("{elsewhere:?}"),
        });
        list.dedup_by(|a, b| a == b && *a == Over(CATCH));
        list
    };
    assert_eq!(sorted(found.clone()), sorted(by_the_rules(position)), "{position}");

    // The walk stops when the callback breaks.
    let mut left = found.len();
    while left > 0 {
        left -= 1;
        let mut to_skip = left;
        let stopped = Dobutsu.successors(position, |location| match to_skip {
            0 => ControlFlow::Break(location),
            _ => {
                to_skip -= 1;
                ControlFlow::Continue(())
            }
        });
        assert_eq!(stopped, ControlFlow::Break(found[left]), "{position}");
    }
}

/// The locations after each move, by the plain rules. If the lion can be captured then, it is this value.
fn by_the_rules(position: &Position) -> Vec<Location<All>> {
    let after = |m| match position.play_unchecked(m) {
        next if at_a_glance(&next) == Some(CATCH) => Over(CATCH),
        next => Dobutsu.locate(&next),
    };
    position.moves().into_iter().map(after).collect()
}

/// Checks both directions. If the lion can be captured, the other moves are neither successors nor predecessors, and nothing comes
/// before it.
fn predecessors_invert_successors(position: &Position) {
    let At(All, here) = Dobutsu.locate(position) else { return };
    for location in by_the_rules(position) {
        if let At(All, index) = location {
            let next = Dobutsu.unrank(All, index).expect("what a move leads to is a position");
            let is_known = predecessors(&next).contains(&here);
            assert_eq!(is_known, !position.can_catch(), "{position} before {next}");
        }
    }
    assert!(!position.can_catch() || predecessors(position).is_empty(), "{position}");
    for index in predecessors(position) {
        let before = Dobutsu.unrank(All, index).expect("what was before is a position");
        assert!(successors(&before).contains(&At(All, here)), "{before} does not lead to {position}");
    }
    // The result is the same for the turned and the mirrored position.
    for &symmetry in Position::SYMMETRIES {
        let image = position.image(symmetry);
        assert_eq!(predecessors(&image), predecessors(position), "{position}");
        let set =
            |position| successors(position).into_iter().map(|l| format!("{l:?}")).collect::<HashSet<_>>();
        assert_eq!(set(&image), set(position), "{position}");
    }
}

fn keeps_the_laws(position: &Position) {
    place_keeps_the_laws(position);
    successors_keep_the_rules(position);
    predecessors_invert_successors(position);
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(4_000))]
    #[test]
    fn random_play_keeps_the_laws(seed: u64, plies in 0u32..80) {
        let (position, _) = game::playout(&Dobutsu.start(), plies, &mut Rng::new(seed));
        keeps_the_laws(&position);
    }
}

/// Checks a quarter of a million indices, spread over all of them. The stride is a prime, so every digit takes all values.
#[test]
fn spread_indices_keep_the_laws() {
    const STRIDE: usize = 997;
    let mut positions = 0;
    for index in (0..Dobutsu.size(All)).step_by(STRIDE).map(Index) {
        if let Some(position) = Dobutsu.unrank(All, index) {
            assert_eq!(Dobutsu.locate(&position), At(All, index), "{position}");
            keeps_the_laws(&position);
            positions += 1;
        }
    }
    // About one index in fourteen is a hole.
    assert!(positions > 200_000, "only {positions} positions");
}

/// Checks all 132 pairs of lions, also those that decide the game: a value that is known without an index is that of the
/// rules.
#[test]
fn decided_positions_have_the_value_of_the_rules() {
    const STRIDE: usize = 7_919;
    let mut ended = 0;
    for number in (0..numbers::Index::COUNT).step_by(STRIDE) {
        let position = numbers::unrank(numbers::Index::from_number(number).expect("in range"));
        place_keeps_the_laws(&position);
        if position.outcome().is_some() {
            assert!(successors(&position).is_empty(), "{position}");
            ended += 1;
        }
    }
    // In a quarter of all positions, the lion of the side to move has tried.
    assert!(ended > 40_000, "only {ended} positions are over");
}

#[test]
fn a_caught_lion_is_a_loss() {
    let caught: Position = "gCe/3/3/ELG w C 1".parse().unwrap();
    assert_eq!(Dobutsu.locate(&caught), Over(LOSS));
    assert_eq!(Dobutsu.locate(&caught.rotate()), Over(LOSS));
    assert!(successors(&caught).is_empty());
}

/// The only arrangement without a move, with both squares of the other lion that do not end the game in another way.
#[test]
fn a_side_without_moves_has_no_index() {
    for text in ["GE1/LGE/CCl/3 b - 1", "GEl/LGE/CC1/3 b - 1", "1EG/EGL/lCC/3 b - 1"] {
        let stuck: Position = text.parse().unwrap();
        place_keeps_the_laws(&stuck);
        assert_eq!(Dobutsu.locate(&stuck), Over(LOSS));
        assert!(successors(&stuck).is_empty());
    }
}

#[test]
fn the_size_is_that_of_the_open_pairs() {
    let folded: HashSet<Lions> =
        Lions::all().filter(|&lions| is_open(lions)).map(|lions| lions.min(lions.mirror())).collect();
    assert_eq!(Lions::all().filter(|&lions| is_open(lions)).count(), 39);
    assert_eq!(folded.len(), 21);
    assert_eq!(Dobutsu.size(All), folded.len() as u64 * u64::from(Arrangement::COUNT));
    assert_eq!(Dobutsu.size(All), 249_442_767);
    assert_eq!(Dobutsu.unrank(All, Index(Dobutsu.size(All))), None);
    assert_eq!(Dobutsu.unrank(All, Index(u64::MAX)), None);
    assert_eq!(Dobutsu.groups(), [[All]]);
    assert_eq!(Dobutsu.slice("all"), Some(All));
}

/// Counts of indices.
#[derive(Default, PartialEq, Eq, Debug)]
struct Counts {
    /// Holes: the larger of two mirror images with the lions on the middle file, and two positions without a move.
    holes: u64,
    /// Positions that are their own mirror images.
    alone: u64,
    /// Positions in which the lion can be captured.
    catches: u64,
}

#[test]
fn every_number_is_counted() {
    let threads = std::thread::available_parallelism().map_or(1, usize::from) as u64;
    let count = |thread: u64| {
        let mut counts = Counts::default();
        let end = |thread: u64| Dobutsu.size(All) * thread / threads;
        for index in (end(thread)..end(thread + 1)).map(Index) {
            match Dobutsu.unrank(All, index) {
                None => counts.holes += 1,
                Some(position) => {
                    counts.alone += u64::from(Dobutsu.multiplicity(&position) == 1);
                    counts.catches += u64::from(position.can_catch());
                }
            }
        }
        counts
    };
    let total = std::thread::scope(|scope| {
        let parts: Vec<_> = (0..threads).map(|thread| scope.spawn(move || count(thread))).collect();
        parts.into_iter().map(|part| part.join().expect("counting does not panic")).fold(
            Counts::default(),
            |sum, part| Counts {
                holes: sum.holes + part.holes,
                alone: sum.alone + part.alone,
                catches: sum.catches + part.catches,
            },
        )
    });
    assert_eq!(total, Counts { holes: 17_800_778, alone: 33_129, catches: 110_507_323 });
}
