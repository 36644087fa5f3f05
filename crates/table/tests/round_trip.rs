//! What is written comes back, and the same entries give the same bytes.

mod common;

use common::{backends, clustered, description, different, layout, read_all, write_entries};
use endspiel_table::{Codec, Description, Entry, Layout, Problem, Table, write, write_as, write_blocks};
use game::{Metric, Plies, Rng, Value, Wdl};
use proptest::prelude::*;
use std::fs;
use std::ops::Range;
use std::sync::Mutex;
use std::sync::atomic::{AtomicU64, Ordering};

fn names() -> impl Strategy<Value = String> {
    "[a-zA-Zäö0-9+_-][a-zA-Zäö0-9 .+_-]{0,60}"
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(200))]
    #[test]
    fn tables_return(
        game in names(), rules in names(), slice in names(), index in names(),
        dtm: bool,
        kinds in prop_oneof![1usize..=2, 3usize..=4, 5usize..=16, 17usize..=256, 257usize..=2000],
        block_bits in 0u32..=8, blocks in 0u64..=3, beside in -1i64..=1,
        stored: bool,
        seed: u64,
    ) {
        let metric = if dtm { Metric::Dtm } else { Metric::Wdl };
        let per_block = 1u32 << block_bits;
        let entries = (blocks * u64::from(per_block)).saturating_add_signed(beside);
        let description = Description { game, rules, slice, metric, index, entries };
        let entries = clustered(&different(metric, kinds), entries as usize, &mut Rng::new(seed));
        let codec = if stored { Codec::Stored } else { Codec::Zstd };

        let folder = tempfile::tempdir().unwrap();
        let path = description.path(folder.path());
        write_entries(&path, &description, layout(per_block, codec), &entries);
        for backend in backends() {
            let table = Table::open(&path, backend).unwrap();
            prop_assert_eq!(table.description(), &description);
            prop_assert_eq!(table.layout(), layout(per_block, codec));
            prop_assert_eq!(&read_all(&table).unwrap(), &entries);
            for (&entry, index) in entries.iter().zip(0..) {
                prop_assert_eq!(table.entry(index).unwrap(), entry);
            }
            prop_assert!(table.entry(description.entries).is_err());
            prop_assert!(table.block(table.blocks()).is_err());
            prop_assert!(table.check().is_ok());
        }
        let in_memory = Table::from_bytes(fs::read(&path).unwrap()).unwrap();
        prop_assert_eq!(read_all(&in_memory).unwrap(), entries);
    }
}

/// All widths with full and nearly full palettes, in several blocks.
#[test]
fn every_width_returns() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("a.est");
    for kinds in [1, 2, 3, 4, 5, 15, 16, 17, 255, 256, 257, 65_535, 65_536] {
        let entries = clustered(&different(Metric::Dtm, kinds), 150_000, &mut Rng::new(kinds as u64));
        let description = description(Metric::Dtm, entries.len() as u64);
        let written = write(&path, &description, |index| entries[index as usize], |_| ()).unwrap();
        assert_eq!(written.different_entries, kinds);
        assert_eq!(written.bytes, fs::metadata(&path).unwrap().len());
        let table = Table::open(&path, backends()[0]).unwrap();
        assert_eq!(table.content_hash(), written.content_hash);
        assert_eq!(table.different_entries().len(), kinds);
        assert_eq!(read_all(&table).unwrap(), entries);
        table.check().unwrap();
    }
}

#[test]
fn any_number_of_threads_writes_the_same_bytes() {
    let folder = tempfile::tempdir().unwrap();
    let entries = clustered(&different(Metric::Dtm, 90), 2_000_000, &mut Rng::new(1));
    let description = description(Metric::Dtm, entries.len() as u64);
    let bytes = [1, 2, 3].map(|threads| {
        let path = folder.path().join(format!("{threads}.est"));
        let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build().unwrap();
        pool.install(|| write(&path, &description, |index| entries[index as usize], |_| ())).unwrap();
        fs::read(path).unwrap()
    });
    assert!(bytes[0] == bytes[1] && bytes[1] == bytes[2]);
}

#[test]
fn progress_rises_to_the_end() {
    let folder = tempfile::tempdir().unwrap();
    let description = description(Metric::Wdl, 100_000);
    let heard = Mutex::new(Vec::new());
    let layout = layout(64, Codec::Zstd);
    let progress = |done| heard.lock().unwrap().push(done);
    write_as(&folder.path().join("a.est"), &description, layout, |_| Entry::Draw, progress).unwrap();
    let heard = heard.into_inner().unwrap();
    assert!(heard.len() > 1 && heard.is_sorted());
    assert_eq!(heard.last(), Some(&100_000));
}

/// Whatever goes wrong, the old file stays and nothing else is left; what a crash left before is no obstacle.
#[test]
fn a_failed_write_leaves_the_old_file() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("a.est");
    let description = description(Metric::Dtm, 1000);
    fs::write(folder.path().join(".a.est.part"), "the rest of a crash").unwrap();
    write(&path, &description, |_| Entry::Draw, |_| ()).unwrap();
    let old = fs::read(&path).unwrap();

    let unfit = |entry: Entry| {
        let error = write(&path, &description, |_| entry, |_| ()).unwrap_err();
        assert!(matches!(error.problem, Problem::Unfit { .. }), "{error}");
    };
    unfit(Entry::Win(None));
    unfit(Entry::NotWon);
    unfit(Entry::Loss(Some(Plies(u16::MAX))));
    let asked = AtomicU64::new(0);
    let changing = |_| Entry::Win(Some(Plies((asked.fetch_add(1, Ordering::Relaxed) / 1000) as u16)));
    let error = write(&path, &description, changing, |_| ()).unwrap_err();
    assert!(matches!(error.problem, Problem::Unsteady { .. }), "{error}");
    let many = common::description(Metric::Dtm, 70_000);
    let all = |index: u64| match index {
        0..60_000 => Entry::Win(Some(Plies(index as u16))),
        _ => Entry::Loss(Some(Plies((index - 60_000) as u16))),
    };
    let error = write(&path, &many, all, |_| ()).unwrap_err();
    assert!(matches!(error.problem, Problem::TooManyDifferent { found: 70_000 }), "{error}");

    assert_eq!(fs::read(&path).unwrap(), old);
    assert_eq!(fs::read_dir(folder.path()).unwrap().count(), 1);
}

