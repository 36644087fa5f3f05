//! Compares the rule on perpetual check, on random graphs, with its definition.

use endspiel_solve::{Cell, Group, Outside, Run, Unmoves, Unwatched};
use game::perpetual::{Decided, Draws};
use game::{
    BySide, Capabilities, DistanceUnit, Endgame, Game, Index, Info, Location, NoChance, Options, Outcome,
    Position, Repetition, Rng, Rulebook, Side, Value, Without,
};
use std::convert::Infallible;
use std::fmt;
use std::ops::ControlFlow;
use std::sync::atomic::AtomicBool;

/// A graph of positions. A node without moves is lost for the side to move.
#[derive(PartialEq, Eq, Hash, Debug)]
struct Graph {
    moves: Vec<Vec<usize>>,
    is_check: Vec<bool>,
}

#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
struct Node(&'static Graph, usize);

impl Position for Node {
    type Move = usize;
    type Chance = NoChance;

    fn turn(&self) -> Side {
        Side::First
    }

    fn outcome(&self) -> Option<Outcome> {
        self.0.moves[self.1].is_empty().then(|| Outcome::win(Side::Second, "lost"))
    }

    fn visit_moves<B>(&self, visit: impl FnMut(usize) -> ControlFlow<B>) -> ControlFlow<B> {
        self.0.moves[self.1].iter().copied().try_for_each(visit)
    }

    fn play_unchecked(&self, to: usize) -> Self {
        Self(self.0, to)
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
struct Pursuit(&'static Graph);

impl Game for Pursuit {
    type Position = Node;
    type OptionError = Infallible;
    const INFO: Info = Info {
        name: "pursuit",
        title: "Pursuit",
        summary: "a graph with checks",
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
            chance: false,
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
        Node(self.0, 0)
    }

    fn rulebook(&self) -> Rulebook<Node> {
        let mut rules = Rulebook::new(Repetition::draw_at(4));
        rules.is_check = Some(|node: &Node| node.0.is_check[node.1]);
        rules
    }
}

impl Endgame for Pursuit {
    type Slice = All;
    type Unmoves = Without;
    type Short = Without;
    const INDEX: &'static str = "nodes";

    fn groups(&self) -> Vec<Vec<All>> {
        vec![vec![All]]
    }

    fn needs(&self, _: All) -> Vec<All> {
        Vec::new()
    }

    fn size(&self, _: All) -> u64 {
        self.0.moves.len() as u64
    }

    fn locate(&self, node: &Node) -> Location<All> {
        Location::At(All, Index(node.1 as u64))
    }

    fn unrank(&self, _: All, index: Index) -> Option<Node> {
        Some(Node(self.0, index.0 as usize))
    }
}

impl Outside<Pursuit> for () {
    fn value(&self, _: All, _: Index) -> Result<Value, table::Error> {
        unreachable!("there is one slice")
    }
}

/// A random graph. No node that is in check has a move that gives check: two sides that check each other for ever are beyond
/// the rule.
fn random_graph(rng: &mut Rng) -> Graph {
    let nodes = 4 + rng.below(28) as usize;
    let is_check: Vec<bool> = (0..nodes).map(|_| rng.below(2) == 0).collect();
    let most = 1 + rng.below(3);
    let moves = (0..nodes).map(|node| {
        let count = if rng.below(12) == 0 { 0 } else { 1 + rng.below(most) };
        let targets = (0..count).map(|_| rng.below(nodes as u64) as usize);
        targets.filter(|&to| !(is_check[node] && is_check[to])).collect()
    });
    Graph { moves: moves.collect(), is_check: is_check.clone() }
}

#[test]
fn random_graphs_follow_the_definition() {
    let interrupt = AtomicBool::new(false);
    let run = Run { unmoves: Unmoves::Inverted, watch: &Unwatched, interrupt: &interrupt };
    let (mut graphs, mut decided_by_rule) = (0, 0);
    for seed in 0..4000 {
        let graph: &'static Graph = Box::leak(Box::new(random_graph(&mut Rng::new(seed))));
        let game = Pursuit(graph);
        let mut group = Group::<_, u8, _>::new(&game, &[All], &(), &run);
        group.solve(|_| Ok(())).expect("nothing in the way");
        let cell = |group: &Group<'_, _, u8, _>, node: usize| group.cell(All, Index(node as u64));
        let draws: Vec<usize> =
            (0..graph.moves.len()).filter(|&node| cell(&group, node) == u8::UNKNOWN).collect();
        let number = |node: &usize| draws.binary_search(node).ok().map(|number| number as u32);
        let explicit = Draws {
            moves: draws.iter().map(|&node| graph.moves[node].iter().filter_map(number).collect()).collect(),
            is_check: draws.iter().map(|&node| graph.is_check[node]).collect(),
        };
        group.apply_perpetual_check();
        let with = |code: u8| {
            let found = draws.iter().filter(|&&node| cell(&group, node) == code);
            found.filter_map(number).collect::<Vec<_>>()
        };
        let found = Decided { won: with(u8::WIN_BY_RULE), lost: with(u8::LOSS_BY_RULE) };
        assert_eq!(found, explicit.decided(), "seed {seed}: {graph:?}");
        decided_by_rule += found.won.len() + found.lost.len();
        graphs += usize::from(!found.lost.is_empty());
    }
    assert!(graphs > 300 && decided_by_rule > 1000, "{graphs} graphs, {decided_by_rule} positions");
}
