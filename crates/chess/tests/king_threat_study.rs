//! The stages of the king-threat study (`benches/king_threat_study`): all of them answer as python-chess does on every square of
//! 1,004 boards, and count as Stockfish does.

#[path = "../benches/king_threat_study/mailbox.rs"]
mod mailbox;
#[path = "../benches/king_threat_study/men.rs"]
mod men;
#[path = "../benches/king_threat_study/squares.rs"]
mod squares;
#[path = "../benches/king_threat_study/stages.rs"]
mod stages;
#[path = "../benches/king_threat_study/swar.rs"]
mod swar;
#[path = "../benches/king_threat_study/walks.rs"]
mod walks;

use endspiel_chess::{Board, Position};
use game::Side;
use mailbox::{Mailbox, squares_of};
use serde_json::Value;
use stages::{A, AWithE, B, BWithE, Baseline, C, D, E, Stage};

fn text<'a>(row: &'a Value, field: &str) -> &'a str {
    row[field].as_str().expect("a text")
}

fn assert_threats<S: Stage>() {
    let rows: Vec<Value> = fixtures::rows("chess/attack_maps.jsonl.gz");
    assert_eq!(rows.len(), 1_004);
    for row in &rows {
        let fen = text(row, "fen");
        let board: Board = fen.split(' ').next().unwrap_or(fen).parse().expect("a board");
        let squares = squares_of(&board);
        for (side, map) in [(Side::First, "by_white"), (Side::Second, "by_black")] {
            let expected =
                u64::from_str_radix(text(row, map).trim_start_matches("0x"), 16).expect("hexadecimal");
            let found = (0..64).filter(|&square| S::is_threatened(&squares, square, side));
            let found = found.fold(0u64, |all, square| all | 1 << square);
            assert_eq!(found, expected, "{}: {side:?} in {fen}", S::NAME);
        }
    }
}

fn assert_counts<S: Stage>() {
    let rows: Vec<Value> = fixtures::rows("chess/perft.jsonl.gz");
    let mut compared = 0;
    for row in &rows {
        let position: Position = text(row, "fen").parse().expect("a position");
        for (depth, expected) in (1..=2).zip(row["perft"].as_array().expect("counts")) {
            let count = Mailbox::new(&position).perft::<S>(depth);
            assert_eq!(Some(count), expected.as_u64(), "{}: {position}, depth {depth}", S::NAME);
            compared += 1;
        }
    }
    assert!(compared > 400, "only {compared} counts");
}

macro_rules! tests {
    ($($name:ident: $stage:ident;)*) => {$(
        mod $name {
            use super::*;

            #[test]
            fn threats_are_those_of_python_chess() {
                assert!(!$stage::WHAT.is_empty());
                assert_threats::<$stage>();
            }

            #[test]
            fn counts_are_those_of_stockfish() {
                assert_counts::<$stage>();
            }
        }
    )*};
}

tests! {
    baseline: Baseline;
    a: A;
    b: B;
    c: C;
    d: D;
    e: E;
    a_with_e: AWithE;
    b_with_e: BWithE;
}

/// Every set of occupied bytes, with every byte that a man has.
#[test]
fn occupied_bytes_are_found() {
    for occupied in 0..=255u32 {
        for man in 1..=255u8 {
            let men = std::array::from_fn(|at| if occupied >> at & 1 == 1 { man } else { 0 });
            assert_eq!(swar::occupancy(men), occupied);
        }
    }
}
