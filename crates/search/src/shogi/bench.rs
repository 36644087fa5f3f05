//! The benchmark of the search of shogi.

use crate::bench::{Bench, bench};
use shogi::{Position, Shogi};

/// Positions of all phases: openings, fights with full hands, attacks on kings, and an ending.
const POSITIONS: &[&str] = &[
    "lnsgkgsnl/1r5b1/ppppppppp/9/9/9/PPPPPPPPP/1B5R1/LNSGKGSNL b - 1",
    "1ns2gsnl/l2r1k1b1/2pppgppp/pp3p3/7P1/1P7/P1PPPPPRP/1B2GKS1L/LNS2G1N1 b - 17",
    "1n2kgsn1/lr2g2bl/1p1sppppp/p1pp5/4B4/P1P6/1P1PPPPPP/4G1R2/LNS1KGSNL w - 18",
    "lnsg1g1n1/5sk1l/p1p1pp1pp/6p2/6P2/P2P4P/+b1G1P2P1/5R1S1/+p2GK2NL w Rbsnl4p 50",
    "ln3g1nl/1r4ks1/2psg1b1p/pp1pp1pp1/2P2PP2/4P3P/PPNR1GNP1/2S4S1/L1BG1K2L w 2P 52",
    "ln1g2s2/1s4k1l/pp2gp1p1/3sp4/P2p1n2p/2rPP4/1P4PPP/3BG3R/LN1G2KNL b BPs3p 61",
    "1n2S1+L2/lkr1g4/1pp1gp+B1p/p3p4/3NsS3/PPP6/1S1P+BPPPP/3p1R3/L1G1K4 w 2NL3Pg 70",
    "1+L1g1g1nl/5p1k1/p3p2p1/2+b2Ps2/3g2p1p/4P2R1/PPSG2PPP/1K4S2/LN3B1NL b RSN5P 87",
    "6rnl/1kg2s3/n1p3b+R1/1p1p4p/4g3P/2P3l2/1P1P+s2P+B/2G2+p3/LNK1P2+s1 b GS6Pnlp 115",
    "7k1/9/9/9/4G4/9/9/3K5/9 b P 1",
];
const DEPTH: u32 = 10;

/// Runs the benchmark. It takes a second or so.
///
/// # Panics
/// Never: the positions are written correctly.
pub fn bench_shogi() -> Bench {
    let parse = |sfen: &&str| sfen.parse::<Position>().expect("a position of the list");
    let positions: Vec<Position> = POSITIONS.iter().map(parse).collect();
    bench(Shogi::default(), &positions, DEPTH)
}
