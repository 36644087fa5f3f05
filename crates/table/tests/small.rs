//! Small tables: what is written is read again, and damage is noticed.

#[path = "common/forging.rs"]
mod forging;

use endspiel_table::{
    Backend, BlockCache, DEFAULT_CACHE_BYTES, Description, Distances, Entry, Folder, Kept, Library, Outcomes,
    Problem, SmallTable, Store, Stored, Table, TableFile, Tiles, write_small,
};
use forging::repair;
use game::{Metric, Plies, Rng, Wdl};
use std::ops::ControlFlow;
use std::path::Path;
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering::Relaxed};
use tempfile::TempDir;

/// Nothing stops the writer.
const GO_ON: ControlFlow<()> = ControlFlow::Continue(());

/// Indices with three digits after the side to move.
const DIGITS: [u64; 4] = [2, 21, 30, 64];

fn description(metric: Metric) -> Description {
    Description {
        game: "invented".to_owned(),
        rules: "standard".to_owned(),
        slice: "slice".to_owned(),
        metric,
        index: "digits-1".to_owned(),
        entries: DIGITS.iter().product(),
    }
}

/// An invented entry. Neighbours are alike, and some indices have no position.
fn entry(index: u64) -> Entry {
    let (side, a, b, c) = (index / 40_320, index / 1_920 % 21, index / 64 % 30, index % 64);
    let distance =
        Some(Plies((2 * ((a * a + b * 3 + c / 3 + ((index * 2_654_435_761) >> 20) % 2) % 90)) as u16));
    let win = distance.map(Plies::next);
    match (a + 2 * b + c) % 40 {
        _ if (a, b) == (c % 21, c % 30) => Entry::Nothing,
        0..8 => Entry::Draw,
        8 => Entry::WinByRule,
        sum if (sum < 20) == (side == 0) => Entry::Win(win),
        _ => Entry::Loss(distance),
    }
}

fn is_free(index: u64) -> bool {
    (index >> 3).is_multiple_of(5) && !entry(index).is_by_rule()
}

fn write(root: &Path, metric: Metric, kept: Kept) {
    let tiles = Tiles::new(&DIGITS, true);
    let of = |index| match (metric, entry(index)) {
        (Metric::Wdl, Entry::Win(_)) => Entry::Win(None),
        (Metric::Wdl, Entry::Loss(_)) => Entry::Loss(None),
        (_, entry) => entry,
    };
    let written = write_small(root, &description(metric), &tiles, of, is_free, kept, |_| GO_ON);
    assert_eq!(written.unwrap().unwrap().len(), if metric == Metric::Wdl { 1 } else { 2 });
}

fn file(root: &Path, metric: Metric) -> TableFile {
    TableFile::open(description(metric).path(root), Backend::Read).unwrap()
}

fn open(root: &Path, with_distances: bool) -> SmallTable {
    let cache = Arc::new(BlockCache::new(DEFAULT_CACHE_BYTES));
    let outcomes = Table::<Outcomes>::of(file(root, Metric::Wdl)).unwrap().with_cache(Arc::clone(&cache));
    let distances = with_distances
        .then(|| Arc::new(Table::<Distances>::of(file(root, Metric::Dtm)).unwrap().with_cache(cache)));
    SmallTable::new(Arc::new(outcomes), distances).unwrap()
}

#[test]
fn every_entry_is_stored_or_follows() {
    for kept in [Kept::WinsOrLosses, Kept::Wins, Kept::All] {
        let folder = TempDir::new().unwrap();
        write(folder.path(), Metric::Dtm, kept);
        let table = open(folder.path(), true);
        table.check().unwrap();
        let mut derived = [[0; 2]; 2];
        for index in 0..description(Metric::Dtm).entries {
            let (expected, stored) = (entry(index), table.stored(index).unwrap());
            let (Stored::Entry(found) | Stored::WithoutDistance(found)) = stored;
            if expected == Entry::Nothing {
                continue;
            }
            if found.wdl() != expected.wdl() {
                assert!(
                    is_free(index) && found.wdl() < expected.wdl(),
                    "{index}: {found:?}, not {expected:?}"
                );
            } else if let Stored::WithoutDistance(_) = stored {
                derived[(index / 40_320) as usize][usize::from(found.wdl() == Some(Wdl::Win))] += 1;
            } else {
                assert_eq!(found, expected, "{index}");
            }
        }
        // Of a kind in one section and the other kind in the other section, exactly one is stored.
        let is_derived = |section: usize, kind: usize| derived[section][kind] > 0;
        let is_any_derived = kept != Kept::All;
        assert_eq!(is_derived(0, 0) != is_derived(1, 1), is_any_derived);
        assert_eq!(is_derived(0, 1) != is_derived(1, 0), is_any_derived);
        assert!(kept != Kept::Wins || (is_derived(0, 0) && is_derived(1, 0)));
    }
}

