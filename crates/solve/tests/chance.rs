//! Compares the solver over chance, on random graphs, with linear equations.

use endspiel_solve::{Checkpoint, Run, Stop, Unmoves, Unwatched, Watch, expectations, one_step};
use game::{
    BySide, Capabilities, DistanceUnit, Expectation, Expected, Game, Index, Info, Options, Outcome, Position,
    Repetition, Rng, Side, laws,
};
use std::convert::Infallible;
use std::fmt;
use std::ops::ControlFlow;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering::Relaxed};
use std::time::Duration;

/// Where a move leads.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
enum To {
    /// To a node, with the same side to move or the other.
    Node { node: usize, same: bool },
    /// To the end, with these points for the side that made the move.
    End(i64),
}

/// For each node, the outcomes of chance: a weight and the moves. A node without outcomes is a hole.
#[derive(PartialEq, Eq, Hash, Debug)]
struct Graph(Vec<Vec<(u32, Vec<To>)>>);

#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
enum Place {
    Rolls(usize),
    Plays(usize, usize),
    /// The points of the first side.
    Ended(i64),
}

#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
struct Node {
    graph: &'static Graph,
    turn: Side,
    place: Place,
}

impl Position for Node {
    type Move = To;
    type Chance = usize;

    fn turn(&self) -> Side {
        self.turn
    }

    fn outcome(&self) -> Option<Outcome> {
        let Place::Ended(points) = self.place else { return None };
        Some(Outcome::win(if points > 0 { Side::First } else { Side::Second }, "the end"))
    }

    fn visit_moves<B>(&self, visit: impl FnMut(To) -> ControlFlow<B>) -> ControlFlow<B> {
        let Place::Plays(node, outcome) = self.place else { return ControlFlow::Continue(()) };
        self.graph.0[node][outcome].1.iter().copied().try_for_each(visit)
    }

    fn play_unchecked(&self, m: To) -> Self {
        match m {
            To::Node { node, same } => {
                let turn = if same { self.turn } else { self.turn.other() };
                Self { turn, place: Place::Rolls(node), ..*self }
            }
            To::End(points) => {
                let of_first = if self.turn == Side::First { points } else { -points };
                Self { turn: self.turn.other(), place: Place::Ended(of_first), ..*self }
            }
        }
    }

    fn awaits_chance(&self) -> bool {
        matches!(self.place, Place::Rolls(_))
    }

    fn visit_chances<B>(&self, mut visit: impl FnMut(usize, u32) -> ControlFlow<B>) -> ControlFlow<B> {
        let Place::Rolls(node) = self.place else { return ControlFlow::Continue(()) };
        self.graph.0[node].iter().enumerate().try_for_each(|(outcome, &(weight, _))| visit(outcome, weight))
    }

    fn play_chance_unchecked(&self, outcome: usize) -> Self {
        let Place::Rolls(node) = self.place else { return *self };
        Self { place: Place::Plays(node, outcome), ..*self }
    }
}

#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
struct All;

impl fmt::Display for All {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("all")
    }
}

