//! A game that is given as an explicit graph. Its values can be written by hand, or found with a very simple method.

use endspiel_solve::{Cell, Group, Outside, Run, Stop, Unmoves, Unwatched};
use game::{
    BySide, Capabilities, DistanceUnit, Endgame, Game, Index, Info, Location, NoChance, Options, Outcome,
    Plies, Position, Predecessors, Repetition, Side, Value, Without,
};
use std::collections::BTreeMap;
use std::convert::Infallible;
use std::fmt;
use std::ops::ControlFlow;
use std::sync::atomic::AtomicBool;

/// The result of a node without moves, from the view of the side to move.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum End {
    Lost,
    Won,
    Drawn,
}

#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub enum Node {
    /// The game is over.
    End(End),
    /// The nodes that the moves lead to.
    Moves(Vec<usize>),
}

/// A graph: each node has a slice. There are three groups: slice 0, slices 1 and 2, which lead into each other, and slice
/// 3. A node of slice `THROUGH + s` belongs to slice s but has no index. Such nodes do not form cycles.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub struct Graph(pub Vec<(u8, Node)>);

pub const GROUPS: [&[u8]; 3] = [&[0], &[1, 2], &[3]];
pub const THROUGH: u8 = 4;

/// The number of the group of a slice.
pub fn group_of(slice: u8) -> usize {
    GROUPS.iter().position(|group| group.contains(&(slice % THROUGH))).expect("four slices")
}

impl Graph {
    pub fn game(self) -> GraphGame {
        // A position needs a reference to the graph. In a test, the graph may be leaked.
        GraphGame(Box::leak(Box::new(self)))
    }
}

#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct Place {
    graph: &'static Graph,
    node: usize,
    turn: Side,
}

impl Position for Place {
    type Move = usize;
    type Chance = NoChance;

    fn turn(&self) -> Side {
        self.turn
    }

    fn outcome(&self) -> Option<Outcome> {
        match self.graph.0[self.node].1 {
            Node::End(End::Lost) => Some(Outcome::win(self.turn.other(), "lost")),
            Node::End(End::Won) => Some(Outcome::win(self.turn, "won")),
            Node::End(End::Drawn) => Some(Outcome::draw("drawn")),
            Node::Moves(_) => None,
        }
    }

    fn visit_moves<B>(&self, visit: impl FnMut(usize) -> ControlFlow<B>) -> ControlFlow<B> {
        match &self.graph.0[self.node].1 {
            Node::End(_) => ControlFlow::Continue(()),
            Node::Moves(moves) => moves.iter().copied().try_for_each(visit),
        }
    }

    fn play_unchecked(&self, node: usize) -> Self {
        Self { node, turn: self.turn.other(), ..*self }
    }
}

#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct Slice(pub u8);

impl Slice {
    /// Returns whether finished positions of the slice have an index. Games can do either; here half of the slices do.
    fn holds_ends(self) -> bool {
        self.0 % 2 == 1
    }
}

impl fmt::Display for Slice {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "s{}", self.0)
    }
}

#[derive(Clone, Copy, PartialEq, Debug)]
pub struct GraphGame(pub &'static Graph);

impl Game for GraphGame {
    type Position = Place;
    type OptionError = Infallible;
    const INFO: Info = Info {
        name: "graph",
        title: "Graph",
        summary: "a graph",
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
        Ok(Graph(vec![(0, Node::End(End::Lost))]).game())
    }

    fn start(&self) -> Place {
        self.place(0)
    }
}

impl GraphGame {
    pub fn place(&self, node: usize) -> Place {
        Place { graph: self.0, node, turn: Side::First }
    }

    fn nodes(&self, slice: Slice) -> impl Iterator<Item = usize> + '_ {
        (0..self.0.0.len()).filter(move |&node| self.0.0[node].0 == slice.0)
    }
}

/// The index of a node is its place among the nodes of its slice. In even slices the indices of ends are holes.
impl Endgame for GraphGame {
    type Slice = Slice;
    type Unmoves = Self;
    type Short = Without;
    const INDEX: &'static str = "nodes";

    fn unmoves(&self) -> Option<&Self> {
        Some(self)
    }

    fn groups(&self) -> Vec<Vec<Slice>> {
        GROUPS.iter().map(|group| group.iter().copied().map(Slice).collect()).collect()
    }

