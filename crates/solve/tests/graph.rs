//! The solver on graphs: one with values written down by hand, and many random ones against the definition.

mod common;

use common::{BATCHES, End, Graph, Node, batch_of, by_definition, solve};
use endspiel_solve::{MovesBack, Stop};
use game::Value::{self, Draw, Loss, Win};
use game::{Endgame, Index, Plies, laws};
use proptest::prelude::*;

const WAYS: [MovesBack; 2] = [MovesBack::FromGame, MovesBack::Inverted];

fn win(plies: u16) -> Value {
    Win(Plies(plies))
}

fn loss(plies: u16) -> Value {
    Loss(Plies(plies))
}

/// Slices, loops, draws, a promise that a quicker win overtakes, one that it does not, and an end by one's own move.
#[test]
fn values_written_down_by_hand() {
    let moves = |to: &[usize]| Node::Moves(to.to_vec());
    let nodes = [
        // Slice 0: ends, and what leads straight to them.
        (0, Node::End(End::Lost), loss(0)),
        (0, Node::End(End::Drawn), Draw),
        (0, moves(&[0]), win(1)),
        (0, moves(&[2]), loss(2)),
        (0, moves(&[3, 1]), win(3)),
        (0, moves(&[4, 2]), loss(4)),
        // Slices 1 and 2 lead into each other.
        (1, moves(&[7]), loss(6)),    // 6: could go round with 7, but 7 has better
        (2, moves(&[6, 5]), win(5)),  // 7: goes to the lost 5 instead
        (1, moves(&[9, 5]), win(3)),  // 8: 5 promises a win in 5, but 9 is lost in 2
        (2, moves(&[2]), loss(2)),    // 9
        (1, moves(&[11]), Draw),      // 10: a loop of three without an exit
        (2, moves(&[12]), Draw),      // 11
        (1, moves(&[10, 4]), Draw),   // 12: leaving it would lose
        (2, moves(&[7, 4]), loss(6)), // 13: lost, whatever it does
        // Slice 3.
        (3, Node::End(End::Won), win(0)), // 14: who moved here lost by it
        (3, moves(&[14]), loss(1)),       // 15: must do so
        (3, moves(&[15, 13]), win(2)),    // 16: an even win; narrow cells cannot hold it
        (3, moves(&[1, 16]), Draw),       // 17
        (3, moves(&[17]), Draw),          // 18
    ];
    let expected: Vec<Value> = nodes.iter().map(|&(_, _, value)| value).collect();
    let graph = Graph(nodes.into_iter().map(|(slice, node, _)| (slice, node)).collect());
    assert_eq!(by_definition(&graph), expected);
    let game = graph.game();
    for way in WAYS {
        assert_eq!(solve::<u16>(&game, way).expect("wide cells hold all"), expected);
        assert!(matches!(solve::<u8>(&game, way), Err(Stop::Overflow)), "an even win needs wide cells");
    }
}

/// A random graph whose moves stay in their batch or lead to earlier ones.
fn any_graph() -> impl Strategy<Value = Graph> {
    let node = (0u8..4, prop::collection::vec(any::<prop::sample::Index>(), 0..4), 0u8..12);
    prop::collection::vec(node, 1..60).prop_map(|drafts| {
        let slices: Vec<u8> = drafts.iter().map(|(slice, _, _)| *slice).collect();
        let node = |(slice, moves, end): (u8, Vec<prop::sample::Index>, u8)| {
            let reachable: Vec<usize> =
                (0..slices.len()).filter(|&to| batch_of(slices[to]) <= batch_of(slice)).collect();
            let mut moves: Vec<usize> = moves.iter().map(|to| *to.get(&reachable)).collect();
            moves.sort_unstable();
            moves.dedup();
            let end = match (moves.is_empty(), end) {
                (_, 0) => Some(End::Drawn),
                (_, 1) => Some(End::Won),
                (true, _) | (_, 2) => Some(End::Lost),
                _ => None,
            };
            (slice, end.map_or(Node::Moves(moves), Node::End))
        };
        Graph(drafts.into_iter().map(node).collect())
    })
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(2000))]

    #[test]
    fn random_graphs_are_solved_by_the_definition(graph in any_graph()) {
        let expected = by_definition(&graph);
        let game = graph.game();
        for way in WAYS {
            prop_assert_eq!(&solve::<u16>(&game, way).expect("wide cells hold all"), &expected);
            if let Ok(narrow) = solve::<u8>(&game, way) {
                prop_assert_eq!(&narrow, &expected);
            }
        }
    }

    /// The mock itself is a game like any other.
    #[test]
    fn the_graph_keeps_the_laws(graph in any_graph()) {
        let game = graph.game();
        for slice in BATCHES.concat().into_iter().map(common::Slice) {
            (0..game.size(slice)).for_each(|index| laws::of_index(&game, slice, Index(index)));
        }
        (0..game.0.0.len()).for_each(|node| laws::of_location(&game, &game.place(node)));
    }
}
