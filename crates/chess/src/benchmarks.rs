//! The benchmarks of chess: threats on four boards, exchanges, and perft whose last moves are counted or played.
//!
//! The boards and their names come from an older comparison of mailbox engines. In the board called "threatened" the king is
//! not attacked.

use crate::board::Board;
use crate::grid::Square;
use crate::moves::Move;
use crate::position::Position;
use game::{Centipawns, Position as _, Side};
use speed::{Benchmark, Unit, millions_per_second, nanoseconds};
use std::hint::black_box;

const START: &str = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1";
const KIWIPETE: &str = "r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1";
const THREATENED: &str = "r3k2r/Pppp1ppp/1b3nbN/nP6/BBP1P3/q4N2/Pp1P2PP/R2Q1RK1 w kq - 0 1";
const MANY_QUEENS: &str = "Q3k3/3Q1Q2/8/8/8/8/2q1q3/3K4 w - - 0 1";

const E1: Square = Square::at(4, 0);
const E8: Square = Square::at(4, 7);

/// The perft benchmarks in a form for other programs: name, FEN and depth.
pub const PERFTS: &[(&str, &str, u32)] = &[("perft-start", START, 6), ("perft-kiwipete", KIWIPETE, 5)];

/// The benchmarks of chess, in addition to those that every game has.
pub const BENCHMARKS: &[Benchmark] = &[
    Benchmark {
        name: "not-threatened",
        what: "king attacked? (start, e1)",
        unit: Unit::Nanoseconds,
        measure: || is_attacked(START, E1, Side::Second),
    },
    Benchmark {
        name: "threatened",
        what: "king attacked? (busy board, e8)",
        unit: Unit::Nanoseconds,
        measure: || is_attacked(THREATENED, E8, Side::First),
    },
    Benchmark {
        name: "many-queens",
        what: "king attacked? (five queens, e8)",
        unit: Unit::Nanoseconds,
        measure: || is_attacked(MANY_QUEENS, E8, Side::First),
    },
    Benchmark {
        name: "sweep-64",
        what: "64 squares, one by one",
        unit: Unit::Nanoseconds,
        measure: || {
            let board = board(KIWIPETE);
            nanoseconds(|| {
                let board = black_box(&board);
                black_box(Square::all().filter(|&square| board.is_attacked(square, Side::Second)).count());
            })
        },
    },
    Benchmark {
        name: "attack-map",
        what: "64 squares at once",
        unit: Unit::Nanoseconds,
        measure: || {
            let board = board(KIWIPETE);
            nanoseconds(|| _ = black_box(black_box(&board).attack_map(black_box(Side::Second))))
        },
    },
    Benchmark {
        name: "exchange-value",
        what: "exchange after a capture: its value",
        unit: Unit::Nanoseconds,
        measure: || per_capture(|position, m| _ = black_box(position.see(m))),
    },
    Benchmark {
        name: "exchange-loses",
        what: "exchange after a capture: at least 0?",
        unit: Unit::Nanoseconds,
        measure: || per_capture(|position, m| _ = black_box(position.see_at_least(m, Centipawns(0)))),
    },
    Benchmark {
        name: "perft-start",
        what: "perft 6 from the start",
        unit: Unit::MillionsPerSecond,
        measure: || counted(START, 6),
    },
    Benchmark {
        name: "perft-kiwipete",
        what: "perft 5 from kiwipete",
        unit: Unit::MillionsPerSecond,
        measure: || counted(KIWIPETE, 5),
    },
    Benchmark {
        name: "plain-start",
        what: "perft 5, start, leaves played",
        unit: Unit::MillionsPerSecond,
        measure: || played(START, 5),
    },
    Benchmark {
        name: "plain-kiwipete",
        what: "perft 4, kiwipete, leaves played",
        unit: Unit::MillionsPerSecond,
        measure: || played(KIWIPETE, 4),
    },
];

fn board(fen: &str) -> Board {
    fen.split(' ').next().unwrap_or(fen).parse().expect("a board of this file")
}

fn position(fen: &str) -> Position {
    fen.parse().expect("a position of this file")
}

fn is_attacked(fen: &str, square: Square, by: Side) -> f64 {
    let board = board(fen);
    nanoseconds(|| _ = black_box(black_box(&board).is_attacked(black_box(square), black_box(by))))
}

/// Measures a call for each capture after each move from kiwipete, as the nanoseconds of one call.
fn per_capture(call: impl Fn(&Position, Move)) -> f64 {
    let mut captures = Vec::new();
    position(KIWIPETE).for_each_move(|m| {
        let next = position(KIWIPETE).play_unchecked(m);
        next.for_each_move(|m| captures.extend(next.is_capture(m).then_some((next, m))));
    });
    let all = nanoseconds(|| black_box(&captures).iter().for_each(|(position, m)| call(position, *m)));
    all / captures.len() as f64
}

fn counted(fen: &str, depth: u32) -> f64 {
    millions_per_second(|| position(fen).count_sequences(depth))
}

fn played(fen: &str, depth: u32) -> f64 {
    millions_per_second(|| position(fen).play_sequences(depth))
}