#[test]
fn the_same_entries_give_the_same_bytes() {
    let folders: Vec<TempDir> = (0..3).map(|_| TempDir::new().unwrap()).collect();
    for (folder, threads) in folders.iter().zip([1, 2, 5]) {
        let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build().unwrap();
        pool.install(|| write(folder.path(), Metric::Dtm, Kept::WinsOrLosses));
    }
    for metric in [Metric::Wdl, Metric::Dtm] {
        let bytes: Vec<_> = folders
            .iter()
            .map(|folder| std::fs::read(description(metric).path(folder.path())).unwrap())
            .collect();
        assert!(bytes[0] == bytes[1] && bytes[0] == bytes[2]);
    }
}

#[test]
fn outcomes_alone_are_a_table() {
    let folder = TempDir::new().unwrap();
    write(folder.path(), Metric::Wdl, Kept::WinsOrLosses);
    let table = open(folder.path(), false);
    table.check().unwrap();
    for index in (0..description(Metric::Wdl).entries).filter(|&index| !is_free(index)) {
        let Stored::Entry(found) = table.stored(index).unwrap() else { panic!("it has no distances") };
        assert!(entry(index) == Entry::Nothing || found.wdl() == entry(index).wdl(), "{index}");
    }
}

/// A place that is searched first has another table of wins, draws and losses.
#[test]
fn the_outcomes_of_a_pair_are_found_in_any_place() {
    let folders: [TempDir; 3] = std::array::from_fn(|_| TempDir::new().unwrap());
    let [first, pair, half] = folders.each_ref().map(|folder| folder.path());
    write(pair, Metric::Dtm, Kept::WinsOrLosses);
    let entries = description(Metric::Wdl).entries;
    let path = description(Metric::Wdl).path(first);
    endspiel_table::write(&path, &description(Metric::Wdl), |_| Entry::Draw, |_| ()).unwrap();
    let of_pair = open(pair, true);
    let library = |places: &[&Path]| {
        let stores = places.iter().map(|&place| Arc::new(Folder::new(place)) as Arc<dyn Store>);
        Library::of(stores.collect(), 1 << 20)
    };
    let check = |places: &[&Path]| {
        let found = library(places).small(&description(Metric::Dtm)).unwrap().unwrap();
        (0..entries).step_by(97).for_each(|index| {
            assert_eq!(found.stored(index).unwrap(), of_pair.stored(index).unwrap());
        });
    };
    check(&[pair]);
    check(&[first, pair]);
    // The two files of a pair may be in different places.
    std::fs::create_dir_all(description(Metric::Dtm).path(half).parent().unwrap()).unwrap();
    std::fs::copy(description(Metric::Dtm).path(pair), description(Metric::Dtm).path(half)).unwrap();
    check(&[half, first, pair]);
    let problem = |places: &[&Path]| library(places).small(&description(Metric::Dtm)).unwrap_err().problem;
    assert!(matches!(problem(&[half]), Problem::NoOutcomes { .. }));
    assert!(matches!(problem(&[half, first]), Problem::OtherOutcomes { .. }));
}

/// A block of distances is decoded with one of outcomes, and a cache of one block has room for one of them only.
#[test]
fn many_threads_with_a_cache_of_one_block_read_right() {
    let folder = TempDir::new().unwrap();
    write(folder.path(), Metric::Dtm, Kept::WinsOrLosses);
    let right = open(folder.path(), true);
    let library = Library::new(folder.path(), 9_000).with_most_open(1);
    std::thread::scope(|scope| {
        for seed in 0..64 {
            let (library, right) = (&library, &right);
            scope.spawn(move || {
                let table = library.small(&description(Metric::Dtm)).unwrap().unwrap();
                let mut rng = Rng::new(seed);
                for _ in 0..20 {
                    let index = rng.below(description(Metric::Dtm).entries);
                    assert_eq!(table.stored(index).unwrap(), right.stored(index).unwrap());
                }
            });
        }
    });
    // Blocks of outcomes are smaller than those of distances.
    assert!(library.cache().bytes() <= 9_000);
    assert!(library.statistics().total().misses > 500);
}