#[test]
fn names_that_lead_elsewhere_are_refused() {
    let folder = tempfile::tempdir().unwrap();
    for name in ["", "..", "a/b", "a\\b", ".hidden", "line\nfeed", &"x".repeat(201)] {
        let description = Description { slice: name.to_owned(), ..description(Metric::Wdl, 1) };
        let error = write(&folder.path().join("a.est"), &description, |_| Entry::Draw, |_| ()).unwrap_err();
        assert!(matches!(error.problem, Problem::Name { .. }), "{name}: {error}");
    }
    for entries_per_block in [0, 3, 1 << 21] {
        let layout = layout(entries_per_block, Codec::Stored);
        let path = folder.path().join("a.est");
        let one = description(Metric::Wdl, 1);
        let error = write_as(&path, &one, layout, |_| Entry::Draw, |_| ()).unwrap_err();
        assert!(matches!(error.problem, Problem::BlockSize { .. }), "{error}");
    }
    assert_eq!(fs::read_dir(folder.path()).unwrap().count(), 0);
}

#[test]
fn entries_are_values() {
    let values = [Value::Win(Plies(3)), Value::Draw, Value::Loss(Plies(0))];
    for value in values {
        let with = Entry::new(Some(value), Metric::Dtm);
        assert_eq!((with.value(), with.wdl(), with.plies()), (Some(value), Some(value.wdl()), value.plies()));
        let without = Entry::new(Some(value), Metric::Wdl);
        assert_eq!((without.wdl(), without.plies()), (Some(value.wdl()), None));
        assert_eq!(without, Entry::from(value.wdl()));
    }
    assert_eq!(Entry::from(Wdl::Win).value(), None);
    assert_eq!(Entry::new(None, Metric::Dtm), Entry::Nothing);
    assert_eq!(Entry::Nothing.wdl(), None);
    assert_eq!((Entry::NotWon.wdl(), Entry::NotWon.value(), Entry::NotWon.plies()), (None, None, None));
    assert!(Entry::Win(None) < Entry::NotWon, "as the kinds in the file");
}

/// What is packed already makes the same file as what is listed, and comes back as it was.
#[test]
fn packed_blocks_make_the_same_bytes() {
    let folder = tempfile::tempdir().unwrap();
    let (listed, packed) = (folder.path().join("listed.est"), folder.path().join("packed.est"));
    for (metric, kinds) in [(Metric::Wdl, 2), (Metric::Wdl, 5), (Metric::Dtm, 100), (Metric::Dtm, 300)] {
        for count in [0, 1, 32_768, 100_003] {
            let palette = different(metric, if count == 1 { 1 } else { kinds });
            let palette = if count == 0 { &[][..] } else { &palette };
            let entries = clustered(palette, count, &mut Rng::new(3));
            let description = description(metric, count as u64);
            write(&listed, &description, |index| entries[index as usize], |_| ()).unwrap();
            let table = Table::open(&listed, backends()[0]).unwrap();
            let fill = |indices: Range<u64>, block: &mut Vec<u8>| {
                assert!(block.is_empty());
                block.extend(table.packed_block(indices.start / 32_768).unwrap());
                Ok(())
            };
            write_blocks(&packed, &description, Layout::default(), table.different_entries(), fill, |_| ())
                .unwrap();
            assert!(fs::read(&listed).unwrap() == fs::read(&packed).unwrap(), "{count} of {kinds}");
            assert!(table.packed_block(table.blocks()).is_err());
        }
    }
}

#[test]
fn what_is_not_packed_right_is_refused() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("a.est");
    let description = description(Metric::Wdl, 32_768 + 12);
    let (win, draw, not_won) = (Entry::Win(None), Entry::Draw, Entry::NotWon);
    let problem = |palette: &[Entry], last: &[u8]| {
        let fill = |indices: Range<u64>, block: &mut Vec<u8>| {
            match indices.start {
                0 => block.resize(32_768 / 8, 0),
                _ => block.extend(last),
            }
            Ok(())
        };
        write_blocks(&path, &description, Layout::default(), palette, fill, |_| ())
            .map_err(|error| error.problem)
    };
    assert!(problem(&[win, not_won], &[0xff, 0x0f]).is_ok());
    for last in [&[0][..], &[0; 3], &[0, 0x10]] {
        let refused = problem(&[win, not_won], last);
        assert!(matches!(refused, Err(Problem::Packed { index: 32_768 })), "{last:?}");
    }
    assert!(matches!(problem(&[win], &[1, 0]), Err(Problem::Packed { .. })), "not in the palette");
    for palette in [&[][..], &[not_won, win], &[win, win], &[draw, Entry::Win(Some(Plies(1)))]] {
        assert!(matches!(problem(palette, &[0, 0]), Err(Problem::Palette)), "{palette:?}");
    }
}
