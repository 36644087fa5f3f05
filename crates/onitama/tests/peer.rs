//! Compares moves, outcomes and counts with an independent brute-force program (see `oracles/onitama/rules.py`). The
//! positions are from random games with random cards, have men on random squares, or are all those without a step.

use endspiel_onitama::{Onitama, Position};
use game::{Game, Notation, Position as _, perft::perft};
use serde_json::Value;

const FIXTURE: &str = include_str!("../../../fixtures/onitama/positions.jsonl");

fn moves_and_end_agree(position: &Position, row: &Value) {
    let mut moves: Vec<String> = position.moves().iter().map(ToString::to_string).collect();
    moves.sort();
    assert_eq!(Some(moves.join(" ").as_str()), row["moves"].as_str(), "{row}");
    let outcome = position.outcome();
    let winner = outcome.and_then(|outcome| outcome.winner).map(|side| Onitama::INFO.sides[side]);
    assert_eq!(winner, row["winner"].as_str(), "{row}");
    assert_eq!(outcome.map(|outcome| outcome.by), row["by"].as_str(), "{row}");
}

fn counts_agree(position: &Position, counts: &[Value]) {
    for (depth, count) in (1..).zip(counts) {
        assert_eq!(Some(perft(position, depth)), count.as_u64(), "depth {depth} of {position:?}");
    }
}

#[test]
fn the_brute_force_agrees() {
    let (mut moves, mut ends, mut passes, mut starts) = (0, 0, 0, 0);
    for row in FIXTURE.lines().skip(1) {
        let row: Value = serde_json::from_str(row).expect("a line is a JSON object");
        let text = row["position"].as_str().expect("a position is a text");
        let position =
            Onitama::default().parse_position(text).unwrap_or_else(|error| panic!("{text}: {error}"));
        if let Some(counts) = row["perft"].as_array() {
            counts_agree(&position, counts);
            starts += 1;
            continue;
        }
        moves_and_end_agree(&position, &row);
        match position.outcome() {
            Some(_) => ends += 1,
            None if row["moves"].as_str().is_some_and(|moves| moves.contains("pass")) => passes += 1,
            None => moves += 1,
        }
    }
    assert!(moves > 1_000 && ends > 50 && passes == 44 && starts == 3, "{moves} {ends} {passes} {starts}");
}