#[test]
fn distances_of_other_outcomes_are_refused() {
    let (one, other) = (TempDir::new().unwrap(), TempDir::new().unwrap());
    write(one.path(), Metric::Dtm, Kept::WinsOrLosses);
    let tiles = Tiles::new(&DIGITS, true);
    let draws = |_| Entry::Draw;
    write_small(
        other.path(),
        &description(Metric::Wdl),
        &tiles,
        draws,
        |_| false,
        Kept::WinsOrLosses,
        |_| GO_ON,
    )
    .unwrap();
    let outcomes = Table::<Outcomes>::of(file(other.path(), Metric::Wdl)).unwrap();
    let distances = Table::<Distances>::of(file(one.path(), Metric::Dtm)).unwrap();
    let error = SmallTable::new(Arc::new(outcomes), Some(Arc::new(distances))).unwrap_err();
    assert!(error.to_string().contains("one of the two files was replaced"), "{error}");
}

/// A writer that is stopped, at whatever it does, leaves complete files only.
#[test]
fn a_writer_can_be_stopped() {
    let tiles = Tiles::new(&DIGITS, true);
    let write = |root: &Path, most: usize| {
        let asked = AtomicUsize::new(0);
        let go_on = |_| match asked.fetch_add(1, Relaxed) < most {
            true => GO_ON,
            false => ControlFlow::Break(()),
        };
        let written =
            write_small(root, &description(Metric::Dtm), &tiles, entry, is_free, Kept::WinsOrLosses, go_on);
        (written, asked.into_inner())
    };
    let whole = TempDir::new().unwrap();
    let (written, all) = write(whole.path(), usize::MAX);
    assert!(written.unwrap().is_some());
    let folder_of = |root: &Path| description(Metric::Dtm).path(root).parent().unwrap().to_owned();
    let mut left = [0; 3];
    for most in (0..all - 1).step_by(all / 12) {
        let folder = TempDir::new().unwrap();
        assert!(write(folder.path(), most).0.is_err());
        let files = std::fs::read_dir(folder_of(folder.path())).into_iter().flatten();
        let files: Vec<_> = files.map(|file| file.unwrap().file_name()).collect();
        for name in &files {
            let [stopped, complete] = [&folder, &whole].map(|of| folder_of(of.path()).join(name));
            assert_eq!(std::fs::read(stopped).unwrap(), std::fs::read(complete).unwrap(), "{name:?}");
        }
        left[files.len()] += 1;
    }
    assert!(left[0] > 0 && left[1] > 0 && left[2] == 0, "{left:?}");
}

#[test]
fn too_many_distances_are_not_small() {
    let folder = TempDir::new().unwrap();
    let tiles = Tiles::new(&DIGITS, true);
    let entry = |index: u64| Entry::Win(Some(Plies((index % 600) as u16)));
    let written = write_small(
        folder.path(),
        &description(Metric::Dtm),
        &tiles,
        entry,
        |_| false,
        Kept::WinsOrLosses,
        |_| GO_ON,
    );
    assert_eq!(written.unwrap(), None);
    assert_eq!(std::fs::read_dir(folder.path()).unwrap().count(), 0);
}

/// Random entries cannot be coded in fewer bytes than they have, and are stored as they are.
#[test]
fn random_entries_are_stored_plainly() {
    let folder = TempDir::new().unwrap();
    let tiles = Tiles::new(&[5_000], false);
    let random = |index: u64| {
        (index + 1).wrapping_mul(0x9e37_79b9_7f4a_7c15).rotate_left(29).wrapping_mul(0x9e37_79b9)
    };
    let entry = |index: u64| match random(index) >> 20 & 3 {
        0 => Entry::Draw,
        1 => Entry::WinByRule,
        2 => Entry::Win(Some(Plies((random(index) >> 40) as u16 % 255))),
        _ => Entry::Loss(Some(Plies((random(index) >> 40) as u16 % 255))),
    };
    let description = Description { entries: 5_000, ..description(Metric::Dtm) };
    write_small(folder.path(), &description, &tiles, entry, |_| false, Kept::WinsOrLosses, |_| GO_ON)
        .unwrap()
        .unwrap();
    let table = open(folder.path(), true);
    for index in 0..5_000 {
        match (table.stored(index).unwrap(), entry(index)) {
            (Stored::Entry(found), expected) => assert_eq!(found, expected),
            (Stored::WithoutDistance(found), expected) => assert_eq!(found.wdl(), expected.wdl()),
        }
    }
}

