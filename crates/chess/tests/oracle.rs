//! Comparison with other programs: perft with Stockfish; legal moves, checkers and attacked squares with python-chess.
//! fixtures/chess/README.md says how each file was made.

use endspiel_chess::{Board, Chess, Kind, Position, Square, SquareSet};
use game::perft::{self, Counting};
use game::{Notation, Position as _, Side};
use serde_json::Value;

fn text<'a>(row: &'a Value, field: &str) -> &'a str {
    row[field].as_str().expect("a text")
}

fn position(row: &Value) -> Position {
    let fen = text(row, "fen");
    fen.parse().unwrap_or_else(|error| panic!("{fen}: {error}"))
}

#[test]
fn perft_is_what_stockfish_counts() {
    let rows: Vec<Value> = fixtures::rows("chess/perft.jsonl.gz");
    assert_eq!(rows.len(), 246);
    let mut compared = 0;
    for row in &rows {
        let position = position(row);
        for (depth, expected) in (1..).zip(row["perft"].as_array().expect("counts")) {
            assert_eq!(Some(perft::perft(&position, depth)), expected.as_u64(), "{position}, depth {depth}");
            compared += 1;
        }
    }
    assert_eq!(compared, 1_108);
}

/// Perft on bare states, perft that plays every leaf, and perft with a hash table, which plays whole positions.
#[test]
fn all_ways_to_count_agree() {
    let rows: Vec<Value> = fixtures::rows("chess/perft.jsonl.gz");
    assert_eq!(rows.len(), 246);
    for row in &rows {
        let (position, depth) = (position(row), 4.min(row["perft"].as_array().expect("counts").len() as u32));
        let expected = row["perft"][depth as usize - 1].as_u64();
        assert_eq!(Some(position.play_sequences(depth)), expected, "{position}");
        let hashed = Counting { hash: Some(1 << 20), ..Counting::default() };
        assert_eq!(perft::count(&position, depth, hashed).ok(), expected, "{position}");
    }
}

#[test]
fn legal_moves_and_checkers_are_those_of_python_chess() {
    let rows: Vec<Value> = fixtures::rows("chess/legal_moves.jsonl.gz");
    assert_eq!(rows.len(), 2_010);
    let mut texts = 0;
    for row in &rows {
        let position = position(row);
        let mut moves: Vec<_> =
            position.moves().into_iter().map(|m| Chess::STANDARD.move_text(&position, m)).collect();
        moves.sort();
        assert_eq!(moves.join(" "), text(row, "moves"), "{position}");
        assert_eq!(Some(position.count_moves()), row["n"].as_u64(), "{position}");
        assert_eq!(Some(position.is_check()), row["check"].as_bool(), "{position}");
        let mut checkers: Vec<_> = position.checkers().iter().map(|square| square.to_string()).collect();
        checkers.sort();
        let mut expected: Vec<_> =
            row["checkers"].as_array().expect("squares").iter().filter_map(Value::as_str).collect();
        expected.sort_unstable();
        assert_eq!(checkers, expected, "{position}");
        // Published suites also name en-passant squares on which no legal move captures.
        if text(row, "src") != "suite" {
            assert_eq!(position.to_string(), text(row, "fen"));
            texts += 1;
        }
    }
    assert!(texts > 1_900, "only {texts} positions are not from suites");
}

/// Walks from the square along each line to the first man. Returns those that are of this side and of one of these kinds.
fn met(
    board: &Board,
    square: Square,
    by: Side,
    kinds: &[Kind],
    lines: &[(i8, i8)],
    reach: usize,
) -> SquareSet {
    let first_on = |&(dx, dy): &(i8, i8)| {
        let squares = std::iter::successors(square.offset(dx, dy), |square| square.offset(dx, dy));
        squares.take(reach).find(|&square| board.piece_at(square).is_some())
    };
    let attacks = |square: &Square| {
        board.piece_at(*square).is_some_and(|piece| piece.side == by && kinds.contains(&piece.kind))
    };
    lines.iter().filter_map(first_on).filter(attacks).collect()
}

