//! The benchmarks of shogi: perft from the start and from the position with the most moves, and the tests that
//! engines need.

use crate::position::Position;
use crate::sfen::START;
use game::Position as _;
use speed::{Benchmark, Unit, millions_per_second, nanoseconds};
use std::hint::black_box;

/// The position with the most legal moves.
const MOST_MOVES: &str = "R8/2K1S1SSk/4B4/9/9/9/9/9/1L1L1L3 b RBGSNLP3g3n17p 1";
/// A middle game without check and without a mate in one.
const MIDDLE: &str = "ln1gk2nl/1r4g2/p1pppp1pp/6p2/1p5P1/2P1P4/PP1PSPP1P/2G1G2R1/LNS1K2NL b Bbs 21";

/// The benchmarks that only shogi has, in addition to those of every game.
pub const BENCHMARKS: &[Benchmark] = &[
    Benchmark {
        name: "perft-start",
        what: "perft 5 from the start",
        unit: Unit::MillionsPerSecond,
        measure: || counted(START, 5),
    },
    Benchmark {
        name: "perft-most-moves",
        what: "perft 3, the most moves",
        unit: Unit::MillionsPerSecond,
        measure: || counted(MOST_MOVES, 3),
    },
    Benchmark {
        name: "plain-start",
        what: "perft 4, start, leaves played",
        unit: Unit::MillionsPerSecond,
        measure: || millions_per_second(|| position(START).play_sequences(4)),
    },
    Benchmark {
        name: "check",
        what: "in check?",
        unit: Unit::Nanoseconds,
        measure: || {
            let position = position(MIDDLE);
            nanoseconds(|| _ = black_box(black_box(&position).is_check()))
        },
    },
    Benchmark {
        name: "mate-in-one",
        what: "mate in one? (middle game, none)",
        unit: Unit::Nanoseconds,
        measure: || {
            let position = position(MIDDLE);
            nanoseconds(|| _ = black_box(black_box(&position).mate_in_one()))
        },
    },
];

fn position(sfen: &str) -> Position {
    sfen.parse().expect("a position of this file")
}

fn counted(sfen: &str, depth: u32) -> f64 {
    millions_per_second(|| position(sfen).count_sequences(depth))
}
