//! Tests of the solver on graphs: two with values written by hand, and many random graphs against the definition.

mod common;

use common::{End, GROUPS, Graph, GraphGame, Node, THROUGH, by_definition, group_of, solve};
use endspiel_solve::{
    Cell, Extent, Finished, Group, Job, Left, Reading, Run, Stage, Stop, Unmoves, Unwatched, pack, verify,
    whole,
};
use game::Value::{self, Draw, Loss, Win};
use game::{Endgame, Index, Metric, Plies, laws};
use proptest::prelude::*;
use std::sync::atomic::AtomicBool;
use std::time::Duration;
use table::{Entry, Library, describe, write};

const WAYS: [Unmoves; 2] = [Unmoves::FromGame, Unmoves::Inverted];

fn win(plies: u16) -> Value {
    Win(Plies(plies))
}

fn loss(plies: u16) -> Value {
    Loss(Plies(plies))
}

/// A graph with several slices, loops, draws, a promise that a quicker win replaces, a promise that holds, and a player who
/// loses by their own move.
#[test]
fn values_written_down_by_hand() {
    let moves = |to: &[usize]| Node::Moves(to.to_vec());
    let nodes = [
        // Slice 0: ends, and nodes that lead to them.
        (0, Node::End(End::Lost), loss(0)),
        (0, Node::End(End::Drawn), Draw),
        (0, moves(&[0]), win(1)),
        (0, moves(&[2]), loss(2)),
        (0, moves(&[3, 1]), win(3)),
        (0, moves(&[4, 2]), loss(4)),
        // Slices 1 and 2 lead into each other.
        (1, moves(&[7]), loss(6)),    // 6: a loop with 7, but 7 has a better move
        (2, moves(&[6, 5]), win(5)),  // 7: goes to 5, which is lost
        (1, moves(&[9, 5]), win(3)),  // 8: 5 promises a win in 5, but 9 is lost in 2
        (2, moves(&[2]), loss(2)),    // 9
        (1, moves(&[11]), Draw),      // 10: a loop of three nodes
        (2, moves(&[12]), Draw),      // 11
        (1, moves(&[10, 4]), Draw),   // 12: to leave the loop would lose
        (2, moves(&[7, 4]), loss(6)), // 13: lost with every move
        // Slice 3.
        (3, Node::End(End::Won), win(0)), // 14: the last mover has lost
        (3, moves(&[14]), loss(1)),       // 15: must move to 14
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

/// A graph with positions without an index, some of which lead to others of them. They make a win quicker or a loss longer,
/// and hold a draw. A finished slice promises one of them a win, and a quicker win replaces it.
fn with_steps() -> (Graph, Vec<Value>) {
    let moves = |to: &[usize]| Node::Moves(to.to_vec());
    let nodes = [
        (0, Node::End(End::Lost), loss(0)),
        (0, moves(&[0]), win(1)),
        (0, moves(&[1]), loss(2)),
        (0, moves(&[2]), win(3)),
        (0, moves(&[3]), loss(4)),
        (0, moves(&[4]), win(5)),
        (THROUGH, moves(&[1]), loss(2)),         // 6: the opponent wins
        (1, moves(&[6, 5]), win(3)),             // 7: wins by going through 6
        (THROUGH + 1, moves(&[4, 10]), win(3)),  // 8: the finished 4 promises a win in 5, 10 is lost in 2
        (1, moves(&[8, 3]), loss(4)),            // 9: loses, also through 8
        (2, moves(&[1]), loss(2)),               // 10
        (THROUGH + 2, moves(&[12, 4]), win(5)),  // 11: 12 is not lost, so the promise holds
        (1, moves(&[13]), Draw),                 // 12
        (2, moves(&[12]), Draw),                 // 13
        (2, moves(&[11]), loss(6)),              // 14: its only move goes through 11
        (THROUGH + 3, moves(&[11, 14]), win(7)), // 15: through 15 and 11
        (3, moves(&[15]), loss(8)),              // 16
        (THROUGH + 3, moves(&[12]), Draw),       // 17
        (3, moves(&[17, 15]), Draw),             // 18: holds the draw through 17
    ];
    let expected = nodes.iter().map(|&(_, _, value)| value).collect();
    (Graph(nodes.into_iter().map(|(slice, node, _)| (slice, node)).collect()), expected)
}

#[test]
fn moves_through_positions_without_an_index() {
    let (graph, expected) = with_steps();
    assert_eq!(by_definition(&graph), expected);
    let game = graph.game();
    for way in WAYS {
        assert_eq!(solve::<u8>(&game, way).expect("narrow cells hold all"), expected);
        assert_eq!(solve::<u16>(&game, way).expect("wide cells hold all"), expected);
    }
}

/// Solves the game with this amount of memory, and writes the tables to a new folder.
fn solve_to_tables(game: &GraphGame, memory: u64) -> tempfile::TempDir {
    let (folder, interrupt) = (tempfile::tempdir().expect("a folder"), AtomicBool::new(false));
    let job = Job {
        game,
        kernel: None,
        library: &Library::new(folder.path(), 0),
        metric: Metric::Dtm,
        memory,
        checkpoint_every: Duration::ZERO,
        packs: false,
        run: Run { unmoves: Unmoves::FromGame, watch: &Unwatched, interrupt: &interrupt },
    };
    let plan = job.plan(&game.groups().concat()).expect("nothing is there yet");
    job.solve(&plan).expect("it is solved");
    folder
}

/// Checks that a run gives the same values if it stops after any round, or after the first look, and resumes.
fn resumes_alike<C: Cell>(game: &GraphGame, unmoves: Unmoves, expected: &[Value]) {
    let interrupt = AtomicBool::new(false);
    let run = Run { unmoves, watch: &Unwatched, interrupt: &interrupt };
    // Small groups are looked at in one part.
    let leave_at =
        |number: u16| number.checked_sub(1).map_or(Stage::Look(1), |round| Stage::Round(Plies(round)));
    let mut rounds = 0;
    for leave_after in 0.. {
        let (mut solved, mut was_left) = (common::Solved::default(), false);
        for group in game.groups() {
            let mut left = None;
            let mut first = Group::<_, C, _>::new(game, &group, &solved, &run);
            let stopped = first.solve(|group| {
                let stage = group.stage();
                if stage != leave_at(leave_after) {
                    return Ok(());
                }
                let cells = group.cells().iter().map(|cell| C::load(cell).share()).collect();
                left = Some(Left::<C> { cells, crossings: group.crossings().to_vec(), stage });
                Err(Stop::Interrupted)
            });
            was_left |= stopped.is_err();
            let finished = match left {
                None => first,
                Some(left) => {
                    let mut again = Group::resume(game, &group, &solved, &run, left);
                    again.solve(|_| Ok(())).expect("nothing in the way");
                    again
                }
            };
            let values = common::values_of(game, &group, &finished);
            drop(finished);
            solved.0.extend(values);
        }
        let values: Vec<Value> =
            (0..expected.len()).map(|node| common::value(game, &solved, &game.place(node))).collect();
        assert_eq!(values, expected, "left after round {leave_after}");
        rounds += u32::from(was_left);
        if !was_left {
            break;
        }
    }
    assert!(rounds > 5, "only {rounds} rounds");
}

#[test]
fn a_run_with_steps_is_taken_up_again_after_any_round() {
    let (graph, expected) = with_steps();
    let game = graph.game();
    for way in WAYS {
        resumes_alike::<u8>(&game, way, &expected);
        resumes_alike::<u16>(&game, way, &expected);
    }
}

/// The solver counts plies to the end of the game, so it refuses the metric `dtz`.
#[test]
fn other_metrics_are_refused() {
    let (game, interrupt) = (with_steps().0.game(), AtomicBool::new(false));
    let folder = tempfile::tempdir().expect("a folder");
    let job = Job {
        game: &game,
        kernel: None,
        library: &Library::new(folder.path(), 0),
        metric: Metric::Dtz,
        memory: 1 << 30,
        checkpoint_every: Duration::ZERO,
        packs: false,
        run: Run { unmoves: Unmoves::FromGame, watch: &Unwatched, interrupt: &interrupt },
    };
    let refused = job.plan(&game.groups().concat()).expect_err("it cannot be solved");
    assert_eq!(refused.to_string(), "dtz tables of Graph cannot be solved here");
}

/// `verify` also handles positions without an index: it accepts right tables and finds wrong entries before and after them.
#[test]
fn steps_are_verified() {
    let (graph, expected) = with_steps();
    let game = graph.game();
    let folder = solve_to_tables(&game, 1 << 30);
    let wrong = |node: usize| {
        let library = Library::new(folder.path(), 0);
        let game::Location::At(slice, _) = game.locate(&game.place(node)) else { panic!("{node}") };
        let verified =
            verify(&game, &library, slice, Metric::Dtm, Reading::generic(1 << 20), Extent::All, |_| ())
                .expect("it is whole");
        verified.wrong.len()
    };
    assert!([1, 7, 10, 16].into_iter().all(|node| wrong(node) == 0));
    // 14 is lost in 6 plies through 11. This table says that it is a draw.
    let game::Location::At(slice, index) = game.locate(&game.place(14)) else { panic!("it has an index") };
    let entries: Vec<Entry> = (0..game.0.0.len())
        .filter(|&node| game.0.0[node].0 == slice.0)
        .map(|node| Entry::from(if node == 14 { Draw } else { expected[node] }))
        .collect();
    let description = describe(&game, slice, Metric::Dtm);
    let entry = |index: u64| entries[index as usize];
    assert_eq!(entry(index.0), Entry::Draw);
    write(&description.path(folder.path()), &description, entry, |_| ()).expect("it is written");
    assert_eq!((wrong(14), wrong(16)), (1, 1), "14 itself, and 16, which leads to it through 15");
}

/// The values are the same if the needed tables are in memory or are read block by block.
#[test]
fn little_memory_gives_the_same_values() {
    let (graph, expected) = with_steps();
    let game = graph.game();
    let folder = solve_to_tables(&game, 1 << 30);
    let group = game.groups().pop().expect("three groups");
    let needs = game.needs(group[0]);
    let interrupt = AtomicBool::new(false);
    let run = Run { unmoves: Unmoves::FromGame, watch: &Unwatched, interrupt: &interrupt };
    for memory in [0, 1 << 20] {
        let library = Library::new(folder.path(), memory);
        let finished = Finished::open(&game, &library, &needs, Metric::Dtm, Reading::generic(memory))
            .expect("all are there");
        let mut solver = Group::<_, u8, _>::new(&game, &group, &finished, &run);
        solver.solve(|_| Ok(())).expect("it is solved");
        let values = (0..game.size(group[0])).map(|index| solver.cell(group[0], Index(index)).value());
        let values: Vec<Value> = values.map(|value| value.unwrap_or(Draw)).collect();
        assert_eq!(values, [expected[16], expected[18]]);
    }
}

/// A random graph whose moves stay in their group or lead to earlier ones.
fn any_graph() -> impl Strategy<Value = Graph> {
    let node = (0..2 * THROUGH, prop::collection::vec(any::<prop::sample::Index>(), 0..4), 0u8..12);
    prop::collection::vec(node, 1..60).prop_map(|drafts| {
        let slices: Vec<u8> = drafts.iter().map(|(slice, _, _)| *slice).collect();
        let node = |(at, (slice, moves, end)): (usize, (u8, Vec<prop::sample::Index>, u8))| {
            // A node without an index leads only to earlier nodes without an index, so there are no cycles of them.
            let may_lead = |&to: &usize| {
                group_of(slices[to]) <= group_of(slice) && (slice.min(slices[to]) < THROUGH || to < at)
            };
            let reachable: Vec<usize> = (0..slices.len()).filter(may_lead).collect();
            let mut moves: Vec<usize> =
                moves.iter().filter(|_| !reachable.is_empty()).map(|to| *to.get(&reachable)).collect();
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
        Graph(drafts.into_iter().enumerate().map(node).collect())
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

    /// The graph itself is a valid game.
    #[test]
    fn the_graph_keeps_the_laws(graph in any_graph()) {
        let game = graph.game();
        for slice in GROUPS.concat().into_iter().map(common::Slice) {
            (0..game.size(slice)).for_each(|index| laws::of_index(&game, slice, Index(index)));
        }
        (0..game.0.0.len()).for_each(|node| laws::of_location(&game, &game.place(node)));
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(150))]

    /// A small table has the values of the whole one, also through positions without an index.
    #[test]
    fn random_graphs_are_packed_without_a_loss(graph in any_graph()) {
        let game = graph.game();
        let folder = solve_to_tables(&game, 1 << 30);
        let slices: Vec<common::Slice> = game.groups().concat();
        let entries = |slice: common::Slice| {
            let table = whole(&game, &Library::new(folder.path(), 1 << 20), slice, Metric::Dtm, None);
            let table = table.expect("it is readable").expect("a table");
            (0..table.entries()).map(|index| table.entry(index).expect("an entry")).collect::<Vec<_>>()
        };
        let before: Vec<Vec<Entry>> = slices.iter().map(|&slice| entries(slice)).collect();
        let (library, interrupt) = (Library::new(folder.path(), 0), AtomicBool::new(false));
        let run = Run { unmoves: Unmoves::FromGame, watch: &Unwatched, interrupt: &interrupt };
        for group in game.groups() {
            let is_small = pack(&game, &library, &group, Metric::Dtm, Reading::generic(1 << 30), &run);
            prop_assert!(is_small.expect("it is packed"));
        }
        for (&slice, before) in slices.iter().zip(&before) {
            let is_small = library.small(&describe(&game, slice, Metric::Dtm)).expect("a table").is_some();
            prop_assert_eq!(is_small, game.size(slice) > 0);
            prop_assert_eq!(&entries(slice), before);
        }
    }
}
