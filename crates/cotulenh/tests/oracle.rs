//! Comparison with an independent program: turns, results, check, mate, stalemate, perft. fixtures/cotulenh/README.md
//! says how each file was made.

use endspiel_cotulenh::Position;
use game::perft::{self, Counting};
use game::{Outcome, Position as _};
use serde_json::Value;
use std::collections::{BTreeMap, HashSet};
use std::ops::ControlFlow;

fn position(row: &Value) -> Position {
    let fen = row["fen"].as_str().expect("a text");
    let position: Position = fen.parse().unwrap_or_else(|error| panic!("{fen}: {error}"));
    assert_eq!(position.to_string(), fen);
    position
}

/// Every turn with the position after it.
fn turns(position: &Position) -> BTreeMap<String, Position> {
    let mut turns = BTreeMap::new();
    let mut without_boards = Vec::new();
    position.for_each_move(|turn| without_boards.push(turn));
    assert_eq!(without_boards.len() as u64, position.count_moves(), "{position}");
    let mut without_boards = without_boards.into_iter();
    let _ = position.visit_successors(|turn, next| {
        assert_eq!(without_boards.next(), Some(turn), "{position}");
        assert_eq!(position.play_unchecked(turn).to_string(), next.to_string(), "{turn:?} in {position}");
        let text = position.turn_text(turn);
        assert!(turns.insert(text, next).is_none(), "{turn:?} twice in {position}");
        ControlFlow::<()>::Continue(())
    });
    assert_eq!(without_boards.next(), None, "{position}");
    turns
}

/// FNV-1a.
fn hash(text: &str) -> u64 {
    text.bytes().fold(0xcbf2_9ce4_8422_2325, |hash, byte| {
        (hash ^ u64::from(byte)).wrapping_mul(0x0000_0100_0000_01b3)
    })
}

/// Returns whether the row also has a hash of all positions after a turn, which is then compared.
fn compare_state(row: &Value, position: &Position, turns: &BTreeMap<String, Position>) -> bool {
    assert_eq!(row["check"].as_bool(), Some(position.is_check()), "{position}");
    assert_eq!(row["turns"].as_u64(), Some(turns.len() as u64), "{position}");
    let outcome = position.outcome();
    assert_eq!(
        row["mate"].as_bool(),
        Some(outcome.is_some_and(|outcome| outcome.by == "checkmate")),
        "{position}"
    );
    let is_stalemate = outcome == Some(Outcome::draw("stalemate"));
    assert_eq!(row["stalemate"].as_bool(), Some(is_stalemate), "{position}");
    let unique: HashSet<String> = turns.values().map(Position::to_string).collect();
    assert_eq!(row["unique"].as_u64(), Some(unique.len() as u64), "{position}");
    let Some(expected) = row["xor"].as_str() else { return false };
    let xor = unique.iter().fold(0, |xor, fen| xor ^ hash(fen));
    assert_eq!(format!("{xor:016x}"), expected, "{position}");
    true
}

#[test]
fn positions_made_by_hand_one_for_each_rule() {
    let rows: Vec<Value> = fixtures::rows("cotulenh/hand.jsonl.gz");
    assert_eq!(rows.len(), 32);
    let mut listed = 0;
    for row in &rows {
        let position = position(row);
        let turns = turns(&position);
        let expected: BTreeMap<String, String> = row["moves"]
            .as_array()
            .expect("a list")
            .iter()
            .map(|pair| {
                (pair[0].as_str().expect("a turn").to_owned(), pair[1].as_str().expect("a FEN").to_owned())
            })
            .collect();
        let found: BTreeMap<String, String> =
            turns.iter().map(|(turn, next)| (turn.clone(), next.to_string())).collect();
        if row["complete"].as_bool() == Some(true) {
            assert_eq!(found, expected, "{}", row["note"]);
        } else {
            for (turn, fen) in &expected {
                assert_eq!(found.get(turn), Some(fen), "{turn}: {}", row["note"]);
            }
        }
        listed += expected.len();
        compare_state(row, &position, &turns);
    }
    assert!(listed > 3_000, "only {listed} turns are listed");
}

