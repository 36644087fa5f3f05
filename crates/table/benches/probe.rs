//! Benchmarks of opening, probing and writing a table of 20 million entries. Its values cluster like those of real tables.

use divan::{Bencher, black_box, counter::ItemsCount};
use endspiel_table::{Backend, BlockCache, Description, Entry, Library, Probed, Prober, Table, write};
use game::{Metric, Plies, Rng};
use std::sync::{Arc, LazyLock};

#[path = "../tests/common/race.rs"]
mod race;
use race::{Half, Race, Stone};

fn main() {
    divan::main();
}

const ENTRIES: u64 = 20_000_000;
const PROBES: usize = 10_000;
const RACE: Race = Race { stride: 6, near: ENTRIES, far: 0, bits: false, through: false };

/// The entry of an index. Neighbours are similar: a value depends on a slowly changing part, a periodic part (like the 30
/// deals of the cards), and a little chance. An entry takes about 1.5 bits when compressed, like Onitama's 2v2.
fn entry(index: u64) -> Entry {
    let mut noise = Rng::new(index);
    let mut slow = Rng::new(index / 240);
    let mut periodic = Rng::new(index / 2000 * 30 + index % 30);
    let odd = noise.below(100) < 7;
    let plies = Plies((slow.below(4) * 6 + periodic.below(3) + if odd { noise.below(8) } else { 0 }) as u16);
    match periodic.below(20) {
        0 => Entry::Nothing,
        1..3 => Entry::Draw,
        3..9 => Entry::Loss(Some(Plies(plies.0 * 2))),
        _ => Entry::Win(Some(Plies(plies.0 * 2 + 1))),
    }
}

fn description() -> Description {
    RACE.description(Half::Near, Metric::Dtm)
}

/// The folder of the table, which is written once for all benchmarks.
static FOLDER: LazyLock<tempfile::TempDir> = LazyLock::new(|| {
    let folder = tempfile::tempdir().unwrap();
    let written = write(&description().path(folder.path()), &description(), entry, |_| ()).unwrap();
    let bits = written.bytes as f64 * 8.0 / ENTRIES as f64;
    eprintln!("{} bytes, {bits:.2} bits per entry", written.bytes);
    folder
});

fn open() -> Table {
    Table::open(description().path(FOLDER.path()), Backend::Read).unwrap()
}

fn indices(below: u64) -> Vec<u64> {
    let mut rng = Rng::new(1);
    (0..PROBES).map(|_| rng.below(below)).collect()
}

#[divan::bench]
fn open_table(bencher: Bencher) {
    LazyLock::force(&FOLDER);
    bencher.bench(open);
}

/// Reads entries by index. All blocks are in the cache. Two threads should take as long as one.
#[divan::bench(threads = [1, 2])]
fn cached_entry(bencher: Bencher) {
    let table = open().with_cache(Arc::new(BlockCache::new(256 << 20)));
    let indices = indices(ENTRIES);
    let all =
        || indices.iter().filter(|&&index| table.entry(black_box(index)).unwrap() == Entry::Draw).count();
    all();
    bencher.counter(ItemsCount::new(PROBES)).bench(all);
}

/// Probes positions. All blocks are in the cache. Two threads should take as long as one.
#[divan::bench(threads = [1, 2])]
fn cached_probe(bencher: Bencher) {
    let prober = prober(256 << 20);
    let stones = positions();
    let all =
        || stones.iter().filter_map(|stone| prober.value(black_box(stone)).ok()).collect::<Vec<Probed>>();
    all();
    bencher.counter(ItemsCount::new(PROBES)).bench(all);
}

/// Reads entries whose block has to be read (from the file cache of the operating system) and decompressed.
#[divan::bench]
fn uncached_entry(bencher: Bencher) {
    let table = open();
    let mut indices = indices(ENTRIES).into_iter().cycle();
    bencher.bench_local(|| table.entry(indices.next().unwrap()).unwrap());
}

/// Probes ten thousand positions at once. The cache is empty.
#[divan::bench]
fn uncached_batch(bencher: Bencher) {
    let stones = positions();
    bencher
        .counter(ItemsCount::new(stones.len()))
        .with_inputs(|| prober(256 << 20))
        .bench_refs(|prober| prober.values(&stones).len());
}

/// Probes ten thousand positions at once. All blocks are in the cache.
#[divan::bench]
fn cached_batch(bencher: Bencher) {
    let (prober, stones) = (prober(256 << 20), positions());
    bencher.counter(ItemsCount::new(stones.len())).bench(|| prober.values(&stones).len());
}

#[divan::bench(sample_count = 3)]
fn write_table(bencher: Bencher) {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("a.est");
    let entries: Vec<Entry> = (0..ENTRIES).map(entry).collect();
    bencher
        .counter(ItemsCount::new(ENTRIES))
        .bench(|| write(&path, &description(), |index| entries[index as usize], |_| ()).unwrap());
}

#[divan::bench(sample_count = 5)]
fn check_table(bencher: Bencher) {
    let table = open();
    bencher.counter(ItemsCount::new(ENTRIES)).bench(|| table.check().unwrap());
}

fn prober(cache_bytes: u64) -> Prober<Race> {
    Prober::new(RACE, Arc::new(Library::new(FOLDER.path(), cache_bytes)))
}

fn positions() -> Vec<Stone> {
    let is_position = |index: &u64| *index != 0 && entry(*index) != Entry::Nothing;
    indices(ENTRIES).into_iter().filter(is_position).map(|index| RACE.stone(index)).collect()
}
