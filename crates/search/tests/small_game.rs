//! A game that gives only the two required types has a perfect player.

use endspiel_search::{Blind, Control, Engine, Limits, NoOracle, Score, Searchable};
use game::{
    BySide, Capabilities, DistanceUnit, Game, Info, NoChance, Options, Outcome, Position, Repetition, Side,
    Value,
};
use std::convert::Infallible;
use std::ops::ControlFlow;

/// Take one or two matches of a heap; whoever takes the last one loses.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
struct Heap {
    left: u8,
    turn: Side,
}

impl Position for Heap {
    type Move = u8;
    type Chance = NoChance;

    fn turn(&self) -> Side {
        self.turn
    }

    fn outcome(&self) -> Option<Outcome> {
        (self.left == 0).then(|| Outcome::win(self.turn, "last match"))
    }

    fn visit_moves<B>(&self, visit: impl FnMut(u8) -> ControlFlow<B>) -> ControlFlow<B> {
        (1..=self.left.min(2)).try_for_each(visit)
    }

    fn play_unchecked(&self, taken: u8) -> Self {
        Self { left: self.left - taken, turn: self.turn.other() }
    }
}

struct Matches;

impl Game for Matches {
    type Position = Heap;
    type OptionError = Infallible;
    const INFO: Info = Info {
        name: "matches",
        title: "Matches",
        summary: "do not take the last match",
        sides: BySide { first: "first", second: "second" },
        options: &[],
        position_format: "",
        move_format: "",
        ends: &[],
        rules: "",
        example_position: "",
        example_endgame: "",
        example_move: "",
        distances: DistanceUnit::Plies,
        capabilities: Capabilities {
            chance: false,
            loops: false,
            repetition: Repetition::ALLOWED,
            most_moves: 2,
            bench_depth: 5,
        },
    };

    fn new(_: &Options) -> Result<Self, Infallible> {
        Ok(Self)
    }

    fn start(&self) -> Heap {
        Heap { left: 30, turn: Side::First }
    }
}

impl Searchable for Matches {
    type Evaluator = Blind;
    type Oracle = NoOracle;
}

/// The value by induction over all lines.
fn value(heap: Heap) -> Value {
    let by_rule = heap.outcome().map(|outcome| outcome.value(heap.turn));
    by_rule.unwrap_or_else(|| {
        let after = heap.moves().into_iter().map(|taken| value(heap.play_unchecked(taken)));
        Value::from_successors(after).expect("there are moves")
    })
}

#[test]
fn the_search_finds_every_value_and_keeps_it() {
    for left in 1..=20 {
        for turn in Side::ALL {
            let heap = Heap { left, turn };
            let mut engine = Engine::new(Matches, NoOracle);
            let limits = Limits { depth: Some(30), ..Limits::default() };
            let found = engine.search(&[heap], &limits, &Control::new(), &mut |_| ());
            assert_eq!(found.score.value(), Some(value(heap)), "{heap:?}");
            let after = value(heap.play_unchecked(found.best.expect("there are moves")));
            assert_eq!(after.before_move(), value(heap), "{heap:?}");
        }
    }
}

#[test]
fn several_lines_are_in_order() {
    let mut engine = Engine::new(Matches, NoOracle);
    engine.lines = 2;
    let heap = Heap { left: 12, turn: Side::First };
    let (mut lines, limits) = (Vec::new(), Limits { depth: Some(20), ..Limits::default() });
    engine.search(&[heap], &limits, &Control::new(), &mut |news| {
        if news.depth == 20 {
            lines.push((news.number, news.score, news.line[0]));
        }
    });
    let last = &lines[lines.len() - 2..];
    let expected = |taken| Score::from_value(value(heap.play_unchecked(taken)).before_move(), 0);
    for &(_, score, taken) in last {
        assert_eq!(score, expected(taken));
    }
    assert!(last[0].1 >= last[1].1 && (last[0].0, last[1].0) == (1, 2));
}

#[test]
fn a_finished_game_has_no_best_move() {
    let heap = Heap { left: 0, turn: Side::First };
    let limits = Limits { depth: Some(5), ..Limits::default() };
    let found = Engine::new(Matches, NoOracle).search(&[heap], &limits, &Control::new(), &mut |_| ());
    assert_eq!(found.best, None);
}
