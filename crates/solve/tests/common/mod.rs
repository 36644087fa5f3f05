//! A game given as an explicit graph: its values can be written down by hand, or found by the plainest of methods.

use endspiel_solve::{Batch, Cell, MovesBack, Outside, Run, Stop, Unwatched};
use game::{
    BySide, Capabilities, Endgame, Game, Index, Info, Location, NoChance, Options, Outcome, Plies, Position,
    Predecessors, Repetition, Side, Value, Without,
};
use std::collections::BTreeMap;
use std::convert::Infallible;
use std::fmt;
use std::ops::ControlFlow;
use std::sync::atomic::AtomicBool;

/// How a node without moves ends, seen by the side to move.
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

/// Nodes in slices. Slice 0 is a batch, slices 1 and 2 lead into each other and are one, slice 3 is one. A node of slice
/// `THROUGH + s` could stand in slice s but has no index; such nodes do not lead into each other in circles.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub struct Graph(pub Vec<(u8, Node)>);

pub const BATCHES: [&[u8]; 3] = [&[0], &[1, 2], &[3]];
pub const THROUGH: u8 = 4;

/// Which batch a slice is in.
pub fn batch_of(slice: u8) -> usize {
    BATCHES.iter().position(|batch| batch.contains(&(slice % THROUGH))).expect("four slices")
}

impl Graph {
    pub fn game(self) -> GraphGame {
        // Positions carry what they need to move; for a test it may live for ever.
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
    /// Games may number finished positions or not: half of the slices do.
    fn holds_ends(self) -> bool {
        self.0 % 2 == 1
    }
}

impl fmt::Display for Slice {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "s{}", self.0)
    }
}

#[derive(Clone, Copy, Debug)]
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
        example_position: "0",
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

/// The index of a node is its place among those of its slice; ends have a number too, but no position.
impl Endgame for GraphGame {
    type Slice = Slice;
    type MovesBack = Self;
    type Short = Without;
    const INDEX: &'static str = "nodes";

    fn moves_back(&self) -> Option<&Self> {
        Some(self)
    }

    fn batches(&self) -> Vec<Vec<Slice>> {
        BATCHES.iter().map(|batch| batch.iter().copied().map(Slice).collect()).collect()
    }

    fn needs(&self, slice: Slice) -> Vec<Slice> {
        BATCHES[..batch_of(slice.0)].iter().flat_map(|batch| batch.iter().copied().map(Slice)).collect()
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
        let batch = |node: usize| batch_of(self.0.0[node].0);
        for (node, (_, moves)) in self.0.0.iter().enumerate() {
            if let Node::Moves(moves) = moves
                && moves.contains(&place.node)
                && batch(node) == batch(place.node)
                && let Location::At(slice, index) = self.locate(&self.place(node))
            {
                visit(slice, index);
            }
        }
    }
}

/// What was solved before, in memory.
#[derive(Default)]
pub struct Solved(pub BTreeMap<(Slice, Index), Value>);

impl Outside<GraphGame> for Solved {
    fn value(&self, slice: Slice, index: Index) -> Result<Value, table::Error> {
        Ok(self.0[&(slice, index)])
    }
}

/// The values of all nodes by the solver; cells of one width, moves back of one kind.
pub fn solve<C: Cell>(game: &GraphGame, moves_back: MovesBack) -> Result<Vec<Value>, Stop> {
    let interrupt = AtomicBool::new(false);
    let run = Run { moves_back, watch: &Unwatched, interrupt: &interrupt };
    let mut solved = Solved::default();
    for batch in game.batches() {
        let mut solver = Batch::<_, C, _>::new(game, &batch, &solved, &run);
        solver.solve(|_| Ok(()))?;
        let values = values_of(game, &batch, &solver);
        solved.0.extend(values);
    }
    Ok((0..game.0.0.len()).map(|node| value(game, &solved, &game.place(node))).collect())
}

/// What a solver found for the slices of its batch.
pub fn values_of<C: Cell>(
    game: &GraphGame,
    batch: &[Slice],
    solver: &Batch<'_, GraphGame, C, Solved>,
) -> Vec<((Slice, Index), Value)> {
    let indices = |&slice: &Slice| (0..game.size(slice)).map(move |index| (slice, Index(index)));
    let value = |(slice, index)| {
        let value = solver.cell(slice, index).value().unwrap_or(Value::Draw);
        ((slice, index), value)
    };
    batch.iter().flat_map(indices).map(value).collect()
}

/// The value of any place, by what is solved.
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

/// The same by the definition alone: the values within n plies from those within n - 1, for every n.
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