#[test]
fn positions_of_all_sorts() {
    let rows: Vec<Value> = fixtures::rows("cotulenh/positions.jsonl.gz");
    assert_eq!(rows.len(), 2_072);
    let (mut hashes, mut lists, mut single_turns) = (0, 0, 0);
    for row in &rows {
        let position = position(row);
        let turns = turns(&position);
        hashes += u32::from(compare_state(row, &position, &turns));
        let told =
            |turn: &str| turns.get(turn).map(|next| format!("{turn} {:016x}", hash(&next.to_string())));
        if let Some(moves) = row["moves"].as_array() {
            let found: Vec<_> = turns.keys().map(|turn| told(turn).expect("there")).collect();
            let expected: Vec<_> = moves.iter().map(|text| text.as_str().expect("a text")).collect();
            assert_eq!(found, expected, "{position}");
            lists += 1;
        }
        for text in row["whole_moves"].as_array().into_iter().flatten() {
            let text = text.as_str().expect("a text");
            let turn = text.split(' ').next().expect("a turn");
            assert_eq!(told(turn).as_deref(), Some(text), "{position}");
            single_turns += 1;
        }
    }
    assert_eq!((hashes, lists, single_turns), (2_072, 102, 142));
}

#[test]
fn games_played_to_the_end() {
    let rows: Vec<Value> = fixtures::rows("cotulenh/games.jsonl.gz");
    assert_eq!(rows.len(), 80);
    let mut played = 0;
    for row in &rows {
        let start = row["start"].as_str().expect("a FEN");
        let mut position: Position = start.parse().unwrap_or_else(|error| panic!("{start}: {error}"));
        for text in row["moves"].as_array().expect("a list") {
            let (turn, expected) = text.as_str().expect("a text").split_once(' ').expect("a turn and a hash");
            let found = position.visit_moves(|found| {
                if position.turn_text(found) == turn {
                    ControlFlow::Break(found)
                } else {
                    ControlFlow::Continue(())
                }
            });
            let found = found.break_value().unwrap_or_else(|| panic!("{turn} in {position}"));
            position = position.play_unchecked(found);
            assert_eq!(format!("{:016x}", hash(&position.to_string())), expected, "after {turn}: {position}");
            played += 1;
        }
        assert_eq!(Some(position.to_string().as_str()), row["final"].as_str());
    }
    assert!(played > 10_000, "only {played} turns");
}

/// Compares perft, unique perft, which counts turns with different results in each node, and the counts of each first
/// turn.
#[test]
fn sequences_of_turns() {
    let unique = Counting { unique: true, ..Counting::default() };
    let mut divided_rows = 0;
    for row in &fixtures::rows::<Value>("cotulenh/perft.jsonl.gz") {
        let position = position(row);
        let counts = |name: &str| -> Vec<u64> {
            row[name]
                .as_array()
                .expect("counts")
                .iter()
                .map(|count| count.as_u64().expect("a count"))
                .collect()
        };
        for (depth, expected) in (1..).zip(counts("perft")) {
            assert_eq!(perft::perft(&position, depth), expected, "{position}, depth {depth}");
        }
        for (depth, expected) in (1..).zip(counts("unique")) {
            let counted = perft::count(&position, depth, unique).expect("a thread");
            assert_eq!(counted, expected, "{position}, unique, depth {depth}");
        }
        let Some(expected) = row["divide"].as_object() else { continue };
        divided_rows += 1;
        let depth = counts("perft").len() as u32;
        let divided = perft::divide(&position, depth, Counting::default()).expect("threads");
        assert_eq!(divided.len(), expected.len(), "{position}");
        for (turn, count) in divided {
            let text = position.turn_text(turn);
            assert_eq!(expected[&text].as_u64(), Some(count), "{text} in {position}");
        }
    }
    assert!(divided_rows > 0, "no row has the counts of each first turn");
}
