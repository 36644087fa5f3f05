//! Runs the perft benchmarks of `endspiel bench shogi` with rsshogi, by name: `endspiel-peer-rsshogi perft-start`. It prints
//! million nodes per second of rsshogi's own perft, which lists the moves of the last positions and does not play them.

use rsshogi::board::{perft::compute_perft, position_from_sfen};
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

fn print_perft(sfen: &str, depth: u8, expected: u64) {
    let mut position = position_from_sfen(sfen).expect("a position");
    position.init_stack();
    let mut best = f64::MAX;
    for _ in 0..5 {
        let started = Instant::now();
        let nodes = compute_perft(&mut position, depth);
        best = best.min(started.elapsed().as_secs_f64());
        assert_eq!(nodes, expected, "{sfen}");
    }
    println!("{:.1}", expected as f64 / best / 1e6);
}
