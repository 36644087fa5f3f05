//! How fast the rules and the numbering are.

use divan::{Bencher, black_box, counter::ItemsCount};
use endspiel_dobutsu::index::{Index, rank, unrank};
use endspiel_dobutsu::{Dobutsu, Position};
use game::{Game, Position as _, Rng, perft};

fn main() {
    divan::main();
}

/// Items are leaves: the last ply is counted in bulk.
#[divan::bench]
fn perft_6(bencher: Bencher) {
    let start = Dobutsu.start();
    bencher.counter(ItemsCount::new(perft::perft(&start, 6))).bench(|| perft::perft(black_box(&start), 6));
}

/// Items are moves: each is played, and the end of the game is looked for after each.
#[divan::bench]
fn perft_5_one_by_one(bencher: Bencher) {
    fn walk(position: &Position, depth: u32) -> u64 {
        if depth == 0 {
            return 1;
        }
        let mut leaves = 0;
        position.for_each_move(|m| leaves += walk(&position.play_unchecked(m), depth - 1));
        leaves
    }
    let start = Dobutsu.start();
    bencher.counter(ItemsCount::new(walk(&start, 5))).bench(|| walk(black_box(&start), 5));
}

#[divan::bench]
fn playout(bencher: Bencher) {
    let start = Dobutsu.start();
    let mut seed = 0;
    bencher.bench_local(|| {
        seed += 1;
        game::playout(&start, 200, &mut Rng::new(seed))
    });
}

const NUMBERS: usize = 4096;

/// Indices in an order that no cache foresees.
fn scattered() -> Vec<Index> {
    let mut rng = Rng::new(1);
    (0..NUMBERS)
        .map(|_| Index::from_number(rng.below(Index::COUNT.into()) as u32).expect("in range"))
        .collect()
}

#[divan::bench]
fn unrank_scattered(bencher: Bencher) {
    let indices = scattered();
    bencher.counter(ItemsCount::new(NUMBERS)).bench(|| {
        for &index in &indices {
            black_box(unrank(black_box(index)));
        }
    });
}

#[divan::bench]
fn rank_black_to_move(bencher: Bencher) {
    bench_rank(bencher, unrank);
}

#[divan::bench]
fn rank_white_to_move(bencher: Bencher) {
    bench_rank(bencher, |index| unrank(index).rotate());
}

fn bench_rank(bencher: Bencher, position: impl Fn(Index) -> Position) {
    let positions: Vec<Position> = scattered().into_iter().map(position).collect();
    bencher.counter(ItemsCount::new(NUMBERS)).bench(|| {
        for position in &positions {
            black_box(rank(black_box(position)));
        }
    });
}
