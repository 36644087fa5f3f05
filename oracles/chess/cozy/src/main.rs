//! Runs benchmarks of `endspiel bench chess` with cozy-chess, by name: `endspiel-peer-cozy perft-start`. It prints
//! nanoseconds for threats and million nodes per second for perft. The loops are those of
//! crates/chess/src/benchmarks.rs and crates/speed. There are two ways to test for an attack; the faster one counts.

use cozy_chess::{
    BitBoard, Board, Color, Piece, Square, get_bishop_moves, get_king_moves, get_knight_moves,
    get_pawn_attacks, get_rook_moves,
};
use std::hint::black_box;
use std::time::{Duration, Instant};

const START: &str = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1";
const TALKCHESS: &str = "r3k2r/Pppp1ppp/1b3nbN/nP6/BBP1P3/q4N2/Pp1P2PP/R2Q1RK1 w kq - 0 1";
const KIWIPETE: &str = "r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1";
const QUEENS: &str = "Q3k3/3Q1Q2/8/8/8/8/2q1q3/3K4 w - - 0 1";

/// Bare sets of squares. They are needed because cozy-chess refuses boards with both kings in check.
struct Sets {
    kinds: [BitBoard; 6],
    sides: [BitBoard; 2],
}

impl Sets {
    fn new(fen: &str) -> Self {
        let mut sets = Self { kinds: [BitBoard::EMPTY; 6], sides: [BitBoard::EMPTY; 2] };
        let (mut file, mut rank) = (0, 7);
        for letter in fen.split(' ').next().unwrap_or_default().chars() {
            match letter {
                '/' => (file, rank) = (0, rank - 1),
                '1'..='8' => file += letter as usize - '0' as usize,
                _ => {
                    let kind = "pnbrqk".find(letter.to_ascii_lowercase()).expect("a piece");
                    let square = Square::index(rank * 8 + file).bitboard();
                    sets.kinds[kind] |= square;
                    sets.sides[usize::from(letter.is_lowercase())] |= square;
                    file += 1;
                }
            }
        }
        sets
    }

    #[inline]
    fn is_attacked(&self, square: Square, by: Color) -> bool {
        let them = self.sides[by as usize];
        let of = |kind: Piece| self.kinds[kind as usize] & them;
        let occupied = self.sides[0] | self.sides[1];
        let queens = of(Piece::Queen);
        !(get_pawn_attacks(square, !by) & of(Piece::Pawn)).is_empty()
            || !(get_knight_moves(square) & of(Piece::Knight)).is_empty()
            || !(get_king_moves(square) & of(Piece::King)).is_empty()
            || !(get_bishop_moves(square, occupied) & (of(Piece::Bishop) | queens)).is_empty()
            || !(get_rook_moves(square, occupied) & (of(Piece::Rook) | queens)).is_empty()
    }

    /// Returns whether the square is attacked, without short-circuit evaluation.
    #[inline]
    fn is_attacked_by_any(&self, square: Square, by: Color) -> bool {
        let them = self.sides[by as usize];
        let kind = |kind: Piece| self.kinds[kind as usize];
        let occupied = self.sides[0] | self.sides[1];
        let queens = kind(Piece::Queen);
        let all = get_pawn_attacks(square, !by) & kind(Piece::Pawn)
            | get_knight_moves(square) & kind(Piece::Knight)
            | get_king_moves(square) & kind(Piece::King)
            | get_bishop_moves(square, occupied) & (kind(Piece::Bishop) | queens)
            | get_rook_moves(square, occupied) & (kind(Piece::Rook) | queens);
        !(all & them).is_empty()
    }
}

/// Measures the nanoseconds of one call, as the best of many short batches.
fn nanoseconds(mut call: impl FnMut()) -> f64 {
    const BATCH: Duration = Duration::from_micros(500);
    const BATCHES: u32 = 2_000;
    let mut batch = |calls: u32| {
        let started = Instant::now();
        (0..calls).for_each(|_| call());
        started.elapsed()
    };
    let mut calls = 1;
    while batch(calls) < BATCH {
        calls *= 2;
    }
    let best = (0..BATCHES).map(|_| batch(calls)).min().unwrap_or_default();
    best.as_secs_f64() * 1e9 / f64::from(calls)
}

fn bulk(board: &Board, depth: u32) -> u64 {
    let mut nodes = 0;
    board.generate_moves(|moves| {
        if depth == 1 {
            nodes += moves.len() as u64;
        } else {
            for m in moves {
                let mut next = board.clone();
                next.play_unchecked(m);
                nodes += bulk(&next, depth - 1);
            }
        }
        false
    });
    nodes
}

fn plain(board: &Board, depth: u32) -> u64 {
    if depth == 0 {
        return 1;
    }
    let mut nodes = 0;
    board.generate_moves(|moves| {
        for m in moves {
            let mut next = board.clone();
            next.play_unchecked(m);
            nodes += plain(&next, depth - 1);
        }
        false
    });
    nodes
}

/// Runs the benchmark with the given name. Prints nothing if there is no such benchmark.
fn main() {
    let asked = std::env::args().nth(1).unwrap_or_default();
    let (e1, e8) = (Square::E1, Square::E8);
    match asked.as_str() {
        "not-threatened" => print_attacked(START, e1, Color::Black),
        "threatened" => print_attacked(TALKCHESS, e8, Color::White),
        "many-queens" => print_attacked(QUEENS, e8, Color::White),
        "sweep-64" => {
            let sets = Sets::new(KIWIPETE);
            let sweep = || {
                let sets = black_box(&sets);
                Square::ALL.into_iter().filter(|&square| sets.is_attacked(square, Color::Black)).count()
            };
            println!("{:.2}", nanoseconds(|| _ = black_box(sweep())));
        }
        "perft-start" => print_perft(START, 6, bulk),
        "perft-kiwipete" => print_perft(KIWIPETE, 5, bulk),
        "plain-start" => print_perft(START, 5, plain),
        "plain-kiwipete" => print_perft(KIWIPETE, 4, plain),
        _ => {}
    }
}

fn print_attacked(fen: &str, square: Square, by: Color) {
    let sets = Sets::new(fen);
    let ask = || black_box(&sets).is_attacked(black_box(square), black_box(by));
    let ask_all = || black_box(&sets).is_attacked_by_any(black_box(square), black_box(by));
    let (first, all) = (nanoseconds(|| _ = black_box(ask())), nanoseconds(|| _ = black_box(ask_all())));
    println!("{:.2}", first.min(all));
}

fn print_perft(fen: &str, depth: u32, count: fn(&Board, u32) -> u64) {
    let board: Board = fen.parse().expect("a position");
    let mut best = f64::MAX;
    let mut nodes = 0;
    for _ in 0..5 {
        let started = Instant::now();
        nodes = count(&board, depth);
        best = best.min(started.elapsed().as_secs_f64());
    }
    println!("{:.1}", nodes as f64 / best / 1e6);
}
