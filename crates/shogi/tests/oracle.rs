//! Comparison with other programs: legal moves and games of cshogi and python-shogi, perft of four to six programs.
//! fixtures/shogi/README.md says how each file was made.

use endspiel_shogi::records::{self, Ending, csa, kif};
use endspiel_shogi::{Position, Shogi};
use game::perft::{self, Counting};
use game::{Notation, Position as _, Side};
use serde_json::Value;

fn position(row: &Value) -> Position {
    let sfen = row["sfen"].as_str().expect("a text");
    sfen.parse().unwrap_or_else(|error| panic!("{sfen}: {error}"))
}

fn texts(list: &Value) -> Vec<&str> {
    list.as_array().expect("a list").iter().map(|text| text.as_str().expect("a text")).collect()
}

#[test]
fn legal_moves_are_those_of_the_peers() {
    let rows: Vec<Value> = fixtures::rows("shogi/positions.jsonl.gz");
    assert_eq!(rows.len(), 2_356);
    let (mut drop_mates, mut ended) = (0, 0);
    for row in &rows {
        let position = position(row);
        let mut moves: Vec<String> = position.moves().into_iter().map(|m| m.to_string()).collect();
        moves.sort();
        assert_eq!(moves, texts(&row["moves"]), "{position}");
        assert_eq!(position.count_moves(), moves.len() as u64, "{position}");
        assert_eq!(Some(position.is_check()), row["in_check"].as_bool(), "{position}");
        assert_eq!(position.checkers().is_empty(), !position.is_check());
        assert_eq!(position.outcome().is_some(), moves.is_empty(), "{position}");
        for drop in texts(&row["uchifuzume"]) {
            assert!(Shogi::default().parse_move(&position, drop).is_err(), "{drop} in {position}");
            drop_mates += 1;
        }
        ended += usize::from(moves.is_empty());
        assert_eq!(position.to_string().parse(), Ok(position));
    }
    assert!(drop_mates > 200 && ended > 80, "the fixture has lost its variety: {drop_mates}, {ended}");
}

/// Compares every row up to a depth that takes a moment. The greater depths are part of the full run.
#[test]
fn perft_is_what_the_peers_count() {
    assert_eq!(compare_perft(20_000_000), 234);
}

#[test]
#[ignore = "half a minute of work: part of the full run"]
fn deep_perft_is_what_the_peers_count() {
    assert_eq!(compare_perft(u64::MAX), 241);
}

/// Compares the counts up to this number. Returns how many there are.
fn compare_perft(most: u64) -> usize {
    let rows: Vec<Value> = fixtures::json("shogi/perft.json");
    assert_eq!(rows.len(), 64);
    let mut compared = 0;
    for row in &rows {
        let position = position(row);
        for (depth, expected) in row["perft"].as_object().expect("counts") {
            let (depth, expected) = (depth.parse().expect("a depth"), expected.as_u64().expect("a count"));
            if expected <= most {
                assert_eq!(perft::perft(&position, depth), expected, "{position}, depth {depth}");
                compared += 1;
            }
        }
    }
    compared
}

/// Compares the perft that plays every leaf, and the perft with a hash table, which plays whole positions.
#[test]
fn all_ways_to_count_agree() {
    let rows: Vec<Value> = fixtures::json("shogi/perft.json");
    assert_eq!(rows.len(), 64);
    let mut small = 0;
    for row in &rows {
        let position = position(row);
        let expected = row["perft"]["2"].as_u64();
        assert_eq!(Some(position.play_sequences(2)), expected, "{position}");
        let expected = row["perft"]["3"].as_u64().expect("a count");
        if expected < 2_000_000 {
            let hashed = Counting { hash: Some(1 << 20), ..Counting::default() };
            assert_eq!(perft::count(&position, 3, hashed).expect("a thread"), expected, "{position}");
            small += 1;
        }
    }
    assert!(small > 50, "only {small} counts with a hash table");
}

/// Reads the games in both encodings, and again after we have written them.
#[test]
fn games_of_the_peers_are_read() {
    let rows: Vec<Value> = fixtures::rows("shogi/records.jsonl");
    assert_eq!(rows.len(), 32);
    let (mut times, mut results) = (0, 0);
    for row in &rows {
        let text = row["text"].as_str().expect("a text");
        let is_kif = row["format"] == "kif";
        let read = |bytes: &[u8]| {
            let text = records::decode(bytes).expect(text);
            let read = if is_kif { kif::read(&text) } else { csa::read(&text).next().expect("a game") };
            read.unwrap_or_else(|error| panic!("{error}: {text}"))
        };
        let game = read(text.as_bytes());
        assert_eq!(read(&records::to_shift_jis(text).expect(text)), game);
        let written = if is_kif { kif::write(&game) } else { csa::write(&game) };
        assert_eq!(read(written.as_bytes()), game);

        assert_eq!(Some(game.line.start().to_string().as_str()), row["start"].as_str());
        let moves: Vec<_> = game.line.turns().iter().map(|turn| turn.played().to_string()).collect();
        assert_eq!(moves, texts(&row["moves"]), "{text}");
        for (at, turn) in game.line.turns().iter().enumerate() {
            assert_eq!(turn.seconds.map(u64::from), row["seconds"][at].as_u64(), "{text}");
            times += usize::from(turn.seconds.is_some());
        }
        let ending = game.line.end.as_ref().expect(text).ending;
        let expected = match row["end"].as_str().expect("a word") {
            "resign" => Ending::Resigned,
            "win" => Ending::Declared,
            "draw" => Ending::Impasse,
            "sennichite" => Ending::Repetition,
            "illegal_lose" => Ending::IllegalMove,
            "time" => Ending::TimeUp,
            "interrupted" => Ending::Interrupted,
            "mate" => Ending::Mate,
            end => panic!("{end}"),
        };
        assert_eq!(ending, expected, "{text}");
        if let Some(winner) = row["win"].as_str() {
            let expected = match winner {
                "b" => Some(Side::First),
                "w" => Some(Side::Second),
                _ => None,
            };
            assert_eq!(ending.winner(game.line.last().turn()), expected, "{text}");
            results += 1;
        }
        assert_eq!(game.headers.get(records::BLACK), Some("先手の人"));
        assert_eq!(game.headers.get(records::WHITE), Some("Gote, 2"));
    }
    assert!(times > 600 && results > 20, "the fixture has lost its variety: {times}, {results}");
}
