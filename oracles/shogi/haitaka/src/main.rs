//! Runs the perft benchmarks of `endspiel bench shogi` with haitaka, by name: `endspiel-peer-haitaka perft-start`. It prints
//! million nodes per second. The last moves are counted as sets and not played.
//!
//! haitaka 0.3.2 treats most pawn drops that mate as legal. So it does less work than the rules ask, and its figures
//! are an upper bound. In these two positions its counts are right.

use haitaka::Board;
use std::time::Instant;

const START: &str = "lnsgkgsnl/1r5b1/ppppppppp/9/9/9/PPPPPPPPP/1B5R1/LNSGKGSNL b - 1";
const MOST_MOVES: &str = "R8/2K1S1SSk/4B4/9/9/9/9/9/1L1L1L3 b RBGSNLP3g3n17p 1";

/// Runs the benchmark with the given name. Prints nothing if there is no such benchmark.
fn main() {
    match std::env::args().nth(1).unwrap_or_default().as_str() {
        "perft-start" => print_perft(START, 5, 19_861_490),
        "perft-most-moves" => print_perft(MOST_MOVES, 3, 53_393_368),
        _ => {}
    }
}

/// Counts as haitaka's own example does: board moves and drops separately, which is 1.5 times as fast as both together.
/// `moves.len()` would count squares, so a choice to promote would count only once.
fn perft(board: &Board, depth: u32) -> u64 {
    let mut nodes = 0;
    if depth == 1 {
        board.generate_board_moves(|moves| {
            nodes += moves.into_iter().len() as u64;
            false
        });
        board.generate_drops(|moves| {
            nodes += moves.into_iter().len() as u64;
            false
        });
        return nodes;
    }
    board.generate_board_moves(|moves| {
        for m in moves {
            let mut next = board.clone();
            next.play_unchecked(m);
            nodes += perft(&next, depth - 1);
        }
        false
    });
    board.generate_drops(|moves| {
        for m in moves {
            let mut next = board.clone();
            next.play_unchecked(m);
            nodes += perft(&next, depth - 1);
        }
        false
    });
    nodes
}

fn print_perft(sfen: &str, depth: u32, expected: u64) {
    let board: Board = sfen.parse().expect("a position");
    let mut best = f64::MAX;
    for _ in 0..5 {
        let started = Instant::now();
        let nodes = perft(&board, depth);
        best = best.min(started.elapsed().as_secs_f64());
        assert_eq!(nodes, expected, "{sfen}");
    }
    println!("{:.1}", expected as f64 / best / 1e6);
}
