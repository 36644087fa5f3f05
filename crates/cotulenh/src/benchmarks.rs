//! The benchmarks of CoTuLenh: perft from the start, and the time of deployments.

use crate::fen::START;
use crate::position::Position;
use game::Position as _;
use game::perft::{self, Counting};
use speed::{Benchmark, Unit, millions_per_second, nanoseconds};
use std::hint::black_box;

/// A ship that carries a plane and a tank and is free to deploy them: thousands of turns.
const STACKS: &str =
    "6c4/1n2fh1hf2/3a2s2a1/2n1gt1tg2/2ie2m2ei/11/11/2IE2M2EI/2(NFT)1G2TG2/3A2S2A1/1N3H1HF2/6C4 r - - 0 1";

/// The benchmarks that only CoTuLenh has, in addition to those of every game.
pub const BENCHMARKS: &[Benchmark] = &[
    Benchmark {
        name: "perft-start",
        what: "perft 3 from the start",
        unit: Unit::MillionsPerSecond,
        measure: || millions_per_second(|| position(START).count_sequences(3)),
    },
    Benchmark {
        name: "plain-start",
        what: "perft 3, start, leaves played",
        unit: Unit::MillionsPerSecond,
        measure: || millions_per_second(|| position(START).play_sequences(3)),
    },
    Benchmark {
        name: "unique-start",
        what: "unique perft 3 from the start",
        unit: Unit::MillionsPerSecond,
        measure: || {
            let unique = Counting { unique: true, ..Counting::default() };
            millions_per_second(|| {
                perft::count(&position(START), 3, unique).expect("few moves need no thread")
            })
        },
    },
    Benchmark {
        name: "turns-start",
        what: "list the turns of the start",
        unit: Unit::Nanoseconds,
        measure: || {
            let start = position(START);
            nanoseconds(|| _ = black_box(black_box(&start).moves()))
        },
    },
    Benchmark {
        name: "count-start",
        what: "count the turns of the start",
        unit: Unit::Nanoseconds,
        measure: || {
            let start = position(START);
            nanoseconds(|| _ = black_box(black_box(&start).count_moves()))
        },
    },
    Benchmark {
        name: "deployments",
        what: "list the turns of a laden ship",
        unit: Unit::MillionsPerSecond,
        measure: || millions_per_second(|| (0..100).map(|_| position(STACKS).moves().len() as u64).sum()),
    },
];

fn position(fen: &str) -> Position {
    fen.parse().expect("a position of this file")
}
