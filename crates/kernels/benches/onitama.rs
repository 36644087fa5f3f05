//! Measures the Onitama kernel alone, without tables, for the default cards and with one thread.

use divan::{Bencher, counter::ItemsCount};
use endspiel_kernels::onitama::attack::Means;
use endspiel_kernels::onitama::deals::Deals;
use endspiel_kernels::onitama::known::{Known, row_sizes, shape};
use endspiel_kernels::onitama::row::{Row, dense};
use endspiel_kernels::onitama::store::Rows;
use onitama::Onitama;
use std::sync::atomic::AtomicBool;

fn main() {
    rayon::ThreadPoolBuilder::new().num_threads(1).build_global().expect("the first pool");
    divan::main();
}

fn deals() -> Deals {
    Deals::new(Onitama::default().table_cards())
}

/// Solves all attacks with up to `most` men on each side. Returns the number of bytes of packed rows.
fn solve(deals: &Deals, most: usize) -> u64 {
    let interrupt = AtomicBool::new(false);
    let spill = || Err(std::io::Error::other("all fits the memory"));
    let watch = |_, _, _| ();
    let means = Means { room: 1 << 32, cache: 64 << 20, spill: &spill, interrupt: &interrupt, watch: &watch };
    let mut known = Known::default();
    let mut bytes = 0;
    for men in 2..=2 * most {
        for attackers in men.saturating_sub(most).max(1)..=most.min(men - 1) {
            let men = (attackers, men - attackers);
            let (won, counts) = (Rows::in_memory(shape(men).0), Rows::in_memory(shape(men).0));
            known.solve(deals, men, &won, &counts, &means).ok().expect("nothing in the way");
            known.insert(men, won);
            bytes += row_sizes(deals, men).iter().sum::<u64>();
        }
    }
    bytes
}

/// Finds the wins at once of three men against three and writes them as words.
#[divan::bench(sample_count = 5)]
fn wins_at_once_3v3(bencher: Bencher) {
    let deals = deals();
    let mut row = dense(3, 3);
    bencher.counter(ItemsCount::new(881_426_700u64)).bench_local(|| {
        for &men in bits::subsets::of_25::of_size(3) {
            Row::<3>::new(&deals, men).start(&mut row);
        }
    });
}

#[divan::bench(sample_count = 5)]
fn who_wins_with_four_men(bencher: Bencher) {
    let deals = deals();
    bencher.counter(ItemsCount::new(9_174_270u64)).bench_local(|| solve(&deals, 2));
}

#[divan::bench(sample_count = 2, sample_size = 1)]
fn who_wins_with_six_men(bencher: Bencher) {
    let deals = deals();
    bencher.counter(ItemsCount::new(1_075_280_850u64)).bench_local(|| solve(&deals, 3));
}
