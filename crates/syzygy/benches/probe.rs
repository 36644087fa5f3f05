//! Benchmarks of warm probes on one thread: random positions of all tables with four men in the folder `ENDSPIEL_SYZYGY`, or
//! in the fixtures, which have few of them.

use chess::Position;
use divan::{Bencher, black_box, counter::ItemsCount};
use endspiel_syzygy::{Metric, Tablebase};
use std::sync::LazyLock;

#[path = "../tests/common/mod.rs"]
mod common;

fn main() {
    divan::main();
}

const POSITIONS: usize = 20_000;

static TABLES: LazyLock<Tablebase> = LazyLock::new(|| match std::env::var("ENDSPIEL_SYZYGY") {
    Ok(folder) => Tablebase::open_path(&folder).expect("ENDSPIEL_SYZYGY names folders"),
    Err(_) => Tablebase::open([fixtures::path("chess/syzygy")]).expect("the fixtures"),
});

/// As many positions of each material, in a random order.
fn positions(is_asked: impl Fn(&str) -> bool) -> Vec<Position> {
    let mut materials: Vec<_> =
        TABLES.materials(Metric::Wdl).filter(|material| material.men() == 4).collect();
    materials.retain(|material| is_asked(&material.to_string()));
    let mut positions = Vec::new();
    for &material in &materials {
        let mut of_material = Vec::new();
        let count = POSITIONS.div_ceil(materials.len());
        common::random_positions(material, count, 1, &mut |position| of_material.push(position));
        of_material.truncate(count);
        positions.extend(of_material);
    }
    let mut rng = game::Rng::new(1);
    for i in 1..positions.len() {
        positions.swap(i, rng.below(i as u64 + 1) as usize);
    }
    positions
}

fn bench(bencher: Bencher, positions: &[Position], probe: impl Fn(&Position) -> bool + Sync) {
    let all = || positions.iter().filter(|position| probe(black_box(position))).count();
    all();
    bencher.counter(ItemsCount::new(positions.len())).bench(all);
}

#[divan::bench]
fn wdl_mix(bencher: Bencher) {
    bench(bencher, &positions(|_| true), |position| TABLES.wdl(position).is_ok());
}

#[divan::bench(args = ["KBNvK", "KQvKR", "KPvKP"])]
fn wdl(bencher: Bencher, material: &str) {
    bench(bencher, &positions(|name| name == material), |position| TABLES.wdl(position).is_ok());
}

#[divan::bench(sample_count = 10)]
fn dtz_mix(bencher: Bencher) {
    bench(bencher, &positions(|_| true), |position| TABLES.dtz(position).is_ok());
}
