//! The start positions of Chess960, its moves and its castling, compared with an independent program, python-chess (see
//! `oracles/chess/starts.py` and `chess960.py`).

use endspiel_chess::{Chess, Kind, Move, OptionError, Position, START, Square, Start, VARIANT, Variant};
use game::{Game, Notation, Options, Position as _, Rng, Side, perft};
use serde_json::Value;
use std::collections::{HashMap, HashSet};

const FIXTURE: &str = include_str!("../../../fixtures/chess/starts.txt");
const STANDARD: &str = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1";

#[test]
fn starts_have_the_peers_numbers() {
    let mut seen = HashSet::new();
    let mut rows = FIXTURE.lines().skip(1);
    for start in Start::all() {
        let rank: String = start.back_rank().into_iter().map(Kind::letter).collect();
        assert_eq!(Some(rank.as_str()), rows.next(), "start {}", start.number());
        let position = start.position();
        assert!(seen.insert(position), "start {}", start.number());
        assert_eq!(position.castling_rooks().len(), 4);
        assert!((18..=21).contains(&position.count_moves()), "{position}");
        let read = position.to_string().parse();
        assert_eq!(read, Ok(position), "start {}", start.number());
    }
    assert_eq!(rows.next(), None);
    assert_eq!(Start::new(960), None);
}

#[test]
fn standard_chess_begins_with_518() {
    assert_eq!(Chess::STANDARD.start().to_string(), STANDARD);
    assert_eq!(Chess::chess960(Start::STANDARD).start(), Chess::default().start());
}

fn chess(variant: &str, start: &str) -> Result<Chess, OptionError> {
    let mut options = Options::default();
    options.set(&VARIANT, variant.to_owned());
    options.set(&START, start.to_owned());
    Chess::new(&options)
}

#[test]
fn options_name_variant_and_start() {
    assert_eq!(Chess::new(&Options::default()), Ok(Chess::STANDARD));
    assert_eq!(chess("standard", "518"), Ok(Chess::STANDARD));
    let game = chess("Chess960", "0").expect("a start");
    assert_eq!((game.variant(), Some(game)), (Variant::Chess960, Start::new(0).map(Chess::chess960)));
}

/// A start that is not given is drawn, each as often as the others. What is drawn is the value of an option.
#[test]
fn starts_are_drawn() {
    let options = |variant: &str, start: Option<&str>| {
        let mut options = Options::default();
        options.set(&VARIANT, variant.to_owned());
        start.into_iter().for_each(|start| options.set(&START, start.to_owned()));
        options
    };
    let mut rng = Rng::new(1);
    for (variant, start) in
        [("standard", None), ("standard", Some("random")), ("chess960", Some("5")), ("x", None)]
    {
        assert!(Chess::draw_by_lot(&options(variant, start), &mut rng).is_none(), "{variant} {start:?}");
    }
    let mut seen = [0; Start::COUNT as usize];
    for start in [None, Some("Random")].into_iter().cycle().take(96_000) {
        let mut options = options("chess960", start);
        let (option, value) = Chess::draw_by_lot(&options, &mut rng).expect("nothing is given");
        options.set(option, value.clone());
        let number = value.parse().expect("a number");
        assert_eq!(Chess::new(&options).ok(), Start::new(number).map(Chess::chess960));
        seen[usize::from(number)] += 1;
    }
    // Ten standard deviations from 100.
    assert!(seen.iter().all(|count| (1..200).contains(count)), "{seen:?}");
}

#[test]
fn wrong_options() {
    let error = |variant: &str, start: &str| chess(variant, start).expect_err("wrong").to_string();
    assert_eq!(error("atomic", "518"), "variant is `atomic`; it is either `standard` or `chess960`");
    let numbers = "the starts of Chess960 have the numbers 0 to 959";
    assert_eq!(error("chess960", "960"), format!("start is `960`; {numbers}"));
    assert_eq!(error("chess960", "-1"), format!("start is `-1`; {numbers}"));
    assert_eq!(error("chess960", ""), format!("start is ``; {numbers}"));
    let nothing_drawn = "start is `random`, but nothing is drawn here";
    assert_eq!(error("chess960", "random"), format!("{nothing_drawn}; {numbers}"));
    assert_eq!(
        error("standard", "random"),
        "a random start is one of Chess960 (`--variant chess960`); standard chess begins with 518"
    );
    assert_eq!(
        error("standard", "0"),
        "start 0 is one of Chess960 (`--variant chess960`); standard chess begins with 518"
    );
}

fn chess960_rows() -> Vec<Value> {
    fixtures::rows("chess/chess960.jsonl")
}

fn text<'a>(row: &'a Value, field: &str) -> &'a str {
    row[field].as_str().expect("a text")
}

/// Returns the position of a row, after a check that it has the moves in the row.
fn position_with_its_moves(row: &Value) -> Position {
    let fen = text(row, "fen");
    let position: Position = fen.parse().unwrap_or_else(|error| panic!("{fen}: {error}"));
    assert_eq!(position.to_string(), fen);
    let chess = Chess::chess960(Start::STANDARD);
    let mut moves: Vec<_> = position.moves().into_iter().map(|m| chess.move_text(&position, m)).collect();
    assert_eq!(moves.len() as u64, position.count_moves(), "{fen}");
    moves.sort();
    assert_eq!(moves.join(" "), text(row, "moves"), "{fen}");
    position
}

/// Compares perft to depths 1 and 2 from every start position, and the moves of positions in which a king can castle.
#[test]
fn chess960_is_played_as_the_peer_plays_it() {
    let rows = chess960_rows();
    let (starts, others) = rows.split_at(960);
    for (start, row) in Start::all().zip(starts) {
        assert_eq!(row["start"], start.number());
        let counts = [1, 2].map(|depth| perft::perft(&start.position(), depth));
        assert_eq!(row["perft"], serde_json::json!(counts), "start {}", start.number());
    }
    let middles: Vec<_> = others.iter().filter(|row| row["rooks"].is_null()).collect();
    assert!(middles.len() > 400);
    for row in middles {
        let position = position_with_its_moves(row);
        assert!(position.moves().into_iter().any(Move::is_castling), "{position}");
    }
}

/// Compares castling on random boards with rights, where it is legal or forbidden for some reason. The counts make sure
/// that the fixture has enough rooks of each sort.
#[test]
fn chess960_forbids_castling_where_the_peer_does() {
    const LEAST: [(&str, usize); 5] =
        [("legal", 100), ("check", 30), ("blocked", 100), ("attacked", 100), ("pinned", 100)];
    let mut counts: HashMap<(Side, String), usize> = HashMap::new();
    for row in chess960_rows().iter().filter(|row| row["rooks"].is_string()) {
        let position = position_with_its_moves(row);
        for (square, found) in text(row, "rooks").split(' ').filter_map(|rook| rook.split_once('=')) {
            let rook: Square = square.parse().expect(square);
            assert!(position.castling_rooks().contains(rook), "{square} in {position}");
            let castles = position.moves().into_iter().any(|m| m.is_castling() && m.to() == rook);
            assert_eq!(castles, found == "legal", "{square} in {position}");
            assert!(found != "pinned" || position.pinned().contains(rook), "{square} in {position}");
            *counts.entry((position.turn(), found.to_owned())).or_default() += 1;
        }
    }
    for side in Side::ALL {
        for (alone, least) in LEAST {
            let count = counts.get(&(side, alone.to_owned())).copied().unwrap_or_default();
            assert!(count >= least, "{alone} for {side:?}: {count} rooks");
        }
    }
}