/// Compares each attack function, and the set of attackers, with a walk from the square over the board.
fn assert_parts_are_those_of_a_walk(board: &Board, square: Square, by: Side) {
    const NAMES: [&str; 6] = ["pawn", "knight", "rank", "file", "diagonal", "king"];
    const FAR: usize = 7;
    const FILE: [(i8, i8); 2] = [(0, 1), (0, -1)];
    const RANK: [(i8, i8); 2] = [(1, 0), (-1, 0)];
    const DIAGONALS: [(i8, i8); 4] = [(1, 1), (1, -1), (-1, 1), (-1, -1)];
    const ALL: [(i8, i8); 8] = [(0, 1), (1, 1), (1, 0), (1, -1), (0, -1), (-1, -1), (-1, 0), (-1, 1)];
    const JUMPS: [(i8, i8); 8] = [(1, 2), (2, 1), (2, -1), (1, -2), (-1, -2), (-2, -1), (-2, 1), (-1, 2)];
    // Pawns capture ahead, so those that attack this square are one rank behind it.
    let behind = if by == Side::First { -1 } else { 1 };
    let met = |kinds: &[Kind], lines: &[(i8, i8)], reach| met(board, square, by, kinds, lines, reach);
    let parts = [
        (board.is_attacked_by_pawn(square, by), met(&[Kind::Pawn], &[(1, behind), (-1, behind)], 1)),
        (board.is_attacked_by_knight(square, by), met(&[Kind::Knight], &JUMPS, 1)),
        (board.is_attacked_on_rank(square, by), met(&[Kind::Rook, Kind::Queen], &RANK, FAR)),
        (board.is_attacked_on_file(square, by), met(&[Kind::Rook, Kind::Queen], &FILE, FAR)),
        (board.is_attacked_on_diagonal(square, by), met(&[Kind::Bishop, Kind::Queen], &DIAGONALS, FAR)),
        (board.is_attacked_by_king(square, by), met(&[Kind::King], &ALL, 1)),
    ];
    for (name, (is_attacked, walked)) in NAMES.into_iter().zip(parts) {
        assert_eq!(is_attacked, !walked.is_empty(), "{name}: {square} of {board}");
    }
    let walked = parts.into_iter().fold(SquareSet::EMPTY, |all, (_, walked)| all | walked);
    assert_eq!(board.attackers(square, by), walked, "{square} of {board}");
}

/// The boards come from games, or have random pieces and are impossible in a game.
#[test]
fn attacked_squares_are_those_of_python_chess() {
    let rows: Vec<Value> = fixtures::rows("chess/attack_maps.jsonl.gz");
    assert_eq!(rows.len(), 1_004);
    for row in &rows {
        let fen = text(row, "fen");
        let board: Board = fen.split(' ').next().unwrap_or(fen).parse().expect("a board");
        for (side, map, king) in [
            (Side::First, "by_white", "black_king_attacked"),
            (Side::Second, "by_black", "white_king_attacked"),
        ] {
            let word = u64::from_str_radix(text(row, map).trim_start_matches("0x"), 16).expect("hexadecimal");
            let expected = SquareSet::from_word(word);
            assert_eq!(board.attack_map(side), expected, "{fen}");
            for square in Square::all() {
                let is_attacked = expected.contains(square);
                assert_eq!(board.is_attacked(square, side), is_attacked, "{square} of {fen}");
                assert_eq!(!board.attackers(square, side).is_empty(), is_attacked, "{square} of {fen}");
                assert_parts_are_those_of_a_walk(&board, square, side);
            }
            let kings = board.of(side.other(), Kind::King);
            assert_eq!(Some(kings.intersects(expected)), row[king].as_bool(), "{fen}");
        }
    }
}
