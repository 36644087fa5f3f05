//! The king-threat study: six ways to tell on a board of one byte per square whether the king is attacked, beside the sets of
//! squares that the product uses. docs/experiments.md has the verdict.
//!
//! `cargo bench -p endspiel-chess --bench king_threat_study` prints the table: four questions in nanoseconds, perft that plays
//! every leaf in million nodes per second. Each figure is the median of three runs.
//! `tests/king_threat_study.rs` compares all stages with the product and with other programs. With `cargo test` it does nothing.

mod mailbox;
mod men;
mod squares;
mod stages;
mod swar;
mod walks;

use endspiel_chess::{Board, Position, Square};
use game::{Position as _, Side};
use mailbox::{Mailbox, squares_of};
use stages::{A, AWithE, B, BWithE, Baseline, C, D, E, Stage};
use std::hint::black_box;
use std::time::{Duration, Instant};

/// The boards are the first four of fixtures/chess/attack_maps.jsonl.gz.
const START: &str = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1";
const KIWIPETE: &str = "r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1";
const BUSY: &str = "r3k2r/Pppp1ppp/1b3nbN/nP6/BBP1P3/q4N2/Pp1P2PP/R2Q1RK1 w kq - 0 1";
const MANY_QUEENS: &str = "Q3k3/3Q1Q2/8/8/8/8/2q1q3/3K4 w - - 0 1";

const RUNS: usize = 3;

/// The figures of a stage, in the order of the columns.
type Row = [f64; 6];

fn main() {
    // `cargo test` runs benchmarks too, without this argument.
    if !std::env::args().any(|argument| argument == "--bench") {
        return;
    }
    println!("ns for a question, medians of {RUNS} runs; million nodes per second for perft\n");
    println!(
        "| stage | not-threatened | threatened | many-queens | sweep-64 | perft start 5 | perft kiwipete 4 |"
    );
    println!("|---|---|---|---|---|---|---|");
    of_stage::<Baseline>();
    of_stage::<A>();
    of_stage::<B>();
    of_stage::<C>();
    of_stage::<D>();
    of_stage::<E>();
    of_stage::<AWithE>();
    of_stage::<BWithE>();
    of_product();
    // The recommended combination again, long after its first measurement.
    of_stage::<BWithE>();
}

fn of_stage<S: Stage>() {
    let squares = |fen: &str| squares_of(&board(fen));
    let is_threatened = |fen: &str, square: u8, by: Side| {
        let squares = squares(fen);
        nanoseconds(|| {
            _ = black_box(S::is_threatened(black_box(&squares), black_box(square), black_box(by)));
        })
    };
    let perft = |fen, depth| nodes(fen, depth, |position| Mailbox::new(position).perft::<S>(depth));
    tell(S::NAME, S::WHAT, || {
        let kiwipete = squares(KIWIPETE);
        [
            is_threatened(START, 4, Side::Second),
            is_threatened(BUSY, 60, Side::First),
            is_threatened(MANY_QUEENS, 60, Side::First),
            nanoseconds(|| {
                let squares = black_box(&kiwipete);
                let attacked = (0..64).filter(|&square| S::is_threatened(squares, square, Side::Second));
                black_box(attacked.count());
            }),
            perft(START, 5),
            perft(KIWIPETE, 4),
        ]
    });
}

fn of_product() {
    let is_attacked = |fen: &str, square: u8, by: Side| {
        let (board, square) = (board(fen), Square::from_index(square).expect("a square"));
        nanoseconds(|| _ = black_box(black_box(&board).is_attacked(black_box(square), black_box(by))))
    };
    let perft = |fen, depth| nodes(fen, depth, |position| position.play_sequences(depth));
    tell("product", "sets of squares in 64-bit words, legal moves without a test", || {
        let kiwipete = board(KIWIPETE);
        [
            is_attacked(START, 4, Side::Second),
            is_attacked(BUSY, 60, Side::First),
            is_attacked(MANY_QUEENS, 60, Side::First),
            nanoseconds(|| {
                let board = black_box(&kiwipete);
                black_box(Square::all().filter(|&square| board.is_attacked(square, Side::Second)).count());
            }),
            perft(START, 5),
            perft(KIWIPETE, 4),
        ]
    });
}

/// Measures some runs and prints their medians.
fn tell(name: &str, what: &str, measure: impl Fn() -> Row) {
    let runs: [Row; RUNS] = std::array::from_fn(|_| measure());
    let median = |column: usize| {
        let mut figures = runs.map(|run| run[column]);
        figures.sort_by(f64::total_cmp);
        figures[RUNS / 2]
    };
    let [not, threatened, queens, sweep, start, kiwipete] = std::array::from_fn(median);
    println!(
        "| {name}: {what} | {not:.1} | {threatened:.1} | {queens:.1} | {sweep:.0} | {start:.1} | {kiwipete:.1} |"
    );
}

fn board(fen: &str) -> Board {
    fen.split(' ').next().unwrap_or(fen).parse().expect("a board of this file")
}

fn position(fen: &str) -> Position {
    fen.parse().expect("a position of this file")
}

/// The nanoseconds of a call, with fewer and shorter batches than usual, because there are many figures.
fn nanoseconds(call: impl FnMut()) -> f64 {
    speed::nanoseconds_in_batches(500, Duration::from_micros(100), call)
}

/// Million nodes per second of the time that this thread had, where the system tells it.
fn nodes(fen: &str, depth: u32, count: impl Fn(&Position) -> u64) -> f64 {
    let position = position(fen);
    let started = Instant::now();
    let before = now(started);
    let nodes = count(&position);
    let seconds = now(started) - before;
    assert_eq!(nodes, position.count_sequences(depth), "{position}, depth {depth}");
    nodes as f64 / seconds / 1e6
}

/// The time that this thread has used, in seconds.
fn now(started: Instant) -> f64 {
    let schedule = std::fs::read_to_string("/proc/thread-self/schedstat").ok();
    let nanoseconds = schedule.and_then(|text| text.split(' ').next()?.parse::<u64>().ok());
    nanoseconds.map_or(started.elapsed().as_secs_f64(), |nanoseconds| nanoseconds as f64 / 1e9)
}
