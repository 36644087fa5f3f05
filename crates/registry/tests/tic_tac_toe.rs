//! A new game, written as `docs/add-a-game.md` describes: it implements three traits, and every verb works with it.

use bits::{Geometry, Square, SquareSet};
use endspiel_registry::{After, Entry, Listing, Registry};
use game::perft::Counting;
use game::{
    BySide, Capabilities, DistanceUnit, Game, Info, NoChance, Notation, Options, Outcome, Position,
    Repetition, Rng, Side,
};
use std::convert::Infallible;
use std::ops::ControlFlow;

#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug, Default)]
struct Board;
impl Geometry for Board {
    type Word = u16;
    const FILES: u8 = 3;
    const RANKS: u8 = 3;
}

#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
struct Grid {
    marks: BySide<SquareSet<Board>>,
    turn: Side,
}

impl Grid {
    fn has_line(&self, side: Side) -> bool {
        const LINES: [u16; 8] = [0o007, 0o070, 0o700, 0o111, 0o222, 0o444, 0o421, 0o124];
        LINES.iter().any(|line| self.marks[side].word() & line == *line)
    }
}

impl Position for Grid {
    type Move = Square<Board>;
    type Chance = NoChance;

    fn turn(&self) -> Side {
        self.turn
    }

    fn outcome(&self) -> Option<Outcome> {
        let full = self.marks.first | self.marks.second == SquareSet::full();
        match self.has_line(self.turn.other()) {
            true => Some(Outcome::win(self.turn.other(), "three in a row")),
            false => full.then(|| Outcome::draw("full board")),
        }
    }

    fn visit_moves<B>(&self, visit: impl FnMut(Square<Board>) -> ControlFlow<B>) -> ControlFlow<B> {
        if self.outcome().is_some() {
            return ControlFlow::Continue(());
        }
        (!(self.marks.first | self.marks.second)).iter().try_for_each(visit)
    }

    fn play_unchecked(&self, square: Square<Board>) -> Self {
        let mut next = *self;
        next.marks[self.turn] |= square.into();
        next.turn = self.turn.other();
        next
    }
}

#[derive(Default)]
struct TicTacToe;

impl Game for TicTacToe {
    type Position = Grid;
    type OptionError = Infallible;
    const INFO: Info = Info {
        name: "tic-tac-toe",
        title: "Tic-tac-toe",
        summary: "Three in a row",
        sides: BySide { first: "cross", second: "nought" },
        options: &[],
        position_format: "nine of x, o and . from a1 to c3",
        move_format: "as a square, such as b2",
        ends: &[],
        rules: "",
        example_position: "x...o....",
        example_endgame: "x...o....",
        example_move: "a2",
        distances: DistanceUnit::Plies,
        capabilities: Capabilities {
            chance: false,
            loops: false,
            repetition: Repetition::ALLOWED,
            most_moves: 9,
            bench_depth: 9,
        },
    };

    fn new(_: &Options) -> Result<Self, Infallible> {
        Ok(Self)
    }

    fn start(&self) -> Grid {
        Grid { marks: BySide::default(), turn: Side::First }
    }
}

#[derive(Debug, thiserror::Error)]
#[error("a grid has nine of x, o and ., with as many x as o or one more")]
struct NoGrid;

impl Notation for TicTacToe {
    type PositionError = NoGrid;

    fn parse_position(&self, text: &str) -> Result<Grid, NoGrid> {
        let marks =
            |mark| Square::all().zip(text.chars()).filter(|&(_, c)| c == mark).map(|(s, _)| s).collect();
        let marks: BySide<SquareSet<Board>> = BySide { first: marks('x'), second: marks('o') };
        let turn = match marks.first.len().checked_sub(marks.second.len()) {
            Some(0) => Side::First,
            Some(1) => Side::Second,
            _ => return Err(NoGrid),
        };
        let grid = Grid { marks, turn };
        if self.position_text(&grid) == text && !grid.has_line(turn) { Ok(grid) } else { Err(NoGrid) }
    }

    fn write_position(&self, grid: &Grid, out: &mut String) {
        out.extend(Square::all().map(
            |square| match Side::ALL.map(|side| grid.marks[side].contains(square)) {
                [true, _] => 'x',
                [_, true] => 'o',
                _ => '.',
            },
        ));
    }

    fn write_move(&self, _: &Grid, square: Square<Board>, out: &mut String) {
        out.push_str(&square.to_string());
    }
}

#[test]
fn every_verb_works() {
    let registry = Registry::standard().with(Entry::<TicTacToe>::default());
    let game =
        registry.find("tic-tac-toe").expect("registered").open(&Options::default()).expect("no options");

    let counts = [1, 9, 72, 504, 3_024, 15_120, 54_720, 148_176, 200_448, 127_872];
    let start = game.session(None).expect("the start is a position");
    let count = |depth, counting| {
        game.rules().perft(&*start, depth, counting, &|_, _| ()).expect("the start is a position")
    };
    for (depth, expected) in counts.into_iter().enumerate() {
        assert_eq!(count(depth as u32, Counting::default()), expected);
    }
    assert_eq!(count(9, Counting { ended: true, ..Counting::default() }), 255_168);

    let mut answer = Vec::new();
    game.rules()
        .moves(Listing::All, After::Omitted, &mut "xx.oo.x..\nxxx".as_bytes(), &mut answer)
        .expect("no I/O");
    let expected = r#"{"position":"xx.oo.x..","moves":[{"move":"b3"},{"move":"c1"},{"move":"c2"},{"move":"c3"}],"outcome":null}
{"position":"xxx","error":"a grid has nine of x, o and ., with as many x as o or one more"}
"#;
    assert_eq!(String::from_utf8(answer).expect("UTF-8"), expected);

    let mut session = game.session(None).expect("the start is a position");
    ["b2", "a1", "A3"].iter().for_each(|text| session.play(text).expect(text));
    assert!(session.play("b2").is_err());
    assert_eq!(session.undo().as_deref(), Some("a3"));
    while session.play_random(&mut Rng::new(3)).is_some() {}
    assert!(session.ending().is_some());
}

#[test]
fn rules_keep_the_laws() {
    for seed in 0..200 {
        game::laws::of_rules(&TicTacToe, seed, seed as u32 % 10);
    }
}
