//! Draws that end a game although there are legal moves: by the clock, and by insufficient material.

use endspiel_chess::Position;
use game::Position as _;

fn position(text: &str) -> Position {
    text.parse().unwrap_or_else(|error| panic!("{text}: {error}"))
}

#[test]
fn fifty_moves_may_be_claimed_and_seventy_five_end_a_game() {
    let draws = |plies| {
        let position = position(&format!("4k3/8/8/8/8/8/4R3/4K3 b - - {plies} 90"));
        (position.is_claimable_by_fifty_moves(), position.is_drawn_by_seventy_five_moves())
    };
    assert_eq!([99, 100, 149, 150].map(draws), [(false, false), (true, false), (true, false), (true, true)]);
}

/// Mate is impossible, even if both sides help.
const DEAD: [(&str, &str); 8] = [
    ("K v K", "8/8/4k3/8/8/3K4/8/8 w - -"),
    ("KN v K", "8/8/4k3/8/8/3K4/4N3/8 w - -"),
    ("K v KN", "8/4n3/4k3/8/8/3K4/8/8 w - -"),
    ("KB v K", "8/8/4k3/8/8/3K4/4B3/8 w - -"),
    ("K v KB", "8/4b3/4k3/8/8/3K4/8/8 w - -"),
    ("KB v KB, one colour", "8/3b4/4k3/8/8/3K4/4B3/8 w - -"),
    ("KBB v K, one colour", "8/8/4k3/8/8/3K4/4B3/5B2 w - -"),
    ("KBB v KB, one colour", "8/3b4/4k3/8/8/3K4/4B3/5B2 w - -"),
];

/// White mates with the next move. So these positions are not dead by the Laws, although no side can force mate with the
/// material of the first five.
const ALIVE: [(&str, &str); 10] = [
    ("KNN v K", "k7/3N4/1K2N3/8/8/8/8/8 w - -"),
    ("KN v KN", "kn6/8/1K2N3/8/8/8/8/8 w - -"),
    ("KB v KN", "knB5/8/1K6/8/8/8/8/8 w - -"),
    ("KN v KB", "k1K5/b7/8/3N4/8/8/8/8 w - -"),
    ("KB v KB, two colours", "kb6/8/1K2B3/8/8/8/8/8 w - -"),
    ("KBN v K", "k7/3N4/1K2B3/8/8/8/8/8 w - -"),
    ("KBB v K, two colours", "k7/8/1K2B3/4B3/8/8/8/8 w - -"),
    ("KR v K", "k7/8/1K6/8/8/8/8/7R w - -"),
    ("KQ v K", "k7/8/1K6/8/8/8/8/6Q1 w - -"),
    ("KP v K", "k7/7P/1K6/8/8/8/8/8 w - -"),
];

/// `is_insufficient_material` of python-chess 1.11.2 gives the same answers.
#[test]
fn material_is_dead_where_no_mate_exists() {
    for (men, fen) in DEAD {
        assert!(position(fen).is_dead_material(), "{men}");
    }
    for (men, fen) in ALIVE {
        let position = position(fen);
        assert!(!position.is_dead_material(), "{men}");
        let is_mate = |next: Position| next.is_check() && next.moves().is_empty();
        assert!(position.moves().into_iter().any(|m| is_mate(position.play_unchecked(m))), "{men}");
    }
}

/// Compares all choices of up to three men besides the kings with python-chess (see `oracles/chess/material.py`).
#[test]
fn material_is_dead_where_the_peer_says_so() {
    let rows: Vec<_> = include_str!("../../../fixtures/chess/material.txt").lines().skip(1).collect();
    assert_eq!(rows.len(), 455);
    for row in rows {
        let (fen, judged) = row.rsplit_once(' ').expect("a position and a word");
        assert_eq!(position(fen).is_dead_material(), judged == "dead", "{fen}");
    }
}