#[derive(Clone, Copy, PartialEq, Debug)]
struct Lottery(&'static Graph);

impl Game for Lottery {
    type Position = Node;
    type OptionError = Infallible;
    const INFO: Info = Info {
        name: "lottery",
        title: "Lottery",
        summary: "a graph with chance",
        sides: BySide { first: "first", second: "second" },
        options: &[],
        position_format: "a node",
        move_format: "a node",
        ends: &[],
        rules: "",
        example_position: "0",
        example_endgame: "0",
        example_move: "1",
        distances: DistanceUnit::Plies,
        capabilities: Capabilities {
            chance: true,
            loops: true,
            repetition: Repetition::ALLOWED,
            most_moves: 9,
            bench_depth: 1,
        },
    };

    fn new(_: &Options) -> Result<Self, Infallible> {
        unreachable!("tests make their own graphs")
    }

    fn start(&self) -> Node {
        Node { graph: self.0, turn: Side::First, place: Place::Rolls(0) }
    }
}

impl Expectation for Lottery {
    type Slice = All;
    const INDEX: &'static str = "nodes";

    fn size(&self, _: All) -> u64 {
        self.0.0.len() as u64
    }

    fn unrank(&self, _: All, Index(index): Index) -> Option<Node> {
        let node = index as usize;
        (!self.0.0[node].is_empty()).then(|| Node { place: Place::Rolls(node), ..self.start() })
    }

    fn locate(&self, _: All, position: &Node) -> Expected {
        match (position.place, position.turn) {
            (Place::Rolls(node), _) => Expected::At(Index(node as u64)),
            (Place::Ended(points), Side::First) => Expected::Over(points),
            (Place::Ended(points), Side::Second) => Expected::Over(-points),
            (Place::Plays(..), _) => Expected::Beyond("a move is to be made"),
        }
    }
}

/// A random graph. Every node has an outcome that ends the game.
fn random(rng: &mut Rng) -> Graph {
    let nodes = 1 + rng.below(12) as usize;
    let is_hole: Vec<bool> = (0..nodes).map(|node| node > 0 && rng.below(5) == 0).collect();
    let points = |rng: &mut Rng| To::End([-3, -2, -1, 1, 2, 3][rng.below(6) as usize]);
    let inner = |rng: &mut Rng| {
        let node = rng.below(nodes as u64) as usize;
        if is_hole[node] { points(rng) } else { To::Node { node, same: rng.below(3) == 0 } }
    };
    let of_node = |&is_hole: &bool, rng: &mut Rng| {
        if is_hole {
            return Vec::new();
        }
        let mut outcomes = vec![(1, vec![points(rng)])];
        for _ in 0..rng.below(5) {
            let moves = (0..=rng.below(4)).map(|_| inner(rng)).collect();
            outcomes.push((1 + rng.below(3) as u32, moves));
        }
        outcomes
    };
    Graph(is_hole.iter().map(|hole| of_node(hole, rng)).collect())
}

/// What a move is worth to the side that makes it.
fn worth(to: To, points: &[f64]) -> f64 {
    match to {
        To::Node { node, same: true } => points[node],
        To::Node { node, same: false } => -points[node],
        To::End(points) => points as f64,
    }
}

/// The first best move of each outcome of a node.
fn best_moves(outcomes: &[(u32, Vec<To>)], points: &[f64]) -> Vec<(u32, To)> {
    let better = |one: To, other: To| if worth(other, points) > worth(one, points) { other } else { one };
    outcomes
        .iter()
        .map(|(weight, moves)| (*weight, moves.iter().copied().reduce(better).expect("a move")))
        .collect()
}

fn step(graph: &Graph, points: &[f64]) -> Vec<f64> {
    let of_node = |outcomes: &Vec<(u32, Vec<To>)>| {
        let moves = best_moves(outcomes, points);
        let weights: u32 = moves.iter().map(|&(weight, _)| weight).sum();
        moves.iter().map(|&(weight, to)| f64::from(weight) * worth(to, points)).sum::<f64>()
            / f64::from(weights.max(1))
    };
    graph.0.iter().map(of_node).collect()
}

/// The solution: many plain steps find the best moves, and the linear equations of these moves are solved by elimination.
fn by_equations(graph: &Graph) -> Vec<f64> {
    let nodes = graph.0.len();
    let near = (0..2_000).fold(vec![0.0; nodes], |points, _| step(graph, &points));
    let mut rows = vec![vec![0.0; nodes + 1]; nodes];
    for (node, outcomes) in graph.0.iter().enumerate() {
        let moves = best_moves(outcomes, &near);
        let weights: u32 = moves.iter().map(|&(weight, _)| weight).sum();
        rows[node][node] = f64::from(weights.max(1));
        for (weight, to) in moves {
            match to {
                To::Node { node: next, same } => {
                    rows[node][next] -= f64::from(weight) * if same { 1.0 } else { -1.0 }
                }
                To::End(points) => rows[node][nodes] += f64::from(weight) * points as f64,
            }
        }
    }
    for pivot in 0..nodes {
        let largest = (pivot..nodes).max_by(|&a, &b| rows[a][pivot].abs().total_cmp(&rows[b][pivot].abs()));
        rows.swap(pivot, largest.expect("a row"));
        let pivot_row = rows[pivot].clone();
        for row in (0..nodes).filter(|&row| row != pivot) {
            let factor = rows[row][pivot] / pivot_row[pivot];
            rows[row].iter_mut().zip(&pivot_row).for_each(|(number, of_pivot)| *number -= factor * of_pivot);
        }
    }
    let solution: Vec<f64> = (0..nodes).map(|node| rows[node][nodes] / rows[node][node]).collect();
    let again = step(graph, &solution);
    assert!(solution.iter().zip(again).all(|(one, other)| (one - other).abs() < 1e-12), "{graph:?}");
    solution
}

static NEVER: AtomicBool = AtomicBool::new(false);

#[test]
fn random_graphs_are_solved_within_the_stated_error() {
    let mut rng = Rng::new(1);
    for _ in 0..500 {
        let game = Lottery(Box::leak(Box::new(random(&mut rng))));
        let run = Run { unmoves: Unmoves::FromGame, watch: &Unwatched, interrupt: &NEVER };
        let solved = expectations(&game, All, &run, None).expect("it is solved");
        assert!(solved.error < 1e-7, "{solved:?} of {game:?}");
        for (node, (expected, found)) in by_equations(game.0).into_iter().zip(&solved.points).enumerate() {
            let index = Index(node as u64);
            laws::expectation_returns(&game, All, index);
            laws::moves_stay(&game, All, index);
            let Some(position) = game.unrank(All, index) else {
                assert!(found.is_nan(), "{game:?}");
                continue;
            };
            assert!(
                (expected - found).abs() <= solved.error,
                "node {node}: {found}, not {expected}: {game:?}"
            );
            let again = one_step(&game, All, &position, |Index(index)| solved.points[index as usize]);
            assert!((again - found).abs() <= 2.0 * solved.error, "node {node} of {game:?}");
        }
    }
}

struct StopAt(AtomicUsize, AtomicBool);

impl Watch for StopAt {
    fn sweep(&self, _: &str, _: usize, _: usize, _: usize) {
        if self.0.fetch_sub(1, Relaxed) == 1 {
            self.1.store(true, Relaxed);
        }
    }
}

#[test]
fn interrupts_and_threads_change_nothing() {
    let mut rng = Rng::new(7);
    let game = Lottery(Box::leak(Box::new(
        std::iter::repeat_with(|| random(&mut rng)).find(|graph| graph.0.len() > 9).expect("a graph"),
    )));
    let run = Run { unmoves: Unmoves::FromGame, watch: &Unwatched, interrupt: &NEVER };
    let bits = |points: &[f64]| points.iter().map(|point| point.to_bits()).collect::<Vec<_>>();
    let expected = expectations(&game, All, &run, None).expect("it is solved");
    for threads in [1, 3] {
        let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build().expect("threads");
        let found = pool.install(|| expectations(&game, All, &run, None)).expect("it is solved");
        assert_eq!(bits(&found.points), bits(&expected.points));
    }
    let folder = tempfile::tempdir().expect("a folder");
    let checkpoint = Checkpoint::new(folder.path(), "all", "a test");
    for sweeps in 1.. {
        let watch = StopAt(AtomicUsize::new(sweeps), AtomicBool::new(false));
        let run = Run { unmoves: Unmoves::FromGame, watch: &watch, interrupt: &watch.1 };
        match expectations(&game, All, &run, Some((&checkpoint, Duration::MAX))) {
            Err(Stop::Interrupted) => assert!(sweeps < 50 && checkpoint.first_number().is_some()),
            found => {
                assert_eq!(bits(&found.expect("it is solved").points), bits(&expected.points));
                assert!(sweeps > 2 && checkpoint.first_number().is_none());
                break;
            }
        }
    }
}