/// The bytes of the outcomes and of the distances of a table with a few hundred entries.
fn few_hundred_entries() -> [Vec<u8>; 2] {
    let folder = TempDir::new().unwrap();
    let tiles = Tiles::new(&[2, 40, 8], true);
    let entry = |index: u64| match (index / 7 + index / 40) % 5 {
        0 => Entry::Draw,
        1 | 2 => Entry::Win(Some(Plies(1 + 2 * (index / 30) as u16))),
        _ => Entry::Loss(Some(Plies(2 * (index / 50) as u16))),
    };
    let described = |metric| Description { entries: 640, ..description(metric) };
    write_small(
        folder.path(),
        &described(Metric::Dtm),
        &tiles,
        entry,
        |_| false,
        Kept::WinsOrLosses,
        |_| GO_ON,
    )
    .unwrap();
    [Metric::Wdl, Metric::Dtm].map(|metric| std::fs::read(described(metric).path(folder.path())).unwrap())
}

/// Every changed byte of a small table is noticed, and so is every truncation.
#[test]
fn damage_is_noticed() {
    let check = |outcomes: Vec<u8>, distances: Vec<u8>| -> Result<(), endspiel_table::Error> {
        let outcomes = Table::<Outcomes>::of(TableFile::from_bytes(outcomes)?)?;
        let distances = Table::<Distances>::of(TableFile::from_bytes(distances)?)?;
        SmallTable::new(Arc::new(outcomes), Some(Arc::new(distances)))?.check()
    };
    let [outcomes, distances] = few_hundred_entries();
    check(outcomes.clone(), distances.clone()).unwrap();
    let damaged = |bytes: &[u8], at: usize| {
        let mut bytes = bytes.to_vec();
        bytes[at] ^= 1 << (at % 8);
        bytes
    };
    for at in 0..outcomes.len() {
        assert!(check(damaged(&outcomes, at), distances.clone()).is_err(), "byte {at} of the outcomes");
        assert!(check(outcomes[..at].to_vec(), distances.clone()).is_err(), "{at} bytes of the outcomes");
    }
    for at in 0..distances.len() {
        assert!(check(outcomes.clone(), damaged(&distances, at)).is_err(), "byte {at} of the distances");
        assert!(check(outcomes.clone(), distances[..at].to_vec()).is_err(), "{at} bytes of the distances");
    }
}

/// A header that names a payload of small tables, but not their codec, promises blocks that the payload cannot read.
#[test]
fn the_payload_and_the_codec_belong_together() {
    for file in few_hundred_entries() {
        for codec in [0, 1] {
            let mut forged = file.clone();
            (forged[8], forged[10]) = (2, codec);
            repair(&mut forged);
            let error = TableFile::from_bytes(forged).unwrap_err();
            assert!(matches!(error.problem, Problem::Payload), "{error}");
        }
    }
}

/// Files with changed bytes and right checksums are refused, or all their entries can be read.
#[test]
fn forged_files_give_an_error_or_valid_entries() {
    let [outcomes, distances] = few_hundred_entries();
    let of_outcomes = |bytes: Vec<u8>| TableFile::from_bytes(bytes).and_then(Table::<Outcomes>::of);
    let read_outcomes = |bytes: Vec<u8>| -> Result<(), endspiel_table::Error> {
        let table = of_outcomes(bytes)?;
        table.check()?;
        (0..table.entries()).try_for_each(|index| table.entry(index).map(|_| ()))
    };
    let right = Arc::new(of_outcomes(outcomes.clone()).unwrap());
    let read_distances = |bytes: Vec<u8>| -> Result<(), endspiel_table::Error> {
        let distances = Table::<Distances>::of(TableFile::from_bytes(bytes)?)?;
        let table = SmallTable::new(Arc::clone(&right), Some(Arc::new(distances)))?;
        table.check()?;
        // A number of a distance can still be one that the list does not have.
        (0..right.entries()).for_each(|index| drop(table.stored(index)));
        Ok(())
    };
    let (mut rng, mut refused, mut read) = (Rng::new(3), 0, 0);
    for (file, is_outcomes) in [(&outcomes, true), (&distances, false)] {
        let mut repaired = file.clone();
        repair(&mut repaired);
        assert_eq!(&repaired, file, "nothing to repair");
        for at in 0..file.len() {
            for _ in 0..8 {
                let mut forged = file.clone();
                forged[at] = rng.next_u64() as u8;
                if rng.below(3) == 0 {
                    forged[rng.below(file.len() as u64) as usize] = rng.next_u64() as u8;
                }
                repair(&mut forged);
                match if is_outcomes { read_outcomes(forged) } else { read_distances(forged) } {
                    Ok(()) => read += 1,
                    Err(_) => refused += 1,
                }
            }
        }
    }
    assert!(refused > 1000 && read > 100, "{refused} {read}");
}