    fn needs(&self, slice: Slice) -> Vec<Slice> {
        GROUPS[..group_of(slice.0)].iter().flat_map(|group| group.iter().copied().map(Slice)).collect()
    }

    fn size(&self, slice: Slice) -> u64 {
        self.nodes(slice).count() as u64
    }

    fn locate(&self, place: &Place) -> Location<Slice> {
        let slice = Slice(self.0.0[place.node].0);
        match place.outcome() {
            Some(outcome) if slice.0 >= THROUGH || !slice.holds_ends() => {
                return Location::Over(outcome.value(place.turn));
            }
            None if slice.0 >= THROUGH => return Location::Through,
            _ => {}
        }
        let index = self.nodes(slice).position(|node| node == place.node).expect("a node of its slice");
        Location::At(slice, Index(index as u64))
    }

    fn unrank(&self, slice: Slice, index: Index) -> Option<Place> {
        let place = self.place(self.nodes(slice).nth(index.0 as usize)?);
        (slice.holds_ends() || place.outcome().is_none()).then_some(place)
    }
}

impl Predecessors<Self> for GraphGame {
    fn predecessors(&self, place: &Place, mut visit: impl FnMut(Slice, Index)) {
        let group = |node: usize| group_of(self.0.0[node].0);
        for (node, (_, moves)) in self.0.0.iter().enumerate() {
            if let Node::Moves(moves) = moves
                && moves.contains(&place.node)
                && group(node) == group(place.node)
                && let Location::At(slice, index) = self.locate(&self.place(node))
            {
                visit(slice, index);
            }
        }
    }
}

/// The values that were solved before, in memory.
#[derive(Default)]
pub struct Solved(pub BTreeMap<(Slice, Index), Value>);

impl Outside<GraphGame> for Solved {
    fn value(&self, slice: Slice, index: Index) -> Result<Value, table::Error> {
        Ok(self.0[&(slice, index)])
    }
}

/// The values of all nodes by the solver, with cells of width `C` and one source of unmoves.
pub fn solve<C: Cell>(game: &GraphGame, unmoves: Unmoves) -> Result<Vec<Value>, Stop> {
    let interrupt = AtomicBool::new(false);
    let run = Run { unmoves, watch: &Unwatched, interrupt: &interrupt };
    let mut solved = Solved::default();
    for group in game.groups() {
        let mut solver = Group::<_, C, _>::new(game, &group, &solved, &run);
        solver.solve(|_| Ok(()))?;
        let values = values_of(game, &group, &solver);
        solved.0.extend(values);
    }
    Ok((0..game.0.0.len()).map(|node| value(game, &solved, &game.place(node))).collect())
}

/// The values that a solver found for the slices of its group.
pub fn values_of<C: Cell>(
    game: &GraphGame,
    group: &[Slice],
    solver: &Group<'_, GraphGame, C, Solved>,
) -> Vec<((Slice, Index), Value)> {
    let indices = |&slice: &Slice| (0..game.size(slice)).map(move |index| (slice, Index(index)));
    let value = |(slice, index)| {
        let value = solver.cell(slice, index).value().unwrap_or(Value::Draw);
        ((slice, index), value)
    };
    group.iter().flat_map(indices).map(value).collect()
}

/// The value of any place, from the solved values.
pub fn value(game: &GraphGame, solved: &Solved, place: &Place) -> Value {
    match game.locate(place) {
        Location::Over(value) => value,
        Location::At(slice, index) => solved.0[&(slice, index)],
        Location::Through => {
            let next = place.moves().into_iter().map(|m| value(game, solved, &place.play_unchecked(m)));
            Value::from_successors(next).expect("it is not over")
        }
        Location::Beyond(why) => panic!("{why}"),
    }
}

/// The values of all nodes by the definition alone: computes the values within n plies from those within n - 1, for every
/// n.
pub fn by_definition(graph: &Graph) -> Vec<Value> {
    let ends = |end| match end {
        End::Lost => Value::Loss(Plies(0)),
        End::Won => Value::Win(Plies(0)),
        End::Drawn => Value::Draw,
    };
    let mut values = vec![Value::Draw; graph.0.len()];
    loop {
        let next: Vec<Value> = graph
            .0
            .iter()
            .map(|(_, node)| match node {
                Node::End(end) => ends(*end),
                Node::Moves(moves) => {
                    Value::from_successors(moves.iter().map(|&to| values[to])).expect("there are moves")
                }
            })
            .collect();
        if next == values {
            return values;
        }
        values = next;
    }
}
