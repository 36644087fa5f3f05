//! Benchmarks of ranking and unranking the k-subsets of 25 squares, in an order that the cache cannot predict.

use divan::{Bencher, black_box, counter::ItemsCount};
use endspiel_bits::subsets::{self, of_25};

fn main() {
    divan::main();
}

const NUMBERS: usize = 4096;

/// Numbers of k-subsets in a scattered order, made by multiplication with a constant.
fn scattered(size: u32) -> Vec<u32> {
    let count = subsets::count(25, size);
    (0..NUMBERS as u64).map(|i| (i.wrapping_mul(0x9e37_79b9_7f4a_7c15) % count) as u32).collect()
}

#[divan::bench(args = [1, 2, 3, 4, 5])]
fn tables_of_25(bencher: Bencher, size: u32) {
    let numbers = scattered(size);
    bencher.counter(ItemsCount::new(NUMBERS)).bench(|| {
        numbers
            .iter()
            .map(|&n| of_25::rank(black_box(of_25::unrank(black_box(n), size))))
            .fold(0, u32::wrapping_add)
    });
}

#[divan::bench(args = [1, 2, 3, 4, 5])]
fn any_board(bencher: Bencher, size: u32) {
    let numbers = scattered(size);
    bencher.counter(ItemsCount::new(NUMBERS)).bench(|| {
        let both = |&n: &u32| subsets::rank(black_box(subsets::unrank(black_box(u64::from(n)), size)));
        numbers.iter().map(both).fold(0, u64::wrapping_add)
    });
}
