//! The rules compared with GNU Backgammon and wildbg, for every row of the fixtures.

use endspiel_backgammon::{Backgammon, Position, Roll};
use game::perft::{self, Counting};
use game::{Game, Notation, Position as _};
use serde_json::Value;
use std::collections::BTreeSet;

fn text<'a>(row: &'a Value, field: &str) -> &'a str {
    row[field].as_str().expect("a text")
}

fn position(id: &str, roll: Roll) -> Position {
    Backgammon::default()
        .parse_position(&format!("{id} {roll}"))
        .unwrap_or_else(|error| panic!("{id}: {error}"))
}

/// The boards that a roll can lead to, for either side, as position IDs seen by the next player.
fn results(position: &Position) -> Vec<String> {
    let mut ids = Vec::new();
    position.for_each_move(|m| {
        let next = position.play_unchecked(m);
        ids.push(next.board().position_id(next.turn()));
    });
    assert_eq!(ids.len() as u64, position.count_moves());
    ids
}

#[test]
fn every_roll_leads_to_the_boards_that_gnubg_lists() {
    let rows: Vec<Value> = fixtures::rows("backgammon/moves.jsonl.gz");
    assert_eq!(rows.len(), 4_060);
    for row in rows {
        let die = |at: usize| row["dice"][at].as_u64().expect("a die") as u8;
        let position = position(text(&row, "id"), Roll::new(die(0), die(1)).expect("a roll"));
        for position in [position, position.turned()] {
            let listed = results(&position);
            let ours: BTreeSet<&str> = listed.iter().map(String::as_str).collect();
            assert_eq!(ours.len(), listed.len(), "a board twice: {row}");
            let theirs: BTreeSet<&str> = row["next"]
                .as_array()
                .expect("a list")
                .iter()
                .map(|id| id.as_str().expect("an ID"))
                .collect();
            if theirs.is_empty() {
                assert!(
                    ours.len() == 1
                        && position.play_unchecked(position.moves()[0]).board() == position.board()
                );
            } else {
                assert_eq!(ours, theirs, "{row}");
            }
        }
    }
}

#[test]
fn every_roll_leads_to_as_many_boards_as_wildbg_counts() {
    let rows: Vec<Value> = fixtures::rows("backgammon/movecounts.jsonl.gz");
    assert_eq!(rows.len(), 2_000);
    for row in rows {
        let counts = row["counts"].as_array().expect("a list");
        assert_eq!(counts.len(), 21, "a count for each roll: {row}");
        let rolls = (1..=6).flat_map(|low| (low..=6).map(move |high| Roll::new(low, high).expect("a roll")));
        for (roll, count) in rolls.zip(counts) {
            let position = position(text(&row, "id"), roll);
            assert_eq!(position.count_moves(), count.as_u64().expect("a number").max(1), "{roll}: {row}");
            assert_eq!(results(&position.turned()).len() as u64, position.count_moves());
        }
    }
}

/// The numbers of wildbg and bkgm: each roll counted once, or as often as it falls in 36.
#[test]
fn perft_from_the_start() {
    let start = Backgammon::default().start();
    let counted = [(447, 637), (202_782, 419_783), (116_154_993, 346_692_108)];
    for (depth, (once, weighted)) in (1..).zip(counted) {
        assert_eq!(perft::perft(&start, depth), once);
        let counting = Counting { weighted: true, ..Counting::default() };
        assert_eq!(perft::count(&start, depth, counting).expect("a thread"), weighted);
    }
    // The same count with every move played, to a depth that takes little time.
    assert_eq!(start.play_sequences(2), 202_782);
}
