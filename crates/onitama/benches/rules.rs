//! Measures perft, move counting, playouts and reading positions.

use divan::{Bencher, black_box, counter::ItemsCount};
use endspiel_onitama::Onitama;
use game::{Game, Notation, Position, Rng, perft::perft};

fn main() {
    divan::main();
}

#[divan::bench(sample_count = 5)]
fn perft_7(bencher: Bencher) {
    let start = Onitama::default().start();
    let nodes = perft(&start, 7);
    assert_eq!(nodes, 137_240_390);
    bencher.counter(ItemsCount::new(nodes)).bench(|| perft(black_box(&start), 7));
}

#[divan::bench]
fn parse_position(bencher: Bencher) {
    let onitama = Onitama::default();
    let text = "1020100001010000030033400 b boar,ox elephant,horse crab";
    bencher.counter(ItemsCount::new(1u32)).bench(|| onitama.parse_position(black_box(text)));
}

#[divan::bench]
fn count_moves(bencher: Bencher) {
    let start = Onitama::default().start();
    let mut rng = Rng::new(1);
    let positions: Vec<_> = (0..1000).map(|_| game::sample(&start, &mut rng)).collect();
    bencher
        .counter(ItemsCount::new(positions.len()))
        .bench(|| black_box(&positions).iter().map(Position::count_moves).sum::<u64>());
}

#[divan::bench]
fn playout(bencher: Bencher) {
    let start = Onitama::default().start();
    let mut rng = Rng::new(1);
    bencher.counter(ItemsCount::new(1u32)).bench_local(|| game::playout(black_box(&start), 1000, &mut rng));
}
