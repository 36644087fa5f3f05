//! Measures the speed of the rules and of the numbering.

use divan::{Bencher, black_box, counter::ItemsCount};
use endspiel_dobutsu::numbers::{Index, rank, unrank};
use endspiel_dobutsu::{All, Dobutsu, Position};
use game::{Endgame, Game, Position as _, Predecessors, Rng, perft};
use std::ops::ControlFlow;

fn main() {
    print_averages();
    divan::main();
}

/// Prints the average number of successors and predecessors per index. They help to interpret the times below.
fn print_averages() {
    let indices = in_order(Order::Scattered);
    let (mut successors, mut predecessors) = (0, 0);
    for position in indices.iter().filter_map(|&index| Dobutsu.unrank(All, index)) {
        let _ = Dobutsu.successors(&position, |_| {
            successors += 1;
            ControlFlow::<()>::Continue(())
        });
        Dobutsu.predecessors(&position, |_, _| predecessors += 1);
    }
    let per_index = |count: u64| count as f64 / indices.len() as f64;
    println!(
        "per index of the table: {:.2} successors, {:.2} predecessors",
        per_index(successors),
        per_index(predecessors)
    );
}

/// Items are leaves. The last ply is counted without playing its moves.
#[divan::bench]
fn perft_6(bencher: Bencher) {
    let start = Dobutsu.start();
    bencher.counter(ItemsCount::new(perft::perft(&start, 6))).bench(|| perft::perft(black_box(&start), 6));
}

/// Items are leaves. Every move is played, also in the last ply.
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

/// Indices in random order, so that caches do not help.
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

/// The order of the table's indices: random, so that caches do not help, or consecutive, as in a solver.
#[derive(Clone, Copy, Debug)]
enum Order {
    Scattered,
    Consecutive,
}

const ORDERS: [Order; 2] = [Order::Scattered, Order::Consecutive];

fn in_order(order: Order) -> Vec<game::Index> {
    let size = Dobutsu.size(All);
    let mut rng = Rng::new(1);
    match order {
        Order::Scattered => (0..16 * NUMBERS).map(|_| game::Index(rng.below(size))).collect(),
        // Runs from many places, because the positions of one run share their lions and most of their pieces.
        Order::Consecutive => (0..16)
            .flat_map(|_| {
                let first = rng.below(size - NUMBERS as u64);
                (first..first + NUMBERS as u64).map(game::Index)
            })
            .collect(),
    }
}

/// Unranks each index and calls `work` for each position.
fn bench_positions(bencher: Bencher, order: Order, mut work: impl FnMut(&Position)) {
    let indices = in_order(order);
    bencher.counter(ItemsCount::new(indices.len())).bench_local(|| {
        for &index in &indices {
            if let Some(position) = Dobutsu.unrank(All, black_box(index)) {
                work(&position);
            }
        }
    });
}

#[divan::bench(args = ORDERS)]
fn table_unrank(bencher: Bencher, order: Order) {
    bench_positions(bencher, order, |position| _ = black_box(position));
}

#[divan::bench(args = ORDERS)]
fn table_locate(bencher: Bencher, order: Order) {
    bench_positions(bencher, order, |position| _ = black_box(Dobutsu.locate(position)));
}

#[divan::bench(args = ORDERS)]
fn table_successors(bencher: Bencher, order: Order) {
    bench_positions(bencher, order, |position| {
        let _ = Dobutsu.successors(position, |location| {
            black_box(location);
            ControlFlow::<()>::Continue(())
        });
    });
}

#[divan::bench(args = ORDERS)]
fn table_predecessors(bencher: Bencher, order: Order) {
    bench_positions(bencher, order, |position| {
        Dobutsu.predecessors(position, |All, index| _ = black_box(index));
    });
}
