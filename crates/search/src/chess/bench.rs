//! The benchmark of the search of chess.

use crate::bench::{Bench, bench};
use chess::{Chess, Position};

/// Positions of all phases: openings, tactics, quiet middlegames, and endings.
const POSITIONS: &[&str] = &[
    "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1",
    "r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1",
    "r1bqkb1r/pp3ppp/2np1n2/1N2p3/4P3/2N5/PPP2PPP/R1BQKB1R w KQkq - 0 7",
    "r4rk1/1pp1qppp/p1np1n2/2b1p1B1/2B1P1b1/P1NP1N2/1PP1QPPP/R4RK1 w - - 0 10",
    "4kb1r/p2n1ppp/4q3/4p1B1/4P3/1Q6/PPP2PPP/2KR4 w k - 0 16",
    "2rq1rk1/pb2bppp/1pn1pn2/8/2BP4/P1N2N2/1P2QPPP/R1BR2K1 w - - 0 14",
    "r2q1rk1/ppp2ppp/2n1bn2/2bpp3/4P3/2PP1N2/PPBN1PPP/R1BQ1RK1 b - - 0 9",
    "8/2p5/3p4/KP5r/1R3p1k/8/4P1P1/8 w - - 0 1",
    "8/5pk1/4p1p1/7p/1p1n1P1P/1P2P1P1/3N2K1/8 b - - 0 40",
    "8/1p3k2/p1p2p2/2P2P2/1P2K1p1/P5P1/8/8 w - - 0 45",
    "5rk1/p4ppp/1p2p3/3r4/3P4/1R2P3/P4PPP/1R4K1 b - - 0 25",
    "3q1rk1/5pp1/p6p/1p1b4/3N4/P3P3/1P1Q1PPP/3R2K1 w - - 0 26",
];
const DEPTH: u32 = 11;

/// Runs the benchmark. It takes a second or so.
///
/// # Panics
/// Never: the positions are written correctly.
pub fn bench_chess() -> Bench {
    let parse = |fen: &&str| fen.parse::<Position>().expect("a position of the list");
    let positions: Vec<Position> = POSITIONS.iter().map(parse).collect();
    bench(Chess::STANDARD, &positions, DEPTH)
}
