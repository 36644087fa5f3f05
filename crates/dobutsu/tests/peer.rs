//! Compares our moves and outcomes with those of an independent program, Fairy-Stockfish
//! (see `oracles/dobutsu/positions.py`): 700 positions from random play, 700 with the pieces on random squares.
//!
//! All moves agree: lions may move into an attack, chicks may be dropped anywhere (on a file with another chick, with mate,
//! on the last row), a chick must promote, a dropped piece never promotes. The outcomes agree except in one case: the lion
//! of the side to move already stands on its far row, because the opponent did not capture it. Here this lion has won.
//! Fairy-Stockfish checks after every move which lions on far rows are safe now, and plays on while none is.

use endspiel_dobutsu::Position;
use game::{Outcome, Position as _, Side, Wdl};
use serde_json::Value;

const FIXTURE: &str = include_str!("../../../fixtures/dobutsu/positions.jsonl");

/// Returns whether a side's lion is on its far row and the other side cannot capture it.
fn stands_safe(position: &Position, side: Side) -> bool {
    let far_rank = if side == Side::First { 3 } else { 0 };
    position
        .lion(side)
        .is_some_and(|lion| lion.rank() == far_rank && position.attackers(side.other(), lion).is_empty())
}

/// The result of Fairy-Stockfish if the lion of the side to move has survived on its far row.
fn peers_word_on_a_survivor(position: &Position) -> Option<&'static str> {
    let turn = position.turn();
    match (stands_safe(position, turn), stands_safe(position, turn.other())) {
        (true, true) => Some("draw"),
        (true, false) => Some("win"),
        (false, true) => Some("loss"),
        (false, false) => None,
    }
}

fn word(outcome: Outcome, turn: Side) -> &'static str {
    match outcome.value(turn).wdl() {
        Wdl::Win => "win",
        Wdl::Draw => "draw",
        Wdl::Loss => "loss",
    }
}

#[test]
fn moves_and_ends_are_the_peers() {
    let (mut compared, mut survivors) = (0, 0);
    for row in FIXTURE.lines().skip(1) {
        let row: Value = serde_json::from_str(row).expect("a line is a JSON object");
        let text = row["position"].as_str().expect("a position is a text");
        let position: Position = text.parse().unwrap_or_else(|error| panic!("{text}: {error}"));
        let peers_word = row["result"].as_str();
        let our_word = position.outcome().map(|outcome| word(outcome, position.turn()));
        if our_word == Some("win") {
            assert_eq!(peers_word, peers_word_on_a_survivor(&position), "{text}");
            survivors += 1;
            continue;
        }
        assert_eq!(our_word, peers_word, "{text}");
        let mut ours: Vec<String> = position.moves().iter().map(ToString::to_string).collect();
        ours.sort();
        assert_eq!(ours.join(" "), row["moves"].as_str().expect("moves are a text"), "{text}");
        compared += 1;
    }
    println!("{compared} positions agree, {survivors} are decided by a lion that survived on the far row");
    assert!(compared > 1_000 && survivors > 50, "the fixture has lost its variety");
}
